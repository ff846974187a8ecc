//! Meshes from STL (text or binary) and OBJ files. Coordinates are used as they are stored:
//! STL holds single precision, and every such number is a double too; OBJ is read as double.

use crate::diagnostic::Diagnostic;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::wall::{Defect, Mesh};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

/// Facets that meet at less than this belong to one smooth surface [degrees].
const SMOOTH_ANGLE: f64 = 30.0;

/// How many facets with defects are named one by one.
const NAMED_DEFECTS: usize = 10;

type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// Reads `mesh = "file.stl"` or `mesh = { file, smooth_angle, scale, translate, closed }`.
pub(crate) fn read(value: &Value<'_>) -> Option<Arc<Mesh>> {
    let mut smooth_angle = SMOOTH_ANGLE;
    let mut scale = 1.0;
    let mut translate = Vec3::ZERO;
    let mut closed = false;
    let file = if value.is_text() {
        value.clone()
    } else {
        let table = value.table()?;
        let number = |key, missing| table.optional_number(key, Limits::Positive).unwrap_or(missing);
        smooth_angle =
            table.optional_number("smooth_angle", Limits::NotNegative).unwrap_or(SMOOTH_ANGLE);
        scale = number("scale", 1.0);
        translate = table.optional_vec3("translate");
        closed = table.flag("closed", false);
        let file = table.required("file");
        table.finish();
        file?
    };
    let bytes = file.read_file()?;
    let name = file.text()?;
    let (mut vertices, triangles) = parse(name, &bytes)
        .map_err(|what| file.report(format!("cannot read the mesh `{name}`"), what))
        .ok()?;
    for vertex in &mut vertices {
        *vertex = *vertex * scale + translate;
    }
    let (mesh, defects) = Mesh::new(vertices, triangles, smooth_angle.to_radians())
        .map_err(|what| file.report(format!("the mesh `{name}` cannot be a wall"), what))
        .ok()?;
    warn(&file, &defects);
    let open = mesh.open_edges();
    if closed && open > 0 {
        let what = format!("{open} of its edges belong to one facet only");
        file.report(format!("the mesh `{name}` is not closed"), what);
        return None;
    }
    Some(Arc::new(mesh))
}

fn parse(name: &str, bytes: &[u8]) -> Result<Triangles, String> {
    let extension = Path::new(name).extension().map(|ending| ending.to_ascii_lowercase());
    match extension.as_ref().and_then(|ending| ending.to_str()) {
        Some("stl") => parse_stl(bytes),
        Some("obj") => parse_obj(bytes),
        _ => Err("the name must end in .stl or .obj".to_owned()),
    }
}

/// The library's words where they say something, ours where they do not.
fn explain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => "the file ends before its last facet".to_owned(),
        _ => error.to_string(),
    }
}

fn parse_stl(bytes: &[u8]) -> Result<Triangles, String> {
    let reader = &mut Cursor::new(bytes);
    let facets = stl_io::create_stl_reader(reader).map_err(|error| explain(&error))?;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for facet in facets {
        let facet = facet.map_err(|error| explain(&error))?;
        let first = u32::try_from(vertices.len()).map_err(|_| "too many facets")?;
        vertices.extend(facet.vertices.map(|corner| Vec3::from_array(corner.0.map(f64::from))));
        // Corners of neighbours are the same bits; the mesh joins them.
        triangles.push([first, first + 1, first + 2]);
    }
    Ok((vertices, triangles))
}

fn parse_obj(bytes: &[u8]) -> Result<Triangles, String> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, no_materials)
        .map_err(|error| error.to_string())?;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for model in models {
        let first = u32::try_from(vertices.len()).map_err(|_| "too many vertices")?;
        let corners = model.mesh.positions.as_chunks::<3>().0;
        vertices.extend(corners.iter().map(|corner| Vec3::from_array(*corner)));
        let facets = model.mesh.indices.as_chunks::<3>().0;
        triangles.extend(facets.iter().map(|facet| facet.map(|index| first + index)));
    }
    Ok((vertices, triangles))
}

/// Facets are counted from 1 in messages, as viewers do.
fn warn(file: &Value<'_>, defects: &[Defect]) {
    if defects.is_empty() {
        return;
    }
    let named: Vec<String> = defects.iter().take(NAMED_DEFECTS).map(describe).collect();
    let more = match defects.len().saturating_sub(NAMED_DEFECTS) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let name = file.text().unwrap_or_default();
    file.context.report(
        Diagnostic::warning(format!("the mesh `{name}` has facets that are left out"), file.span())
            .label(format!("{}{more}", named.join(", "))),
    );
}

fn describe(defect: &Defect) -> String {
    match defect {
        Defect::Degenerate { facet } => format!("facet {} has no area", facet + 1),
        Defect::Duplicate { facet, of } => {
            format!("facet {} is the same as facet {}", facet + 1, of + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_of_obj_files_are_double() {
        let text = "v 0.1 0 0\nv 1 0.2 0\nv 0 1 0.30000000000000004\nf 1 2 3\n";
        let (vertices, triangles) = parse("one.obj", text.as_bytes()).expect("it can be read");
        let expected = [[0.1, 0.0, 0.0], [1.0, 0.2, 0.0], [0.0, 1.0, 0.1 + 0.2]];
        assert_eq!(vertices, expected.map(Vec3::from_array));
        assert_eq!(triangles, [[0, 1, 2]]);
    }
}

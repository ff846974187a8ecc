//! Meshes from STL (text or binary) and OBJ files. Coordinates keep their stored values: STL holds single precision,
//! and every such number is also a double; OBJ is read as double.

use crate::diagnostic::Diagnostic;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::wall::{Defect, Mesh};
use std::path::Path;
use std::sync::Arc;

mod obj;
mod stl;

/// Facets that meet at less than this angle belong to one smooth surface [degrees].
const SMOOTH_ANGLE: f64 = 30.0;

/// Largest number of defective facets that are named individually.
const NAMED_DEFECTS: usize = 10;

/// Position of a facet in its file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Location {
    /// In a text: the line on which it begins, counted from 1.
    Line(usize),
    /// In a binary file: identified by the number of the facet.
    Facet,
}

/// The facets of a file.
#[derive(Debug, Default)]
struct Triangles {
    /// Corners, three for each facet. Those of neighbours are the same bits; the mesh joins them [m].
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    locations: Vec<Location>,
    /// Warnings.
    remark: Option<String>,
}

impl Triangles {
    fn push(&mut self, corners: [Vec3; 3], location: Location) -> Result<(), String> {
        let first = u32::try_from(self.vertices.len()).map_err(|_| "too many facets")?;
        let last = first.checked_add(2).ok_or("too many facets")?;
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, last]);
        self.locations.push(location);
        Ok(())
    }

    /// A facet by its number, counted from 1 as viewers do, and its line.
    fn name(&self, facet: usize) -> String {
        match self.locations.get(facet) {
            Some(Location::Line(line)) => format!("facet {} (line {line})", facet + 1),
            _ => format!("facet {}", facet + 1),
        }
    }
}

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
    let mut read = parse(name, &bytes)
        .map_err(|what| file.report(format!("cannot read the mesh `{name}`"), what))
        .ok()?;
    for vertex in &mut read.vertices {
        *vertex = *vertex * scale + translate;
    }
    if let Some(vertex) = read.vertices.iter().position(|vertex| !vertex.is_finite()) {
        let what =
            format!("{} is not finite with this `scale` and `translate`", read.name(vertex / 3));
        file.report(format!("the mesh `{name}` cannot be a wall"), what);
        return None;
    }
    let (vertices, triangles) = (std::mem::take(&mut read.vertices), read.triangles.clone());
    let (mesh, defects) = Mesh::new(vertices, triangles, smooth_angle.to_radians())
        .map_err(|what| file.report(format!("the mesh `{name}` cannot be a wall"), what))
        .ok()?;
    warn(&file, &read, &defects);
    let open = mesh.open_edges();
    if closed && open > 0 {
        let what = format!("{open} boundary edges");
        file.report(format!("the mesh `{name}` is not closed"), what);
        return None;
    }
    Some(Arc::new(mesh))
}

fn parse(name: &str, bytes: &[u8]) -> Result<Triangles, String> {
    let extension = Path::new(name).extension().map(|ending| ending.to_ascii_lowercase());
    match extension.as_ref().and_then(|ending| ending.to_str()) {
        Some("stl") => stl::parse(bytes),
        Some("obj") => obj::parse(bytes),
        _ => Err("the name must end in .stl or .obj".to_owned()),
    }
}

/// Warnings about ignored facets and other defects.
fn warn(file: &Value<'_>, read: &Triangles, defects: &[Defect]) {
    let name = file.text().unwrap_or_default();
    if let Some(remark) = &read.remark {
        let message = format!("the mesh `{name}` has data beyond its facets");
        file.context.report(Diagnostic::warning(message, file.span()).label(remark.as_str()));
    }
    if defects.is_empty() {
        return;
    }
    let named: Vec<String> =
        defects.iter().take(NAMED_DEFECTS).map(|defect| describe(read, defect)).collect();
    let more = match defects.len().saturating_sub(NAMED_DEFECTS) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    file.context.report(
        Diagnostic::warning(format!("the mesh `{name}` has facets that are ignored"), file.span())
            .label(format!("{}{more}", named.join(", "))),
    );
}

fn describe(read: &Triangles, defect: &Defect) -> String {
    match defect {
        Defect::Degenerate { facet } => format!("{} has no area", read.name(*facet)),
        Defect::Duplicate { facet, of } => {
            format!("{} is the same as {}", read.name(*facet), read.name(*of))
        }
    }
}

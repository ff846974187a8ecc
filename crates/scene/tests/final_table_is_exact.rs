//! Contents of `final.csv` and the other tables.

mod support;

use esker::measure::Energy;
use esker_scene::output::{
    EnergyTable, Event, EventTable, WallTable, read_final_csv, write_contacts_csv, write_final_csv,
};
use std::fs;
use support::snapshot;

#[test]
fn final_csv_reads_back_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("final.csv");
    let mut written = snapshot(200, 0.5);
    written.groups[0] = "a \"group\", with a comma\nand a line".to_string();
    written.particles[3].position.x = -0.0;
    written.particles[4].velocity.y = f64::MIN_POSITIVE / 8.0;
    written.particles[5].spin.z = 0.1 + 0.2;
    write_final_csv(&path, &written).unwrap();
    let rows = read_final_csv(&path).unwrap();
    assert_eq!(rows.len(), written.particles.len());
    for (row, particle) in rows.iter().zip(&written.particles) {
        assert_eq!(row.id, u64::from(particle.id));
        assert_eq!(row.group, written.groups[particle.group.index()]);
        assert_eq!(row.material, "glass");
        assert_eq!(row.radius.to_bits(), particle.radius.to_bits());
        for (found, expected) in [
            (row.position, particle.position),
            (row.velocity, particle.velocity),
            (row.spin, particle.spin),
        ] {
            assert_eq!(found.to_array().map(f64::to_bits), expected.to_array().map(f64::to_bits));
        }
        assert_eq!(row.orientation, particle.orientation);
    }
}

#[test]
fn a_broken_final_csv_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("final.csv");
    write_final_csv(&path, &snapshot(2, 0.0)).unwrap();
    let text = fs::read_to_string(&path).unwrap().replace("\n1,", "\none,");
    fs::write(&path, text).unwrap();
    let message = read_final_csv(&path).unwrap_err().to_string();
    assert!(message.contains("final.csv") && message.contains("line 3"), "{message}");
    fs::write(&path, "id,radius\n1,2\n").unwrap();
    let message = read_final_csv(&path).unwrap_err().to_string();
    assert!(message.contains("columns"), "{message}");
}

#[test]
fn every_row_of_every_table_has_as_many_entries_as_its_header() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let state = snapshot(3, 0.25);
    write_contacts_csv(&at("contacts.csv"), &state).unwrap();
    let mut energy = EnergyTable::create(at("energy.csv")).unwrap();
    energy.push(0.25, 250, &Energy::default(), 1e-3).unwrap();
    let mut walls = WallTable::create(at("walls.csv")).unwrap();
    walls.push(&state).unwrap();
    let mut events = EventTable::create(at("events.csv")).unwrap();
    let names: Vec<String> = state.walls.iter().map(|wall| wall.name.clone()).collect();
    for contact in &state.contacts {
        let event = Event {
            time: 0.2,
            step: 200,
            event: "begin",
            first: contact.first,
            second: contact.second,
            overlap: contact.overlap,
            closing_speed: contact.closing_speed,
            slip_velocity: contact.slip_velocity,
        };
        events.push(&event, &names).unwrap();
    }
    events.flush().unwrap();
    for (name, rows) in
        [("contacts.csv", 3), ("energy.csv", 1), ("walls.csv", 2), ("events.csv", 3)]
    {
        // The reader refuses rows of unequal length.
        let mut reader = csv::Reader::from_path(at(name)).unwrap();
        let found = reader.records().map(Result::unwrap).count();
        assert_eq!(found, rows, "{name}");
    }
    let text = fs::read_to_string(at("walls.csv")).unwrap();
    assert!(text.contains("0.25,250,floor,0.3333333333333333,"), "{text}");
}

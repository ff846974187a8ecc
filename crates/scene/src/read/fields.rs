//! Fields: forces on single particles.

use crate::registry;
use crate::registry::fields::FIELDS;
use crate::text::table::Table;
use esker::field::Field;
use std::sync::Arc;

/// One field: the only key of its table is its name.
pub(crate) fn field(table: Table<'_>) -> Option<Arc<dyn Field>> {
    let found = table.one_of(&registry::names(FIELDS));
    table.finish();
    let (name, value) = found?;
    registry::read(FIELDS, name, &value)
}

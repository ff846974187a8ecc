//! Recently read columns, up to a limit of memory.

use esker_scene::output::Column;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Memory of all columns together [bytes].
const MOST: usize = 256 << 20;

/// Frame and name.
type Key = (usize, String);

/// Columns by frame and name; the least recently used are dropped.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    columns: HashMap<Key, (Arc<Column>, u64)>,
    bytes: usize,
    clock: u64,
}

fn size(column: &Column) -> usize {
    column.values.len() * size_of::<f64>()
}

impl Cache {
    /// A cached column.
    pub fn get(&self, frame: usize, name: &str) -> Option<Arc<Column>> {
        let mut inner = self.0.lock().ok()?;
        inner.clock += 1;
        let now = inner.clock;
        let (column, used) = inner.columns.get_mut(&(frame, name.to_owned()))?;
        *used = now;
        Some(Arc::clone(column))
    }

    /// Caches a column.
    pub fn put(&self, frame: usize, name: &str, column: &Arc<Column>) {
        let Ok(mut inner) = self.0.lock() else { return };
        inner.clock += 1;
        let now = inner.clock;
        let entry = (Arc::clone(column), now);
        if let Some((old, _)) = inner.columns.insert((frame, name.to_owned()), entry) {
            inner.bytes -= size(&old);
        }
        inner.bytes += size(column);
        while inner.bytes > MOST {
            let oldest = inner.columns.iter().min_by_key(|(_, (_, used))| *used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { break };
            if let Some((column, _)) = inner.columns.remove(&key) {
                inner.bytes -= size(&column);
            }
        }
    }

    /// Drops all columns, after the folder was replaced.
    pub fn clear(&self) {
        if let Ok(mut inner) = self.0.lock() {
            *inner = Inner::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_below_the_bound_and_recent_columns_stay() {
        let cache = Cache::default();
        let column = Arc::new(Column { components: 1, values: vec![0.0; MOST / 8 / 4] });
        for frame in 0..9 {
            cache.put(frame, "mass", &column);
            assert!(cache.get(0, "mass").is_some(), "used after each other one, it stays");
        }
        assert!(cache.0.lock().unwrap().bytes <= MOST);
        assert!(cache.get(8, "mass").is_some());
        assert!(cache.get(2, "mass").is_none());
    }
}

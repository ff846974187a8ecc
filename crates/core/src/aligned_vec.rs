//! A vector of numbers aligned to cache lines, so that eight consecutive numbers share a line.

/// Numbers per cache line.
pub(crate) const LINE: usize = 8;

/// Allocated as zeroed memory, for which the operating system uses no physical memory until it is written; an
/// allocation with larger alignment would be written at once.
#[derive(Debug, Default)]
pub(crate) struct AlignedVec {
    storage: Vec<f64>,
    length: usize,
}

impl AlignedVec {
    pub(crate) fn zeros(length: usize) -> Self {
        Self { storage: vec![0.0; length + LINE - 1], length }
    }

    fn start(&self) -> usize {
        let offset = self.storage.as_ptr().align_offset(LINE * size_of::<f64>());
        // an empty allocation may have no room
        offset.min(self.storage.len())
    }
}

impl std::ops::Deref for AlignedVec {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        &self.storage[self.start()..][..self.length]
    }
}

impl std::ops::DerefMut for AlignedVec {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f64] {
        let start = self.start();
        &mut self.storage[start..][..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_length_begins_at_a_line() {
        for length in [0, 1, 7, 8, 100, 12345] {
            let mut numbers = AlignedVec::zeros(length);
            assert_eq!(numbers.len(), length);
            assert!(numbers.iter().all(|number| *number == 0.0));
            numbers.fill(1.0);
            if length > 0 {
                assert_eq!(numbers.as_ptr().addr() % 64, 0);
            }
        }
        assert!(AlignedVec::default().is_empty());
    }
}

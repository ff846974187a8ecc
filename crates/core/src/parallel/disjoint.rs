//! Slices that several threads write concurrently, and unsynchronised reads of them.

use std::ops::Range;

/// A slice that the threads of one task write concurrently.
///
/// Invariant: slices that exist at the same time do not overlap. Each call of [`Self::slice_mut`] guarantees it,
/// usually because the ranges come from [`Pool::split`](super::Pool::split). Debug builds check in addition that no
/// element is in slices of two threads.
#[derive(Debug)]
pub(crate) struct DisjointSlices<'a, T> {
    start: *mut T,
    length: usize,
    borrow: std::marker::PhantomData<&'a mut [T]>,
    #[cfg(debug_assertions)]
    claims: claims::Claims,
}

// SAFETY: the invariant of the type.
unsafe impl<T: Send> Sync for DisjointSlices<'_, T> {}

impl<'a, T> DisjointSlices<'a, T> {
    pub(crate) fn new(slice: &'a mut [T]) -> Self {
        Self {
            start: slice.as_mut_ptr(),
            length: slice.len(),
            borrow: std::marker::PhantomData,
            #[cfg(debug_assertions)]
            claims: claims::Claims::default(),
        }
    }

    /// Start of the slice.
    pub(crate) fn start(&self) -> *const T {
        self.start
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Part of the slice.
    ///
    /// # Safety
    /// While the result is alive, no other slice may overlap it.
    #[allow(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    pub(crate) unsafe fn slice_mut(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.length);
        #[cfg(debug_assertions)]
        self.claims.add(&range);
        // SAFETY: in bounds by the assertion, disjoint by the guarantee of the caller.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}

/// Unsynchronised reads of a slice: the constructor guarantees that no element is written concurrently.
#[derive(Debug)]
pub(crate) struct UnsynchronisedReader<'a, T> {
    start: *const T,
    length: usize,
    borrow: std::marker::PhantomData<&'a T>,
}

// SAFETY: it provides only shared references, as a slice does.
unsafe impl<T: Sync> Sync for UnsynchronisedReader<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Send for UnsynchronisedReader<'_, T> {}

impl<T> Clone for UnsynchronisedReader<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for UnsynchronisedReader<'_, T> {}

impl<'a, T> From<&'a [T]> for UnsynchronisedReader<'a, T> {
    fn from(slice: &'a [T]) -> Self {
        Self { start: slice.as_ptr(), length: slice.len(), borrow: std::marker::PhantomData }
    }
}

impl<T> UnsynchronisedReader<'_, T> {
    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// These elements, or none.
    pub(crate) fn when(self, condition: bool) -> Self {
        Self { length: if condition { self.length } else { 0 }, ..self }
    }

    /// True if there are no elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Start of the slice.
    pub(crate) fn as_ptr(&self) -> *const T {
        self.start
    }
}

impl<T> std::ops::Index<usize> for UnsynchronisedReader<'_, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        assert!(index < self.length);
        // SAFETY: in bounds by the assertion; not written concurrently, guaranteed by the constructor.
        unsafe { &*self.start.add(index) }
    }
}

impl<'a, T> DisjointSlices<'a, T> {
    /// Read access to all elements.
    ///
    /// # Safety
    /// No element is read while it belongs to a mutable slice.
    pub(crate) unsafe fn reader(&self) -> UnsynchronisedReader<'a, T> {
        UnsynchronisedReader {
            start: self.start,
            length: self.length,
            borrow: std::marker::PhantomData,
        }
    }
}

/// The check in debug builds.
#[cfg(debug_assertions)]
mod claims {
    use std::ops::Range;
    use std::sync::{Mutex, PoisonError};
    use std::thread::ThreadId;

    /// Number of recorded ranges: an evaluation must not allocate, not even in debug builds.
    const MOST: usize = 64;

    /// The ranges that each thread has taken. Adjacent ranges of a thread are joined; if there are too many, further
    /// ones are compared but not recorded.
    #[derive(Debug, Default)]
    pub(super) struct Claims(Mutex<List>);

    #[derive(Debug)]
    struct List {
        claims: [Option<(ThreadId, usize, usize)>; MOST],
        count: usize,
    }

    impl Default for List {
        fn default() -> Self {
            Self { claims: [None; MOST], count: 0 }
        }
    }

    impl Claims {
        /// Records that this thread takes a range.
        ///
        /// # Panics
        /// If another thread has taken a part of it.
        pub(super) fn add(&self, range: &Range<usize>) {
            if range.is_empty() {
                return;
            }
            let this = std::thread::current().id();
            let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let List { claims, count } = &mut *list;
            let mut joined = false;
            for (thread, start, end) in claims[..*count].iter_mut().flatten() {
                let overlaps = range.start < *end && *start < range.end;
                if *thread == this && range.start <= *end && *start <= range.end {
                    (*start, *end) = (range.start.min(*start), range.end.max(*end));
                    joined = true;
                }
                assert!(
                    *thread == this || !overlaps,
                    "two threads take elements {range:?} and {start}..{end} of one slice"
                );
            }
            if !joined && *count < MOST {
                claims[*count] = Some((this, range.start, range.end));
                *count += 1;
            }
        }
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use crate::parallel::Pool;

    #[test]
    fn debug_builds_notice_slices_of_two_threads_that_overlap() {
        let mut numbers = vec![0; 100];
        let slices = DisjointSlices::new(&mut numbers);
        let overlapping = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            Pool::new(2).run(|part| {
                // SAFETY: the slices are not used; the check is tested.
                let _ = unsafe { slices.slice_mut(40 * part..40 * part + 41) };
            });
        }));
        assert!(overlapping.is_err());
        let slices = DisjointSlices::new(&mut numbers);
        Pool::new(2).run(|part| {
            for start in (0..50).step_by(5) {
                let start = 50 * part + start;
                // SAFETY: each thread has its own half.
                unsafe { slices.slice_mut(start..start + 5) }.fill(part);
                // SAFETY: as above; the first slice is no longer used.
                unsafe { slices.slice_mut(start..start + 3) }.fill(part);
            }
        });
        assert!((0..100).all(|index| numbers[index] == index / 50));
    }
}

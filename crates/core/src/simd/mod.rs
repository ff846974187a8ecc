//! One text, three instruction sets: loops over columns are compiled for AVX-512, AVX2 and the
//! baseline, and the best that the machine has is called.
//!
//! All three give the same bits: no fused multiply-add, and IEEE division and square root. That is
//! under test (`same_bits_on_every_instruction_set`).

pub(crate) mod f64x4;
pub(crate) mod f64x8;
pub(crate) mod transpose;

use std::sync::atomic::{AtomicU8, Ordering};

/// Instruction sets that loops are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum InstructionSet {
    /// What every machine of this architecture has.
    Baseline = 1,
    /// 256-bit vectors.
    Avx2 = 2,
    /// 512-bit vectors.
    Avx512 = 3,
}

static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The set in use: the best that the machine has, unless [`limit_to`] said otherwise.
#[inline]
pub fn instruction_set() -> InstructionSet {
    match CHOSEN.load(Ordering::Relaxed) {
        1 => InstructionSet::Baseline,
        2 => InstructionSet::Avx2,
        3 => InstructionSet::Avx512,
        _ => {
            limit_to(InstructionSet::Avx512);
            instruction_set()
        }
    }
}

/// Uses at most this set from now on, in the whole process. For tests and for callgrind, which
/// cannot run AVX-512.
pub fn limit_to(limit: InstructionSet) {
    let best = best();
    let chosen = if (best as u8) < limit as u8 { best } else { limit };
    CHOSEN.store(chosen as u8, Ordering::Relaxed);
}

#[cfg(target_arch = "x86_64")]
fn best() -> InstructionSet {
    let has_avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
    if has_avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
    {
        InstructionSet::Avx512
    } else if has_avx2 {
        InstructionSet::Avx2
    } else {
        InstructionSet::Baseline
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn best() -> InstructionSet {
    InstructionSet::Baseline
}

/// Compiles a function for each instruction set and calls the best one.
macro_rules! multiversion {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            fn body($($argument: $kind),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
                fn avx512($($argument: $kind),*) $(-> $result)? {
                    body($($argument),*)
                }
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $kind),*) $(-> $result)? {
                    body($($argument),*)
                }
                match $crate::simd::instruction_set() {
                    // SAFETY: `instruction_set` returns a set only after detecting its features.
                    $crate::simd::InstructionSet::Avx512 => return unsafe { avx512($($argument),*) },
                    // SAFETY: as above.
                    $crate::simd::InstructionSet::Avx2 => return unsafe { avx2($($argument),*) },
                    $crate::simd::InstructionSet::Baseline => {}
                }
            }
            // within its caller the compiler would no longer know that the columns are different
            // ones, and not vectorise
            #[inline(never)]
            fn baseline($($argument: $kind),*) $(-> $result)? {
                body($($argument),*)
            }
            baseline($($argument),*)
        }
    };
}
pub(crate) use multiversion;

/// As `multiversion!`, for loops over rows of four: at most 256 bits. With AVX-512 the compiler
/// gathers and scatters across rows instead, which took three times as long (measured on the
/// integrator's loops).
macro_rules! multiversion_avx2 {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            fn body($($argument: $kind),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($argument: $kind),*) $(-> $result)? {
                    body($($argument),*)
                }
                if $crate::simd::instruction_set() != $crate::simd::InstructionSet::Baseline {
                    // SAFETY: `instruction_set` returns a set only after detecting its features,
                    // and both sets above the baseline include AVX2.
                    return unsafe { avx2($($argument),*) };
                }
            }
            body($($argument),*)
        }
    };
}
pub(crate) use multiversion_avx2;

/// As `multiversion!`, for functions that ask for lines and columns by the instructions of a set:
/// `fn name<Set: Transpose>(…)`.
macro_rules! multiversion_transpose {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident<$set:ident: Transpose>($($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            fn body<$set: $crate::simd::transpose::Transpose>($($argument: $kind),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl,popcnt")]
                fn avx512($($argument: $kind),*) $(-> $result)? {
                    body::<$crate::simd::transpose::Avx512>($($argument),*)
                }
                #[target_feature(enable = "avx2,popcnt")]
                fn avx2($($argument: $kind),*) $(-> $result)? {
                    body::<$crate::simd::transpose::Avx2>($($argument),*)
                }
                match $crate::simd::instruction_set() {
                    // SAFETY: `instruction_set` returns a set only after detecting its features.
                    $crate::simd::InstructionSet::Avx512 => return unsafe { avx512($($argument),*) },
                    // SAFETY: as above.
                    $crate::simd::InstructionSet::Avx2 => return unsafe { avx2($($argument),*) },
                    $crate::simd::InstructionSet::Baseline => {}
                }
            }
            body::<$crate::simd::transpose::Plain>($($argument),*)
        }
    };
}
pub(crate) use multiversion_transpose;

/// Asks for a cache line that will be written soon.
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        // SAFETY: a prefetch of any address, mapped or not, has no effect but on the cache.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for a cache line that will be read soon. Measured at 100 000 particles: without it a step
/// takes a third longer.
#[inline(always)]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address, mapped or not, has no effect but on the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

//! Function multiversioning: loops over columns are compiled for AVX-512, AVX2 and the baseline, and
//! the best version that the machine supports is called.
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
///
/// Only parameters of a function are known to the compiler not to alias; references inside structs or
/// arrays are not. A function that needs an array of references to columns declares it behind a
/// semicolon, with a name for each element, `old: [&Column; 2] = o0 o1`: the compiled versions take the
/// elements as separate parameters.
macro_rules! multiversion {
    (
        $(#[$meta:meta])*
        $visibility:vis fn $name:ident $(<$($generic:ident: $bound:path),*>)? (
            $($argument:ident: $kind:ty),* $(,)?
            $(; $($array:ident: [$element:ty; $count:expr] = $($part:ident)*),* $(,)?)?
        ) $(-> $result:ty)? $body:block
    ) => {
        $(#[$meta])*
        $visibility fn $name $(<$($generic: $bound),*>)? (
            $($argument: $kind,)* $($($array: [$element; $count],)*)?
        ) $(-> $result)? {
            #[inline(always)]
            fn body $(<$($generic: $bound),*>)? (
                $($argument: $kind,)* $($($array: [$element; $count],)*)?
            ) $(-> $result)? $body
            $($(let [$($part),*] = $array;)*)?
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
                #[allow(clippy::too_many_arguments, reason = "elements of arrays are parameters here")]
                fn avx512 $(<$($generic: $bound),*>)? (
                    $($argument: $kind,)* $($($($part: $element,)*)*)?
                ) $(-> $result)? {
                    body::<$($($generic),*)?>($($argument,)* $($([$($part),*],)*)?)
                }
                #[target_feature(enable = "avx2")]
                #[allow(clippy::too_many_arguments, reason = "elements of arrays are parameters here")]
                fn avx2 $(<$($generic: $bound),*>)? (
                    $($argument: $kind,)* $($($($part: $element,)*)*)?
                ) $(-> $result)? {
                    body::<$($($generic),*)?>($($argument,)* $($([$($part),*],)*)?)
                }
                match $crate::simd::instruction_set() {
                    // SAFETY: `instruction_set` returns a set only after detecting its features.
                    $crate::simd::InstructionSet::Avx512 => return unsafe {
                        avx512::<$($($generic),*)?>($($argument,)* $($($($part,)*)*)?)
                    },
                    // SAFETY: as above.
                    $crate::simd::InstructionSet::Avx2 => return unsafe {
                        avx2::<$($($generic),*)?>($($argument,)* $($($($part,)*)*)?)
                    },
                    $crate::simd::InstructionSet::Baseline => {}
                }
            }
            // Not inlined: in its caller the compiler no longer knows that the columns do not alias,
            // and does not vectorise.
            #[inline(never)]
            #[allow(clippy::too_many_arguments, reason = "elements of arrays are parameters here")]
            fn baseline $(<$($generic: $bound),*>)? (
                $($argument: $kind,)* $($($($part: $element,)*)*)?
            ) $(-> $result)? {
                body::<$($($generic),*)?>($($argument,)* $($([$($part),*],)*)?)
            }
            baseline::<$($($generic),*)?>($($argument,)* $($($($part,)*)*)?)
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

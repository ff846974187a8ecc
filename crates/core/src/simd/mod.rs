//! Function multiversioning: loops over columns are compiled for AVX-512, AVX2 and the baseline, and the best version
//! that the machine supports is called.
//!
//! All versions give the same bits, since they use no fused multiply-add, and IEEE division and square root (tested by
//! `same_bits_on_every_instruction_set`).

mod detect;
pub(crate) mod f64x4;
pub(crate) mod f64x8;
pub(crate) mod transpose;

#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) use detect::available;
#[cfg(target_arch = "x86_64")]
pub(crate) use detect::{Avx2, Avx512};
pub(crate) use detect::{Detected, Plain, detected};
pub use detect::{InstructionSet, instruction_set, limit_to};

/// Compiles a function for each instruction set and calls the best one.
///
/// The compiler knows only of parameters of a function that they do not alias; references inside structs or arrays may
/// alias. A function that needs an array of references to columns declares it after a semicolon, with a name for each
/// element, `old: [&Column; 2] = o0 o1`: the compiled versions take the elements as separate parameters.
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
            // Not inlined: in its caller the compiler could not assume that the columns do not alias, and would not
            // vectorise.
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

/// As `multiversion!`, for loops over rows of four: at most 256 bits. With AVX-512 the compiler gathers and scatters
/// across rows instead, which took three times as long (measured in the loops of the integrator).
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

/// As `multiversion!`, for functions that use the registers of a set or transpose blocks of numbers: `fn name<Set:
/// Transpose>(set: Set, …)`. The function is called without its first argument, the proof that the processor supports
/// the set.
macro_rules! multiversion_transpose {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident<$set:ident: Transpose>($token:ident: $of:ident, $($argument:ident: $kind:ty),* $(,)?) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        $visibility fn $name($($argument: $kind),*) $(-> $result)? {
            #[inline(always)]
            fn body<$set: $crate::simd::transpose::Transpose>($token: $set, $($argument: $kind),*) $(-> $result)? $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512dq,avx512vl,popcnt")]
            fn avx512(set: $crate::simd::Avx512, $($argument: $kind),*) $(-> $result)? {
                body(set, $($argument),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,popcnt")]
            fn avx2(set: $crate::simd::Avx2, $($argument: $kind),*) $(-> $result)? {
                body(set, $($argument),*)
            }
            match $crate::simd::detected() {
                // SAFETY: the token proves that the processor supports the instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Detected::Avx512(set) => unsafe { avx512(set, $($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::simd::Detected::Avx2(set) => unsafe { avx2(set, $($argument),*) },
                $crate::simd::Detected::Plain(set) => body(set, $($argument),*),
            }
        }
    };
}
pub(crate) use multiversion_transpose;

/// Prefetches a cache line that will be written.
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        // SAFETY: a prefetch of any address, mapped or not, affects only the cache.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Prefetches a cache line that will be read. Measured at 100 000 particles: without it a step takes a third longer.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address, mapped or not, affects only the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

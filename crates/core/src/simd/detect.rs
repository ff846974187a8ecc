//! Detection of the instruction sets of the processor, and tokens that prove it.

use std::sync::atomic::{AtomicU8, Ordering};

/// Instruction sets for which loops are compiled.
///
/// ```
/// use esker::simd::{InstructionSet, instruction_set, limit_to};
///
/// limit_to(InstructionSet::Baseline); // changes the speed, never a result
/// assert_eq!(instruction_set(), InstructionSet::Baseline);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum InstructionSet {
    /// Supported by every machine of this architecture.
    Baseline = 1,
    /// 256-bit vectors.
    Avx2 = 2,
    /// 512-bit vectors.
    Avx512 = 3,
}

static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The set in use: the best one of the machine, unless [`limit_to`] has limited it.
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

/// Uses at most this set from now on, in the whole process. For tests and for callgrind, which does not support
/// AVX-512.
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

/// The instructions of every machine of this architecture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

/// Proof that the processor has AVX2 and POPCNT.
///
/// Invariant: only the detection in this file creates a value.
#[derive(Debug, Clone, Copy)]
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2(());

/// Proof that the processor has AVX-512 (F, DQ, VL), AVX2 and POPCNT.
///
/// Invariant: only the detection in this file creates a value.
#[derive(Debug, Clone, Copy)]
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx512(());

/// The set in use, with the proof that the processor has it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Detected {
    Plain(Plain),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// The set in use.
#[inline]
pub(crate) fn detected() -> Detected {
    match instruction_set() {
        // `instruction_set` returns only sets that `best` has detected
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => Detected::Avx512(Avx512(())),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => Detected::Avx2(Avx2(())),
        _ => Detected::Plain(Plain),
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// AVX-512 includes AVX2.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

/// The tokens of the vector sets of this machine, independent of the set in use.
#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) fn available() -> (Option<Avx2>, Option<Avx512>) {
    let best = best();
    (
        (best != InstructionSet::Baseline).then_some(Avx2(())),
        (best == InstructionSet::Avx512).then_some(Avx512(())),
    )
}

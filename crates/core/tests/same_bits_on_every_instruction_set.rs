//! Loops compiled for different instruction sets give the same bits. A binary of its own with one
//! test, because the choice holds for the whole process.

mod rich_scene;

use esker::law::TensileCutoff;
use esker::simd::{InstructionSet, instruction_set, limit_to};
use rich_scene::{Variant, assert_same, run};

#[test]
fn every_instruction_set_gives_the_same_bits() {
    // bridges and a ledger, which the stages evaluate, and the laws of the fused loop
    let fused = |tension| Variant { ledger: false, dry: Some(tension), ..Variant::default() };
    for variant in [Variant::default(), fused(TensileCutoff::Keep), fused(TensileCutoff::Clip)] {
        limit_to(InstructionSet::Baseline);
        let expected = run(variant);
        for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
            limit_to(set);
            let what = format!("{set:?}, runs as {:?}, {variant:?}", instruction_set());
            let found = run(variant);
            assert_same(&found, &expected, &what);
            assert_eq!(found.ledger, expected.ledger, "{what}: the ledger differs");
            println!("{what}: the same");
        }
    }
}

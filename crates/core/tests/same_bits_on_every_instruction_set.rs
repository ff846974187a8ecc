//! Loops compiled for different instruction sets give the same bits. A binary of its own with one
//! test, because the choice holds for the whole process.

mod rich_scene;

use esker::simd::{InstructionSet, instruction_set, limit_to};
use rich_scene::{Variant, assert_same, run};

#[test]
fn every_instruction_set_gives_the_same_bits() {
    limit_to(InstructionSet::Baseline);
    let expected = run(Variant::default());
    for set in [InstructionSet::Avx2, InstructionSet::Avx512] {
        limit_to(set);
        let what = format!("{set:?}, runs as {:?}", instruction_set());
        let found = run(Variant::default());
        assert_same(&found, &expected, &what);
        assert_eq!(found.ledger, expected.ledger, "{what}: the ledger differs");
        println!("{what}: the same");
    }
}

use super::*;
use crate::chunk::history_shape::*;

crate::history! {
    struct Spring {
        spring: [f64; 3],
        friction_excess: f64,
    }
}

crate::history! {
    struct Sliding {
        sliding_displacement: [f64; 3],
    }
}

type Both = (Spring, Optional<Sliding>);

#[test]
fn columns_are_named_after_the_fields_and_optional_ones_are_left_out() {
    let names = |presence| {
        let mut fields = Vec::new();
        Both::append_fields(((), presence), &mut fields);
        let width: usize = fields.iter().map(|field| field.width).sum();
        assert_eq!(Both::width(((), presence)), width);
        fields.iter().map(HistoryField::name).collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["spring", "friction excess"]);
    assert_eq!(names(true), ["spring", "friction excess", "sliding displacement"]);
}

#[test]
fn only_vectors_are_transported() {
    let reverse = |v: [f64; 3]| v.map(|value| -value);
    let spring = Spring { spring: [1.0, 2.0, 3.0], friction_excess: 4.0 };
    let rotated = spring.transported(&reverse);
    assert_eq!((rotated.spring, rotated.friction_excess), ([-1.0, -2.0, -3.0], 4.0));
    let numbers = spring.without_vectors();
    assert!(numbers.spring.iter().all(|value| value.is_nan()));
    assert_eq!(numbers.friction_excess, 4.0);
}

#[test]
fn the_parts_of_a_history_have_columns_of_their_own() {
    let old = [[1.0; WIDTH], [2.0; WIDTH], [3.0; WIDTH], [4.0; WIDTH], [5.0; WIDTH]];
    let old: Vec<Column> = old.into_iter().chain([[6.0; WIDTH], [7.0; WIDTH]]).collect();
    let mut new = vec![[0.0; WIDTH]; 7];
    let untyped = UntypedHistory { old: &old, new: &mut new, stored: StoredHistory::NONE };
    let (mut spring, sliding) = untyped.typed::<Both>(((), true)).split();
    let mut sliding = sliding.present().expect("it is there");
    assert_eq!(sliding.old(3).sliding_displacement, [5.0, 6.0, 7.0]);
    spring.set(3, spring.old(3));
    sliding.set(3, sliding.old(3));
    for (index, column) in new.iter().enumerate() {
        assert_eq!(column[3], index as f64 + 1.0);
        assert_eq!(column.iter().filter(|value| **value != 0.0).count(), 1);
    }
}

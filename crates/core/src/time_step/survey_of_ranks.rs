//! The result of a pass over the contacts of all ranks.

use super::impact::{Impact, key};
use super::survey::Survey;
use crate::engine::Halo;
use crate::id::{ParticleId, WallId};
use crate::snapshot::Partner;

/// Words of a survey in a message.
const WORDS: usize = 10;

impl Survey {
    /// The combined survey of all ranks.
    pub(super) fn merged(self, halo: &Halo) -> Self {
        let merge = |all: &[[u64; WORDS]]| {
            let all = all.iter().map(|words| Self::from_words(*words));
            all.reduce(Self::merge).unwrap_or(self).to_words()
        };
        Self::from_words(halo.merge(self.to_words(), merge))
    }

    fn merge(self, other: Self) -> Self {
        let of = |survey: &Self| (survey.bound, survey.bound_by);
        let lower = if of(&other) < of(&self) { other } else { self };
        let impact = match (self.impact, other.impact) {
            (Some(own), Some(its)) => Some(if key(&its) < key(&own) { its } else { own }),
            (own, its) => own.or(its),
        };
        let Self { bound, bound_by, .. } = lower;
        Self { bound, bound_by, impact, rate: self.rate.max(other.rate) }
    }

    fn to_words(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[0] = self.bound.to_bits();
        words[1] = self.bound_by.map_or(0, |id| u64::from(id.number()) + 1);
        words[2] = self.rate.to_bits();
        if let Some(Impact { first, second, speed, contact_time, step }) = self.impact {
            let (kind, number) = match second {
                Partner::Particle(id) => (1, u64::from(id.number())),
                Partner::Wall(id) => (2, u64::from(id.number())),
            };
            let [speed, contact_time, step] = [speed, contact_time, step].map(f64::to_bits);
            let first = u64::from(first.number());
            words[3..9].copy_from_slice(&[kind, first, number, speed, contact_time, step]);
        }
        words
    }

    fn from_words(words: [u64; WORDS]) -> Self {
        let [bound, bound_by, rate, kind, first, number, speed, contact_time, step, _] = words;
        let second = match kind {
            1 => Some(Partner::Particle(ParticleId::new(number as u32))),
            2 => Some(Partner::Wall(WallId::new(number as u16))),
            _ => None,
        };
        Self {
            bound: f64::from_bits(bound),
            bound_by: bound_by.checked_sub(1).map(|id| ParticleId::new(id as u32)),
            rate: f64::from_bits(rate),
            impact: second.map(|second| Impact {
                first: ParticleId::new(first as u32),
                second,
                speed: f64::from_bits(speed),
                contact_time: f64::from_bits(contact_time),
                step: f64::from_bits(step),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(bound: f64, id: u32, step: f64, speed: f64, rate: f64) -> Survey {
        let id = ParticleId::new(id);
        let second = Partner::Wall(WallId::new(3));
        let impact = Some(Impact { first: id, second, speed, contact_time: 0.5, step });
        Survey { bound, bound_by: Some(id), impact, rate }
    }

    #[test]
    fn a_survey_is_the_same_after_a_message() {
        let all = survey(0.1, 0, 0.2, 3.0, 4.0);
        let none = Survey { bound: f64::INFINITY, bound_by: None, impact: None, rate: 0.0 };
        for survey in [all, none] {
            assert_eq!(Survey::from_words(survey.to_words()), survey);
        }
    }

    #[test]
    fn merging_takes_the_least_bound_and_impact_whatever_the_order() {
        let parts = [
            survey(0.3, 7, 0.2, 1.0, 1.0),
            survey(0.1, 9, 0.2, 2.0, 3.0),
            survey(0.1, 8, 0.4, 5.0, 2.0),
        ];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let merged = order.map(|index| parts[index]).into_iter().reduce(Survey::merge);
            let merged = merged.expect("there are three");
            assert_eq!((merged.bound, merged.bound_by), (0.1, Some(ParticleId::new(8))));
            // of two impacts with the same step, the faster one
            assert_eq!(merged.impact, parts[1].impact);
            assert_eq!(merged.rate, 3.0);
        }
    }
}

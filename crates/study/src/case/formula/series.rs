//! A column of a table over time, and the functions that reduce it. Rows in which the column is empty (the contact does
//! not exist) hold NaN and are ignored.

use std::rc::Rc;

/// A column over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Times of the rows [s].
    pub time: Rc<[f64]>,
    /// Values; NaN if the cell is empty.
    pub values: Vec<f64>,
}

impl Series {
    /// A function of each value.
    pub(super) fn map(&self, of: impl Fn(f64) -> f64) -> Self {
        let values = self.values.iter().map(|value| of(*value)).collect();
        Self { time: Rc::clone(&self.time), values }
    }

    /// A function of the values of two columns of one table.
    pub(super) fn zip(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Result<Self, String> {
        if self.time != other.time {
            return Err("the two columns do not have the same times".to_owned());
        }
        let values = self.values.iter().zip(&other.values).map(|(a, b)| of(*a, *b)).collect();
        Ok(Self { time: Rc::clone(&self.time), values })
    }

    /// Rows with a number: time, value.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> + '_ {
        self.time.iter().copied().zip(self.values.iter().copied()).filter(|row| !row.1.is_nan())
    }

    /// The value of the previous row; the first row has none.
    pub(super) fn before(&self) -> Self {
        let earlier = self.values.iter().take(self.values.len().saturating_sub(1));
        let values = std::iter::once(&f64::NAN).chain(earlier).copied();
        Self { time: Rc::clone(&self.time), values: values.take(self.values.len()).collect() }
    }

    /// The rows between two times, ends included.
    pub(super) fn between(&self, from: f64, to: f64) -> Self {
        let rows = self.time.iter().zip(&self.values);
        let kept: Vec<(f64, f64)> =
            rows.filter(|row| (from..=to).contains(row.0)).map(|(t, v)| (*t, *v)).collect();
        Self {
            time: kept.iter().map(|row| row.0).collect(),
            values: kept.iter().map(|row| row.1).collect(),
        }
    }

    /// The value at a time, linear between rows; none outside their range.
    pub(super) fn at(&self, time: f64) -> Option<f64> {
        // Times of rows are sums of steps: the last one may precede its nominal time by a rounding error.
        let span = self.time.last()? - self.time.first()?;
        let mut before: Option<(f64, f64)> = None;
        for row in self.rows() {
            if row.0 >= time {
                return Some(match before {
                    Some(old) if row.0 > old.0 => {
                        old.1 + (row.1 - old.1) * (time - old.0) / (row.0 - old.0)
                    }
                    _ if row.0 - time <= 1e-9 * span => row.1,
                    _ => return None,
                });
            }
            before = Some(row);
        }
        before.filter(|row| time - row.0 <= 1e-9 * span).map(|row| row.1)
    }

    /// The first time after `after` at which the column crosses a level, linear between rows.
    pub(super) fn crossing(&self, level: f64, after: f64) -> Option<f64> {
        let mut before: Option<(f64, f64)> = None;
        for (time, value) in self.rows().filter(|row| row.0 >= after) {
            if value == level {
                return Some(time);
            }
            if let Some((old_time, old)) = before
                && (old - level) * (value - level) < 0.0
            {
                return Some(old_time + (time - old_time) * (level - old) / (value - old));
            }
            before = Some((time, value));
        }
        None
    }

    /// The row with the largest value of a key.
    pub(super) fn best(&self, key: impl Fn(f64) -> f64) -> Option<(f64, f64)> {
        self.rows().max_by(|a, b| key(a.1).total_cmp(&key(b.1)))
    }

    /// Mean over time, by trapezoids; of a single row, its value.
    pub(super) fn mean(&self) -> Option<f64> {
        let rows: Vec<(f64, f64)> = self.rows().collect();
        let (first, last) = (rows.first()?, rows.last()?);
        if last.0 == first.0 {
            return Some(first.1);
        }
        let area: f64 = rows.windows(2).map(|w| 0.5 * (w[0].1 + w[1].1) * (w[1].0 - w[0].0)).sum();
        Some(area / (last.0 - first.0))
    }

    /// Slope of the straight line through the rows by least squares.
    pub(super) fn slope(&self) -> Option<f64> {
        let count = self.rows().count() as f64;
        if count < 2.0 {
            return None;
        }
        let sum = self.rows().fold((0.0, 0.0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
        let (time, value) = (sum.0 / count, sum.1 / count);
        let (mut up, mut down) = (0.0, 0.0);
        for row in self.rows() {
            up += (row.0 - time) * (row.1 - value);
            down += (row.0 - time) * (row.0 - time);
        }
        Some(up / down)
    }

    /// The largest change from one row to the next.
    pub(super) fn largest_step(&self) -> Option<f64> {
        let values: Vec<f64> = self.rows().map(|row| row.1).collect();
        values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).reduce(f64::max)
    }

    /// Number of sign changes between consecutive rows; zeros are skipped.
    pub(super) fn sign_changes(&self) -> usize {
        let signs: Vec<f64> =
            self.rows().map(|row| row.1).filter(|value| *value != 0.0).map(f64::signum).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// The sum of the absolute changes of an angle [rad] between consecutive rows, each taken as the shorter rotation.
    pub(super) fn turning(&self) -> f64 {
        let angles: Vec<f64> = self.rows().map(|row| row.1).collect();
        let change = |pair: &[f64]| libm::remainder(pair[1] - pair[0], std::f64::consts::TAU).abs();
        angles.windows(2).map(change).sum()
    }
}

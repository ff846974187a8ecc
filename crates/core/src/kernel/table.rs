//! The combinations of laws that are compiled into kernels. All others use the dynamic path.
//!
//! A row costs about 25 kB of code and 1.5 s of compile time, for both kinds of partner and three instruction sets. A
//! scene with its own combination, from another crate, adds rows by [`Scene::kernels`](crate::Scene::kernels).

use super::contact_kernel::{Kernel, Laws};
use crate::chunk::{HistoryField, HistoryShape};
use crate::contact_state::history::HistoryLayout;
use crate::geometry::{MomentArm, Transport};
use crate::law::Law;
use crate::law::damping::{AreaDampingLaw, CriticalDamping};
use crate::law::normal::{HertzLaw, LinearLaw};
use crate::law::rolling::{ConstantTorqueLaw, ElasticPlasticLaw, RollingArm};
use crate::law::slots::{DampingLaw, Empty, InTable, NormalLaw, RollingLaw, TangentialLaw};
use crate::law::tangential::{IncrementalSpring, PenaltyFriction, Spring, SpringOwnRoot};

/// Rows of the table: normal, damping, tangential and rolling law.
const BUILT_IN: &[KernelRow] = &crate::kernels![
    [HertzLaw, CriticalDamping, Spring, Empty],
    [HertzLaw, CriticalDamping, Spring, ElasticPlasticLaw],
    [HertzLaw, CriticalDamping, Spring, ConstantTorqueLaw],
    [HertzLaw, CriticalDamping, Spring, RollingArm],
    [HertzLaw, CriticalDamping, PenaltyFriction, Empty],
    [HertzLaw, CriticalDamping, IncrementalSpring, Empty],
    [HertzLaw, AreaDampingLaw, PenaltyFriction, Empty],
    [HertzLaw, Empty, Spring, Empty],
    [LinearLaw, CriticalDamping, SpringOwnRoot, Empty],
    [LinearLaw, CriticalDamping, SpringOwnRoot, ElasticPlasticLaw],
    [LinearLaw, CriticalDamping, SpringOwnRoot, ConstantTorqueLaw],
    [LinearLaw, CriticalDamping, SpringOwnRoot, RollingArm],
    [LinearLaw, CriticalDamping, Spring, Empty],
    [LinearLaw, CriticalDamping, Spring, ElasticPlasticLaw],
];

/// Compiles combinations of laws into kernels: `kernels![[Normal, Damping, Tangential, Rolling], …]`,
/// where each is a type with [`InTable`](crate::law::slots::InTable) and the trait of its slot, or
/// [`Empty`](crate::law::slots::Empty). The result is an array of [`KernelRow`](crate::KernelRow) for
/// [`Scene::kernels`](crate::Scene::kernels).
///
/// ```
/// use esker::KernelRow;
/// use esker::law::damping::CriticalDamping;
/// use esker::law::normal::LinearLaw;
/// use esker::law::slots::Empty;
/// use esker::law::tangential::PenaltyFriction;
/// use esker::prelude::*;
///
/// let rows: [KernelRow; 1] = esker::kernels![[LinearLaw, CriticalDamping, PenaltyFriction, Empty]];
/// let mut scene = Scene::new();
/// scene.kernels.extend(rows);
/// ```
#[macro_export]
macro_rules! kernels {
    ($([$normal:ty, $damping:ty, $tangential:ty, $rolling:ty]),* $(,)?) => {
        [$($crate::KernelRow::of::<$normal, $damping, $tangential, $rolling>()),*]
    };
}

/// A combination of laws that has been compiled into a kernel; made by [`kernels!`](crate::kernels).
#[derive(Debug, Clone, Copy)]
pub struct KernelRow {
    find: fn(&PairOfMaterials<'_>) -> Option<Box<dyn Kernel>>,
}

/// The laws of one pair of materials, for which a kernel is looked up.
pub(crate) struct PairOfMaterials<'a> {
    pub laws: &'a [Box<dyn Law>],
    pub layout: &'a HistoryLayout,
    pub moment_arm: MomentArm,
    pub duration_factor: f64,
}

impl KernelRow {
    /// The kernel of these laws.
    pub const fn of<N, D, T, R>() -> Self
    where
        N: NormalLaw + InTable,
        D: DampingLaw + InTable,
        T: TangentialLaw + InTable,
        R: RollingLaw + InTable,
    {
        Self { find: kernel::<N, D, T, R> }
    }
}

impl PairOfMaterials<'_> {
    /// The kernel for this pair, from the table or from these rows.
    pub(crate) fn find(&self, more: &[KernelRow]) -> Option<Box<dyn Kernel>> {
        BUILT_IN.iter().chain(more).find_map(|row| (row.find)(self))
    }
}

/// The kernel of these types, if they are the laws of the pair.
fn kernel<N, D, T, R>(pair: &PairOfMaterials<'_>) -> Option<Box<dyn Kernel>>
where
    N: NormalLaw + InTable,
    D: DampingLaw + InTable,
    T: TangentialLaw + InTable,
    R: RollingLaw + InTable,
{
    let mut laws = pair.laws.iter();
    let combination = Laws {
        normal: N::take(&mut laws)?,
        damping: D::take(&mut laws)?,
        tangential: T::take(&mut laws)?,
        rolling: R::take(&mut laws)?,
        duration_factor: pair.duration_factor,
        arm_fraction: match pair.moment_arm {
            MomentArm::HalfOverlap => 0.5,
            MomentArm::Radius => 0.0,
            MomentArm::Contact => return None,
        },
    };
    let is_complete = laws.next().is_none();
    let is_supported = pair.laws.iter().all(|law| law.mapping().is_none())
        && pair.layout.stride == 0
        && pair.layout.vectors.iter().all(|(_, how)| *how == Transport::Rotate);
    let mut fields = Vec::new();
    <T::History as HistoryShape>::append_fields((), &mut fields);
    <R::History as HistoryShape>::append_fields((), &mut fields);
    let width: usize = fields.iter().map(|field: &HistoryField| field.width).sum();
    debug_assert_eq!(width, Laws::<N, D, T, R>::HISTORY_COLUMNS);
    (is_complete && is_supported && pair.layout.fields == fields)
        .then(|| Box::new(combination) as Box<dyn Kernel>)
}

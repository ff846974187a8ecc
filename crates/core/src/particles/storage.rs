//! The memory of the particles as plain numbers, for programs in other languages: copies in order of id,
//! and views in storage order.

use super::{ForceTorque, HotData, Metadata, Particles, Records};
use crate::Quat;
use std::mem::{MaybeUninit, offset_of};

/// Number of particles below which one thread copies a quantity.
const PARTICLES_PER_THREAD: usize = 100_000;

/// A quantity of each particle.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::particles::storage::{DetachedStorage, Quantity, StorageView};
/// use esker::prelude::*;
///
/// # let grains = [0.0, 0.1].map(|x| Sphere::new(RADIUS, Vec3::X * x)).to_vec();
/// # let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let view: StorageView = simulation.particles().view(Quantity::Radius);
/// // SAFETY: the second of two particles, which are not changed meanwhile
/// let radius = unsafe { view.start.byte_add(view.stride).read() };
/// assert_eq!((radius, view.components), (RADIUS, Quantity::Radius.components()));
///
/// // the engine continues with other memory, and what views refer to stays alive
/// let memory: DetachedStorage = simulation.detach_particles();
/// assert_eq!(unsafe { view.start.read() }, RADIUS);
/// drop(memory);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Position [m].
    Position,
    /// Velocity [m/s].
    Velocity,
    /// Spin [rad/s].
    Spin,
    /// Orientation, a unit quaternion x, y, z, w.
    Orientation,
    /// Force at the accepted state [N].
    Force,
    /// Torque at the accepted state [N m].
    Torque,
    /// Radius [m].
    Radius,
    /// Mass, infinite for fixed and driven particles [kg].
    Mass,
}

impl Quantity {
    /// Number of components.
    pub fn components(self) -> usize {
        match self {
            Self::Radius | Self::Mass => 1,
            Self::Orientation => 4,
            _ => 3,
        }
    }
}

/// Location of the numbers of a quantity: those of the particle in slot `i` begin at `start + i · stride` bytes.
#[derive(Debug, Clone, Copy)]
pub struct StorageView {
    /// The first number of the first particle.
    pub start: *const f64,
    /// Consecutive numbers of each particle.
    pub components: usize,
    /// Bytes from one particle to the next.
    pub stride: usize,
}

/// Memory that the engine no longer uses, kept alive for views that still refer to it.
#[derive(Debug)]
pub struct DetachedStorage {
    _records: Records,
    _orientations: Vec<Quat>,
    _loads: Vec<ForceTorque>,
    _metadata: Vec<Metadata>,
}

impl Particles {
    /// Location of a quantity. The address is valid until the particles change in any other way than through it.
    pub fn view(&self, quantity: Quantity) -> StorageView {
        let (start, offset, stride) = match quantity {
            Quantity::Orientation => {
                (self.orientations.as_ptr().cast::<u8>(), 0, size_of::<Quat>())
            }
            Quantity::Force => (
                self.loads.as_ptr().cast(),
                offset_of!(ForceTorque, force),
                size_of::<ForceTorque>(),
            ),
            Quantity::Torque => (
                self.loads.as_ptr().cast(),
                offset_of!(ForceTorque, torque),
                size_of::<ForceTorque>(),
            ),
            of_record => {
                let offset = match of_record {
                    Quantity::Velocity => offset_of!(HotData, velocity),
                    Quantity::Spin => offset_of!(HotData, spin),
                    Quantity::Radius => offset_of!(HotData, radius),
                    Quantity::Mass => offset_of!(HotData, mass),
                    _ => offset_of!(HotData, position),
                };
                (self.records.as_ptr().cast(), offset, size_of::<HotData>())
            }
        };
        let start = start.wrapping_add(offset).cast();
        StorageView { start, components: quantity.components(), stride }
    }

    /// Location of the ids, as numbers of 32 bits, and the bytes from one to the next.
    pub fn view_ids(&self) -> (*const u32, usize) {
        let start = self.metadata.as_ptr().cast::<u8>();
        (start.wrapping_add(offset_of!(Metadata, number)).cast(), size_of::<Metadata>())
    }

    /// Id, group, material, image and charge of each particle, in order of id.
    pub fn metadata_by_id(&self) -> impl Iterator<Item = (u32, u16, u16, [i32; 3], f64)> + '_ {
        self.slots_by_id().map(|slot| {
            let one = &self.metadata[slot];
            (one.number, one.group, one.material, one.image, self.charge(slot))
        })
    }

    /// Continues with a copy and returns the memory in which the particles were stored, for views that still refer to
    /// it.
    pub(crate) fn detach(&mut self) -> DetachedStorage {
        fn replace<T: Clone>(values: &mut T) -> T {
            let copy = values.clone();
            std::mem::replace(values, copy)
        }
        DetachedStorage {
            _records: replace(&mut self.records),
            _orientations: replace(&mut self.orientations),
            _loads: replace(&mut self.loads),
            _metadata: replace(&mut self.metadata),
        }
    }

    /// Copies a quantity in order of id; `out` must have the length of the components of all particles.
    pub fn copy_by_id(&self, quantity: Quantity, out: &mut [MaybeUninit<f64>]) {
        match quantity {
            Quantity::Position => self.copy(out, |slot| self.records[slot].position),
            Quantity::Velocity => self.copy(out, |slot| self.records[slot].velocity),
            Quantity::Spin => self.copy(out, |slot| self.records[slot].spin),
            Quantity::Radius => self.copy(out, |slot| [self.records[slot].radius]),
            Quantity::Mass => self.copy(out, |slot| [self.records[slot].mass]),
            Quantity::Orientation => self.copy(out, |slot| self.orientations[slot].to_array()),
            Quantity::Force => self.copy(out, |slot| self.loads[slot].force().to_array()),
            Quantity::Torque => self.copy(out, |slot| self.loads[slot].torque().to_array()),
        }
    }

    fn copy<const N: usize>(
        &self,
        out: &mut [MaybeUninit<f64>],
        read: impl Fn(usize) -> [f64; N] + Sync,
    ) {
        let (out, rest) = out.as_chunks_mut::<N>();
        assert!(out.len() == self.len() && rest.is_empty(), "room for all particles");
        let write = |slots: &[u32], out: &mut [[MaybeUninit<f64>; N]]| {
            for (entry, &slot) in out.iter_mut().zip(slots) {
                *entry = read(slot as usize).map(MaybeUninit::new);
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (self.len() / PARTICLES_PER_THREAD).clamp(1, cores);
        if threads == 1 {
            return write(self.slots(), out);
        }
        let part = self.len().div_ceil(threads);
        std::thread::scope(|scope| {
            for (slots, out) in self.slots().chunks(part).zip(out.chunks_mut(part)) {
                scope.spawn(|| write(slots, out));
            }
        });
    }
}

//! Collection of contacts with walls into chunks, and evaluation of the chunks.

use crate::Vec3;
use crate::chunk::{Contacts, Partners, WIDTH};
use crate::contact_state::result_buffer::{HistoryColumns, ResultSlices};
use crate::geometry::{MomentArm, Shift};
use crate::kernel::contact_kernel::Kernel;
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Scratch;
use crate::kernel::laws::PairLaws;
use crate::parallel::UnsynchronisedReader;
use crate::particles::{HalfKick, HotData};
use crate::simd::multiversion_transpose;
use crate::wall::ClosestPoint;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallNeighbour;
use crate::wall_contact::detect::eight;

/// One contact to be evaluated in a chunk. Vectors have a fourth component, so that eight lanes can be transposed to
/// columns.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct Lane {
    /// The normal, then the distance.
    closest: [f64; 4],
    old_normal: [f64; 4],
    wall_velocity: [f64; 4],
    wall_spin: [f64; 4],
    /// Material point of the wall at which the force acts [m].
    point: Vec3,
    particle: u32,
    wall: u16,
    old_wall: u16,
    old_index: u32,
}

/// The accepted contact that a contact continues.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OldContact {
    /// Its index; zero if the contact is new.
    pub index: u32,
    /// Its wall, if there is an accepted contact.
    pub wall: u16,
    pub normal: Vec3,
}

fn line(vector: Vec3, fourth: f64) -> [f64; 4] {
    [vector.x, vector.y, vector.z, fourth]
}

impl Lane {
    #[inline(always)]
    pub(crate) fn new(
        item: &WallNeighbour,
        bodies: Bodies<'_>,
        closest: ClosestPoint,
        old: OldContact,
        moment_arm: MomentArm,
    ) -> Self {
        let record = &bodies.records[item.particle as usize];
        let pose = &bodies.walls[usize::from(item.wall)].pose;
        // The material point of the wall at which the force acts, which is not exactly the nearest point of its
        // surface: otherwise a rotating wall would do work that no particle receives.
        let arm = moment_arm.at_wall(record.radius, closest.distance);
        let point = Vec3::from_array(record.position) + arm * closest.normal;
        Self {
            closest: line(closest.normal, closest.distance),
            old_normal: line(old.normal, 0.0),
            wall_velocity: line(pose.velocity_at(point), 0.0),
            wall_spin: line(pose.spin, 0.0),
            point,
            particle: item.particle,
            wall: item.wall,
            old_wall: if old.index > 0 { old.wall } else { item.wall },
            old_index: old.index,
        }
    }
}

/// The bodies in contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bodies<'a> {
    pub records: &'a [HotData],
    pub walls: &'a [LiveWall],
}

/// Fills chunks with contacts and evaluates them when they are full.
pub(crate) struct Packer<'a> {
    chunk: &'a Chunk<'a>,
    laws: &'a PairLaws,
    bodies: Bodies<'a>,
    accepted: &'a HistoryColumns,
    /// Destination of the results; without it they remain in the scratch memory.
    output: Option<&'a ResultSlices<'a>>,
    lanes: [Lane; WIDTH],
    count: usize,
    first_index: usize,
}

impl<'a> Packer<'a> {
    /// Leaves the results of the last chunk in the scratch memory.
    pub(crate) fn new(
        chunk: &'a Chunk<'a>,
        laws: &'a PairLaws,
        bodies: Bodies<'a>,
        accepted: &'a HistoryColumns,
    ) -> Self {
        let lanes = [Lane::default(); WIDTH];
        Self { chunk, laws, bodies, accepted, output: None, lanes, count: 0, first_index: 0 }
    }

    /// Writes results from index `first_index`.
    ///
    /// # Safety
    /// As many elements from `first_index` as contacts are pushed, and a chunk more, are accessed by the calling part alone.
    pub(crate) unsafe fn writing(
        chunk: &'a Chunk<'a>,
        laws: &'a PairLaws,
        bodies: Bodies<'a>,
        accepted: &'a HistoryColumns,
        first_index: usize,
        output: &'a ResultSlices<'a>,
    ) -> Self {
        Self { output: Some(output), first_index, ..Self::new(chunk, laws, bodies, accepted) }
    }

    /// The index of the next contact.
    #[inline(always)]
    pub(crate) fn next_index(&self) -> u32 {
        (self.first_index + self.count) as u32
    }

    pub(crate) fn moment_arm(&self) -> MomentArm {
        self.chunk.table.moment_arm
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, lane: Lane, scratch: &mut Scratch) {
        self.lanes[self.count] = lane;
        self.count += 1;
        if self.count == WIDTH {
            self.evaluate(scratch);
            self.first_index += WIDTH;
            self.count = 0;
        }
    }

    pub(crate) fn finish(&mut self, scratch: &mut Scratch) {
        if self.count > 0 {
            let last = self.lanes[self.count - 1];
            self.lanes[self.count..].fill(last);
            self.evaluate(scratch);
        }
    }

    fn evaluate(&self, scratch: &mut Scratch) {
        load(&self.lanes, self.bodies.records, &mut scratch.partners, &mut scratch.contacts);
        if !self.chunk.kicks.is_empty() {
            load_kicks(&self.lanes, self.chunk.kicks, &mut scratch.partners);
        }
        let old_indices = self.lanes.each_ref().map(|lane| lane.old_index);
        let Some(output) = self.output else { return self.evaluate_dynamic(&old_indices, scratch) };
        if let Some(kernel) = &self.laws.kernel
            && self.chunk.is_plain()
        {
            // SAFETY: the promise made to `writing`.
            unsafe { self.evaluate_kernel(kernel.as_ref(), &old_indices, output, scratch) };
        } else {
            self.evaluate_dynamic(&old_indices, scratch);
            let Scratch { contacts, forces, new, results, second_torque, .. } = scratch;
            // SAFETY: as above.
            unsafe {
                output.store([self.first_index; 2], contacts, forces, new, results, second_torque)
            };
        }
    }

    fn evaluate_dynamic(&self, old_indices: &[u32; WIDTH], scratch: &mut Scratch) {
        scratch.slots = *old_indices;
        if let Some(anchorage) = &self.chunk.table.layout.anchorage {
            for (index, lane) in self.lanes.iter().enumerate() {
                self.load_points(lane, anchorage.start, index, &mut scratch.shift);
            }
        }
        if !self.chunk.motions.is_empty() {
            self.load_motions(&mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, old_indices, scratch);
    }

    /// History is read and written in place.
    ///
    /// # Safety
    /// The `WIDTH` elements from the current index are accessed by the caller alone.
    unsafe fn evaluate_kernel(
        &self,
        kernel: &dyn Kernel,
        indices: &[u32; WIDTH],
        output: &ResultSlices<'_>,
        scratch: &mut Scratch,
    ) {
        let (input, history, chunk_output) =
            scratch.kernel_arguments(self.chunk, self.accepted, indices, output, self.first_index);
        // SAFETY: guaranteed by the caller.
        unsafe {
            kernel.evaluate_walls(&input, history, chunk_output);
            output.store_results(self.first_index, &scratch.results, &scratch.second_torque);
        }
    }

    /// Loads the current position of the wall's accepted material point relative to the centre of the particle, and the
    /// current point in the frame of the wall.
    fn load_points(&self, lane: &Lane, anchor: usize, index: usize, shift: &mut Shift) {
        let [pose, old_pose] =
            [lane.wall, lane.old_wall].map(|wall| &self.bodies.walls[usize::from(wall)].pose);
        let center = self.bodies.records[lane.particle as usize].position;
        let stored = |axis: usize| self.accepted.column(anchor + axis)[lane.old_index as usize];
        let accepted = old_pose.to_world(Vec3::new(stored(0), stored(1), stored(2))).to_array();
        let present = pose.to_local(lane.point).to_array();
        for axis in 0..3 {
            let difference = accepted[axis] - center[axis];
            shift.wall_point[axis][index] = self.chunk.images.nearest(axis, difference);
            shift.wall_anchor[axis][index] = present[axis];
        }
    }

    /// Loads the mean motion of particles and of the points of walls that they touch.
    fn load_motions(&self, partners: &mut Partners) {
        let elapsed = self.chunk.step.elapsed;
        for (index, lane) in self.lanes.iter().enumerate() {
            let motion = &self.chunk.motions[lane.particle as usize];
            let wall = &self.bodies.walls[usize::from(lane.wall)];
            let wall_velocity = wall.mean_velocity_at(lane.point, elapsed);
            for axis in 0..3 {
                partners.mean_velocity[axis][index] = motion.velocity[axis] - wall_velocity[axis];
                partners.mean_spin[0][axis][index] = motion.spin[axis];
                partners.mean_spin[1][axis][index] = wall.mean_spin[axis];
            }
        }
    }
}

multiversion_transpose! {
    /// Loads the kicks of the particles of a chunk; walls have none.
    fn load_kicks<Set: Transpose>(
        set: Set,
        lanes: &[Lane; WIDTH],
        kicks: UnsynchronisedReader<'_, HalfKick>,
        partners: &mut Partners,
    ) {
        for (block, lanes) in lanes.as_chunks::<8>().0.iter().enumerate() {
            let kick = |lane: usize| &kicks[lanes[lane].particle as usize];
            let mut nothing = [0.0; 8];
            let [x, y, z] = &mut partners.kick;
            let columns = [eight(x, block), eight(y, block), eight(z, block), &mut nothing];
            set.aos_to_soa(|lane| &kick(lane).velocity, columns);
            let [x, y, z] = &mut partners.spin_kick[0];
            let columns = [eight(x, block), eight(y, block), eight(z, block), &mut nothing];
            set.aos_to_soa(|lane| &kick(lane).spin, columns);
        }
        partners.spin_kick[1] = [[0.0; WIDTH]; 3];
    }
}

multiversion_transpose! {
    /// Loads the partners of a chunk.
    fn load<Set: Transpose>(
        set: Set,
        lanes: &[Lane; WIDTH],
        records: &[HotData],
        partners: &mut Partners,
        contacts: &mut Contacts,
    ) {
        for (block, lanes) in lanes.as_chunks::<8>().0.iter().enumerate() {
            let mut coordinates = [[0.0; 8]; 3];
            let mut velocities = [[[0.0; 8]; 3]; 2];
            let mut old_normal = [[0.0; 8]; 3];
            let mut nothing = [0.0; 8];
            let record = |lane: usize| records[lanes[lane].particle as usize].as_vectors();
            let [x, y, z] = &mut coordinates;
            let [[vx, vy, vz], [wall_vx, wall_vy, wall_vz]] = &mut velocities;
            let [old_x, old_y, old_z] = &mut old_normal;
            let [first, second] = &mut partners.spin;
            let [nx, ny, nz] = &mut contacts.normal;
            let [wx, wy, wz] = first;
            let [wall_wx, wall_wy, wall_wz] = second;
            let normal = [eight(nx, block), eight(ny, block), eight(nz, block), eight(&mut contacts.distance, block)];
            let spin = [eight(wx, block), eight(wy, block), eight(wz, block), eight(&mut contacts.inverse_inertia[0], block)];
            let radius = eight(&mut contacts.radius[0], block);
            let inverse_mass = eight(&mut contacts.inverse_mass[0], block);
            set.aos_to_soa(|lane| &lanes[lane].closest, normal);
            set.aos_to_soa(|lane| &lanes[lane].old_normal, [old_x, old_y, old_z, &mut nothing]);
            set.aos_to_soa(
                |lane| &lanes[lane].wall_velocity,
                [wall_vx, wall_vy, wall_vz, &mut nothing],
            );
            set.aos_to_soa(
                |lane| &lanes[lane].wall_spin,
                [eight(wall_wx, block), eight(wall_wy, block), eight(wall_wz, block), &mut nothing],
            );
            set.aos_to_soa(|lane| &record(lane)[0], [x, y, z, radius]);
            set.aos_to_soa(|lane| &record(lane)[1], [vx, vy, vz, inverse_mass]);
            set.aos_to_soa(|lane| &record(lane)[2], spin);
            for axis in 0..3 {
                let change = eight(&mut contacts.normal_change[axis], block);
                let normal = &contacts.normal[axis].as_chunks::<8>().0[block];
                let velocity = eight(&mut partners.velocity[axis], block);
                for lane in 0..8 {
                    change[lane] = normal[lane] - old_normal[axis][lane];
                    velocity[lane] = velocities[0][axis][lane] - velocities[1][axis][lane];
                }
            }
        }
        contacts.radius[1] = [0.0; WIDTH];
        contacts.inverse_mass[1] = [0.0; WIDTH];
        contacts.inverse_inertia[1] = [0.0; WIDTH];
    }
}

//! Contacts with walls in the choice of the time step.

use super::approach::{Approach, ContactEstimate};
use super::block::{Blocks, ContactWeights};
use super::impact::Impacts;
use super::survey::Surveyor;
use crate::Vec3;
use crate::id::WallId;
use crate::snapshot::Partner;
use crate::wall::{ClosestPoint, MeshContacts, Shape};
use crate::wall_contact::WallNeighbour;
use crate::wall_contact::closest_points::to_world;
use crate::wall_contact::joints::{JointContacts, Joints, is_joined};
use crate::wall_contact::pack::Bodies;

/// Arrays for closest points, reused.
#[derive(Debug, Default)]
pub(super) struct WallSurveyScratch {
    mesh: MeshContacts,
    joints: JointContacts,
}

/// The walls near one free particle.
pub(super) struct WallSurvey<'a, 'b> {
    pub surveyor: &'b Surveyor<'a>,
    pub slot: usize,
}

impl WallSurvey<'_, '_> {
    /// Adds the contacts of the particle with walls to its blocks.
    pub(super) fn add(
        &self,
        scratch: &mut WallSurveyScratch,
        impacts: &mut Impacts,
        rate: &mut f64,
        blocks: &mut Blocks,
    ) {
        let contacts = self.surveyor.wall_contacts;
        for index in contacts.items_of(self.slot..self.slot + 1) {
            let item = &contacts.items[index];
            self.for_each_point(index, scratch, |point| {
                if let Some(estimate) = self.estimate(item, point) {
                    self.add_point(item, point, &estimate, impacts, rate, blocks);
                }
            });
        }
    }

    /// Calls `found` for each point of the wall of an item that the particle touches or can touch.
    pub(super) fn for_each_point(
        &self,
        index: usize,
        scratch: &mut WallSurveyScratch,
        mut found: impl FnMut(ClosestPoint),
    ) {
        let Surveyor { particles, walls, wall_contacts: contacts, table, horizon, .. } =
            self.surveyor;
        let item = &contacts.items[index];
        let record = &particles.records[self.slot];
        let wall = &walls[usize::from(item.wall)];
        let interaction_range = table.pairs[usize::from(item.pair)].interaction_range;
        let travel = horizon.travel(record) + horizon.wall;
        let limit = record.radius + interaction_range.max(travel);
        let local = wall.pose.to_local(record.position.into());
        // a point common to several walls that share an edge counts once
        let joined = is_joined(&contacts.items, walls, index);
        if joined {
            let bodies = Bodies { records: &particles.records, walls };
            let (items, facets) = (&contacts.items[..], &contacts.facets[..]);
            Joints { items, facets, bodies, table }.find(index, &mut scratch.joints);
            scratch.joints.of(index).for_each(&mut found);
        }
        let from = if joined { record.radius + interaction_range } else { f64::NEG_INFINITY };
        let mut apart = |point: &ClosestPoint| {
            if point.distance >= from {
                found(to_world(point, wall));
            }
        };
        if let Shape::Mesh(mesh) = &wall.wall.shape {
            mesh.contacts(local, limit, &contacts.facets[item.facets()], &mut scratch.mesh);
            scratch.mesh.as_slice().iter().for_each(|contact| apart(&contact.closest));
        } else if let Some((point, _)) = wall.form.closest_point_and_rim(local) {
            let deepest = wall.wall.shape.deepest() * record.radius;
            if point.distance < limit && point.distance > deepest {
                apart(&point);
            }
        }
    }

    /// A point of a wall; none if it is not included.
    pub(super) fn estimate(
        &self,
        item: &WallNeighbour,
        point: ClosestPoint,
    ) -> Option<ContactEstimate> {
        let Surveyor { particles, walls, table, horizon, .. } = self.surveyor;
        let record = &particles.records[self.slot];
        let wall = &walls[usize::from(item.wall)];
        let position = Vec3::from_array(record.position);
        let velocity = wall.pose.velocity_at(position + point.distance * point.normal);
        let approach = Approach {
            normal: point.normal,
            overlap: record.radius - point.distance,
            closing: (Vec3::from_array(record.velocity) - velocity).dot(point.normal),
            acceleration: self.surveyor.acceleration(self.slot).length(),
            radii: [record.radius, 0.0],
            inverse_masses: [record.inverse_mass, 0.0],
        };
        approach.estimate(&table.pairs[usize::from(item.pair)], horizon.time)
    }

    fn add_point(
        &self,
        item: &WallNeighbour,
        point: ClosestPoint,
        estimate: &ContactEstimate,
        impacts: &mut Impacts,
        rate: &mut f64,
        blocks: &mut Blocks,
    ) {
        let Surveyor { particles, table, scheme, steps, .. } = self.surveyor;
        let record = &particles.records[self.slot];
        let pair = usize::from(item.pair);
        let laws = &table.pairs[pair];
        if let Some(contact) = &estimate.stiffness {
            blocks.add(point.normal, record.radius, &ContactWeights::of(contact, scheme));
            *rate = rate.max(contact.normal * record.inverse_mass * laws.duration_factor);
        }
        if let Some(encounter) = estimate.impact {
            impacts.record(laws, pair, steps[pair], &encounter, || {
                (particles.metadata[self.slot].id(), Partner::Wall(WallId::new(item.wall)))
            });
        }
    }
}

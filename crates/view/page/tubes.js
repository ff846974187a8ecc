// @ts-check
// Tubes: contacts and force chains, velocity glyphs, trajectories, ruler. First end and radius, second end and colour.
import { GLYPH, RULER, SLIDING, TRAJECTORY } from './colors.js';

/** @typedef {import('./source.js').Frame} Frame */
/** @typedef {import('./state.js').State} State */

/** Mean and 99th percentile of the forces. @param {Float32Array} force */
export function forceScale(force) {
  if (!force.length) return { mean: 0, strong: 1, largest: 1 };
  let sum = 0;
  for (const f of force) sum += f;
  const sorted = Float32Array.from(force).sort();
  return { mean: sum / force.length, strong: sorted[Math.floor(0.99 * (sorted.length - 1))] || 1, largest: sorted[sorted.length - 1] };
}

/** @param {Frame} contacts @param {State} state @param {number} radius of a typical particle @param {(id: number) => boolean} shows */
export function contactTubes(contacts, state, radius, shows) {
  const { ends, force, sliding, first, second, with_wall: wall } = contacts.sections, scale = forceScale(force), out = [], rows = [];
  const least = state.contacts === 'strong' ? scale.mean : state.contacts === 'above' ? state.contactLow : 0;
  for (let i = 0; i < force.length; i++) {
    if (force[i] < least || !(force[i] > 0) || !(shows(first[i]) && (wall[i] || shows(second[i])))) continue;
    if (state.contacts === 'sliding' && !sliding[i]) continue;
    const e = ends.subarray(6 * i, 6 * i + 6), part = Math.min(force[i] / scale.strong, 1.5);
    // The radius is in the texel, so that a uniform scales it.
    out.push(e[0], e[1], e[2], 0.42 * radius * Math.sqrt(part), e[3], e[4], e[5], sliding[i] ? -(SLIDING + 1) : Math.min(part, 1));
    rows.push(i);
  }
  return { tubes: out, rows, scale };
}

/** Cones along the velocities. @param {Float32Array} position @param {Float32Array} vector @param {number} count @param {number} radius @param {number} factor @param {Uint8Array | null} hidden */
export function glyphTubes(position, vector, count, radius, factor, hidden) {
  const speeds = [], out = [];
  for (let i = 0; i < count; i++) speeds.push(Math.hypot(vector[3 * i], vector[3 * i + 1], vector[3 * i + 2]));
  const typical = [...speeds].sort((a, b) => a - b)[Math.floor(0.95 * (count - 1))] || 1, s = 4 * radius * factor / typical;
  for (let i = 0; i < count; i++) {
    if ((hidden && hidden[i]) || speeds[i] < 0.02 * typical) continue;
    const p = position.subarray(4 * i, 4 * i + 3), v = vector.subarray(3 * i, 3 * i + 3), r = 0.35 * radius * Math.min(1, 0.4 + speeds[i] / typical);
    out.push(p[0], p[1], p[2], -r, p[0] + s * v[0], p[1] + s * v[1], p[2] + s * v[2], -(GLYPH + 1));
  }
  return out;
}

/** @param {{ values: (number[] | null)[] }[]} paths @param {number[]} origin @param {number} radius @param {number[]} periods */
export function trajectoryTubes(paths, origin, radius, periods) {
  const out = [];
  for (const { values } of paths) {
    for (let i = 1; i < values.length; i++) {
      const a = values[i - 1], b = values[i];
      // A jump across a periodic boundary is not drawn.
      if (!a || !b || [0, 1, 2].some((k) => periods[k] > 0 && Math.abs(a[k] - b[k]) > periods[k] / 2)) continue;
      out.push(...a.map((x, k) => x - origin[k]), 0.22 * radius, ...b.map((x, k) => x - origin[k]), -(TRAJECTORY + 1));
    }
  }
  return out;
}

/** @param {number[][]} points relative to the origin @param {number} radius */
export function rulerTubes(points, radius) {
  const out = [];
  for (let i = 1; i < points.length; i++) out.push(...points[i - 1], 0.18 * radius, ...points[i], -(RULER + 1));
  return out;
}

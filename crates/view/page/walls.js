// @ts-check
// Walls: triangles for the renderer, outlines, styles and colours.
import { cross, dot, sub, unit } from './matrix.js';

const STYLES = { auto: 0, glass: 1, solid: 2, hidden: 3 };

/** Styles for the panel: value and text. */
export const STYLE_NAMES = /** @type {[string, string][]} */ ([['auto', 'translucent towards the viewer'], ['glass', 'translucent'], ['solid', 'solid'], ['hidden', 'hidden']]);

/** The style of a wall. The state holds four times the wall plus the style of those that have their own. @param {import('./state.js').State} state @param {number} wall @returns {number} */
export const modeOf = (state, wall) => { const own = state.wallModes.find((mode) => mode >> 2 === wall); return own === undefined ? STYLES[/** @type {keyof typeof STYLES} */ (state.walls)] ?? 0 : own & 3; };

/** The style that a wall has on its own; empty if it has that of all walls. @param {import('./state.js').State} state @param {number} wall */
export const ownMode = (state, wall) => { const own = state.wallModes.find((mode) => mode >> 2 === wall); return own === undefined ? '' : Object.keys(STYLES)[own & 3]; };

/** @param {import('./state.js').State} state @param {number} wall @param {string} style empty for that of all walls */
export const withMode = (state, wall, style) => [...state.wallModes.filter((mode) => mode >> 2 !== wall), ...(style ? [4 * wall + STYLES[/** @type {keyof typeof STYLES} */ (style)]] : [])];

/** Triangles as texels, the wall in the first of three. @param {Float32Array} triangle @param {Uint16Array} wall */
export function wallTexels(triangle, wall) {
  const out = new Float32Array(12 * wall.length);
  for (let t = 0; t < wall.length; t++) {
    for (let k = 0; k < 3; k++) for (let a = 0; a < 3; a++) out[12 * t + 4 * k + a] = triangle[9 * t + 3 * k + a];
    out[12 * t + 3] = wall[t];
  }
  return out;
}

/** Edges of one triangle only, and those where the surface bends by more than 30°. @param {Float32Array} triangle @param {Uint16Array} wall @param {Set<number>} hidden */
export function wallEdges(triangle, wall, hidden) {
  /** @type {Map<string, { n: number[], ends: number[][], sharp: boolean, count: number }>} */
  const seen = new Map();
  let size = 0;
  for (let i = 0; i < triangle.length; i++) size = Math.max(size, Math.abs(triangle[i]));
  const key = (/** @type {number[]} */ p) => p.map((x) => Math.round(x / (size || 1) * 1e6)).join();
  for (let t = 0; t < wall.length; t++) {
    if (hidden.has(wall[t])) continue;
    const p = [0, 3, 6].map((k) => [...triangle.subarray(9 * t + k, 9 * t + k + 3)]), n = unit(cross(sub(p[1], p[0]), sub(p[2], p[0])));
    for (let k = 0; k < 3; k++) {
      const a = p[k], b = p[(k + 1) % 3], name = `${wall[t]}|${[key(a), key(b)].sort().join('|')}`, old = seen.get(name);
      if (old) { old.count++; old.sharp = Math.abs(dot(old.n, n)) < 0.866; } else seen.set(name, { n, ends: [a, b], sharp: false, count: 1 });
    }
  }
  const out = [];
  for (const edge of seen.values()) if (edge.count === 1 || edge.sharp) out.push(...edge.ends[0], ...edge.ends[1]);
  return new Float32Array(out);
}

/** Style and colour of each wall. @param {number} count @param {import('./state.js').State} state @param {number[] | null} values from 0 to 1 */
export function wallStyles(count, state, values) {
  const out = new Float32Array(4 * Math.max(1, count));
  for (let w = 0; w < count; w++) {
    out[4 * w] = modeOf(state, w);
    if (values && Number.isFinite(values[w])) { out[4 * w + 1] = 1; out[4 * w + 2] = Math.min(0.998, Math.max(0.002, values[w])); }
  }
  return out;
}

/** The twelve edges of a box. @param {number[]} low @param {number[]} high */
export function boxEdges(low, high) {
  const corner = (/** @type {number} */ c) => [0, 1, 2].map((k) => (c >> k & 1 ? high[k] : low[k])), out = [];
  for (let c = 0; c < 8; c++) for (let k = 0; k < 3; k++) if (!(c >> k & 1)) out.push(...corner(c), ...corner(c | 1 << k));
  return new Float32Array(out);
}

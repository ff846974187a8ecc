// @ts-check
// Which particles are hidden by clip plane, box, threshold or group: the same test as in the vertex shader.

const FAR = 1e30;

/** Uniforms of the filters. @param {import('./state.js').State} state @param {{ low: number[], high: number[] }} bounds @param {number[][]} box @param {boolean} limits whether a threshold has values */
export function filterStyle(state, { low, high }, box, limits) {
  const k = 'xyz'.indexOf(state.clipAxis), sign = state.clipFlip ? -1 : 1, at = low[k] + state.clipAt * (high[k] - low[k]);
  const groups = new Uint32Array(8).fill(0xffffffff);
  for (const g of state.hiddenGroups) if (g < 256) groups[g >> 5] &= ~(1 << (g & 31));
  return { clip: state.clip === 'plane' ? [...[0, 1, 2].map((a) => (a === k ? sign : 0)), sign * at] : [0, 0, 0, 1], groups,
    boxLow: state.clip === 'box' ? box[0] : [-FAR, -FAR, -FAR], boxHigh: state.clip === 'box' ? box[1] : [FAR, FAR, FAR],
    threshold: limits ? [state.thresholdLow, state.thresholdHigh] : [-FAR, FAR] };
}

/** No clipping, for tubes. */
export const UNCLIPPED = { clip: [0, 0, 0, 1], boxLow: [-FAR, -FAR, -FAR], boxHigh: [FAR, FAR, FAR] };

/** @param {import('./state.js').State} state @param {Record<string, any>} style @param {Float32Array} p centres and radii @param {Float32Array} infos @param {number} count @param {boolean} clips whether the clip plane or box counts */
export function findHidden(state, style, p, infos, count, clips) {
  if ((state.clip === 'off' || !clips) && !state.threshold && !state.hiddenGroups.length) return null;
  const out = new Uint8Array(count), { clip, boxLow, boxHigh, threshold } = style, groups = new Set(state.hiddenGroups);
  for (let i = 0; i < count; i++) {
    const x = p[4 * i], y = p[4 * i + 1], z = p[4 * i + 2], t = infos[4 * i + 1];
    const clipped = clips && (clip[0] * x + clip[1] * y + clip[2] * z > clip[3] || x < boxLow[0] || y < boxLow[1] || z < boxLow[2]
      || x > boxHigh[0] || y > boxHigh[1] || z > boxHigh[2]);
    out[i] = clipped || t < threshold[0] || t > threshold[1] || groups.has(infos[4 * i + 2]) ? 1 : 0;
  }
  return out;
}

// @ts-check
// The state of the display: everything that a link stores.

export const DEFAULTS = {
  color: 'velocity', range: 'percent', low: 0, high: 1, log: false, scale: 'esker',
  clip: 'off', clipAxis: 'x', clipAt: 0.5, clipFlip: false, box: [0, 1, 0, 1, 0, 1],
  threshold: '', thresholdLow: 0, thresholdHigh: 0,
  hiddenGroups: /** @type {number[]} */ ([]), wallModes: /** @type {number[]} */ ([]), walls: 'auto', wallColor: 'none',
  contacts: 'off', contactLow: 0, contactThickness: 1, clipContacts: false, particles: true,
  marks: false, glyphs: false, glyphScale: 1, images: false, domain: false, axes: true, scaleBar: true, gravity: true, edges: true,
  ortho: false, camera: /** @type {number[]} */ ([]), selected: -1, follow: false, trajectories: /** @type {number[]} */ ([]),
  since: 0, time: -1, frame: -1,
};

/** @typedef {typeof DEFAULTS} State */

export const freshState = () => /** @type {State} */ (structuredClone(DEFAULTS));

/** What differs from the default, for the address. @param {State} state */
export function toLink(state) {
  /** @type {Record<string, any>} */
  const out = {};
  for (const key of /** @type {(keyof State)[]} */ (Object.keys(DEFAULTS))) {
    if (JSON.stringify(state[key]) !== JSON.stringify(DEFAULTS[key])) out[key] = state[key];
  }
  return encodeURIComponent(JSON.stringify(out)).replace(/%2C/g, ',').replace(/%3A/g, ':');
}

/** Takes over what has the type of the default; everything else of a link is ignored. @param {State} state @param {string} text */
export function fromLink(state, text) {
  let given;
  try { given = JSON.parse(decodeURIComponent(text)); } catch { return; }
  if (typeof given !== 'object' || given === null) return;
  for (const key of Object.keys(DEFAULTS)) {
    const value = given[key], model = /** @type {any} */ (DEFAULTS)[key];
    const fits = Array.isArray(model) ? Array.isArray(value) && value.length < 1000 && value.every(Number.isFinite) : typeof value === typeof model;
    if (value !== undefined && fits) /** @type {any} */ (state)[key] = value;
  }
}

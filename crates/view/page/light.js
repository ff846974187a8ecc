// @ts-check
// Light: one lamp during motion; while the view is still, samples of the lamp and of the sky, one for each pass.
import { add, cross, dot, length, lookAt, multiply, orthographic, scaled, sub, unit } from './matrix.js';

/** @typedef {import('./matrix.js').Vec} Vec */

/** Van der Corput's sequence. @param {number} i @param {number} base */
const halton = (i, base) => {
  let f = 1, r = 0;
  for (; i > 0; i = Math.floor(i / base)) { f /= base; r += f * (i % base); }
  return r;
};

/** From above and from the left of the camera's first position. @param {Vec} up @param {[Vec, Vec]} ground @returns {Vec} */
export const lampDirection = (up, ground) => unit(add(add(up, ground[0], -0.45), ground[1], -0.55));

/** Sample k: two fifths from a disc around the lamp, the others from the sky, brighter above. @param {number} k @param {Vec} up @param {[Vec, Vec]} ground @returns {Vec} */
export function skySample(k, up, ground) {
  const a = 2 * Math.PI * halton(k + 1, 2), u = halton(k + 1, 3), lamp = lampDirection(up, ground);
  if (k % 5 < 2) {
    const r = 0.16 * Math.sqrt(u), s = unit(cross(lamp, up)), t = cross(lamp, s);
    return unit(add(add(lamp, s, r * Math.cos(a)), t, r * Math.sin(a)));
  }
  const z = 0.05 + 0.95 * Math.sqrt(u), r = Math.sqrt(1 - z * z);
  return add(add(scaled(up, z), ground[0], r * Math.cos(a)), ground[1], r * Math.sin(a));
}

/** The shift of pass k in pixels. @param {number} k */
export const jitter = (k) => [halton(k + 1, 2) - 0.5, halton(k + 1, 3) - 0.5];

/**
 * Parallel light on a box, or on the part of it that is seen.
 * @param {Vec} direction @param {ArrayLike<number>} low @param {ArrayLike<number>} high @param {{ center: Vec, half: number }} focus @param {number} pixels
 */
export function lampMatrices(direction, low, high, focus, pixels) {
  const whole = 0.5 * length([high[0] - low[0], high[1] - low[1], high[2] - low[2]]) || 1, half = Math.min(whole, focus.half);
  const center = half < whole ? focus.center : scaled(add(low, high), 0.5), extent = whole + length(sub(center, scaled(add(low, high), 0.5)));
  const up = Math.abs(dot(direction, [0, 0, 1])) > 0.9 ? [0, 1, 0] : [0, 0, 1];
  const view = lookAt(add(center, direction, 2 * extent), center, up), projection = orthographic(half, 1, 0.9 * extent, 3.1 * extent);
  return { view, projection, matrix: multiply(projection, view), texel: 2 * half / pixels };
}

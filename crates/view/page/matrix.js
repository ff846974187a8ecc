// @ts-check
// Vectors of three numbers and matrices of sixteen, column-major.

/** @typedef {[number, number, number]} Vec */

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @returns {Vec} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {number} [s] @returns {Vec} */
export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @returns {Vec} */
export const sub = (a, b) => add(a, b, -1);
/** @param {ArrayLike<number>} a @param {number} s @returns {Vec} */
export const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
/** @param {ArrayLike<number>} a */
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
/** @param {ArrayLike<number>} a @returns {Vec} */
export const unit = (a) => scaled(a, 1 / (length(a) || 1));

/** The view from a point to another. @param {ArrayLike<number>} eye @param {ArrayLike<number>} center @param {ArrayLike<number>} up */
export function lookAt(eye, center, up) {
  const z = unit(sub(eye, center));
  let x = cross(up, z);
  if (length(x) < 1e-6) x = cross(Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], z);
  x = unit(x);
  const y = cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

/** Inverse of a rotation and translation. @param {Float32Array} m */
export function rigidInverse(m) {
  const t = [m[12], m[13], m[14]];
  return new Float32Array([m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0,
    -(m[0] * t[0] + m[1] * t[1] + m[2] * t[2]), -(m[4] * t[0] + m[5] * t[1] + m[6] * t[2]), -(m[8] * t[0] + m[9] * t[1] + m[10] * t[2]), 1]);
}

/** @param {number} fov @param {number} aspect @param {number} near @param {number} far */
export function perspective(fov, aspect, near, far) {
  const f = 1 / Math.tan(fov / 2);
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0]);
}

/** @param {number} half @param {number} aspect @param {number} near @param {number} far */
export function orthographic(half, aspect, near, far) {
  return new Float32Array([1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -2 / (far - near), 0, 0, 0, -(far + near) / (far - near), 1]);
}

/** @param {Float32Array} a @param {Float32Array} b */
export function multiply(a, b) {
  const m = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) for (let k = 0; k < 4; k++) m[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  return m;
}

/** A direction by the rotation of a matrix. @param {Float32Array} m @param {ArrayLike<number>} v @returns {Vec} */
export const rotated = (m, v) => [
  m[0] * v[0] + m[4] * v[1] + m[8] * v[2], m[1] * v[0] + m[5] * v[1] + m[9] * v[2], m[2] * v[0] + m[6] * v[1] + m[10] * v[2]];

/** A projection moved by a fraction of a pixel. @param {Float32Array} p @param {number[]} shift @param {number} width @param {number} height @param {boolean} ortho */
export function shifted(p, shift, width, height, ortho) {
  const q = Float32Array.from(p), x = shift[0] * 2 / width, y = shift[1] * 2 / height;
  if (ortho) { q[12] += x; q[13] += y; } else { q[8] -= x; q[9] -= y; }
  return q;
}

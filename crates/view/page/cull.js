// @ts-check
// Culling of hidden spheres, for machines without a graphics card. The disc of each sphere through its centre, facing
// the eye, is rasterised into a depth buffer at the centres of the pixels; a sphere whose nearest point is behind all
// pixels around it is hidden. No visible sphere is culled, since only the centres of pixels are drawn.

/**
 * @typedef {object} CullInput
 * @property {Float32Array} position centre and radius @property {number} count @property {Uint8Array | null} hidden
 * @property {number} width @property {number} height @property {boolean} ortho
 * @property {Float32Array} view @property {Float32Array} projection
 */

/** Spheres from which on a worker finds the hidden ones. */
const MANY = 300000;

/** The worker, with the spheres that it knows. */
export class Culler {
  constructor() {
    this.worker = new Worker('assets/cull_worker.js', { type: 'module' });
    /** @type {((list: Uint32Array | null) => void)[]} by ticket */
    this.waiting = [];
    this.ticket = 0;
    this.worker.addEventListener('message', ({ data }) => { this.waiting[data.ticket]?.(data.list); delete this.waiting[data.ticket]; });
    this.worker.addEventListener('error', () => { this.isBroken = true; for (const done of Object.values(this.waiting)) done(null); });
  }

  /** @param {number} count @param {any} source */
  static serves(count, source) { return count >= MANY && !source.isEmbedded && typeof Worker !== 'undefined'; }

  /** @param {{ position: Float32Array, count: number, hidden: Uint8Array | null }} data */
  set(data) { this.worker.postMessage({ data }); }

  /** Rows of the spheres that may show; null if the worker fails. @param {Omit<CullInput, 'position' | 'count' | 'hidden'>} view @returns {Promise<Uint32Array | null>} */
  find(view) {
    if (this.isBroken) return Promise.resolve(null);
    const ticket = this.ticket++;
    return new Promise((done) => { this.waiting[ticket] = done; this.worker.postMessage({ ticket, view }); });
  }
}

/** @type {Float32Array} */
let depth = new Float32Array(0);
/** @type {Float32Array} */
let screen = new Float32Array(0);

/** Rows of the spheres that may show. @param {CullInput} input @param {Uint32Array} visible @returns {number} how many */
export function visibleSpheres(input, visible) {
  const { position, count, hidden, width: w, height: h, ortho, view: m, projection: p } = input;
  if (depth.length !== w * h) depth = new Float32Array(w * h);
  if (screen.length < 4 * count) screen = new Float32Array(4 * count);
  depth.fill(1e30);
  let found = 0;
  const f = p[5] * h / 2, mx = w / 2 * (1 + (ortho ? p[12] : -p[8])) - 0.5, my = h / 2 * (1 + (ortho ? p[13] : -p[9])) - 0.5;
  for (let i = 0, k = 0; i < count; i++, k += 4) {
    const x = position[k], y = position[k + 1], z = position[k + 2], s = position[k + 3];
    screen[k + 3] = 0;
    if (!(s > 0) || (hidden && hidden[i])) continue;
    const vx = m[0] * x + m[4] * y + m[8] * z + m[12], vy = m[1] * x + m[5] * y + m[9] * z + m[13], vz = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
    // Near the eye the projection is not a circle: such spheres are always drawn.
    if (!ortho && vz <= 1.5 * s) { if (vz + s > 0) visible[found++] = i; continue; }
    const q = ortho ? f : f / vz, sx = vx * q + mx, sy = vy * q + my, r = 0.99 * s * q, r2 = r * r;
    screen[k] = sx; screen[k + 1] = sy; screen[k + 2] = vz; screen[k + 3] = s;
    const last = Math.min(h - 1, Math.floor(sy + r));
    for (let b = Math.max(0, Math.ceil(sy - r)); b <= last; b++) {
      const half = Math.sqrt(Math.max(0, r2 - (b - sy) * (b - sy))), end = b * w + Math.min(w - 1, Math.floor(sx + half));
      for (let a = b * w + Math.max(0, Math.ceil(sx - half)); a <= end; a++) if (vz < depth[a]) depth[a] = vz;
    }
  }
  for (let i = 0, k = 0; i < count; i++, k += 4) {
    const s = screen[k + 3];
    if (s === 0) continue;
    const front = screen[k + 2] - s, half = ortho ? s * f + 1 : 1.08 * s * f / front + 1;
    const x0 = Math.max(0, Math.floor(screen[k] - half)), x1 = Math.min(w - 1, Math.ceil(screen[k] + half)), y1 = Math.min(h - 1, Math.ceil(screen[k + 1] + half));
    let shows = false;
    for (let b = Math.max(0, Math.floor(screen[k + 1] - half)); b <= y1 && !shows; b++) {
      for (let a = b * w + x0, end = b * w + x1; a <= end; a++) if (depth[a] > front) { shows = true; break; }
    }
    if (shows) visible[found++] = i;
  }
  return found;
}

// @ts-check
// The camera: orbit around a centre, pan, zoom to the cursor, touch, views along axes.
import { add, cross, lookAt, orthographic, perspective, rigidInverse, scaled, sub, unit } from './matrix.js';

/** @typedef {import('./matrix.js').Vec} Vec */

const FOV = 0.5;
/** Azimuth and elevation of named views. */
const VIEWS = { '+x': [0, 0], '-x': [Math.PI, 0], '+y': [Math.PI / 2, 0], '-y': [-Math.PI / 2, 0],
  '+z': [-Math.PI / 2, Math.PI / 2], '-z': [-Math.PI / 2, -Math.PI / 2], iso: [-Math.PI / 4, Math.atan(Math.SQRT1_2)], default: [-1.05, 0.36] };

export class Camera {
  constructor() {
    /** @type {Vec} in metres, not relative to an origin */
    this.center = [0, 0, 0];
    this.distance = 2;
    this.size = 1;
    this.azimuth = VIEWS.default[0]; this.elevation = VIEWS.default[1];
    this.ortho = false;
    /** @type {Vec} */
    this.up = [0, 0, 1];
  }

  /** Two directions at right angles to the upward one. @returns {[Vec, Vec]} */
  ground() {
    const z = this.up;
    if (z[2] > 0.9) return [[1, 0, 0], [0, 1, 0]];
    const first = unit(cross(Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], z));
    return [first, cross(z, first)];
  }

  /** Towards the camera. @returns {Vec} */
  back() {
    const c = Math.cos(this.elevation), [x, y] = this.ground();
    return add(add(scaled(x, c * Math.cos(this.azimuth)), y, c * Math.sin(this.azimuth)), this.up, Math.sin(this.elevation));
  }

  /** What is up on the screen, also when looking along the vertical. @returns {Vec} */
  upwards() {
    if (Math.abs(this.elevation) < Math.PI / 2 - 1e-3) return this.up;
    const [x, y] = this.ground(), s = -Math.sign(this.elevation);
    return add(scaled(x, s * Math.cos(this.azimuth)), y, s * Math.sin(this.azimuth));
  }

  /** Shows a ball as a whole. @param {ArrayLike<number>} center @param {number} size @param {number} aspect */
  fit(center, size, aspect) {
    this.center = [center[0], center[1], center[2]];
    this.distance = Math.max(size, 1e-9) / Math.sin(FOV / 2) * 0.93 * Math.max(1, 0.94 / aspect);
  }

  /** @param {keyof typeof VIEWS} name */
  look(name) { [this.azimuth, this.elevation] = VIEWS[name]; }

  /** Half of the height that is seen at the centre [m]. */
  halfHeight() { return this.distance * Math.tan(FOV / 2); }

  /** Matrices, with positions relative to an origin. @param {number} aspect @param {ArrayLike<number>} origin */
  matrices(aspect, origin) {
    const center = sub(this.center, origin), view = lookAt(add(center, this.back(), this.distance), center, this.upwards());
    const extent = Math.max(this.size, 0.2 * this.distance);
    const near = this.ortho ? this.distance - 8 * extent : Math.max(this.distance - 2.4 * extent, 0.01 * this.distance), far = this.distance + (this.ortho ? 8 : 3) * extent;
    const projection = this.ortho ? orthographic(this.halfHeight(), aspect, near, far) : perspective(FOV, aspect, near, far);
    return { view, world: rigidInverse(view), projection };
  }

  /** @param {number} x @param {number} y radians */
  orbit(x, y) {
    this.azimuth -= x;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + y));
  }

  /** @param {number} x @param {number} y pixels @param {number} height of the picture in pixels */
  pan(x, y, height) {
    const m = lookAt(this.back(), [0, 0, 0], this.upwards()), s = 2 * this.halfHeight() / height;
    for (let i = 0; i < 3; i++) this.center[i] += s * (m[4 * i + 1] * y - m[4 * i] * x);
  }

  /** Zooms so that what is at a point stays there. @param {number} factor @param {number} x @param {number} y from -1 to 1 @param {number} aspect */
  zoom(factor, x, y, aspect) {
    const m = lookAt(this.back(), [0, 0, 0], this.upwards()), h = this.halfHeight() * (1 - factor);
    for (let i = 0; i < 3; i++) this.center[i] += h * (m[4 * i] * x * aspect + m[4 * i + 1] * y);
    this.distance *= factor;
  }

  save() { return [...this.center, this.distance, this.azimuth, this.elevation].map((x) => Number(x.toPrecision(6))); }

  /** @param {number[]} saved */
  restore(saved) {
    if (saved.length !== 6 || !saved.every(Number.isFinite)) return;
    this.center = [saved[0], saved[1], saved[2]];
    [, , , this.distance, this.azimuth, this.elevation] = saved;
  }
}

/**
 * Mouse, wheel and fingers. A press without a move is a click.
 * @param {HTMLElement} element @param {Camera} camera
 * @param {{ changed: () => void, click: (x: number, y: number, event: PointerEvent) => void, hover: (x: number, y: number) => void }} act
 */
export function listen(element, camera, act) {
  /** @type {Map<number, [number, number]>} */
  const down = new Map();
  let moved = 0, spread = 0;
  const box = () => element.getBoundingClientRect();
  const at = (/** @type {MouseEvent} */ e) => /** @type {[number, number]} */ ([e.clientX - box().left, e.clientY - box().top]);
  const zoom = (/** @type {number} */ factor, /** @type {[number, number]} */ [x, y]) => {
    const { width, height } = box();
    camera.zoom(factor, 2 * x / width - 1, 1 - 2 * y / height, width / height);
    act.changed();
  };
  element.addEventListener('pointerdown', (e) => {
    try { element.setPointerCapture(e.pointerId); } catch { /* the pointer is gone */ }
    down.set(e.pointerId, at(e));
    if (down.size === 1) moved = 0;
    spread = 0;
  });
  element.addEventListener('pointermove', (e) => {
    const now = at(e), before = down.get(e.pointerId);
    if (!before) { if (e.pointerType === 'mouse') act.hover(...now); return; }
    const dx = now[0] - before[0], dy = now[1] - before[1];
    moved += Math.abs(dx) + Math.abs(dy);
    down.set(e.pointerId, now);
    if (moved < 4) return;
    if (down.size === 2) {
      const [a, b] = [...down.values()], apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
      camera.pan(dx / 2, dy / 2, box().height);
      if (spread > 0 && apart > 0) zoom(spread / apart, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
      spread = apart;
    } else if (e.buttons === 1 && !e.shiftKey) camera.orbit(dx * 0.006, dy * 0.006);
    else camera.pan(dx, dy, box().height);
    act.changed();
  });
  const up = (/** @type {PointerEvent} */ e) => {
    if (down.delete(e.pointerId) && moved < 4 && e.type === 'pointerup' && e.button === 0) act.click(...at(e), e);
    spread = 0;
  };
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('contextmenu', (e) => e.preventDefault());
  element.addEventListener('wheel', (e) => {
    e.preventDefault();
    zoom(Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.0015), at(e));
  }, { passive: false });
}

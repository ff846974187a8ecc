// @ts-check
// The ruler: with two points their distance, with three the angle at the second. Points are those of surfaces under the
// cursor, or centres of particles.
import { add, dot, length, sub, unit } from './matrix.js';
import { short } from './colors.js';

export class Ruler {
  constructor() {
    this.isOn = false;
    /** @type {number[][]} */
    this.points = [];
  }

  toggle() { this.isOn = !this.isOn; this.points = []; }

  /** @param {number[]} point [m] */
  put(point) { this.points = this.points.length >= 3 ? [point] : [...this.points, point]; }

  /** @param {any} view */
  pointsFor(view) { return this.points.map((point) => sub(point, view.info.origin)); }

  text() {
    const [a, b, c] = this.points;
    if (!a) return 'Click a particle or a wall.';
    const coordinates = `(${a.map(short).join(', ')}) m`;
    if (!b) return coordinates;
    const distance = `${short(length(sub(b, a)))} m`;
    if (!c) return distance;
    const angle = Math.acos(Math.max(-1, Math.min(1, dot(unit(sub(a, b)), unit(sub(c, b)))))) * 180 / Math.PI;
    return `${distance}, ${short(length(sub(c, b)))} m, ${angle.toFixed(1)}°`;
  }

  /** @param {any} view */
  labelsFor(view) {
    if (!this.isOn) return [];
    if (!this.points.length) return [{ x: 10, y: 56, text: this.text() }];
    const [x, y] = view.project(this.points[this.points.length - 1]);
    return [{ x, y, text: this.text() }];
  }

  /** The point of a surface at a pixel: a ray to the picked object. @param {any} view @param {{ kind: string, row: number } | null} found @param {number[]} pixel */
  pointAt(view, found, pixel) {
    if (!found) return null;
    if (found.kind === 'particle') return view.positionOf(found.row);
    const m = view.matrices(), { world, projection: p } = m, ortho = view.app.camera.ortho;
    const x = (2 * pixel[0] / view.size[0] - 1) / p[0], y = (1 - 2 * pixel[1] / view.size[1]) / p[5];
    const turn = (/** @type {number[]} */ v) => [0, 1, 2].map((i) => world[i] * v[0] + world[4 + i] * v[1] + world[8 + i] * v[2]);
    const eye = [world[12], world[13], world[14]];
    const start = ortho ? add(eye, turn([x, y, 0])) : eye, ray = unit(ortho ? turn([0, 0, -1]) : turn([x, y, -1]));
    if (found.kind !== 'wall') return null;
    const t = view.bundle.walls.sections.triangle, c = [0, 3, 6].map((k) => [...t.subarray(9 * found.row + k, 9 * found.row + k + 3)]);
    const u = sub(c[1], c[0]), v = sub(c[2], c[0]), n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const along = dot(n, sub(c[0], start)) / dot(n, ray);
    return Number.isFinite(along) ? add(add(start, ray, along), view.info.origin) : null;
  }
}

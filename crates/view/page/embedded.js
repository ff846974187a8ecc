// @ts-check
// Data inside the page: positions as differences from frame to frame, values as bytes.
import { decode, unpacked } from './source.js';

/** @typedef {import('./source.js').Frame} Frame */

/** @param {string} text base64 */
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

export class EmbeddedSource {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    this.head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    this.base = 4 + length;
    this.buffer = buffer;
    this.isEmbedded = true;
    /** @type {Uint16Array[]} */
    this.positions = [];
    /** @type {Int8Array[]} */
    this.orientations = [];
    for (const frame of this.head.frames) {
      this.positions.push(this.decodePositions(frame));
      if (frame.orientation) this.orientations.push(this.decodeOrientation(frame));
    }
  }

  /** @param {string} text */
  static async open(text) { return new EmbeddedSource(await inflate(text)); }

  /** @param {any} frame */
  decodePositions(frame) {
    const n = frame.count, [start, size] = frame.positions, bytes = new Uint8Array(this.buffer, this.base + start, size), out = new Uint16Array(3 * n);
    const before = frame.differs ? this.positions[this.positions.length - 1] : null;
    for (let axis = 0; axis < 3; axis++) {
      const low = 2 * axis * n, high = low + n;
      for (let i = 0; i < n; i++) {
        const value = bytes[low + i] | bytes[high + i] << 8, at = 3 * i + axis;
        out[at] = before ? before[at] + value : value;
      }
    }
    return out;
  }

  /** @param {any} frame @returns {Int8Array} */
  decodeOrientation(frame) {
    const out = Int8Array.from(this.part(Int8Array, frame.orientation)), before = frame.differs ? this.orientations[this.orientations.length - 1] : null;
    if (before) for (let i = 0; i < out.length; i++) out[i] += before[i];
    return out;
  }

  /** Tuples from their components, one after the other. @param {Int8Array} planes @param {number} count @param {number} width @param {number} scale @param {any} Kind */
  tuples(planes, count, width, scale, Kind) {
    const out = new Kind(count * width);
    for (let k = 0; k < width; k++) for (let i = 0; i < count; i++) out[i * width + k] = planes[k * count + i] * scale;
    return out;
  }

  /** @param {'live' | number} at */
  number(at) { return at === 'live' ? this.head.frames.length - 1 : at; }

  /** @param {any} Kind @param {[number, number]} section */
  part(Kind, [start, size]) { return new Kind(this.buffer, this.base + start, size / Kind.BYTES_PER_ELEMENT); }

  async info() {
    const run = this.head.run, names = this.head.columns.map((/** @type {any[]} */ c) => c[0]);
    const columns = run.columns.filter((/** @type {any} */ c) => names.includes(c.name)).map((/** @type {any} */ c) => ({ ...c, components: c.components === 3 ? 0 : 1 }));
    return { ...run, columns, motion: this.head.frames.every((/** @type {any} */ f) => f.orientation), tables: run.tables.map((/** @type {any} */ t, /** @type {number} */ i) => ({ ...t, size: this.head.tables[i].length })) };
  }

  /** Nothing ever changes. @returns {Promise<any>} */
  next() { return new Promise(() => {}); }

  /** @param {'live' | number} at @param {import('./source.js').Wanted} wanted @returns {Promise<Frame>} */
  async particles(at, wanted) {
    const number = this.number(at), frame = this.head.frames[number], fixed = this.head.fixed[frame.fixed];
    /** @type {Record<string, any>} */
    const sections = { position: unpacked(this.positions[number], this.head.range), radius: this.part(Float32Array, fixed[0]), id: this.part(Uint32Array, fixed[1]), group: this.part(Uint8Array, fixed[2]) };
    /** @type {Record<string, [number, number]>} */
    const ends = {};
    for (const name of wanted.columns) {
      const index = this.head.columns.findIndex((/** @type {any[]} */ c) => c[0] === name);
      const [, low, high] = this.head.columns[index] ?? ['', 0, 1];
      const values = Float32Array.from(index < 0 ? new Uint8Array(frame.count) : this.part(Uint8Array, frame.values[index]), (x) => low + x * (high - low) / 255);
      let [a, b] = [Infinity, -Infinity];
      for (const x of values) { if (x < a) a = x; if (x > b) b = x; }
      sections[name] = values; ends[name] = a <= b ? [a, b] : [0, 1];
    }
    if (wanted.orientation && frame.orientation) sections.orientation = this.tuples(this.orientations[number], frame.count, 4, 258, Int16Array);
    if (wanted.vectors && frame.vectors) sections.vector = this.tuples(this.part(Int8Array, frame.vectors), frame.count, 3, this.head.fastest / 127, Float32Array);
    return { ...frame, revision: frame.fixed, sections, ends };
  }

  /** @param {'live' | number} at @returns {Promise<Frame>} */
  async walls(at) {
    const frame = this.head.frames[this.number(at)], section = this.head.walls[frame.walls];
    const triangle = this.part(Float32Array, section[0]), wall = this.part(Uint16Array, section[1]);
    return { ...frame, count: wall.length, revision: frame.walls, sections: { triangle, wall }, ends: {} };
  }

  /** @param {'live' | number} at @returns {Promise<Frame>} */
  async contacts(at) {
    const section = this.head.frames[this.number(at)].contacts;
    if (!section) throw new Error('This page holds no contacts.');
    return decode(this.buffer, this.base + section[0]);
  }

  /** @param {'live' | number} at @param {number} id */
  async particle(at, id) {
    const names = this.head.columns.map((/** @type {any[]} */ c) => c[0]), frame = await this.particles(at, { columns: names }), s = frame.sections;
    const row = s.id.indexOf(id), o = this.head.run.origin;
    if (row < 0) throw new Error(`There is no particle ${id} in this frame.`);
    /** @type {Record<string, any>} */
    const data = { position: [0, 1, 2].map((k) => s.position[3 * row + k] + o[k]), radius: s.radius[row], group: s.group[row] };
    for (const name of names) data[name] = s[name][row];
    return { id, time: frame.time, row, data, contacts: [] };
  }

  /** @param {number} id @param {string} column */
  async history(id, column) {
    const times = [], values = [], o = this.head.run.origin;
    for (let i = 0; i < this.head.frames.length; i++) {
      const frame = await this.particles(i, { columns: column === 'Points' ? [] : [column] }), row = frame.sections.id.indexOf(id), p = frame.sections.position;
      times.push(frame.time);
      values.push(row < 0 ? null : column === 'Points' ? [0, 1, 2].map((k) => p[3 * row + k] + o[k]) : frame.sections[column][row]);
    }
    return { id, name: column, times, values };
  }

  /** @param {string} column @returns {Promise<number[]>} */
  async range(column) {
    const found = this.head.columns.find((/** @type {any[]} */ c) => c[0] === column);
    return found ? [found[1], found[2], found[1], found[2]] : [0, 1, 0, 1];
  }

  /** @param {number} index @param {number} after */
  async table(index, after) { return this.head.tables[index].slice(after); }
  async picture() { throw new Error('There are no pictures in this page.'); }
}

// @ts-check
// Frames of one run: loads the displayed frame, caches the last ones and prefetches the next ones.

/** @typedef {import('./source.js').Frame} Frame */
/** @typedef {import('./source.js').At} At */
/** @typedef {{ at: At, particles: Frame, walls: Frame, contacts: Frame | null, radius: Float32Array, id: Uint32Array, group: Uint8Array }} Bundle */

/** Numbers that are kept in all frames together. */
const MOST = 30e6;

export class Frames {
  /** @param {any} source */
  constructor(source) {
    this.source = source;
    /** @type {Map<string, Promise<Bundle>>} */
    this.kept = new Map();
    /** @type {Map<number, { radius: Float32Array, id: Uint32Array, group: Uint8Array }>} */
    this.fixed = new Map();
    /** @type {Map<number, Frame>} */
    this.wallSets = new Map();
    this.size = 1;
    /** @type {number | undefined} */
    this.lastFixed = undefined;
    /** @type {number | undefined} */
    this.lastWalls = undefined;
  }

  clear() { this.kept.clear(); }

  /** @param {At} at @param {import('./source.js').Wanted} wanted @param {boolean} contacts @returns {Promise<Bundle>} */
  get(at, wanted, contacts) {
    if (at === 'live') return this.load(at, wanted, contacts);
    const key = JSON.stringify([at, wanted, contacts]), known = this.kept.get(key);
    if (known) { this.kept.delete(key); this.kept.set(key, known); return known; }
    const loading = this.load(at, wanted, contacts);
    this.kept.set(key, loading);
    loading.catch(() => this.kept.delete(key));
    const most = Math.max(3, Math.min(400, MOST / this.size));
    while (this.kept.size > most) this.kept.delete(/** @type {string} */ (this.kept.keys().next().value));
    return loading;
  }

  /** @param {At} at @param {import('./source.js').Wanted} wanted @param {boolean} contacts @returns {Promise<Bundle>} */
  async load(at, wanted, contacts) {
    const [particles, walls, links] = await Promise.all([
      this.source.particles(at, { ...wanted, have: this.lastFixed }),
      this.source.walls(at, this.lastWalls),
      contacts ? this.source.contacts(at) : null]);
    const { sections, revision } = particles;
    if (sections.id) this.remember(this.fixed, revision, { radius: sections.radius, id: sections.id, group: sections.group });
    let fixed = this.fixed.get(revision);
    if (!fixed) {
      const again = await this.source.particles(at, { columns: [] });
      fixed = { radius: again.sections.radius, id: again.sections.id, group: again.sections.group };
      this.remember(this.fixed, revision, fixed);
    }
    this.lastFixed = revision;
    if (walls.sections.triangle) this.remember(this.wallSets, walls.revision, walls);
    const surface = this.wallSets.get(walls.revision) ?? await this.source.walls(at);
    this.lastWalls = walls.revision;
    this.size = 8 * particles.count + (links ? 10 * links.count : 0) + 1;
    return { at, particles, walls: surface, contacts: links, ...fixed };
  }

  /** @template T @param {Map<number, T>} map @param {number} key @param {T} value */
  remember(map, key, value) {
    map.set(key, value);
    if (map.size > 12) map.delete(/** @type {number} */ (map.keys().next().value));
  }
}

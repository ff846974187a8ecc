// @ts-check
// Sources of frames: requests to the server, or data inside the page. The other modules do not depend on the kind.

/** @typedef {number | 'live'} At */
/** @typedef {{ time: number, step: number, stage: string | null, count: number, revision: number, sections: Record<string, any>, ends: Record<string, [number, number]>, range?: number[][] }} Frame */
/** @typedef {{ columns: string[], have?: number, orientation?: boolean, vectors?: boolean }} Wanted */

const TYPES = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, i16: Int16Array, u8: Uint8Array };

/** @param {ArrayBuffer} buffer @param {number} [start] @returns {Frame} */
export function decode(buffer, start = 0) {
  const view = new DataView(buffer, start), length = view.getUint32(8, true);
  if (view.getUint32(0, false) !== 0x45534b56 || view.getUint32(4, true) !== 1) throw new Error('The data are no frame of this version.');
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, start + 12, length)));
  /** @type {Frame} */
  const out = { ...head, sections: {}, ends: {} };
  for (const s of head.sections) {
    const Kind = TYPES[/** @type {keyof typeof TYPES} */ (s.type)];
    out.sections[s.name] = new Kind(buffer, start + 12 + length + s.offset, s.count * s.components);
    out.ends[s.name] = [s.min, s.max];
  }
  if (head.range && out.sections.position) out.sections.position = unpacked(out.sections.position, head.range);
  return out;
}

/** Positions of u16 between two ends. @param {Uint16Array} short @param {number[][]} range */
export function unpacked(short, [low, high]) {
  const out = new Float32Array(short.length), step = low.map((l, k) => (high[k] - l) / 65535);
  for (let i = 0; i < short.length; i++) out[i] = low[i % 3] + short[i] * step[i % 3];
  return out;
}

export class HttpSource {
  /** @param {number} run @param {string} token @param {boolean} isSlow */
  constructor(run, token, isSlow) {
    this.run = run; this.token = token; this.isSlow = isSlow; this.isEmbedded = false;
  }

  /** @param {string} path @param {AbortSignal} [signal] */
  async fetch(path, signal) {
    const response = await fetch(`api/${this.run}/${path}`, { headers: { 'x-esker-token': this.token }, signal });
    if (!response.ok) throw new Error(await response.text());
    return response;
  }

  /** @param {string} path */
  async json(path) { return (await this.fetch(path)).json(); }

  /** @param {string} path */
  async frame(path) { return decode(await (await this.fetch(path)).arrayBuffer()); }

  /** @param {At} at */
  framePath(at) { return at === 'live' ? 'live' : `frames/${at}`; }

  info() { return this.json('run'); }

  /** @param {Record<string, string | number>} known @param {AbortSignal} [signal] */
  async next(known, signal) { return (await this.fetch(`next?${new URLSearchParams(Object.entries(known).map(([k, v]) => [k, String(v)]))}`, signal)).json(); }

  /** @param {At} at @param {Wanted} wanted */
  particles(at, wanted) {
    const query = new URLSearchParams({ columns: wanted.columns.join() });
    if (wanted.have !== undefined) query.set('have', String(wanted.have));
    if (wanted.orientation) query.set('orientation', '1');
    if (wanted.vectors) query.set('vectors', '1');
    if (this.isSlow) query.set('positions', 'u16');
    return this.frame(`${this.framePath(at)}?${query}`);
  }

  /** @param {At} at @param {number} [have] */
  walls(at, have) { return this.frame(`${this.framePath(at)}/walls${have === undefined ? '' : `?have=${have}`}`); }
  /** @param {At} at */
  contacts(at) { return this.frame(`${this.framePath(at)}/contacts`); }
  /** @param {At} at @param {number} id */
  particle(at, id) { return this.json(`${this.framePath(at)}/particles/${id}`); }
  /** @param {number} id @param {string} column */
  history(id, column) { return this.json(`particles/${id}/history?column=${encodeURIComponent(column)}`); }
  /** @param {string} column @returns {Promise<number[]>} */
  async range(column) { return (await this.json(`range?column=${encodeURIComponent(column)}`)).range; }
  /** @param {number} index @param {number} after */
  async table(index, after) { return (await this.fetch(`tables/${index}?after=${after}`)).text(); }
  /** @param {At} at @param {string} color @param {number[]} range @param {number[]} camera */
  async picture(at, color, range, camera) {
    return (await this.fetch(`${this.framePath(at)}/picture.png?color=${encodeURIComponent(color)}&range=${range.join()}&camera=${camera.join()}`)).blob();
  }
}

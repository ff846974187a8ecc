// @ts-check
// One run on the screen: its canvas, the drawn objects, and the redrawing.
import { listen } from './camera.js';
import { Culler } from './cull.js';
import { el } from './dom.js';
import { UNCLIPPED, filterStyle, findHidden } from './filters.js';
import { Frames } from './frames.js';
import { add, length, scaled, sub } from './matrix.js';
import { drawOverlay } from './overlay.js';
import { releaseOutOfView } from './release.js';
import { Renderer } from './renderer.js';
import { Tables } from './tables.js';
import { boxEdges, modeOf, wallEdges, wallStyles, wallTexels } from './walls.js';
import { contactTubes, glyphTubes, rulerTubes, trajectoryTubes } from './tubes.js';

/** @typedef {import('./frames.js').Bundle} Bundle */
/** Passes of the refinement, with a graphics card and without. */
const PASSES = 32, SOFTWARE_PASSES = 8;

export class View {
  /** @param {any} app @param {any} source @param {any} info */
  constructor(app, source, info) {
    this.app = app; this.source = source; this.info = info;
    this.label = String(info.name).replace(/^.*\//, '');
    this.tables = new Tables(source);
    /** @type {number[] | null} */
    this.wallLevels = null;
    this.frames = new Frames(source);
    this.canvas = el('canvas', { class: 'picture', tabindex: 0, role: 'img', 'aria-label': 'Particles. Arrow keys rotate the view.' });
    this.overlay = el('canvas', { class: 'overlay', 'aria-hidden': 'true' });
    this.element = el('div', { class: 'view' }, this.canvas, this.overlay);
    /** @type {Bundle | null} */
    this.bundle = null;
    this.pass = -1; this.isDirty = false; this.isCulling = false; this.isLost = false;
    /** @type {WEBGL_lose_context | null} */
    this.released = null;
    /** @type {Culler | null} */
    this.culler = null;
    /** What the worker knows. @type {{ position: Float32Array, hidden: Uint8Array | null } | null} */
    this.culled = null;
    this.settled = false; this.lastChange = 0;
    /** @type {{ id: number, values: (number[] | null)[] }[]} */
    this.paths = [];
    /** @type {number[]} */
    this.contactRows = [];
    this.contactScale = null;
    this.renderer = new Renderer(this.canvas);
    this.isSoftware = this.renderer.context.isSoftware;
    this.size = [0, 0];
    new ResizeObserver(() => this.resized()).observe(this.element);
    listen(this.canvas, app.camera, { changed: () => app.cameraChanged(), click: (x, y, e) => this.click(x, y, e), hover: (x, y) => this.hover(x, y) });
    this.canvas.addEventListener('webglcontextlost', (e) => { e.preventDefault(); this.isLost = true; });
    this.canvas.addEventListener('webglcontextrestored', () => this.restore());
    if (source.isEmbedded) releaseOutOfView(this);
  }

  restore() {
    this.isLost = false;
    this.renderer = new Renderer(this.canvas);
    this.renderer.setScale(this.renderer.scale, /** @type {any} */ (this.app.state.scale));
    if (this.bundle) this.show(this.bundle);
  }

  resized() {
    const { clientWidth, clientHeight } = this.element;
    this.size = [clientWidth, clientHeight];
    if (clientWidth && clientHeight) this.invalidate();
  }

  /** @param {any} at */
  async load(at) {
    const { state } = this.app, columns = [...new Set([state.color, state.threshold].filter((c) => c && c !== 'group'))];
    const wanted = { columns, orientation: state.marks, vectors: state.glyphs };
    return this.frames.get(at, wanted, state.contacts !== 'off' && this.info.contacts);
  }

  /** @param {Bundle} bundle */
  show(bundle) {
    const first = !this.bundle, r = this.renderer, { particles, radius } = bundle, { count } = particles, p = particles.sections.position;
    this.bundle = bundle;
    const position = new Float32Array(4 * count);
    for (let i = 0; i < count; i++) {
      position[4 * i] = p[3 * i]; position[4 * i + 1] = p[3 * i + 1]; position[4 * i + 2] = p[3 * i + 2]; position[4 * i + 3] = radius[i];
    }
    r.setPositions(position, count);
    if (this.wallRevision !== bundle.walls.revision || first || !r.triangleCount) this.setWalls(bundle);
    if (first) this.setBounds();
    if (this.app.state.marks && particles.sections.orientation) {
      r.orientations.set(Float32Array.from(particles.sections.orientation, (/** @type {number} */ x) => x / 32767), count);
    }
    this.restyle();
  }

  /** @param {Bundle} bundle */
  setWalls({ walls }) {
    const { triangle, wall } = walls.sections;
    this.wallRevision = walls.revision;
    this.renderer.setTriangles(wallTexels(triangle, wall), wall.length);
    this.setLines();
  }

  setLines() {
    const { state, isDark } = this.app, lines = [], walls = this.bundle?.walls;
    const ink = isDark ? [0.8, 0.85, 0.92] : [0.2, 0.26, 0.34];
    if (walls && state.edges) {
      const hidden = new Set([...this.info.walls.keys()].filter((wall) => modeOf(state, wall) === 3));
      lines.push({ points: wallEdges(walls.sections.triangle, walls.sections.wall, hidden), ink: [...ink, 0.4] });
    }
    if (state.domain && this.info.domain) {
      const [low, high] = this.info.domain, o = this.info.origin;
      lines.push({ points: boxEdges(sub(low, o), sub(high, o)), ink: [...ink, 0.6] });
    }
    if (state.clip === 'box') { const [low, high] = this.clipBox(); lines.push({ points: boxEdges(low, high), ink: [0.85, 0.3, 0.1, 0.7] }); }
    this.renderer.setLines(lines);
  }

  /** The box around particles and walls, as it is when the run is opened. */
  setBounds() {
    const r = this.renderer, low = [...r.low], high = [...r.high], t = this.bundle?.walls.sections.triangle ?? [];
    for (let i = 0; i < t.length; i++) { low[i % 3] = Math.min(low[i % 3], t[i]); high[i % 3] = Math.max(high[i % 3], t[i]); }
    this.bounds = { low, high };
  }

  clipBox() {
    const { low, high } = this.bounds ?? { low: [-1, -1, -1], high: [1, 1, 1] }, b = this.app.state.box;
    const at = (/** @type {number} */ k, /** @type {number} */ f) => low[k] + f * (high[k] - low[k]);
    return [[at(0, b[0]), at(1, b[2]), at(2, b[4])], [at(0, b[1]), at(1, b[3]), at(2, b[5])]];
  }

  /** Takes over colours, filters, walls and tubes from the state. */
  restyle() {
    const { state, isDark } = this.app, r = this.renderer, { bundle } = this;
    if (!bundle) return;
    const s = r.style, count = bundle.particles.count, sections = bundle.particles.sections;
    const value = sections[state.color], limit = state.threshold ? sections[state.threshold] : null, infos = new Float32Array(4 * count);
    for (let i = 0; i < count; i++) { infos[4 * i] = value ? value[i] : 0; infos[4 * i + 1] = limit ? limit[i] : 0; infos[4 * i + 2] = bundle.group[i]; }
    r.infos.set(infos, count);
    s.byGroup = state.color === 'group'; s.logarithmic = state.log && !s.byGroup; s.marks = state.marks && !!sections.orientation;
    s.range = this.app.range;
    Object.assign(s, filterStyle(state, this.bounds ?? r, this.clipBox(), !!limit));
    this.hidden = r.hidden = findHidden(state, s, r.position, infos, count, true);
    this.filtered = state.clip === 'off' ? this.hidden : findHidden(state, s, r.position, infos, count, false);
    r.tubeClip = state.clipContacts ? {} : UNCLIPPED;
    r.showsParticles = state.particles; r.shadowIsFresh = false;
    s.selected = this.rowOf(state.selected); s.partner = this.rowOf(this.app.partner);
    s.paperTop = isDark ? [0.022, 0.028, 0.038] : [0.955, 0.965, 0.98]; s.paperBottom = isDark ? [0.008, 0.01, 0.014] : [0.80, 0.83, 0.87];
    s.glass = isDark ? [0.55, 0.65, 0.78] : [0.35, 0.45, 0.58]; s.thickness = state.contactThickness;
    const periods = this.periods();
    r.shifts = [[0, 0, 0]]; s.periods = state.images ? periods : [0, 0, 0];
    if (state.images) {
      const along = periods.map((p) => (p > 0 ? [0, -p, p] : [0]));
      r.shifts = along[0].flatMap((x) => along[1].flatMap((y) => along[2].map((z) => /** @type {import('./matrix.js').Vec} */ ([x, y, z]))));
    }
    const names = this.info.walls.length;
    r.wallStyles.set(wallStyles(names, state, this.wallLevels?.map((level) => level / (this.app.wallTop || 1)) ?? null), Math.max(1, names));
    this.setTubes();
    this.setLines();
    this.invalidate();
  }

  periods() { return [0, 1, 2].map((k) => (this.info.periodic[k] && this.info.domain ? this.info.domain[1][k] - this.info.domain[0][k] : 0)); }

  setTubes() {
    const { state } = this.app, r = this.renderer, { bundle, hidden } = this;
    if (!bundle) return;
    /** @type {number[]} */
    let tubes = [];
    this.contactRows = []; this.contactScale = null;
    if (state.contacts !== 'off' && bundle.contacts) {
      const hides = state.clipContacts ? hidden : this.filtered, rows = hides ? new Map(Array.from(bundle.id, (id, i) => [id, i])) : null;
      const found = contactTubes(bundle.contacts, state, r.radius, (id) => !rows || !hides || !hides[rows.get(id) ?? 0]);
      tubes = found.tubes; this.contactRows = found.rows; this.contactScale = found.scale;
    }
    const extra = [];
    if (state.glyphs && bundle.particles.sections.vector) extra.push(glyphTubes(r.position, bundle.particles.sections.vector, bundle.particles.count, r.radius, state.glyphScale, hidden ?? null));
    extra.push(trajectoryTubes(this.paths, this.info.origin, r.radius, this.periods()), rulerTubes(this.app.ruler.pointsFor(this), r.radius));
    // Contacts are scaled by the slider, everything else is not.
    for (const list of extra) for (let i = 0; i < list.length; i += 8) { list[i + 3] /= state.contactThickness; for (let k = 0; k < 8; k++) tubes.push(list[i + k]); }
    r.setTubes(new Float32Array(tubes), tubes.length / 8);
  }

  /** @param {number} id */
  rowOf(id) { return id < 0 || !this.bundle ? -1 : this.bundle.id.indexOf(id); }

  /** Where a particle is [m]. @param {number} row */
  positionOf(row) { const p = this.renderer.position; return add([p[4 * row], p[4 * row + 1], p[4 * row + 2]], this.info.origin); }

  /** Centre and size of what is shown, or of the selection. @param {boolean} [selection] */
  extent(selection) {
    const row = selection ? this.rowOf(this.app.state.selected) : -1, { low, high } = this.bounds ?? this.renderer;
    if (row >= 0) return { center: this.positionOf(row), size: 8 * this.renderer.position[4 * row + 3] };
    return { center: add(scaled(add(low, high), 0.5), this.info.origin), size: 0.5 * length(sub(high, low)) };
  }

  invalidate() { this.isDirty = true; this.settled = false; this.lastChange = performance.now(); this.app.wake(); }

  /** Draws if something changed, else refines. Returns whether there is more to do. @param {number} now */
  tick(now) {
    if (!this.bundle || this.isLost || !this.size[0] || !this.size[1]) return false;
    if (this.isCulling) return true;
    if (this.isDirty) { this.isDirty = false; this.drawQuickly(); this.pass = 0; return true; }
    if (this.settled) return false;
    if (this.app.isMoving || now - this.lastChange < 200) return true;
    const most = this.isSoftware ? SOFTWARE_PASSES : PASSES;
    if (this.pass >= most || !this.renderer.context.canBlendFloat) { this.settled = true; return false; }
    this.setSize(1);
    this.draw(this.pass++);
    return true;
  }

  /** Draws; of many spheres as soon as a worker has found the hidden ones. @param {number} [pass] */
  draw(pass) {
    const r = this.renderer, m = this.matrices(), { ortho } = this.app.camera, sky = this.sky(), { width, height, position, hidden } = r;
    if (!r.leavesOutHidden || !Culler.serves(r.count, this.source)) { r.draw(m, ortho, sky, pass); this.markFirst(); return; }
    this.culler ??= new Culler();
    if (this.culled?.position !== position || this.culled?.hidden !== hidden) { this.culled = { position, hidden }; this.culler.set({ position, count: r.count, hidden }); }
    this.isCulling = true;
    this.culler.find({ view: m.view, projection: r.projectionOf(m, ortho, pass), ortho, width, height }).then((list) => {
      this.isCulling = false;
      const isCurrent = r === this.renderer && r.position === position && r.hidden === hidden && r.width === width && r.height === height;
      if (isCurrent && !(this.isDirty && pass !== undefined)) { r.draw(m, ortho, sky, pass, list ?? undefined); this.markFirst(); } else this.isDirty = true;
      this.app.wake();
    });
  }

  /** Notes when the first picture was complete. */
  markFirst() { if (!this.hasDrawn) { this.hasDrawn = true; this.renderer.context.finish(); performance.mark('first picture'); } }

  /** @param {number} factor */
  setSize(factor) {
    const s = Math.min(devicePixelRatio || 1, 2) * factor;
    this.renderer.resize(Math.max(2, Math.round(this.size[0] * s)), Math.max(2, Math.round(this.size[1] * s)));
  }

  matrices() { this.app.camera.size = this.extent().size; return this.app.camera.matrices(this.renderer.width / this.renderer.height, this.info.origin); }
  sky() { const c = this.app.camera; return { up: c.up, ground: c.ground(), focus: { center: sub(c.center, this.info.origin), half: 1.5 * c.halfHeight() * Math.max(1, this.size[0] / this.size[1]) } }; }

  drawQuickly() {
    const start = performance.now();
    this.setSize(this.isSoftware ? 0.5 : 1);
    this.draw();
    this.drawOverlay();
    if (!this.isSoftware) { this.renderer.context.finish(); if (performance.now() - start > 60) this.slowFrames = (this.slowFrames ?? 0) + 1; }
    if ((this.slowFrames ?? 0) > 2) this.isSoftware = this.renderer.culls = true;
  }

  overlayInput() {
    const { state, camera, isDark } = this.app, b = this.bundle, { height } = this.renderer;
    const labels = this.app.ruler.labelsFor(this), row = this.rowOf(state.selected);
    if (row >= 0) {
      const [x, y] = this.project(this.positionOf(row)), ring = this.renderer.position[4 * row + 3] / (2 * camera.halfHeight()) * this.size[1];
      labels.push({ x, y, text: String(state.selected), ring });
    }
    const matrices = this.matrices(), bar = this.app.bar();
    const scale = this.contactScale;
    return { state, ink: isDark ? '#e4e9ef' : '#26303c', time: b ? this.app.timeText(b.particles, this) : '', bar, contactBar: scale ? { label: 'contact force', unit: 'N', low: 0, high: scale.strong } : null,
      wallBar: this.wallLevels && this.app.wallTop > 0 ? { label: state.wallColor === 'work' ? 'work on walls' : 'force on walls', unit: state.wallColor === 'work' ? 'J' : 'N', low: 0, high: this.app.wallTop } : null,
      groups: this.info.groups, view: matrices.view, metresPerPixel: height ? 2 * camera.halfHeight() / this.size[1] : 0, gravity: this.info.gravity, labels };
  }

  drawOverlay() {
    const s = Math.min(devicePixelRatio || 1, 2), g = this.overlay.getContext('2d');
    if (!g) return;
    this.overlay.width = this.size[0] * s; this.overlay.height = this.size[1] * s;
    g.scale(s, s);
    drawOverlay(g, this.size[0], this.size[1], this.overlayInput());
  }

  /** @param {number} x @param {number} y */
  at(x, y) { return this.renderer.pick(x * this.renderer.width / this.size[0], y * this.renderer.height / this.size[1]); }

  /** @param {number} x @param {number} y @param {PointerEvent} event */
  click(x, y, event) {
    this.canvas.focus();
    this.app.picked(this, this.at(x, y), event, [x, y]);
  }

  /** @param {number} x @param {number} y */
  hover(x, y) {
    if (this.isSoftware || !this.bundle || !this.settled) return;
    const found = this.at(x, y), row = found?.kind === 'particle' ? found.row : -1;
    if (row !== this.renderer.style.hovered) { this.renderer.style.hovered = row; this.invalidate(); }
  }

  /** Where a point appears, in pixels. @param {number[]} point [m] */
  project(point) {
    const { view, projection: p } = this.matrices(), r = sub(point, this.info.origin), v = [0, 1, 2].map((i) => view[i] * r[0] + view[4 + i] * r[1] + view[8 + i] * r[2] + view[12 + i]);
    const w = this.app.camera.ortho ? 1 : -v[2];
    return [(p[0] * v[0] / w * 0.5 + 0.5) * this.size[0], (0.5 - p[5] * v[1] / w * 0.5) * this.size[1]];
  }
}

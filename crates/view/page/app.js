// @ts-check
// The application: runs, the state of the display, and its changes.
import { Camera } from './camera.js';
import { byId, notice, speak } from './dom.js';
import { short } from './colors.js';
import { Inspector } from './inspect.js';
import { Panel } from './panel.js';
import { Plots } from './plots.js';
import { Recorder, commandOf, listenForSaving } from './record.js';
import { Ruler } from './ruler.js';
import { Timeline } from './timeline.js';
import { View } from './view.js';
import { listenForKeys, help } from './keys.js';
import { isMagnitude, quantitiesOf, quantityOf } from './quantities.js';
import { fromLink, freshState, toLink } from './state.js';
import { follow } from './follow.js';
import { add, length, scaled, sub } from './matrix.js';
import { lastUpTo, wallValues } from './tables.js';

export class App {
  /** @param {any[]} sources @param {any[]} infos @param {string} link */
  constructor(sources, infos, link) {
    this.state = /** @type {any} */ (freshState());
    this.camera = new Camera();
    this.ruler = new Ruler();
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.isDark = this.dark.matches;
    this.range = [0, 1]; this.frame = 0; this.isLive = false; this.isLoading = false; this.isMoving = false; this.isRanging = false; this.time = 0; this.partner = -1;
    /** @type {Map<string, Promise<number[]>>} */
    this.ranges = new Map();
    /** Largest force on a wall, or work, over all runs. */
    this.wallTop = 0;
    /** @type {{ times: number[], values: number[] } | null} */
    this.energy = null;
    const gravity = infos[0].gravity, down = length(gravity);
    if (down > 0) this.camera.up = scaled(gravity, -1 / down);
    // Before the first step all speeds are equal: groups and sizes are more informative.
    const hasSpeed = infos[0].columns.some((/** @type {any} */ c) => c.name === 'velocity'), isScene = infos[0].state === 'scene';
    if (infos[0].groups.length > 1 && (isScene || !hasSpeed)) this.state.color = 'group'; else if (isScene) this.state.color = 'radius';
    if (link) fromLink(this.state, link);
    this.views = sources.map((source, i) => new View(this, source, infos[i]));
    this.main = this.views[0];
    byId('stage').replaceChildren(...this.views.map((view) => view.element));
    this.plots = new Plots(this);
    this.inspector = new Inspector(this);
    this.recorder = new Recorder(this);
    this.timeline = new Timeline(this);
    this.panel = new Panel(this);
    this.listen();
  }

  listen() {
    this.dark.addEventListener('change', () => { this.isDark = this.dark.matches; this.changed(); this.plots.show(); });
    byId('fit').addEventListener('click', () => this.fit());
    byId('help-button').addEventListener('click', () => help(this));
    const button = byId('panel-button');
    button.addEventListener('click', () => { byId('panel').hidden = !byId('panel').hidden; button.setAttribute('aria-expanded', String(!byId('panel').hidden)); });
    if (innerWidth <= 720) button.click();
    listenForSaving(this);
    listenForKeys(this);
    addEventListener('hashchange', () => { const link = /[#&]v=([^&]*)/.exec(location.hash); if (link && link[1] !== this.lastLink) { fromLink(this.state, link[1]); this.start(); } });
  }

  /** The first picture: a failed run at its end, others at the time of the link or the end. */
  async start() {
    const { info } = this.main, last = Math.max(0, info.times.length - 1), { state } = this;
    this.frame = state.frame >= 0 && state.frame <= last ? state.frame : state.time >= 0 ? this.nearest(info.times, state.time) : info.state === 'finished' || info.state === 'failed' ? last : last;
    this.isLive = info.live && state.frame < 0;
    this.timeline.follows = this.isLive;
    this.describe();
    await this.load();
    this.fit();
    if (state.camera.length) this.camera.restore(state.camera);
    if (info.failure && state.selected < 0) this.showFailure();
    else if (state.selected >= 0) this.select(state.selected);
    for (const id of state.trajectories.slice(0, 200)) await this.addPath(id);
    this.changed();
    this.plots.energy().then((energy) => { this.energy = energy; this.timeline.draw(); }).catch(() => {});
    if (this.panel.open.Plots) this.plots.show().catch(() => {});
    for (const view of this.views) follow(this, view);
    if (this.isLive) this.timeline.live(true);
  }

  describe() {
    const { info } = this.main, titles = [...new Set(this.views.map((view) => view.info.title || view.info.name || 'Esker'))], title = titles.length < this.views.length ? `${titles[0]}: ${this.views.map((view) => view.label).join(' and ')}` : titles.join(' and ');
    document.title = `${title} – Esker`;
    byId('title').textContent = title;
    const badge = byId('state');
    badge.textContent = info.state; badge.className = `badge ${info.state}`; badge.hidden = info.state === 'finished';
  }

  /** @param {number[]} times @param {number} time */
  nearest(times, time) { const i = Math.max(0, lastUpTo(times, time)); return i + 1 < times.length && times[i + 1] - time < time - times[i] ? i + 1 : i; }

  /** Which frame of a run is shown: that of the main run, or the nearest in time. @param {View} view */
  atOf(view) {
    if (this.isLive && view.info.live) return 'live';
    if (!view.info.times.length) return 'live';
    return view === this.main ? this.frame : this.nearest(view.info.times, this.main.info.times[this.frame] ?? 0);
  }

  /** Loads and shows the frame. Only the newest request counts. */
  async load() {
    const ticket = this.ticket = (this.ticket ?? 0) + 1;
    this.isLoading = true;
    try {
      const bundles = await Promise.all(this.views.map((view) => view.load(this.atOf(view))));
      await this.setRange(bundles);
      if (ticket !== this.ticket) return;
      this.time = bundles[0].particles.time;
      const { state } = this, row = state.follow && state.selected >= 0 ? this.main.rowOf(state.selected) : -1, before = row >= 0 ? this.main.positionOf(row) : null;
      this.views.forEach((view, i) => view.show(bundles[i]));
      const now = before ? this.main.rowOf(state.selected) : -1;
      if (before && now >= 0) this.camera.center = add(this.camera.center, sub(this.main.positionOf(now), before));
      if (state.wallColor !== 'none') this.loadWallValues();
    } catch (error) {
      if (ticket === this.ticket) notice(String(/** @type {Error} */ (error).message ?? error));
    } finally {
      if (ticket === this.ticket) { this.isLoading = false; this.timeline.update(); this.plots.mark(); }
    }
    if (this.timeline.isPlaying) for (let k = 1; k <= 3; k++) if (this.frame + k < this.main.info.times.length) this.main.load(this.frame + k).catch(() => {});
  }

  /** @param {number} frame @param {boolean} [playing] */
  async goTo(frame, playing) {
    this.frame = frame; this.isLive = false;
    this.state.frame = frame;
    if (!playing) this.timeline.follows = false;
    await this.load();
    if (!playing) { this.inspector.update(); this.saveLink(); speak(`t = ${short(this.time)} s`); }
  }

  /** @param {number} time */
  goToTime(time) { this.timeline.pause(); return this.goTo(this.nearest(this.main.info.times, time)); }

  async goToNewest() {
    this.isLive = this.main.info.live;
    this.frame = Math.max(0, this.main.info.times.length - 1);
    this.state.frame = -1;
    await this.load();
  }

  /** Ends of the colour scale: one for all runs. @param {any[]} bundles */
  async setRange(bundles) {
    const { state } = this;
    if (state.color === 'group') return;
    if (state.range === 'manual') { this.range = [state.low, state.high]; return; }
    let ends = bundles.map((bundle) => bundle.particles.ends[state.color]).filter(Boolean);
    if (state.range !== 'frame' && this.main.info.times.length) {
      // The first picture does not wait for the range over the run, for which many frames are read.
      const ranges = Promise.all(this.views.map((view) => this.rangeOf(view)));
      if (!this.main.bundle) { this.isRanging = true; ranges.then(() => this.changed(), () => {}).finally(() => { this.isRanging = false; }); }
      const all = this.main.bundle ? await ranges : null;
      if (all) ends = all.map((r) => (state.range === 'run' ? [r[0], r[1]] : [this.isMagnitude() ? 0 : r[2], r[3]]));
    }
    if (!ends.length) return;
    this.range = [Math.min(...ends.map((e) => e[0])), Math.max(...ends.map((e) => e[1]))];
    if (state.log && this.range[0] <= 0) this.range[0] = this.range[1] * 1e-3;
  }

  /** Of the run; requested again when it has twice as many frames. @param {View} view */
  rangeOf(view) {
    const key = `${this.views.indexOf(view)} ${this.state.color} ${Math.ceil(Math.log2(view.info.times.length + 1))}`;
    let known = this.ranges.get(key);
    if (!known) { known = view.source.range(this.state.color); this.ranges.set(key, /** @type {Promise<number[]>} */ (known)); known?.catch(() => this.ranges.delete(key)); }
    return /** @type {Promise<number[]>} */ (known);
  }

  isMagnitude() { return isMagnitude(this.main.info, this.state.color); }
  /** @param {string} color */
  quantity(color) { return quantityOf(this.main.info, color); }
  quantities() { return quantitiesOf(this.main.info, this.main.source.isEmbedded ? null : this.state.since); }

  nextColor() {
    const all = ['group', ...this.quantities().map(([name]) => name).filter((name) => !name.includes('.'))];
    this.state.color = all[(all.indexOf(this.state.color) + 1) % all.length];
    this.changed(true); this.panel.rebuild();
  }

  bar() { if (this.state.color === 'group') return null; const { label, unit } = this.quantity(this.state.color); return { label, unit, low: this.range[0], high: this.range[1] }; }

  /** @param {any} particles @param {View} view */
  timeText(particles, view) { const name = this.views.length > 1 ? `${view.label}: ` : ''; return `${name}t = ${Number(particles.time.toPrecision(5))} s${particles.stage ? `, ${particles.stage}` : ''}`; }

  async loadWallValues() {
    const { wallColor } = this.state, tops = [0];
    for (const view of this.views) {
      const index = wallColor === 'none' ? -1 : view.info.tables.findIndex((/** @type {any} */ t) => t.name === 'walls');
      const found = index < 0 ? null : wallValues(await view.tables.read(index), view.bundle?.particles.time ?? 0, view.info.walls, wallColor);
      view.wallLevels = found?.values ?? null;
      if (found) tops.push(found.top);
    }
    this.wallTop = Math.max(...tops);
    for (const view of this.views) view.restyle();
  }

  /** Something of the state changed; with `data`, other columns are needed. @param {boolean} [data] */
  async changed(data) {
    this.camera.ortho = this.state.ortho;
    for (const view of this.views) { view.renderer.setScale(view.renderer.scale, this.state.scale); if (data) view.frames.clear(); }
    if (data) await this.load();
    else { await this.setRange(this.views.map((view) => view.bundle).filter(Boolean)); for (const view of this.views) view.restyle(); }
    this.saveLink();
  }

  cameraChanged() { for (const view of this.views) view.invalidate(); this.saveLink(); }

  /** @param {boolean} [selection] */
  fit(selection) {
    const { center, size } = this.main.extent(selection), [w, h] = this.main.size;
    this.camera.fit(center, size, w && h ? w / h : 1.6);
    this.cameraChanged();
  }

  /** @param {any} name */
  look(name) { this.camera.look(name); this.cameraChanged(); }

  /** Keeps the view in the address, never the token. */
  saveLink() {
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => {
      this.state.camera = this.camera.save();
      this.lastLink = toLink(this.state);
      try { history.replaceState(null, '', `${location.pathname}${location.search}#v=${this.lastLink}`); } catch { /* in a sandbox */ }
    }, 300);
  }

  /** @param {View} view @param {any} found @param {PointerEvent} event @param {number[]} pixel */
  picked(view, found, event, pixel) {
    if (this.ruler.isOn) { const point = this.ruler.pointAt(view, found, pixel); if (point) { this.ruler.put(point); speak(this.ruler.text()); this.changed(); } return; }
    this.selectedView = view;
    if (!found) this.select(-1);
    else if (found.kind === 'particle') this.select(view.bundle?.id[found.row] ?? -1);
    else if (found.kind === 'wall') this.inspector.wall(view, found.row);
    else if (found.row < view.contactRows.length) this.inspector.contact(view, view.contactRows[found.row]);
    if (found) { this.panel.open.Particle = true; }
  }

  /** @param {number} id @param {boolean} [center] */
  select(id, center) {
    this.state.selected = id; this.partner = -1;
    for (const view of this.views) { view.renderer.style.selected = view.rowOf(id); view.renderer.style.partner = -1; view.invalidate(); }
    if (id < 0) this.inspector.empty(); else this.inspector.update();
    if (center && id >= 0) this.fit(true);
    this.saveLink();
  }

  /** The particle at which a run failed, with its partner. */
  showFailure() {
    const { failure } = this.main.info, partner = failure.partner;
    if (typeof failure.id !== 'number') return;
    this.select(failure.id, true);
    this.partner = typeof partner === 'number' ? partner : Number(Object.values(partner ?? {})[0] ?? -1);
    if (!Number.isFinite(this.partner)) this.partner = -1;
    this.camera.distance *= 2.5;
    this.changed();
  }

  toggleRuler() { this.ruler.toggle(); this.changed(); this.panel.rebuild(); }

  /** @param {number} id */
  async addPath(id) { const path = await this.main.source.history(id, 'Points'); this.main.paths.push(path); }

  /** @param {number} id */
  async toggleTrajectory(id) {
    const { state } = this;
    if (state.trajectories.includes(id)) { state.trajectories = state.trajectories.filter((/** @type {number} */ t) => t !== id); this.main.paths = this.main.paths.filter((path) => path.id !== id); } else { state.trajectories = [...state.trajectories, id]; await this.addPath(id); }
    this.changed(); this.inspector.update();
  }

  /** Paths of at most 60 particles of a group, evenly chosen. @param {number} group */
  async groupTrajectories(group) {
    const { bundle } = this.main, ids = bundle ? [...bundle.id].filter((_, i) => bundle.group[i] === group) : [], step = Math.max(1, Math.ceil(ids.length / 60));
    this.main.paths = [];
    this.state.trajectories = ids.filter((_, i) => i % step === 0);
    await Promise.all(this.state.trajectories.map((/** @type {number} */ id) => this.addPath(id)));
    this.changed();
  }

  clearTrajectories() { this.main.paths = []; this.state.trajectories = []; this.changed(); }

  command() { return commandOf(this); }

  /** Asks for the next tick, unless one is due already. */
  wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    const tick = (/** @type {number} */ now) => {
      this.timeline.tick(now);
      this.isMoving = this.timeline.isPlaying;
      const more = !this.recorder.isBusy && this.views.map((view) => view.tick(now)).some(Boolean);
      this.isAwake = more || this.timeline.isPlaying || this.recorder.isBusy;
      if (this.isAwake) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  get settled() { return !this.isLoading && !this.isRanging && !this.timeline.isPlaying && this.views.every((view) => view.settled && !view.isDirty); }
}

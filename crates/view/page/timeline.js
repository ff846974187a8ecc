// @ts-check
// The time line: slider with stages, kinetic energy and events; play, speed, loop, single frames, live.
import { byId, choose, el } from './dom.js';
import { lastUpTo } from './tables.js';

export class Timeline {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.profileOf = ''; this.levels = new Float32Array(0);
    this.isPlaying = false; this.speed = 1; this.loops = true; this.follows = false; this.due = 0;
    this.slider = el('input', { type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'Frame', oninput: () => { this.pause(); app.goTo(this.slider.valueAsNumber); } });
    this.playButton = el('button', { title: 'Play or pause (space)', 'aria-label': 'Play', onclick: () => this.toggle() }, '▶');
    this.liveButton = el('button', { title: 'Follow the run (l)', 'aria-pressed': 'false', onclick: () => this.live(!this.follows) }, 'Live');
    this.label = el('span', { class: 'time' });
    this.canvas = el('canvas', { 'aria-hidden': 'true' });
    const step = (/** @type {string} */ text, /** @type {string} */ title, /** @type {number} */ by) => el('button', { title, 'aria-label': title, onclick: () => this.step(by) }, text);
    const speeds = /** @type {[string, string][]} */ (['0.1', '0.25', '0.5', '1', '2', '4'].map((s) => [s, `${s}×`]));
    const loop = el('button', { title: 'Repeat', 'aria-label': 'Repeat', 'aria-pressed': 'true', onclick: () => { this.loops = !this.loops; loop.setAttribute('aria-pressed', String(this.loops)); } }, '⟳');
    byId('timeline').replaceChildren(
      el('div', { class: 'track' }, this.canvas, this.slider),
      el('div', { class: 'controls' }, step('⇤', 'First frame (Home)', -Infinity), step('‹', 'Previous frame (,)', -1), this.playButton, step('›', 'Next frame (.)', 1), step('⇥', 'Last frame (End)', Infinity),
        choose('Speed', speeds, '1', (v) => { this.speed = Number(v); }), loop, this.liveButton, this.label));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  get count() { return this.app.main.info.times.length; }

  update() {
    const { main } = this.app;
    this.slider.max = String(Math.max(0, this.count - 1));
    this.slider.value = String(this.app.frame);
    this.slider.disabled = this.count < 2;
    this.liveButton.hidden = main.info.state !== 'running';
    const text = this.app.main.bundle ? this.app.timeText(main.bundle.particles, main) : '';
    this.label.textContent = this.app.isLive ? `${text}, live` : `${text}   ${Math.min(this.app.frame + 1, this.count)} / ${this.count}`;
    this.slider.setAttribute('aria-valuetext', text);
    this.draw();
  }

  /** Energy, stages, events and the time shown. */
  draw() {
    const { canvas } = this, g = canvas.getContext('2d'), { info } = this.app.main, times = info.times, w = canvas.clientWidth, h = 40;
    if (!g || !w) return;
    const s = Math.min(devicePixelRatio || 1, 2);
    canvas.width = w * s; canvas.height = h * s;
    g.scale(s, s);
    const css = getComputedStyle(document.body), faint = css.getPropertyValue('--faint'), accent = css.getPropertyValue('--accent');
    // The slider has half a thumb at each end.
    const x = (/** @type {number} */ t) => 8 + (w - 16) * this.position(t, times);
    g.fillStyle = accent; g.globalAlpha = 0.22;
    this.profile(w, times).forEach((level, at) => g.fillRect(at, h - 10 - (h - 14) * level, 1, (h - 14) * level));
    g.globalAlpha = 1;
    g.font = '11px system-ui, "DejaVu Sans", sans-serif'; g.textBaseline = 'top';
    for (const stage of info.stages) {
      g.fillStyle = faint; g.fillRect(x(stage.start), 0, 1, h - 8); g.fillText(stage.name, x(stage.start) + 4, 1);
    }
    for (const time of info.checkpoints ?? []) {
      const at = x(time);
      g.fillStyle = accent; g.beginPath(); g.moveTo(at, h - 14); g.lineTo(at + 4, h - 9); g.lineTo(at, h - 4); g.lineTo(at - 4, h - 9); g.fill();
      g.globalAlpha = 0.5; g.fillRect(at - 0.5, 14, 1, h - 26); g.globalAlpha = 1;
    }
    if (info.checkpoints?.length) { const at = x(info.checkpoints[info.checkpoints.length - 1]), wide = g.measureText('checkpoint').width; g.fillText('checkpoint', at + wide + 8 > w ? at - wide - 5 : at + 5, 14); }
    if (info.failure) { g.fillStyle = css.getPropertyValue('--bad'); g.fillRect(x(info.failure.time) - 1, 0, 3, h - 6); g.fillText('failure', Math.min(x(info.failure.time) + 5, w - 40), 14); }
  }

  /** Square root of the kinetic energy at each pixel, from 0 to 1. @param {number} width @param {number[]} times of the frames @returns {Float32Array} */
  profile(width, times) {
    const energy = this.app.energy, key = `${width} ${times.length} ${energy?.times.length}`;
    if (this.profileOf === key) return this.levels;
    this.profileOf = key;
    this.levels = new Float32Array(Math.ceil(width));
    if (!energy || times.length < 2) return this.levels;
    let top = 0;
    for (const value of energy.values) if (value > top) top = value;
    for (let at = 8; at < width - 8; at++) {
      const part = (at - 8) / (width - 16) * (times.length - 1), i = Math.min(times.length - 2, Math.floor(part)), t = times[i] + (part - i) * (times[i + 1] - times[i]);
      this.levels[at] = Math.sqrt(Math.max(0, energy.values[Math.max(0, lastUpTo(energy.times, t))] || 0) / (top || 1));
    }
    return this.levels;
  }

  /** Part of the slider at a time: frames may not be evenly spaced. @param {number} t @param {number[]} times */
  position(t, times) {
    const n = times.length;
    if (n < 2) return 0;
    const i = Math.max(0, lastUpTo(times, t));
    if (i === n - 1) return 1;
    return Math.min(1, Math.max(0, (i + (t - times[i]) / (times[i + 1] - times[i] || 1)) / (n - 1)));
  }

  /** @param {number} by */
  step(by) { this.pause(); this.live(false); this.app.goTo(Math.max(0, Math.min(this.count - 1, by === -Infinity ? 0 : by === Infinity ? this.count - 1 : this.app.frame + by))); }

  toggle() { if (this.isPlaying) this.pause(); else this.play(); }

  play() {
    if (this.count < 2) return;
    this.live(false);
    this.isPlaying = true; this.due = performance.now();
    if (this.app.frame >= this.count - 1) this.app.goTo(0);
    this.playButton.textContent = '❚❚'; this.playButton.setAttribute('aria-label', 'Pause');
    this.app.wake();
  }

  pause() {
    this.isPlaying = false;
    this.playButton.textContent = '▶'; this.playButton.setAttribute('aria-label', 'Play');
  }

  /** @param {boolean} on */
  live(on) {
    this.follows = on;
    this.liveButton.setAttribute('aria-pressed', String(on));
    if (on) { this.pause(); this.app.goToNewest(); }
  }

  /** The next frame, if it is time. The one after is fetched ahead. @param {number} now */
  tick(now) {
    if (!this.isPlaying || now < this.due || this.app.isLoading) return;
    const next = this.app.frame + 1;
    this.due = Math.max(now, this.due + 1000 / (15 * this.speed));
    if (next < this.count) this.app.goTo(next, true);
    else if (this.loops) this.app.goTo(0, true);
    else this.pause();
  }
}

// @ts-check
// Pictures (PNG) and videos (MP4), refined, with the overlay. Also links and commands.
import { byId, check, download, el, notice, number, row } from './dom.js';
import { drawOverlay } from './overlay.js';

const PASSES = 32;

export class Recorder {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.factor = 2; this.transparent = false; this.rate = 25; this.isBusy = false;
  }

  controls() {
    const { app } = this, status = el('p', { class: 'note', role: 'status' });
    const act = (/** @type {string} */ text, /** @type {() => Promise<any>} */ work) => el('button', { onclick: async () => {
      if (this.isBusy) return;
      try { status.textContent = 'working …'; status.textContent = await work() ?? ''; } catch (error) { status.textContent = String(/** @type {Error} */ (error).message ?? error); }
    } }, text);
    const out = [row('Size', number('Times the size of the screen', this.factor, (v) => { this.factor = Math.min(4, Math.max(1, v)); }), '× the screen'),
      el('div', { class: 'row' }, check('transparent background', this.transparent, (v) => { this.transparent = v; })),
      el('div', { class: 'row' }, act('Save picture', () => this.savePicture()), act('Copy picture', () => this.copyPicture()), act('Copy link', () => this.copyText(location.href)))];
    if (!app.main.source.isEmbedded && app.main.info.times.length > 1 && 'VideoEncoder' in globalThis) {
      out.push(row('Video', number('Frames per second', this.rate, (v) => { this.rate = Math.min(60, Math.max(1, v)); }), 'frames/s'), el('div', { class: 'row' }, act('Save video', () => this.saveVideo((text) => { status.textContent = text; }))));
    }
    if (!app.main.source.isEmbedded && app.main.info.times.length) out.push(el('div', { class: 'row' }, act('Copy command', () => this.copyText(app.command()))));
    out.push(status);
    return out;
  }

  /** @param {string} text */
  async copyText(text) { await navigator.clipboard.writeText(text); return 'copied'; }

  /** All views side by side on one canvas, at a multiple of their size. @param {number} factor @param {boolean} transparent @param {number} passes @returns {Promise<HTMLCanvasElement>} */
  async compose(factor, transparent, passes = PASSES) {
    const { app } = this, { views } = app, width = views.reduce((/** @type {number} */ sum, /** @type {any} */ v) => sum + v.size[0], 0), height = views[0].size[1];
    const canvas = el('canvas', {});
    // Video encoders require even sizes.
    canvas.width = 2 * Math.round(width * factor / 2); canvas.height = 2 * Math.round(height * factor / 2);
    const g = canvas.getContext('2d');
    if (!g) throw new Error('There is no canvas to draw on.');
    const dark = app.isDark;
    app.isDark = false;
    let x = 0;
    this.isBusy = true;
    try {
      for (const view of views) {
        const r = view.renderer, [w, h] = view.size;
        if (dark) view.restyle();
        r.style.transparent = transparent;
        if (!transparent) { r.style.paperTop = [1, 1, 1]; r.style.paperBottom = [1, 1, 1]; }
        r.resize(Math.round(w * factor), Math.round(h * factor));
        r.shadowIsFresh = false;
        for (let k = 0; k < passes; k++) {
          r.draw(view.matrices(), app.camera.ortho, view.sky(), k);
          if (view.isSoftware || k % 8 === 7) { r.context.finish(); await new Promise((done) => setTimeout(done)); }
        }
        g.drawImage(view.canvas, x, 0);
        g.save(); g.translate(x, 0); g.scale(factor, factor);
        drawOverlay(g, w, h, view.overlayInput());
        g.restore();
        x += Math.round(w * factor);
        r.style.transparent = false;
      }
    } finally {
      app.isDark = dark; this.isBusy = false;
      for (const view of views) view.restyle();
    }
    return canvas;
  }

  /** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
  blob(canvas) { return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('The picture is too large.'))), 'image/png')); }

  name() { return (this.app.main.info.name || 'esker').replace(/^.*\//, '').replace(/[^\w.-]+/g, '-').slice(0, 60) || 'esker'; }

  async savePicture() {
    const canvas = await this.compose(this.factor, this.transparent);
    download(await this.blob(canvas), `${this.name()}-${String(this.app.frame).padStart(4, '0')}.png`);
    return `${canvas.width} × ${canvas.height} pixels`;
  }

  async copyPicture() {
    const blob = await this.blob(await this.compose(this.factor, this.transparent));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    return 'copied';
  }

  /** Every frame of the run, encoded one after the other, never in real time. @param {(text: string) => void} say @param {number} [passes] */
  async saveVideo(say, passes = 12) {
    const bytes = await this.video(say, passes);
    download(new Blob([bytes], { type: 'video/mp4' }), `${this.name()}.mp4`);
    return `${(bytes.byteLength / 1e6).toFixed(1)} MB`;
  }

  /** @param {(text: string) => void} say @param {number} passes @returns {Promise<ArrayBuffer>} */
  async video(say, passes) {
    const { app } = this, media = await import('./vendor/mediabunny.js'), first = app.frame, count = app.main.info.times.length;
    app.timeline.pause();
    const canvas = el('canvas', {}), probe = await this.compose(1, false, 1);
    canvas.width = probe.width; canvas.height = probe.height;
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const config = { width: canvas.width, height: canvas.height, bitrate: 6e6, framerate: this.rate };
    const codecs = [['avc', 'avc1.640028'], ['vp9', 'vp09.00.40.08'], ['av1', 'av01.0.08M.08']];
    let codec = '';
    for (const [name, full] of codecs) if (!codec && (await VideoEncoder.isConfigSupported({ codec: full, ...config })).supported) codec = name;
    if (!codec) throw new Error('This browser cannot encode videos.');
    const output = new media.Output({ format: new media.Mp4OutputFormat(), target: new media.BufferTarget() });
    const source = new media.CanvasSource(canvas, { codec, bitrate: config.bitrate });
    output.addVideoTrack(source, { frameRate: this.rate });
    await output.start();
    for (let i = 0; i < count; i++) {
      await app.goTo(i, true);
      g.drawImage(await this.compose(1, false, passes), 0, 0);
      await source.add(i / this.rate, 1 / this.rate);
      say(`frame ${i + 1} of ${count}`);
    }
    await output.finalize();
    app.goTo(first);
    return /** @type {any} */ (output.target).buffer;
  }
}

/** @param {any} app */
export function listenForSaving(app) {
  byId('save').addEventListener('click', () => app.recorder.savePicture().catch((/** @type {Error} */ error) => notice(error.message)));
}

/** The command that draws the particles and walls shown without a browser. @param {any} app */
export function commandOf(app) {
  const { state, main, camera } = app, round = (/** @type {number[]} */ list) => list.map((x) => Number(x.toPrecision(5))).join();
  const shell = (/** @type {string} */ text) => (/^[\w./,:@+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`), o = main.info.origin, s = main.renderer.style;
  const out = ['esker view', shell(main.info.name), '--picture picture.png', `--frame ${app.frame}`, `--color ${shell(state.color)}`, `--size ${main.size.map((/** @type {number} */ x) => 2 * x).join()}`,
    `--camera=${round([...camera.back(), ...camera.upwards(), ...camera.center, 2 * camera.halfHeight()])}`];
  if (state.color !== 'group') out.push(`--range=${round(app.range)}`);
  if (state.hiddenGroups.length) out.push(`--hide ${shell(state.hiddenGroups.map((/** @type {number} */ g) => main.info.groups[g]).join())}`);
  if (state.clip === 'plane') out.push(`--clip=${round([...s.clip.slice(0, 3), s.clip[3] + s.clip[0] * o[0] + s.clip[1] * o[1] + s.clip[2] * o[2]])}`);
  if (state.clip === 'box') out.push(`--box=${round([...s.boxLow, ...s.boxHigh].map((x, k) => x + o[k % 3]))}`);
  if (state.threshold) out.push(`--threshold=${shell(state.threshold)},${round([state.thresholdLow, state.thresholdHigh])}`);
  return out.join(' ');
}

// @ts-check
// The panel: colour, filters, walls, contacts, marks, the picked particle, plots, pictures.
import { byId, check, choose, el, number, row, slider } from './dom.js';
import { groupColor } from './colors.js';
import { STYLE_NAMES, ownMode, withMode } from './walls.js';

export class Panel {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.element = byId('panel');
    /** @type {Record<string, boolean>} */
    this.open = { Colour: true, Particle: true, Plots: innerWidth > 1000 };
    this.rebuild();
  }

  rebuild() {
    const { app } = this, { info } = app.main;
    const parts = /** @type {[string, () => Node[]][]} */ ([['Colour', () => this.color()], ['Filter', () => this.filter()], ['Walls', () => this.walls()], ['Contacts', () => this.contacts()],
      ['Show', () => this.more()], ['Particle', () => [app.inspector.element]], ['Plots', () => [app.plots.element]], ['Picture and video', () => app.recorder.controls()]]);
    this.element.replaceChildren(...info.notes.map((/** @type {string} */ text) => el('p', { class: 'note' }, text)), this.failure() ?? '', ...parts.map(([name, make]) => {
      const details = el('details', { ontoggle: () => { this.open[name] = details.open; if (name === 'Plots' && details.open) app.plots.show(); } }, el('summary', {}, name), ...make());
      details.open = this.open[name] ?? false;
      return details;
    }));
  }

  failure() {
    const { failure } = this.app.main.info;
    if (!failure) return null;
    const advice = (Array.isArray(failure.advice) ? failure.advice : [failure.advice]).filter((/** @type {any} */ a) => typeof a === 'string' && !String(failure.message).includes(a));
    return el('section', { 'aria-label': 'Failure' }, el('h3', {}, 'This run failed'), el('p', {}, String(failure.message ?? '')), ...advice.map((/** @type {string} */ a) => el('p', { class: 'note' }, a)),
      typeof failure.id === 'number' ? el('button', { onclick: () => this.app.showFailure() }, `Go to particle ${failure.id}`) : null);
  }

  color() {
    const { app } = this, { state } = app, set = (/** @type {any} */ change, data = false) => { Object.assign(state, change); app.changed(data); this.rebuild(); };
    const out = [row('Colour by', choose('Colour by', [['group', 'group'], ...app.quantities()], state.color, (v) => set({ color: v }, true)))];
    if (state.color.startsWith('displacement')) out.push(row('since frame', number('Since frame', state.since, (v) => set({ since: v, color: `displacement@${Math.max(0, Math.round(v))}` }, true))));
    if (state.color === 'group') return out;
    out.push(row('Range', choose('Range', [['percent', '1–99 % of the run'], ['run', 'whole run'], ['frame', 'this frame'], ['manual', 'set by hand']], state.range, (v) => set({ range: v, low: app.range[0], high: app.range[1] }))));
    if (state.range === 'manual') out.push(row('', number('Lowest', state.low, (v) => set({ low: v })), number('Highest', state.high, (v) => set({ high: v }))));
    out.push(row('Scale', choose('Colour scale', [['esker', 'violet to yellow'], ['grey', 'grey'], ['diverging', 'diverging']], state.scale, (v) => set({ scale: v }))),
      row('', check('logarithmic', state.log, (v) => set({ log: v }))));
    return out;
  }

  filter() {
    const { app } = this, { state } = app, set = (/** @type {any} */ change, data = false) => { Object.assign(state, change); app.changed(data); this.rebuild(); };
    const live = (/** @type {any} */ change) => { Object.assign(state, change); app.changed(); };
    const out = /** @type {Node[]} */ ([row('Clip', choose('Clip', [['off', 'off'], ['plane', 'plane'], ['box', 'box']], state.clip, (v) => set({ clip: v })))]);
    if (state.clip === 'plane') {
      out.push(row('across', choose('Direction', [['x', 'x'], ['y', 'y'], ['z', 'z']], state.clipAxis, (v) => set({ clipAxis: v })), check('other side', state.clipFlip, (v) => live({ clipFlip: v }))),
        slider('Position of the plane', 0, 1, state.clipAt, (v) => live({ clipAt: v })));
    }
    if (state.clip === 'box') {
      ['x', 'y', 'z'].forEach((axis, k) => [0, 1].forEach((end) => out.push(row(`${axis} ${end ? 'to' : 'from'}`, slider(`${axis} ${end ? 'to' : 'from'}`, 0, 1, state.box[2 * k + end], (v) => { state.box[2 * k + end] = v; app.changed(); })))));
    }
    out.push(row('Threshold', choose('Threshold', [['', 'off'], ...app.quantities()], state.threshold, async (v) => {
      const [low, high] = v ? await app.main.source.range(v) : [0, 0];
      set({ threshold: v, thresholdLow: low, thresholdHigh: high, thresholdEnds: [low, high] }, true);
    })));
    if (state.threshold) {
      const [low, high] = app.state.thresholdEnds ?? [state.thresholdLow, state.thresholdHigh];
      out.push(row('from', number('Threshold from', state.thresholdLow, (v) => set({ thresholdLow: v })), number('Threshold to', state.thresholdHigh, (v) => set({ thresholdHigh: v }))),
        slider('Threshold from', low, high, state.thresholdLow, (v) => live({ thresholdLow: v })), slider('Threshold to', low, high, state.thresholdHigh, (v) => live({ thresholdHigh: v })));
    }
    app.main.info.groups.forEach((/** @type {string} */ name, /** @type {number} */ i) => {
      const box = check(name, !state.hiddenGroups.includes(i), (on) => live({ hiddenGroups: on ? state.hiddenGroups.filter((/** @type {number} */ g) => g !== i) : [...state.hiddenGroups, i] })), dot = el('span', { class: 'swatch' });
      dot.style.background = groupColor(i);
      box.insertBefore(dot, box.childNodes[1]);
      out.push(el('div', { class: 'row' }, box));
    });
    return out;
  }

  walls() {
    const { app } = this, { state } = app, live = (/** @type {any} */ change) => { Object.assign(state, change); app.changed(); };
    const out = [row('Walls', choose('Walls', STYLE_NAMES, state.walls, (v) => live({ walls: v })))];
    if (app.main.info.tables.some((/** @type {any} */ t) => t.name === 'walls')) out.push(row('Colour by', choose('Colour of walls', [['none', 'nothing'], ['force', 'force'], ['work', 'work']], state.wallColor, (v) => { live({ wallColor: v }); app.loadWallValues(); })));
    app.main.info.walls.slice(0, 60).forEach((/** @type {string} */ name, /** @type {number} */ i) => out.push(row(name, choose(`Style of wall ${name}`, [['', 'as above'], ...STYLE_NAMES], ownMode(state, i), (v) => live({ wallModes: withMode(state, i, v) })))));
    out.push(el('div', { class: 'row' }, check('outlines', state.edges, (v) => live({ edges: v }))));
    return out;
  }

  contacts() {
    const { app } = this, { state } = app, set = (/** @type {any} */ change, data = false) => { Object.assign(state, change); app.changed(data); this.rebuild(); };
    if (!app.views.some((/** @type {any} */ v) => v.info.contacts)) return [el('p', { class: 'note' }, 'This run has recorded no contacts: set contacts = true in outputs.frames of the scene.')];
    const out = [row('Contacts', choose('Contacts', [['off', 'off'], ['all', 'all'], ['strong', 'above the mean force'], ['above', 'above a force'], ['sliding', 'sliding only']], state.contacts, (v) => set({ contacts: v }, true)))];
    if (state.contacts === 'off') return out;
    if (state.contacts === 'above') out.push(row('force [N]', number('Least force', state.contactLow, (v) => set({ contactLow: v }))));
    out.push(row('Thickness', slider('Thickness', 0.2, 3, state.contactThickness, (v) => { state.contactThickness = v; app.changed(); })),
      el('div', { class: 'row' }, check('particles', state.particles, (v) => set({ particles: v })), check('clip contacts too', state.clipContacts, (v) => set({ clipContacts: v }))), el('p', { class: 'note' }, 'Yellow contacts slide.'));
    return out;
  }

  more() {
    const { app } = this, { state } = app, live = (/** @type {any} */ change, data = false) => { Object.assign(state, change); app.changed(data); };
    const box = (/** @type {string} */ text, /** @type {string} */ key, data = false) => el('div', { class: 'row' }, check(text, state[key], (v) => live({ [key]: v }, data)));
    const views = /** @type {[string, string][]} */ ([['+x', 'x'], ['-x', '−x'], ['+y', 'y'], ['-y', '−y'], ['+z', 'z'], ['-z', '−z'], ['iso', 'isometric']]);
    const out = [el('div', { class: 'row' }, ...views.map(([name, text]) => el('button', { onclick: () => app.look(name) }, text))), box('orthographic', 'ortho')];
    if (app.main.info.motion !== false) out.push(box('marks that show rotation', 'marks', true), box('velocity glyphs', 'glyphs', true));
    if (app.main.info.domain) out.push(box('domain box', 'domain'));
    if (app.main.info.periodic.some(Boolean)) out.push(box('periodic images', 'images'));
    out.push(box('axes', 'axes'), box('gravity', 'gravity'), box('scale bar', 'scaleBar'),
      el('div', { class: 'row' }, check('ruler', app.ruler.isOn, () => app.toggleRuler())));
    if (app.main.info.groups.length > 0 && app.main.info.times.length > 1) {
      const groups = app.main.info.groups.map((/** @type {string} */ name, /** @type {number} */ i) => [String(i), name]);
      out.push(row('Paths of', choose('Paths of a group', [['', 'nothing'], ...groups], '', (v) => { if (v !== '') app.groupTrajectories(Number(v)); else app.clearTrajectories(); })));
    }
    return out;
  }
}

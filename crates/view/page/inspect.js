// @ts-check
// A picked particle, contact or wall: all its data, contacts to follow, history over the run.
import { check, choose, el, speak } from './dom.js';
import { short } from './colors.js';
import { withMode } from './walls.js';

/** @param {any} value */
const shown = (value) => (Array.isArray(value) ? `(${value.map((x) => (typeof x === 'number' ? short(x) : x)).join(', ')})` : typeof value === 'number' ? (Number.isInteger(value) ? String(value) : value.toPrecision(6)) : String(value));

/** Data that come first; the others follow in order of the alphabet. */
const FIRST = ['id', 'group', 'material', 'radius', 'mass', 'position', 'velocity', 'spin', 'force', 'torque', 'coordination'];

export class Inspector {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.find = el('input', { type: 'text', inputmode: 'numeric', size: 8, 'aria-label': 'Find a particle by its id', placeholder: 'id', onchange: () => this.search() });
    this.body = el('div', {});
    this.history = el('div', {});
    this.element = el('div', {}, el('div', { class: 'row' }, el('span', { class: 'label' }, 'Find particle'), this.find), this.body, this.history);
    this.column = 'velocity';
    /** @type {any[]} */
    this.plots = [];
    this.empty();
  }

  empty() { this.body.replaceChildren(el('p', { class: 'note' }, 'Click a particle, a contact or a wall.')); this.history.replaceChildren(); this.plots = []; }

  search() {
    const id = Number(this.find.value);
    if (Number.isInteger(id) && id >= 0) this.app.select(id, true);
  }

  /** Shows the selected particle in the present frame. */
  async update() {
    const { app } = this, { state } = app, view = app.selectedView ?? app.main;
    if (state.selected < 0) return;
    let found;
    try { found = await view.source.particle(app.atOf(view), state.selected); } catch (error) {
      this.body.replaceChildren(el('p', { class: 'note' }, `Particle ${state.selected} is not in this frame.`));
      return;
    }
    const names = { group: view.info.groups, material: view.info.materials };
    const order = (/** @type {string} */ name) => (FIRST.indexOf(name) + 1 || FIRST.length + 1);
    const rows = Object.entries(found.data).sort(([a], [b]) => order(a) - order(b)).map(([name, value]) => {
      const list = /** @type {any} */ (names)[name], unit = view.info.columns.find((/** @type {any} */ c) => c.name === name)?.unit ?? (name === 'position' ? 'm' : '');
      return el('tr', {}, el('th', {}, name.replace('_', ' ')), el('td', {}, list ? list[value] ?? String(value) : `${shown(value)} ${unit}`));
    });
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) => el('button', { onclick: act }, text);
    const parts = [el('h3', {}, `Particle ${found.id}`),
      el('div', { class: 'row' }, button('Centre', () => app.fit(true)), check('follow', state.follow, (on) => { state.follow = on; app.changed(); }),
        button(state.trajectories.includes(found.id) ? 'Hide path' : 'Show path', () => app.toggleTrajectory(found.id)), button('Deselect', () => app.select(-1))),
      el('div', { class: 'scroll' }, el('table', { class: 'data' }, ...rows))];
    if (found.contacts.length) {
      parts.push(el('h3', {}, `${found.contacts.length} contacts`), el('div', { class: 'scroll' }, el('table', { class: 'data' },
        ...found.contacts.slice(0, 60).map((/** @type {any} */ c) => el('tr', {}, el('th', {}, c.wall ? `wall ${view.info.walls[c.partner] ?? c.partner}` : button(`particle ${c.partner}`, () => app.select(c.partner))),
          el('td', {}, `${short(c.force)} N${c.sliding ? ', sliding' : ''}`))))));
    }
    this.body.replaceChildren(...parts);
    speak(`Particle ${found.id}, group ${view.info.groups[found.data.group] ?? ''}, ${found.contacts.length} contacts`);
    this.offerHistory(view);
  }

  /** @param {any} view */
  offerHistory(view) {
    if (view.info.times.length < 2) { this.history.replaceChildren(); return; }
    const columns = this.app.quantities(), picked = columns.some((/** @type {[string, string]} */ [v]) => v === this.column) ? this.column : columns[0]?.[0] ?? '';
    if (this.historyOf === `${this.app.state.selected} ${picked} ${view.info.times.length}`) { this.app.plots.mark(); return; }
    const box = el('div', {}), list = choose('Quantity of the history', columns, picked, (value) => { this.column = value; this.historyOf = ''; this.offerHistory(view); });
    this.history.replaceChildren(el('div', { class: 'row' }, el('span', { class: 'label' }, 'History of'), list), box);
    this.drawHistory(view, picked, box);
  }

  /** @param {any} view @param {string} column @param {HTMLElement} box */
  async drawHistory(view, column, box) {
    const id = this.app.state.selected;
    this.historyOf = `${id} ${column} ${view.info.times.length}`;
    const found = await view.source.history(id, column), { label, unit } = this.app.quantity(column);
    const values = found.values.map((/** @type {any} */ v) => (typeof v === 'number' ? v : NaN));
    const plot = this.app.plots.plot(`${label} of particle ${id}`, unit, [{ name: label, times: found.times, values }]);
    this.plots = [plot];
    box.replaceChildren(plot.element);
  }

  /** @param {any} view @param {number} row of the list of contacts */
  contact(view, row) {
    const s = view.bundle.contacts.sections, { app } = this;
    const to = (/** @type {number} */ id) => el('button', { onclick: () => app.select(id) }, `particle ${id}`);
    this.history.replaceChildren(); this.historyOf = '';
    this.body.replaceChildren(el('h3', {}, 'Contact'), el('div', { class: 'row' }, to(s.first[row]), s.with_wall[row] ? `wall ${view.info.walls[s.second[row]]}` : to(s.second[row])),
      el('p', {}, `force ${short(s.force[row])} N${s.sliding[row] ? ', sliding' : ''}`));
    speak(`Contact with a force of ${short(s.force[row])} newton`);
  }

  /** @param {any} view @param {number} triangle */
  wall(view, triangle) {
    const wall = view.bundle.walls.sections.wall[triangle], { app } = this, name = view.info.walls[wall] ?? String(wall);
    this.history.replaceChildren(); this.historyOf = '';
    this.body.replaceChildren(el('h3', {}, `Wall ${name}`), el('button', { onclick: () => { app.state.wallModes = withMode(app.state, wall, 'hidden'); app.changed(); app.panel.rebuild(); } }, 'Hide this wall'));
    speak(`Wall ${name}`);
  }
}

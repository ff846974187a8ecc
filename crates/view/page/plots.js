// @ts-check
// Tables of the runs as plots, with a line at the displayed time. A click selects that time.
import { byId, choose, el } from './dom.js';
import { PALETTE, short } from './colors.js';
import { series, unitOf } from './tables.js';
import { UPlot } from './vendor/uPlot.js';

/** @typedef {{ name: string, times: number[], values: number[], dashed?: boolean }} Line */

const HEIGHT = 150;
const MOST_LINES = 8;
const Chart = /** @type {any} */ (UPlot);

/** A name for people: `mean_position_x` is `mean position x`. @param {string} name */
const words = (name) => name.replaceAll('_', ' ');

export class Plots {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.element = el('div', {});
    this.chosen = ''; this.column = '';
    /** @type {{ element: HTMLElement, chart: any }[]} */
    this.shown = [];
  }

  /** Kinetic energy for the time line. */
  async energy() {
    const { main } = this.app, index = main.info.tables.findIndex((/** @type {any} */ t) => t.name === 'energy');
    if (index < 0) return null;
    const table = await main.tables.read(index);
    return table.columns[0]?.length > 1 ? series(table, 'kinetic') : null;
  }

  /** A table of every run that has it. @param {string} name */
  async tablesOf(name) {
    const { views } = this.app, found = [];
    for (const view of views) {
      const index = view.info.tables.findIndex((/** @type {any} */ t) => t.name === name);
      if (index >= 0) found.push({ table: await view.tables.read(index), label: views.length > 1 ? `${view.label}: ` : '', dashed: view !== views[0] });
    }
    return found;
  }

  /** Makes the section of the panel. */
  async show() {
    const names = [...new Set(this.app.views.flatMap((/** @type {any} */ v) => v.info.tables.map((/** @type {any} */ t) => t.name)))];
    if (!names.length) { this.element.replaceChildren(el('p', { class: 'note' }, 'This run has no tables.')); return; }
    const name = names.includes(this.chosen) ? this.chosen : names[0], found = await this.tablesOf(name);
    const box = el('div', { class: 'row' }, choose('Table', names.map((n) => [n, words(n.replace('/', ': '))]), name, (value) => { this.chosen = value; this.column = ''; this.show(); }));
    this.draw(name === 'walls' ? this.ofWalls(found, box) : this.ofTable(name, found), box);
  }

  /** @param {any[]} found @param {HTMLElement} box */
  ofWalls(found, box) {
    const columns = found[0].table.names.slice(3), picked = columns.includes(this.column) ? this.column : 'force_z';
    box.append(choose('Quantity', columns.map((/** @type {string} */ c) => [c, words(c)]), picked, (value) => { this.column = value; this.show(); }));
    const lines = found.flatMap(({ table, label, dashed }) => [...new Set(table.walls)].slice(0, MOST_LINES).map((wall) => ({ name: label + wall, dashed, ...series(table, picked, /** @type {string} */ (wall)) })));
    return [this.plot(`${words(picked)} on walls`, unitOf('walls', picked), lines)];
  }

  /** One plot for each kind of energy, or for each unit. @param {string} name @param {any[]} found */
  ofTable(name, found) {
    /** @type {Map<string, { unit: string, lines: Line[] }>} */
    const groups = new Map();
    for (const { table, label, dashed } of found) {
      for (const column of table.names.filter((/** @type {string} */ c) => c !== 'time' && c !== 'step')) {
        const line = { name: label + words(column), dashed, ...series(table, column) }, unit = unitOf(name, column);
        if (!line.values.some((v) => Number.isFinite(v) && v !== 0)) continue;
        const kind = name === 'energy' ? (/loss|work|inserted/.test(column) ? 'Dissipation and work' : column === 'closure_error' ? 'Energy error' : 'Energy by kind') : `${words(name.replace(/^.*\//, ''))}: ${words(column.replace(/_[xyz]$/, ''))}`;
        const group = groups.get(kind) ?? { unit, lines: [] };
        if (group.lines.length < MOST_LINES * found.length) group.lines.push(line);
        groups.set(kind, group);
      }
    }
    return [...groups].map(([title, { unit, lines }]) => this.plot(title, unit, lines));
  }

  /** @param {{ element: HTMLElement, chart: any }[]} plots @param {HTMLElement} box */
  draw(plots, box) {
    for (const old of this.shown) old.chart.destroy();
    this.shown = plots;
    this.element.replaceChildren(box, ...plots.map((plot) => plot.element));
    this.mark();
  }

  /** @param {string} title @param {string} unit @param {Line[]} lines */
  plot(title, unit, lines) {
    const element = el('div', { class: 'plot' }, el('h3', {}, unit ? `${title} [${unit}]` : title)), dark = this.app.isDark;
    const names = [...new Set(lines.map((line) => line.name.replace(/^.*: /, '')))];
    const color = (/** @type {Line} */ line) => `rgb(${PALETTE[names.indexOf(line.name.replace(/^.*: /, '')) % 10].join()})`, axis = dark ? '#a3afbd' : '#556274', grid = dark ? '#323c48' : '#e3e8ee';
    const options = { width: Math.max(200, byId('panel').clientWidth - 32), height: HEIGHT, legend: { show: false }, cursor: { y: false, drag: { x: false, y: false } }, scales: { x: { time: false } },
      axes: [{ stroke: axis, grid: { stroke: grid, width: 1 }, size: 26 }, { stroke: axis, grid: { stroke: grid, width: 1 }, size: 52, values: (/** @type {any} */ _, /** @type {number[]} */ v) => v.map((x) => (x === null ? '' : short(Number(x.toPrecision(3))).replace(/\.0+$/, ''))) }],
      series: [{}, ...lines.map((line) => ({ stroke: color(line), width: 1.5, spanGaps: lines.some((l) => l.dashed), dash: line.dashed ? [5, 4] : undefined }))],
      hooks: { draw: [(/** @type {any} */ u) => this.timeMark(u)] } };
    const values = (/** @type {Line} */ line) => line.values.map((v) => (Number.isFinite(v) ? v : null)), shared = lines.every(({ times }) => times === lines[0].times || (times.length === lines[0].times.length && times.every((t, i) => t === lines[0].times[i])));
    const data = shared ? [lines[0]?.times ?? [], ...lines.map(values)] : Chart.join(lines.map((line) => [line.times, values(line)]));
    const chart = new Chart(options, data, element);
    chart.over.addEventListener('click', (/** @type {MouseEvent} */ e) => this.app.goToTime(chart.posToVal(e.offsetX, 'x')));
    element.append(el('div', { class: 'legend' }, ...lines.map((line) => { const dot = el('span', { class: line.dashed ? 'swatch dashed' : 'swatch' }); dot.style.background = color(line); return el('span', {}, dot, line.name); })));
    return { element, chart };
  }

  /** @param {any} u */
  timeMark(u) {
    const x = u.valToPos(this.app.time, 'x', true), { ctx, bbox } = u;
    if (!(x >= bbox.left - 1 && x <= bbox.left + bbox.width + 1)) return;
    ctx.fillStyle = '#d5002d'; ctx.fillRect(x - 1, bbox.top, 2, bbox.height);
  }

  /** Moves the line to the time shown. */
  mark() { for (const { chart } of this.shown) chart.redraw(false); for (const { chart } of this.app.inspector?.plots ?? []) chart.redraw(false); }
}

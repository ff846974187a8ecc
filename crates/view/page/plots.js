// @ts-check
// Tables of the run as plots, with a line at the time shown. A click goes to that time.
import { byId, choose, el } from './dom.js';
import { PALETTE, short } from './colors.js';
import { UPlot } from './vendor/uPlot.js';

/** @typedef {{ names: string[], rows: string[][], text: string, bytes: number }} Table */

const HEIGHT = 150;
const MOST_LINES = 8;

/** @param {string} text */
const cells = (text) => text.split('\n').filter(Boolean).map((line) => {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) => m[1].replace(/^"|"$/g, '').replace(/""/g, '"')).slice(0, -1);
});

/** A unit from the name of a column, as far as names tell. @param {string} table @param {string} name */
export function unitOf(table, name) {
  if (table === 'energy' || /energy|work|loss/.test(name)) return 'J';
  if (/torque/.test(name)) return 'N m';
  if (/force/.test(name)) return 'N';
  if (/velocity|speed/.test(name)) return 'm/s';
  if (/spin/.test(name)) return 'rad/s';
  if (/position|height|displacement|radius/.test(name)) return 'm';
  if (/mass/.test(name)) return 'kg';
  return '';
}

export class Plots {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<number, Table>} */
    this.tables = new Map();
    this.element = el('div', {});
    this.chosen = '0'; this.column = '';
    /** @type {any[]} */
    this.shown = [];
  }

  /** Reads what is new of a table. @param {number} index */
  async read(index) {
    const { source } = this.app.main, known = this.tables.get(index) ?? { names: [], rows: [], text: '', bytes: 0 };
    const text = await source.table(index, known.bytes);
    if (!text) return known;
    const lines = cells(text);
    const table = known.bytes ? known : { names: lines.shift() ?? [], rows: [], text: '', bytes: 0 };
    table.rows.push(...lines);
    table.bytes = known.bytes + new TextEncoder().encode(text).length;
    this.tables.set(index, table);
    return table;
  }

  /** A column over time. @param {Table} table @param {string} name @param {string} [wall] */
  series(table, name, wall) {
    const time = table.names.indexOf('time'), column = table.names.indexOf(name), where = table.names.indexOf('wall');
    const rows = wall === undefined ? table.rows : table.rows.filter((row) => row[where] === wall);
    return { times: rows.map((row) => Number(row[time])), values: rows.map((row) => (row[column] === '' || row[column] === undefined ? NaN : Number(row[column]))) };
  }

  /** Kinetic energy for the time line. */
  async energy() {
    const index = this.app.main.info.tables.findIndex((/** @type {any} */ t) => t.name === 'energy');
    if (index < 0) return null;
    const table = await this.read(index);
    return table.rows.length > 1 ? this.series(table, 'kinetic') : null;
  }

  /** Size of the force on each wall at a time, from 0 to 1. @param {number} time @param {string[]} walls @param {string} what `force` or `work` */
  async wallValues(time, walls, what) {
    const index = this.app.main.info.tables.findIndex((/** @type {any} */ t) => t.name === 'walls');
    if (index < 0) return null;
    const table = await this.read(index);
    const at = (/** @type {string} */ wall, /** @type {string} */ name) => {
      const { times, values } = this.series(table, name, wall);
      let best = 0;
      times.forEach((t, i) => { if (Math.abs(t - time) < Math.abs(times[best] - time)) best = i; });
      return values[best] ?? NaN;
    };
    const found = walls.map((wall) => (what === 'work' ? Math.abs(at(wall, 'work')) : Math.hypot(at(wall, 'force_x'), at(wall, 'force_y'), at(wall, 'force_z'))));
    const top = Math.max(...found.filter(Number.isFinite), 1e-300);
    return found.map((x) => x / top);
  }

  /** Makes the section of the panel. */
  async show() {
    const tables = this.app.main.info.tables;
    if (!tables.length) { this.element.replaceChildren(el('p', { class: 'note' }, 'This run has no tables.')); return; }
    const options = /** @type {[string, string][]} */ (tables.map((/** @type {any} */ t, /** @type {number} */ i) => [String(i), t.name]));
    const index = Math.min(Number(this.chosen), tables.length - 1), name = tables[index].name, table = await this.read(index);
    const list = choose('Table', options, String(index), (value) => { this.chosen = value; this.column = ''; this.show(); });
    const box = el('div', { class: 'row' }, list);
    if (name === 'walls') {
      const columns = table.names.slice(3), picked = columns.includes(this.column) ? this.column : 'force_z';
      box.append(choose('Quantity', columns.map((c) => [c, c]), picked, (value) => { this.column = value; this.show(); }));
      const walls = [...new Set(table.rows.map((row) => row[2]))].slice(0, MOST_LINES);
      this.draw([this.plot(`${picked} on walls`, unitOf(name, picked), walls.map((wall) => ({ name: wall, ...this.series(table, picked, wall) })))], box);
      return;
    }
    const groups = new Map();
    for (const column of table.names.filter((c) => c !== 'time' && c !== 'step')) {
      const line = { name: column, ...this.series(table, column) };
      if (!line.values.some((v) => Number.isFinite(v) && v !== 0)) continue;
      const kind = name === 'energy' ? (/loss|work|inserted/.test(column) ? 'Dissipation and work' : column === 'closure_error' ? 'Energy error' : 'Energy by kind') : `${name.replace(/^.*\//, '')}: ${unitOf(name, column) || column}`;
      groups.set(kind, [...(groups.get(kind) ?? []), line].slice(0, MOST_LINES));
    }
    this.draw([...groups].map(([title, lines]) => this.plot(title, unitOf(name, lines[0].name), lines)), box);
  }

  /** @param {any[]} plots @param {HTMLElement} box */
  draw(plots, box) {
    for (const old of this.shown) old.chart.destroy();
    this.shown = plots;
    this.element.replaceChildren(box, ...plots.map((plot) => plot.element));
    this.mark();
  }

  /** @param {string} title @param {string} unit @param {{ name: string, times: number[], values: number[] }[]} lines */
  plot(title, unit, lines) {
    const element = el('div', { class: 'plot' }, el('h3', {}, unit ? `${title} [${unit}]` : title)), dark = this.app.isDark;
    const color = (/** @type {number} */ i) => `rgb(${PALETTE[i % 10].join()})`, axis = dark ? '#a3afbd' : '#556274', grid = dark ? '#323c48' : '#e3e8ee';
    const options = { width: Math.max(200, byId('panel').clientWidth - 32), height: HEIGHT, legend: { show: false }, cursor: { y: false, drag: { x: false, y: false } }, scales: { x: { time: false } },
      axes: [{ stroke: axis, grid: { stroke: grid, width: 1 }, size: 26 }, { stroke: axis, grid: { stroke: grid, width: 1 }, size: 52, values: (/** @type {any} */ _, /** @type {number[]} */ v) => v.map((x) => (x === null ? '' : short(Number(x.toPrecision(3))).replace(/\.0+$/, ''))) }],
      series: [{}, ...lines.map((_, i) => ({ stroke: color(i), width: 1.5, spanGaps: false }))],
      hooks: { draw: [(/** @type {any} */ u) => this.timeMark(u)] } };
    const chart = new UPlot(options, [lines[0]?.times ?? [], ...lines.map((line) => line.values.map((v) => (Number.isFinite(v) ? v : null)))], element);
    chart.over.addEventListener('click', (/** @type {MouseEvent} */ e) => this.app.goToTime(chart.posToVal(e.offsetX, 'x')));
    element.append(el('div', { class: 'legend' }, ...lines.map((line, i) => { const dot = el('span', { class: 'swatch' }); dot.style.background = color(i); return el('span', {}, dot, line.name); })));
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

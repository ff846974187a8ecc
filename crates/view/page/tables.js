// @ts-check
// Tables of a run: read once and then only their new rows, as columns of numbers.

/** @typedef {{ names: string[], columns: number[][], walls: string[], bytes: number }} Table */

/** @param {string} line */
const cells = (line) => (line.includes('"') ? [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) => m[1].replace(/^"|"$/g, '').replace(/""/g, '"')).slice(0, -1) : line.split(','));

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

export class Tables {
  /** @param {any} source */
  constructor(source) {
    this.source = source;
    /** @type {Map<number, Promise<Table>>} */
    this.kept = new Map();
  }

  /** The table now. @param {number} index @returns {Promise<Table>} */
  read(index) {
    const before = this.kept.get(index) ?? Promise.resolve({ names: [], columns: [], walls: [], bytes: 0 });
    const now = before.then((table) => this.extend(index, table));
    this.kept.set(index, now);
    now.catch(() => this.kept.delete(index));
    return now;
  }

  /** @param {number} index @param {Table} table */
  async extend(index, table) {
    // The server sends a long table in parts.
    for (;;) {
      const text = await this.source.table(index, table.bytes);
      if (!text) return table;
      const lines = text.split('\n').filter(Boolean);
      if (!table.names.length) { table.names = cells(lines.shift() ?? ''); table.columns = table.names.map(() => []); }
      const where = table.names.indexOf('wall');
      for (const line of lines) {
        const row = cells(line);
        if (where >= 0) table.walls.push(row[where] ?? '');
        table.columns.forEach((column, i) => column.push(row[i] === '' || row[i] === undefined ? NaN : Number(row[i])));
      }
      table.bytes += new TextEncoder().encode(text).length;
    }
  }
}

/** A column over time, of one wall if it is named. @param {Table} table @param {string} name @param {string} [wall] */
export function series(table, name, wall) {
  const all = table.columns[table.names.indexOf('time')] ?? [], column = table.columns[table.names.indexOf(name)] ?? [];
  if (wall === undefined) return { times: all, values: column };
  const rows = [...table.walls.keys()].filter((row) => table.walls[row] === wall);
  return { times: rows.map((row) => all[row]), values: rows.map((row) => column[row]) };
}

/** Index of the last of ascending numbers that is not above a limit; -1 if there is none. @param {ArrayLike<number>} numbers @param {number} limit */
export function lastUpTo(numbers, limit) {
  let low = 0, high = numbers.length;
  while (low < high) { const middle = (low + high) >> 1; if (numbers[middle] <= limit) low = middle + 1; else high = middle; }
  return low - 1;
}

/** Size of the force on each wall, or its work, at a time, and the largest of the run. @param {Table} table @param {number} time @param {string[]} walls @param {string} what `force` or `work` */
export function wallValues(table, time, walls, what) {
  const parts = (what === 'work' ? ['work'] : ['force_x', 'force_y', 'force_z']).map((name) => table.columns[table.names.indexOf(name)] ?? []);
  const size = (/** @type {number} */ row) => Math.hypot(...parts.map((part) => part[row]));
  const times = table.columns[table.names.indexOf('time')] ?? [], found = walls.map(() => NaN);
  let top = 0;
  for (let row = 0; row < table.walls.length; row++) { const value = size(row); if (value > top) top = value; }
  // Rows of the same time are consecutive, one for each wall.
  const last = lastUpTo(times, time * (1 + 1e-9));
  for (let row = last; row >= 0 && times[row] === times[last]; row--) { const wall = walls.indexOf(table.walls[row]); if (wall >= 0) found[wall] = size(row); }
  return { values: found, top };
}

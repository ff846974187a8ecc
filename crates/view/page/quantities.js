// @ts-check
// Quantities by which particles can be coloured: columns of the run, their components, displacements.

/** @typedef {{ name: string, label: string, unit: string, components: number }} Quantity */

/** @param {any} info @param {string} color @returns {Quantity} */
export function quantityOf(info, color) {
  const [name, axis] = color.split('.');
  if (name.startsWith('displacement')) return { name: color, label: axis ? `displacement ${axis}` : 'displacement', unit: 'm', components: axis ? 1 : 3 };
  const found = info.columns.find((/** @type {Quantity} */ c) => c.name === name);
  return { name, label: axis ? `${name} ${axis}` : found?.label ?? name, unit: found?.unit ?? '', components: axis ? 1 : found?.components ?? 1 };
}

/** Whether a quantity is the magnitude of a vector, which starts from zero. @param {any} info @param {string} color */
export const isMagnitude = (info, color) => quantityOf(info, color).components !== 1;

/** Names and labels. @param {any} info @param {number | null} since the frame that displacements refer to @returns {[string, string][]} */
export function quantitiesOf(info, since) {
  /** @type {[string, string][]} */
  const out = [];
  for (const c of /** @type {Quantity[]} */ (info.columns)) {
    out.push([c.name, c.label]);
    if (c.components === 3) for (const axis of 'xyz') out.push([`${c.name}.${axis}`, `${c.name} ${axis}`]);
  }
  if (since !== null && info.times.length > 1) out.push([`displacement@${since}`, `displacement since frame ${since}`]);
  return out;
}

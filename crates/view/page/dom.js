// @ts-check
// Elements of the page. Text is inserted as text, never as markup.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} [attributes] handlers begin with `on` @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value;
    else if (typeof value === 'boolean') { if (value) element.setAttribute(name, ''); } else if (value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) => /** @type {Node | string} */ (child)));
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} label @param {...(Node | string)} children */
export const row = (label, ...children) => el('div', { class: 'row' }, el('span', { class: 'label' }, label), ...children);

/** @param {string} label @param {boolean} value @param {(on: boolean) => void} change */
export function check(label, value, change) {
  const box = el('input', { type: 'checkbox', onchange: () => change(box.checked) });
  box.checked = value;
  return el('label', { class: 'wide' }, box, label);
}

/** @param {string} label for screen readers @param {[string, string][]} options value and text @param {string} value @param {(value: string) => void} change */
export function choose(label, options, value, change) {
  const list = el('select', { 'aria-label': label, onchange: () => change(list.value) }, ...options.map(([v, text]) => el('option', { value: v }, text)));
  list.value = value;
  return list;
}

/** @param {string} label @param {number} value @param {(value: number) => void} change */
export function number(label, value, change) {
  const input = el('input', { type: 'number', step: 'any', 'aria-label': label, onchange: () => { if (Number.isFinite(input.valueAsNumber)) change(input.valueAsNumber); } });
  input.value = Number.isFinite(value) ? String(Number(value.toPrecision(5))) : '';
  return input;
}

/** @param {string} label @param {number} low @param {number} high @param {number} value @param {(value: number) => void} change */
export function slider(label, low, high, value, change) {
  const input = el('input', { type: 'range', min: low, max: high, step: (high - low) / 500 || 1, 'aria-label': label, oninput: () => change(input.valueAsNumber) });
  input.value = String(value);
  return input;
}

/** A message over the page. @param {string} text */
export function notice(text) {
  const box = byId('notice');
  box.replaceChildren(text, el('button', { 'aria-label': 'Close', onclick: () => { box.hidden = true; } }, '×'));
  box.hidden = false;
}

/** For screen readers. @param {string} text */
export const speak = (text) => { byId('spoken').textContent = text; };

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

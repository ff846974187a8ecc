// @ts-check
// Without WebGL2: the program draws the pictures; the page says why and what can be done.
import { byId, el, notice } from './dom.js';

const REASON = 'This browser has no WebGL2, so that particles cannot be drawn here. The pictures below are drawn by Esker itself. '
  + 'To get the full viewer, allow hardware acceleration in the settings of the browser, or start Chrome with --enable-unsafe-swiftshader.';

/** @param {any} source @param {any} info */
export async function showPictures(source, info) {
  byId('title').textContent = info.title || 'Esker';
  notice(REASON);
  byId('panel').hidden = true;
  const picture = el('img', { alt: 'Picture of the particles' }), label = el('span', { class: 'time' });
  byId('stage').replaceChildren(el('div', { class: 'view' }, picture));
  let frame = Math.max(0, info.times.length - 1), angle = -1.05;
  const show = async () => {
    try {
      const c = Math.cos(0.36), camera = [c * Math.cos(angle), c * Math.sin(angle), Math.sin(0.36), 0, 0, 1];
      picture.src = URL.createObjectURL(await source.picture(info.times.length ? frame : 'live', 'velocity', camera));
      label.textContent = `t = ${info.times[frame] ?? 0} s`;
    } catch (error) { notice(`${REASON}\n${/** @type {Error} */ (error).message}`); }
  };
  const go = (/** @type {number} */ by) => el('button', { onclick: () => { frame = Math.max(0, Math.min(info.times.length - 1, frame + by)); show(); } }, by < 0 ? '◀' : '▶');
  const turn = (/** @type {number} */ by) => el('button', { 'aria-label': 'Rotate', onclick: () => { angle += by; show(); } }, by < 0 ? '↶' : '↷');
  byId('timeline').replaceChildren(el('div', { class: 'controls' }, go(-1), go(1), turn(-0.4), turn(0.4), label));
  await show();
}

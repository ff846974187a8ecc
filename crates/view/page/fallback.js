// @ts-check
// Without WebGL2: the server draws the pictures; the page states the reason and a remedy.
import { byId, choose, el, notice } from './dom.js';
import { short } from './colors.js';
import { isMagnitude, quantitiesOf, quantityOf } from './quantities.js';

const REASON = 'This browser has no WebGL2, which the viewer needs to draw particles. ';
const ADVICE = 'To get the full viewer, turn on hardware acceleration in the settings of the browser, or start Chrome with --enable-unsafe-swiftshader.';

/** @param {any} source @param {any} info */
export async function showPictures(source, info) {
  byId('title').textContent = info.title || 'Esker';
  byId('panel').hidden = true;
  for (const id of ['fit', 'save', 'help-button', 'panel-button']) byId(id).hidden = true;
  const banner = el('p', { class: 'banner', role: 'alert' }, `${REASON}${source.isEmbedded ? 'The pictures of the report show the same run. ' : 'Esker draws the pictures below instead. '}${ADVICE}`);
  byId('stage').classList.add('column');
  byId('stage').replaceChildren(banner);
  if (source.isEmbedded) return;
  const picture = el('img', { alt: 'Picture of the particles' }), label = el('span', { class: 'time', role: 'status' }), meaning = el('span', { class: 'note' });
  byId('stage').append(el('div', { class: 'view' }, picture));
  const last = info.times.length - 1, up = info.gravity.every((/** @type {number} */ g) => g === 0) ? [0, 0, 1] : info.gravity.map((/** @type {number} */ g) => -g);
  let frame = Math.max(0, last), angle = -1.05, color = 'velocity', url = '';
  const slider = el('input', { type: 'range', min: 0, max: Math.max(0, last), 'aria-label': 'Frame', onchange: () => { frame = slider.valueAsNumber; show(); } });
  const show = async () => {
    try {
      const c = Math.cos(0.36), isUp = up[2] > 0 && up[0] === 0 && up[1] === 0;
      const camera = isUp ? [c * Math.cos(angle), c * Math.sin(angle), Math.sin(0.36), 0, 0, 1] : [];
      const ends = color === 'group' ? [0, 1] : await source.range(color), low = isMagnitude(info, color) ? 0 : ends[2] ?? ends[0], high = ends[3] ?? ends[1];
      const blob = await source.picture(last >= 0 ? frame : 'live', color, [low, high], camera);
      URL.revokeObjectURL(url);
      picture.src = url = URL.createObjectURL(blob);
      slider.value = String(frame);
      label.textContent = `t = ${Number((info.times[frame] ?? 0).toPrecision(5))} s   ${frame + 1} / ${Math.max(1, last + 1)}`;
      const { label: name, unit } = quantityOf(info, color);
      meaning.textContent = color === 'group' ? 'coloured by group' : `${name} from ${short(low)} (dark) to ${short(high)} ${unit} (bright)`;
    } catch (error) { notice(/** @type {Error} */ (error).message); }
  };
  const go = (/** @type {number} */ by, /** @type {string} */ name) => el('button', { 'aria-label': name, title: name, onclick: () => { frame = Math.max(0, Math.min(last, frame + by)); show(); } }, by < 0 ? '‹' : '›');
  const turn = (/** @type {number} */ by, /** @type {string} */ name) => el('button', { 'aria-label': name, title: name, onclick: () => { angle += by; show(); } }, by < 0 ? '↶' : '↷');
  const colors = choose('Colour by', [['group', 'group'], ...quantitiesOf(info, null)], color, (value) => { color = value; show(); });
  byId('timeline').replaceChildren(slider, el('div', { class: 'controls' }, go(-1, 'Previous frame'), go(1, 'Next frame'), turn(-0.4, 'Rotate to the left'), turn(0.4, 'Rotate to the right'), colors, label, meaning));
  await show();
}

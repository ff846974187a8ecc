// @ts-check
// Keys, and the dialog that lists them.
import { byId, el, notice } from './dom.js';

/** @param {any} app @returns {Record<string, [string, () => void]>} */
function actions(app) {
  const { timeline, state, camera } = app, toggle = (/** @type {string} */ key, data = false) => () => { state[key] = !state[key]; app.changed(data); app.panel.rebuild(); };
  const turn = (/** @type {number} */ x, /** @type {number} */ y) => () => { camera.orbit(x, y); app.cameraChanged(); };
  const none = () => notice('This page holds no orientations and velocities.');
  const zoom = (/** @type {number} */ f) => () => { camera.zoom(f, 0, 0, 1); app.cameraChanged(); };
  return {
    ' ': ['play or pause', () => timeline.toggle()], ',': ['previous frame', () => timeline.step(-1)], '.': ['next frame', () => timeline.step(1)],
    Home: ['first frame', () => timeline.step(-Infinity)], End: ['last frame', () => timeline.step(Infinity)], l: ['follow a running run', () => timeline.live(!timeline.follows)],
    ArrowLeft: ['rotate', turn(-0.12, 0)], ArrowRight: ['rotate', turn(0.12, 0)], ArrowUp: ['rotate', turn(0, 0.12)], ArrowDown: ['rotate', turn(0, -0.12)],
    '+': ['zoom in', zoom(0.85)], '-': ['zoom out', zoom(1 / 0.85)], a: ['show everything', () => app.fit()], f: ['show the picked particle', () => app.fit(true)],
    x: ['view along x', () => app.look('+x')], y: ['view along y', () => app.look('+y')], z: ['view along z', () => app.look('+z')],
    X: ['view against x', () => app.look('-x')], Y: ['view against y', () => app.look('-y')], Z: ['view against z', () => app.look('-z')], i: ['isometric view', () => app.look('iso')],
    o: ['orthographic', toggle('ortho')], t: ['time and axes', toggle('axes')], b: ['domain box', toggle('domain')],
    c: ['contacts', () => { state.contacts = state.contacts === 'off' ? 'all' : 'off'; app.changed(true); app.panel.rebuild(); }],
    v: ['particles', toggle('particles')], m: ['marks', app.main.info.motion === false ? none : toggle('marks', true)], g: ['velocity glyphs', app.main.info.motion === false ? none : toggle('glyphs', true)], k: ['clip plane', () => { state.clip = state.clip === 'off' ? 'plane' : 'off'; app.changed(); app.panel.rebuild(); }],
    w: ['walls: next style', () => { const all = ['auto', 'glass', 'solid', 'hidden']; state.walls = all[(all.indexOf(state.walls) + 1) % 4]; app.changed(); app.panel.rebuild(); }],
    n: ['colour by the next quantity', () => app.nextColor()], r: ['ruler', () => app.toggleRuler()], '/': ['find a particle by id', () => { if (byId('panel').hidden) byId('panel-button').click(); app.panel.open.Particle = true; app.panel.rebuild(); app.inspector.find.focus(); }],
    Escape: ['deselect', () => app.select(-1)], p: ['save a picture', () => byId('save').click()], h: ['panel', () => byId('panel-button').click()], '?': ['this list', () => help(app)],
  };
}

const NAMES = /** @type {Record<string, string>} */ ({ ' ': 'space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' });

/** @param {any} app */
export function help(app) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('help'));
  const list = Object.entries(actions(app)).flatMap(([key, [text]]) => [el('dt', {}, el('kbd', {}, NAMES[key] ?? key)), el('dd', {}, text)]);
  dialog.replaceChildren(el('h2', {}, 'Keys'), el('dl', {}, ...list),
    el('p', {}, 'Drag to rotate, with the right button or shift to pan; the wheel zooms to the cursor. One finger rotates, two pan and zoom. Click a particle to see its data.'),
    el('form', { method: 'dialog' }, el('button', {}, 'Close')));
  dialog.showModal();
}

/** @param {any} app */
export function listenForKeys(app) {
  const act = actions(app);
  document.addEventListener('keydown', (e) => {
    const target = /** @type {HTMLElement} */ (e.target), isField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
    if (e.ctrlKey || e.metaKey || e.altKey || byId('help').hasAttribute('open')) return;
    if (isField && e.key !== 'Escape') return;
    if (target.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter')) return;
    if (target.tagName === 'SUMMARY' && (e.key === ' ' || e.key === 'Enter')) return;
    const found = act[e.key];
    if (found) { e.preventDefault(); found[1](); }
  });
}

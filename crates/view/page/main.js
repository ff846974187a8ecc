// @ts-check
// Start-up: the token, the sources, the application.
import { App } from './app.js';
import { byId, notice } from './dom.js';
import { EmbeddedSource } from './embedded.js';
import { HttpSource } from './source.js';
import { showPictures } from './fallback.js';

/** Whether the browser can draw: tested with a separate canvas. */
function canDraw() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const can = !!gl && !!gl.getExtension('EXT_color_buffer_float');
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return can;
}

/** The token comes after `#`; it moves to the storage of this tab and leaves the address. */
function takeToken() {
  const given = /[#&]token=([0-9a-f]{32})/.exec(location.hash);
  if (given) {
    sessionStorage.setItem('esker-token', given[1]);
    history.replaceState(null, '', location.pathname + location.search + location.hash.replace(/token=[0-9a-f]{32}&?/, '').replace(/^#$/, ''));
  }
  return sessionStorage.getItem('esker-token') ?? '';
}

/** @param {Element} element */
const seen = (element) => new Promise((done) => {
  const observer = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) { observer.disconnect(); done(null); } });
  observer.observe(element);
});

async function begin() {
  const data = document.getElementById('data');
  /** @type {any[]} */
  const sources = [], infos = [];
  let link = /[#&]v=([^&]*)/.exec(location.hash)?.[1] ?? '';
  if (data) {
    // A page that has never been visible holds no context: browsers drop the oldest of more than 16.
    await seen(byId('stage'));
    sources.push(await EmbeddedSource.open(data.textContent ?? ''));
    infos.push(await sources[0].info());
  } else {
    const token = takeToken(), isSlow = new URLSearchParams(location.search).get('positions') === 'u16';
    link = /[#&]v=([^&]*)/.exec(location.hash)?.[1] ?? '';
    sources.push(new HttpSource(0, token, isSlow));
    infos.push(await sources[0].info());
    for (let run = 1; run < (infos[0].runs ?? 1); run++) { sources.push(new HttpSource(run, token, isSlow)); infos.push(await sources[run].info()); }
    const mine = document.querySelector('meta[name=esker-version]')?.getAttribute('content');
    if (mine !== infos[0].version) notice('This page belongs to another version of Esker: reload it.');
  }
  if (!canDraw()) { await showPictures(sources[0], infos[0]); Object.assign(globalThis, { view: { settled: true, isFallback: true } }); return; }
  if (!infos[0].times.length && !infos[0].live) notice(infos[0].notes[0] ?? 'There is no frame yet.');
  const app = new App(sources, infos, link);
  Object.assign(globalThis, { view: app });
  await app.start();
}

begin().catch((error) => { notice(String(error?.message ?? error)); console.error(error); });

// @ts-check
// Finds hidden spheres in a worker, for 300 000 spheres or more.
import { visibleSpheres } from './cull.js';

/** @type {any} */
let data = { position: new Float32Array(0), count: 0, hidden: null };
let visible = new Uint32Array(0);

self.addEventListener('message', ({ data: message }) => {
  if (message.data) { data = message.data; return; }
  if (visible.length < data.count) visible = new Uint32Array(data.count);
  const list = visible.slice(0, visibleSpheres({ ...message.view, ...data }, visible));
  /** @type {any} */ (self).postMessage({ ticket: message.ticket, list }, [list.buffer]);
});

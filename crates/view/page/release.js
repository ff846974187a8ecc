// @ts-check
// A notebook may have many views, and a browser keeps about 16 contexts: a view that is scrolled out of sight releases
// its context and is replaced by a picture.
import { el } from './dom.js';

/** @param {import('./view.js').View} view */
export function releaseOutOfView(view) {
  const still = el('canvas', { class: 'still', 'aria-hidden': 'true' });
  view.element.prepend(still);
  const release = () => {
    const { canvas } = view, { gl } = view.renderer.context;
    if (!view.bundle || view.isLost || view.app.recorder.isBusy) return;
    still.width = canvas.width; still.height = canvas.height;
    still.getContext('2d')?.drawImage(canvas, 0, 0);
    view.released = gl.getExtension('WEBGL_lose_context');
    view.released?.loseContext();
  };
  const resume = () => { const { released } = view; view.released = null; released?.restoreContext(); };
  new IntersectionObserver((entries) => { if (entries[entries.length - 1].isIntersecting) resume(); else release(); }).observe(view.element);
}

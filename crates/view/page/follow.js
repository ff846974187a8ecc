// @ts-check
// Follows a run in progress with one waiting request at a time. A slow page sends fewer requests; no queue builds up.

/** @param {any} app @param {any} view */
export async function follow(app, view) {
  const { source, info } = view;
  if (source.isEmbedded || (info.state !== 'running' && info.state !== 'stopped')) return;
  let step = 0, failures = 0;
  while (failures < 20) {
    try {
      const news = await source.next({ frames: info.times.length, step, state: info.state, contacts: app.state.contacts === 'off' ? 0 : 1, tables: info.tables.map((/** @type {any} */ t) => t.size).join() });
      failures = 0;
      await take(app, view, news);
      step = news.step ?? step;
      if (info.state !== 'running' && info.state !== 'stopped') return;
    } catch {
      failures++;
      await new Promise((done) => setTimeout(done, 500 * failures));
    }
    if (document.hidden) await new Promise((done) => document.addEventListener('visibilitychange', done, { once: true }));
  }
}

/** @param {any} app @param {any} view @param {any} news */
async function take(app, view, news) {
  const { info } = view, had = info.times.length, ended = info.state !== news.state;
  if (news.from < had) { view.frames.clear(); info.times.length = news.from; }
  for (const time of news.times) info.times.push(time);
  if (news.checkpoints) info.checkpoints = news.checkpoints;
  const grew = news.tables.length !== info.tables.length || news.tables.some((/** @type {number} */ size, /** @type {number} */ i) => size !== info.tables[i].size);
  const stage = view.bundle?.particles.stage, isNewStage = info.times.length > had && stage && !info.stages.some((/** @type {any} */ s) => s.name === stage);
  if (had === 0 && info.times.length || ended || isNewStage || news.tables.length !== info.tables.length) {
    const fresh = await view.source.info();
    Object.assign(info, fresh);
    app.describe(); app.panel.rebuild();
    if (info.failure && ended) { await app.goTo(info.times.length - 1); app.showFailure(); }
  } else news.tables.forEach((/** @type {number} */ size, /** @type {number} */ i) => { info.tables[i].size = size; });
  if (app.timeline.follows) await app.goToNewest();
  else if (had === 0 && info.times.length) await app.load();
  if (grew) {
    app.energy = await app.plots.energy();
    if (app.panel.open.Plots) await app.plots.show();
  }
  app.timeline.update();
}

// @ts-check
// Overlay of the picture: time, scalar bar, scale bar, axes, gravity, legend. The same function draws it on the screen,
// in pictures and in videos.
import { groupColor, scaleBytes, short, ticks } from './colors.js';
import { rotated } from './matrix.js';

/** @typedef {{ label: string, unit: string, low: number, high: number }} Bar */
/**
 * @typedef {object} OverlayInput
 * @property {import('./state.js').State} state @property {string} ink
 * @property {string} time @property {Bar | null} bar
 * @property {Bar | null} contactBar @property {Bar | null} wallBar
 * @property {string[]} groups @property {Float32Array} view @property {number} metresPerPixel @property {number[]} gravity
 * @property {{ x: number, y: number, text: string, ring?: number }[]} labels
 */

let rim = '#fffb';
const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';

/** @param {CanvasRenderingContext2D} g @param {number} width @param {number} height in pixels of the screen @param {OverlayInput} input */
export function drawOverlay(g, width, height, input) {
  g.save();
  rim = input.ink === '#26303c' ? '#fffb' : '#000a';
  g.fillStyle = g.strokeStyle = input.ink;
  g.textBaseline = 'middle';
  g.font = `600 13px ${FONT}`;
  write(g, input.time, 14, 18);
  g.font = `12px ${FONT}`;
  // Small bars stand side by side in the corner; the scalar bar has the space above them.
  const small = /** @type {[Bar, string][]} */ ([[input.contactBar, 'force'], [input.wallBar, input.state.scale]].filter(([bar]) => bar)), low = small.length ? 40 + smallHeight(height) : 0;
  if (input.bar) scalarBar(g, width, height - low, input.bar, input.state.scale, input.state.log);
  else if (input.state.color === 'group') legend(g, width, input.groups, input.state.hiddenGroups);
  small.forEach(([bar, scale], i) => smallBar(g, width - 130 * i, height, bar, scale));
  if (input.state.scaleBar && input.metresPerPixel > 0) scaleBar(g, height, input.metresPerPixel, input.state.ortho);
  if (input.state.axes) axes(g, height, input);
  for (const { x, y, text, ring } of input.labels) {
    const w = g.measureText(text).width;
    if (ring) { g.strokeStyle = '#ff1440'; g.lineWidth = 2; g.beginPath(); g.arc(x, y, Math.max(6, ring + 2), 0, 7); g.stroke(); }
    g.fillStyle = '#fffd'; g.fillRect(x + 9, y - 20, w + 8, 18);
    g.fillStyle = '#b0002a'; g.fillText(text, x + 13, y - 11);
    g.fillStyle = input.ink;
  }
  g.restore();
}

/** Text with a rim, readable on any ground. @param {CanvasRenderingContext2D} g @param {string} text @param {number} x @param {number} y */
function write(g, text, x, y) {
  g.save(); g.strokeStyle = rim; g.lineWidth = 3; g.lineJoin = 'round';
  g.strokeText(text, x, y); g.restore();
  g.fillText(text, x, y);
}

/** @param {CanvasRenderingContext2D} g @param {string} name @param {number} x @param {number} y @param {number} w @param {number} h */
function gradient(g, name, x, y, w, h) {
  const bytes = scaleBytes(/** @type {any} */ (name)), fill = g.createLinearGradient(0, y + h, 0, y);
  for (let i = 0; i < 256; i += 5) fill.addColorStop(i / 255, `rgb(${bytes[4 * i]},${bytes[4 * i + 1]},${bytes[4 * i + 2]})`);
  const ink = g.fillStyle;
  g.fillStyle = fill; g.fillRect(x, y, w, h);
  g.fillStyle = ink; g.globalAlpha = 0.35; g.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1); g.globalAlpha = 1;
}

/** @param {number} x */
const tickText = (x) => (x === 0 || (Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5) ? String(Number(x.toPrecision(4))) : short(x));

/** @param {CanvasRenderingContext2D} g @param {number} width @param {number} height @param {Bar} bar @param {string} scale @param {boolean} log */
function scalarBar(g, width, height, { label, unit, low, high }, scale, log) {
  const h = Math.max(40, Math.min(260, height * 0.5, height - 110)), x = width - 78, y = Math.max(54, (height - h) / 2);
  gradient(g, scale, x, y, 14, h);
  const name = unit ? `${label} [${unit}]` : label;
  g.font = `600 12px ${FONT}`; g.textAlign = 'right'; write(g, name, width - 14, y - 18);
  g.font = `12px ${FONT}`; g.textAlign = 'left';
  if (!(high > low)) { write(g, short(low), x + 20, y + h / 2); return; }
  const marks = log ? [low, Math.sqrt(low * high), high] : ticks(low, high, 5);
  for (const mark of marks) {
    const part = log ? Math.log(mark / low) / Math.log(high / low) : (mark - low) / (high - low), at = y + h * (1 - part);
    if (!(part >= -0.001 && part <= 1.001)) continue;
    g.fillRect(x + 14, at - 0.5, 4, 1);
    write(g, log ? short(mark) : tickText(mark), x + 21, at);
  }
}

/** @param {number} height of the picture */
const smallHeight = (height) => Math.min(90, height * 0.16);

/** @param {CanvasRenderingContext2D} g @param {number} width @param {number} height @param {Bar} bar @param {string} scale */
function smallBar(g, width, height, { label, unit, low, high }, scale) {
  const h = smallHeight(height), x = width - 78, y = height - h - 26;
  gradient(g, scale, x, y, 14, h);
  g.font = `600 12px ${FONT}`; g.textAlign = 'right'; write(g, `${label} [${unit}]`, width - 14, y - 14);
  g.font = `12px ${FONT}`; g.textAlign = 'left';
  write(g, short(high), x + 20, y + 4); write(g, short(low), x + 20, y + h - 4);
}

/** @param {CanvasRenderingContext2D} g @param {number} width @param {string[]} groups @param {number[]} hidden */
function legend(g, width, groups, hidden) {
  g.textAlign = 'right';
  groups.slice(0, 12).forEach((name, i) => {
    if (hidden.includes(i)) return;
    const ink = g.fillStyle;
    write(g, name.slice(0, 24), width - 34, 24 + 20 * i);
    g.fillStyle = groupColor(i); g.fillRect(width - 28, 17 + 20 * i, 14, 14);
    g.fillStyle = ink;
  });
  g.textAlign = 'left';
}

/** @param {CanvasRenderingContext2D} g @param {number} height @param {number} metres of a pixel @param {boolean} ortho */
function scaleBar(g, height, metres, ortho) {
  const most = metres * 140, power = 10 ** Math.floor(Math.log10(most)), size = (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power, w = size / metres, y = height - 20, x = 84;
  g.fillRect(x, y - 1, w, 2); g.fillRect(x, y - 5, 1.5, 10); g.fillRect(x + w - 1.5, y - 5, 1.5, 10);
  const unit = size >= 1 ? [1, 'm'] : size >= 1e-3 ? [1e3, 'mm'] : size >= 1e-6 ? [1e6, 'µm'] : [1e9, 'nm'];
  write(g, `${Number((size * Number(unit[0])).toPrecision(3))} ${unit[1]}${ortho ? '' : ' at the centre'}`, x, y - 11);
}

/** @param {CanvasRenderingContext2D} g @param {number} height @param {OverlayInput} input */
function axes(g, height, { view, gravity, state, ink }) {
  const x = 40, y = height - 40, directions = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], colors = ['#c0392b', '#2e8b3d', '#2c6fbb'];
  const down = Math.hypot(gravity[0], gravity[1], gravity[2]);
  const arrows = directions.map((d, i) => ({ d: rotated(view, d), color: colors[i], text: 'xyz'[i], size: 26 }));
  if (state.gravity && down > 0) arrows.push({ d: rotated(view, gravity.map((c) => c / down)), color: ink, text: 'g', size: 18 });
  arrows.sort((a, b) => a.d[2] - b.d[2]);
  g.lineWidth = 2; g.textAlign = 'center';
  for (const { d, color, text, size } of arrows) {
    const ex = x + size * d[0], ey = y - size * d[1];
    g.strokeStyle = g.fillStyle = color;
    g.beginPath(); g.moveTo(x, y); g.lineTo(ex, ey); g.stroke();
    write(g, text, x + (size + 8) * d[0], y - (size + 8) * d[1]);
  }
  g.fillStyle = g.strokeStyle = ink; g.textAlign = 'left';
}

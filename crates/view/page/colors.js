// @ts-check
// Colour scales: the one of the reports (a path through Oklab), grey, and a diverging one; colours of groups.

/** @typedef {'esker' | 'grey' | 'diverging'} ScaleName */

/** Colours that the colour blind can tell apart (Okabe and Ito), as in the reports; then colours of tubes. */
export const PALETTE = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233],
  [200, 30, 30], [255, 190, 0], [90, 100, 115], [30, 30, 30], [255, 45, 85], [255, 255, 255], [220, 60, 50], [60, 180, 75], [60, 100, 220], [128, 128, 128]];

/** Entries of the palette for tubes. */
export const SLIDING = 7;
export const TRAJECTORY = 10;
export const GLYPH = 9;
export const RULER = 10;

/** @param {number} lightness @param {number} a @param {number} b @returns {number[]} bytes of sRGB */
function oklab(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  return light.map((x) => {
    const c = Math.min(1, Math.max(0, x));
    return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
  });
}

/** @param {ScaleName} name @param {number} t from 0 to 1 */
function colorAt(name, t) {
  if (name === 'grey') return oklab(0.25 + 0.7 * t, 0, 0);
  if (name === 'diverging') {
    const side = 2 * t - 1, hue = side < 0 ? 255 : 35, c = 0.15 * Math.min(1, Math.abs(side) * 1.2), h = hue * Math.PI / 180;
    return oklab(0.94 - 0.5 * Math.abs(side), c * Math.cos(h), c * Math.sin(h));
  }
  const hue = (298 - 196 * t) * Math.PI / 180, chroma = 0.115 + 0.16 * (t - 0.45) ** 2;
  return oklab(0.36 + 0.54 * t, chroma * Math.cos(hue), chroma * Math.sin(hue));
}

/** 256 colours. @param {ScaleName | 'force'} name @returns {Uint8Array} */
export function scaleBytes(name) {
  const out = new Uint8Array(1024);
  for (let i = 0; i < 256; i++) {
    const t = i / 255;
    // Force chains: from pale red to dark red, beside any colour of particles.
    const color = name === 'force' ? oklab(0.72 - 0.27 * t, 0.10 + 0.10 * t, 0.06 + 0.04 * t) : colorAt(name, t);
    out.set([...color, 255], 4 * i);
  }
  return out;
}

export const paletteBytes = () => Uint8Array.from(PALETTE.flatMap((color) => [...color, 255]));

/** @param {number} index */
export const groupColor = (index) => `rgb(${PALETTE[index % 6].join()})`;

/** A number for people: three digits. @param {number} x */
export function short(x) {
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size >= 0.01 && size < 1e4) return x.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
  return x.toExponential(2).replace('e-', 'e−');
}

/** Round numbers between two ends. @param {number} low @param {number} high @param {number} most */
export function ticks(low, high, most) {
  const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw)), rest = raw / power;
  const step = (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10) * power, out = [];
  for (let x = Math.ceil(low / step - 1e-9) * step; x <= high + 1e-9 * step; x += step) out.push(Math.abs(x) < 1e-9 * step ? 0 : x);
  return out;
}

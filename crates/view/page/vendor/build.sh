#!/bin/sh
# Makes the vendored files from their npm packages, in an empty folder with npm. The results are committed; neither
# users nor CI run this.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
npm install --no-audit --no-fund uplot@1.6.32 mediabunny@1.61.0 esbuild@0.28.2
# uPlot: the file as published, and one line that makes it a module.
{ cat node_modules/uplot/dist/uPlot.iife.min.js; echo; echo 'export const UPlot = uPlot;'; } > "$here/uPlot.js"
# mediabunny: what writing MP4 needs.
echo "export { Output, Mp4OutputFormat, BufferTarget, CanvasSource } from 'mediabunny';" > entry.js
npx esbuild entry.js --bundle --minify --format=esm --legal-comments=none --outfile="$here/mediabunny.js"
{ echo "uPlot 1.6.32, MIT"; echo; cat node_modules/uplot/LICENSE; echo
  echo "mediabunny 1.61.0, MPL-2.0: the source is the npm package mediabunny@1.61.0"; echo
  cat node_modules/mediabunny/LICENSE; } > "$here/LICENSES"
cd "$here" && sha256sum uPlot.js mediabunny.js LICENSES > SHA256SUMS

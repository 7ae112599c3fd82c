// Write the script that draws in pages, and the licences of what is in it. `npm ci && npm run build`
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("node_modules/plotly.js/package.json", "utf8"));
const DESCRIPTION = /\bdescription:\s*(?:\[[^\]]*?\]\s*\.join\([^)]*\)|'(?:[^'\\\n]|\\.)*')/g;

// plotly.js strips these texts from its own minified bundles too.
const withoutDescriptions = {
  name: "without-descriptions",
  setup: ({ onLoad }) =>
    onLoad({ filter: /plotly\.js[\\/]src[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(DESCRIPTION, "description: ''"),
    })),
};

const script = "../plotly.min.js";
const { metafile } = await build({
  entryPoints: ["entry.cjs"],
  outfile: script,
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "Plotly",
  define: { global: "window" },
  loader: { ".css": "empty" },
  legalComments: "none",
  banner: { js: `/* plotly.js v${version}, in part: see bundle/ and LICENSES/plotly.js.txt */` },
  plugins: [withoutDescriptions],
  metafile: true,
});

const packages = Object.entries(metafile.outputs[script].inputs)
  .filter(([path, { bytesInOutput }]) => bytesInOutput && !path.endsWith(".css"))
  .map(([path]) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1])
  .filter(Boolean);
const licences = [...new Set(packages)].sort().map((name) => {
  const home = `node_modules/${name}`;
  const { version: its, license, author } = JSON.parse(readFileSync(`${home}/package.json`, "utf8"));
  const file = readdirSync(home).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? readFileSync(`${home}/${file}`, "utf8").trim() : `By ${author?.name ?? author}; no text of the licence comes with it.`;
  return `${name} ${its} (${license})\n${"=".repeat(60)}\n${text.replace(/\r/g, "")}\n`;
});
writeFileSync("../../../LICENSES/plotly.js.txt", licences.join("\n\n"));

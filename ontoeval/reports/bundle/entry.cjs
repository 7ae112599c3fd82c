// plotly.js/src/core.js, with the components and traces that ontoeval/reports/plots.py uses.
const { register } = require("plotly.js/src/registry");
const api = require("plotly.js/src/plot_api");

require("plotly.js/build/plotcss");
exports.react = api.react;
for (const [name, fn] of Object.entries(api)) register({ moduleType: "apiMethod", name, fn });
register([
  require("plotly.js/src/components/annotations"),
  require("plotly.js/src/components/shapes"),
  require("plotly.js/src/components/errorbars"),
  require("plotly.js/src/components/colorscale"),
  require("plotly.js/src/components/colorbar"),
  require("plotly.js/src/components/legend"), // after shapes, whose defaults it reads
  require("plotly.js/src/components/fx"), // after the legend, for the same reason
  require("plotly.js/src/components/modebar"),
  require("plotly.js/src/locale-en"),
  require("plotly.js/src/locale-en-us"),
  require("plotly.js/lib/scatter"),
  require("plotly.js/lib/bar"),
  require("plotly.js/lib/heatmap"),
  require("plotly.js/lib/icicle"),
]);

"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const content = JSON.parse(document.getElementById("data").textContent);

  // Lists that several views share are kept once: {"$": place} stands for them.
  const whole = (value) => {
    if (Array.isArray(value)) return value.map(whole);
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return whole(content.lists[value.$]);
    if ("at" in value && "of" in value) return whole(value.at).map((place) => whole(value.of)[place]);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)]));
  };
  const make = (tag, text, name) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text; // never as HTML
    if (name) element.className = name;
    return element;
  };

  // --- Light and dark -------------------------------------------------------------------------------------
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  let printing = false;
  const dark = () => !printing && (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const SCALES_IN_THE_DARK = {
    amount: ["#171c24", "#16334d", "#1b5279", "#2b76a8", "#59a0cb", "#9dcbe6", "#e6f4fc"],
    direction: ["#f0a54a", "#b8721c", "#6b4517", "#1c212a", "#1b4a6e", "#3583bb", "#8cc8f0"],
  };
  const INK_IN_THE_DARK = { "#0072B2": "#56B4E9", "#D55E00": "#FF9D5C", "#009E73": "#3CC79B", "#56B4E9": "#B4DDF7", "#171b22": "#F0E442" };

  // Black or white, whichever is read better: on any colour one of them has a contrast of 4.58 or more.
  const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const ink = (rgb) => {
    const [red, green, blue] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.1791 ? "#000000" : "#ffffff";
  };
  const inks = ({ colorscale, cmin, cmax }) => {
    const stops = colorscale.map(([place, colour]) => [place, parts(colour)]);
    return (value) => {
      if (typeof value === "string") return ink(parts(value));
      const at = Math.min(1, Math.max(0, (value - cmin) / (cmax - cmin) || 0));
      const next = Math.max(1, stops.findIndex(([place]) => place >= at));
      const [[start, from], [end, to]] = [stops[next - 1], stops[next]];
      return ink(from.map((part, which) => part + ((at - start) / (end - start)) * (to[which] - part)));
    };
  };

  const themed = (plot) => {
    const style = getComputedStyle(root);
    const colour = (name) => (printing ? { ink: "#000", soft: "#333", line: "#cccccc", paper: "#fff", raised: "#fff" }[name] : style.getPropertyValue(`--${name}`).trim());
    const axis = { gridcolor: colour("line"), linecolor: colour("line"), zerolinecolor: colour("line"), tickcolor: colour("line") };
    const { data, layout } = structuredClone(plot);
    const axes = Object.keys(layout).filter((key) => /^[xy]axis/.test(key));
    for (const key of axes) layout[key] = { ...axis, ...layout[key] };
    layout.font = { ...layout.font, color: colour("ink") };
    layout.hoverlabel = { ...layout.hoverlabel, bgcolor: colour("raised"), bordercolor: colour("line"), font: { color: colour("ink") } };
    layout.modebar = { bgcolor: "rgba(0,0,0,0)", color: colour("soft"), activecolor: colour("ink") };
    const scale = SCALES_IN_THE_DARK[layout.meta?.scale];
    if (dark() && scale) {
      const stops = layout.coloraxis.colorscale;
      layout.coloraxis.colorscale = scale.map((name, place) => [stops[place][0], name]);
    }
    for (const trace of data) {
      if (trace.type === "icicle") {
        trace.marker.colors = trace.marker.colors.map((value) => (typeof value === "string" ? colour("line") : value));
        trace.marker.line.color = colour("line"); // what has next to nothing is as pale as paper
        trace.textfont = { color: trace.marker.colors.map(inks(layout.coloraxis)) };
        trace.pathbar.textfont = trace.textfont;
      }
      if (!dark()) continue;
      for (const part of [trace.marker, trace.line, trace.error_x]) {
        if (part && INK_IN_THE_DARK[part.color]) part.color = INK_IN_THE_DARK[part.color];
      }
      if (trace.fillcolor?.startsWith("rgba(0,")) trace.fillcolor = "rgba(86,180,233,0.25)";
    }
    return { data, layout };
  };

  // The buttons of a figure lie above what they are for. Where a page is narrow, names are shortened (the whole
  // one is shown where the mouse is), and numbers that nobody could read are left out of cells.
  const BUTTONS = 34;
  const NARROW = 620;
  const TALLEST = 640; // on paper, so that the heads of a section and its first figure share a page
  const cut = (text, longest, end) => { // in the middle: names often differ at their ends alone
    const signs = text.match(/&#?\w+;|[^]/gu) ?? [];
    if (signs.length <= longest) return text;
    return [...signs.slice(0, longest - 1 - end), "…", ...signs.slice(signs.length - end)].join("");
  };
  const shortened = (texts, longest) => { // more of their ends stays where names would look alike
    if (texts[0]?.includes("<br>")) return texts.map((text) => wrapped(text.replaceAll("<br>", " ").split(" "), longest));
    const all = texts.map((text) => text.split(/( → | − )/)); // of two names something of both stays
    const most = all.some((names) => names.length > 1) ? Math.floor((longest - 3) / 2) : longest;
    const found = (end) => all.map((names) => names.map((name, at) => (at % 2 ? name : cut(name, most, end))).join(""));
    const least = Math.floor((most - 1) / 4);
    for (let end = least; end < most - 1; end += 1) if (new Set(found(end)).size === new Set(texts).size) return found(end);
    return found(least);
  };
  const wrapped = (words, longest) => words.reduce((lines, word) => {
    const last = `${lines.at(-1)} ${word}`;
    return last.length > longest ? [...lines, word] : [...lines.slice(0, -1), last.trim()];
  }, [""]).join("<br>");
  const scaleAbove = (layout, width) => width < NARROW && layout.coloraxis; // there it takes nothing from what it is for
  const roomAbove = (data, layout, width) => {
    const taken = data[0]?.type === "icicle" ? 0 : (layout.margin?.t ?? 0); // the way to a branch needs its own
    return Math.max(0, (scaleAbove(layout, width) ? BUTTONS + 16 : printing ? 0 : BUTTONS) - taken);
  };
  // A number needs room for its minus sign too.
  const EM = 0.64; // width of a digit, as a part of the size of the font
  const longestNumber = ({ texttemplate, z, customdata }) => {
    const [, digits, percent] = texttemplate.match(/\.(\d)([f%])/);
    const numbers = texttemplate.includes("customdata") ? customdata.flat().map(([first]) => first) : z.flat();
    const longest = Math.max(0, ...numbers.map((number) => number?.toFixed(digits).length ?? 0));
    return longest + (percent === "%" ? 3 : 0);
  };
  const fit = (data, layout, width) => {
    const narrow = width < NARROW;
    const more = roomAbove(data, layout, width);
    if (printing && layout.height) layout.height = Math.min(layout.height, TALLEST);
    if (printing && layout.uniformtext) layout.uniformtext = { ...layout.uniformtext, minsize: 7 };
    layout.margin = { ...layout.margin, t: (layout.margin?.t ?? 0) + more };
    if (layout.height) layout.height += more;
    let beside = 0;
    if (scaleAbove(layout, width)) {
      const left = { orientation: "h", xref: "container", x: 0, xanchor: "left", xpad: 8, len: 0.45 * width };
      layout.coloraxis.colorbar = { ...layout.coloraxis.colorbar, ...left, yref: "container", y: 1, yanchor: "top", ypad: 6, nticks: 4 };
    }
    for (const [key, axis] of Object.entries(layout)) {
      if (!/^[xy]axis/.test(key)) continue;
      if (axis.title?.text) axis.title.text = wrapped(axis.title.text.split(" "), (key[0] === "x" ? 0.7 * width : layout.height) / 9);
      if (!axis.ticktext) continue;
      if (narrow) axis.ticktext = shortened(axis.ticktext, key[0] === "y" ? Math.floor(width / 17) : 14);
      if (narrow && key[0] === "x") axis.tickangle = -90;
      const lines = axis.ticktext.flatMap((text) => text.split("<br>"));
      if (key[0] === "y") beside = 7 * lines.reduce((most, text) => Math.max(most, text.length), 0);
    }
    const room = Math.min(width, layout.meta?.widest ?? width) - beside - (narrow ? 20 : 80);
    for (const [key, axis] of Object.entries(layout)) {
      if (!/^xaxis/.test(key) || !axis.ticktext) continue;
      // Every second name, or third, where not all have room beside each other.
      const step = Math.max(1, Math.ceil(((axis.tickfont.size + 2) * axis.tickvals.length) / room));
      for (const part of ["tickvals", "ticktext"]) axis[part] = axis[part].filter((_, at) => at % step === 0);
    }
    for (const trace of data) {
      if (trace.type === "heatmap" && trace.texttemplate) {
        const [from, to] = layout.xaxis.range; // beyond the cells where a tree stands beside them
        const wide = EM * longestNumber(trace);
        const size = [12, 11, 10, 9].find((one) => one * wide + 2 <= room / (to - from));
        if (size) trace.textfont = { size };
        else delete trace.texttemplate;
      }
      if (trace.type !== "icicle") continue;
      const most = Math.floor((width - (narrow ? 0 : 70)) / layout.meta.levels / 6.5) - 1;
      trace.labels = shortened(trace.labels, Math.max(4, most));
    }
  };
  // Numbers in the cells of a matrix, in the ink of each: plotly would write them in one grey.
  const numbered = (trace, layout) => {
    if (trace.type !== "heatmap" || !trace.texttemplate) return [trace];
    const { texttemplate, ...cells } = trace;
    const other = texttemplate.includes("customdata");
    const known = cells.x.flatMap((x, column) => cells.y.map((y, row) => {
      const value = cells.z[column][row];
      return [x, y, value, other ? cells.customdata[row][column][0] : value];
    })).filter(([, , value]) => value !== null && Math.abs(value) >= layout.meta.blank);
    return [cells, {
      type: "scatter", mode: "text", hoverinfo: "skip",
      x: known.map(([x]) => x), y: known.map(([, y]) => y), customdata: known.map(([, , , told]) => told),
      texttemplate: texttemplate.replace(/%{(z|customdata\[0\])/, "%{customdata"),
      textfont: { ...cells.textfont, color: known.map(([, , value]) => inks(layout.coloraxis)(value)) },
    }];
  };

  const heightOf = ({ data, layout }, width) => layout.height + roomAbove(data, layout, width);

  // Tiles are reached by keys as well: an arrow goes to the next one or the one before it and tells its numbers,
  // Enter does what a click does. A figure is a single stop of the tab key, however many tiles it has.
  const TO_THE_NEXT = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  const keysOfTiles = (place) => {
    const tiles = () => all("g.slice", place);
    const mouse = (tile, what) => tile.dispatchEvent(new MouseEvent(what, { bubbles: true }));
    const reachable = () => tiles().forEach((tile, at) => {
      tile.setAttribute("tabindex", at ? -1 : 0);
      tile.setAttribute("role", "button");
      tile.setAttribute("aria-label", tile.textContent);
      tile.style.outlineColor = getComputedStyle(tile.querySelector("text")).fill; // what is read well on the tile
    });
    place.on("plotly_afterplot", reachable);
    place.on("plotly_animated", () => { // a branch was opened: other tiles are there
      const had = place.contains(document.activeElement) || document.activeElement === document.body;
      reachable();
      if (had) tiles()[0]?.focus({ preventScroll: true });
    });
    place.addEventListener("focusin", ({ target }) => { if (target.matches("g.slice")) mouse(target, "mouseover"); });
    place.addEventListener("focusout", ({ target }) => { if (target.matches("g.slice")) mouse(target, "mouseout"); });
    place.addEventListener("keydown", (event) => {
      if (!event.target.matches("g.slice")) return;
      if (event.key === "Enter" || event.key === " ") mouse(event.target, "click");
      else if (event.key in TO_THE_NEXT) tiles()[tiles().indexOf(event.target) + TO_THE_NEXT[event.key]]?.focus();
      else return;
      event.preventDefault();
    });
  };

  // --- Samples behind a figure ----------------------------------------------------------------------------
  // A cell, a bar or a branch is chosen by a click, or in a list for keys and screen readers; a panel shows its samples.
  const KINDS = [["common", "✓"], ["missed", "−"], ["false", "+"]];
  const panel = make("dialog");
  panel.append(make("header"), make("p", "", "lead"), make("div", "", "cards"));
  panel.firstChild.append(make("h2"), make("button", "Close"));
  panel.querySelector("h2").id = "behind-title";
  panel.setAttribute("aria-labelledby", "behind-title");
  panel.querySelector("button").addEventListener("click", () => panel.close());
  panel.addEventListener("click", ({ target }) => { if (target === panel) panel.close(); });
  let pool;
  const number = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  const counted = (value, what) => `${number(value)} ${what}${value === 1 ? "" : "s"}`;
  const imageOf = (address, text) => {
    const picture = make("img");
    picture.alt = text;
    picture.referrerPolicy = "no-referrer";
    picture.addEventListener("error", () => picture.replaceWith(make("p", "There is no such picture.", "note")));
    picture.src = address;
    return picture;
  };
  const pictureOf = (address, asked, text) => {
    const place = make("div", undefined, "picture");
    const load = () => place.replaceChildren(imageOf(address, text));
    if (!asked) load();
    else {
      place.append(make("button", `Load picture from ${new URL(address).host}`));
      place.firstChild.type = "button";
      place.firstChild.addEventListener("click", load);
    }
    return place;
  };
  const cardOf = (sample, run, marked) => {
    const card = make("article", undefined, "card");
    card.append(make("header"));
    card.firstChild.append(make("h3"));
    card.querySelector("h3").append(make("bdi", pool.names[sample]));
    const [address, asked] = pool.pictures?.[sample] ?? [];
    if (address) card.append(pictureOf(address, asked, `Picture of ${pool.names[sample]}`));
    const at = run.samples.indexOf(sample);
    const [truth, wrong] = [run.truth[at], run.wrong[at]];
    const list = make("ul", undefined, "labels");
    [
      truth.filter((one) => !wrong.includes(one)),
      truth.filter((one) => wrong.includes(one)),
      wrong.filter((one) => !truth.includes(one)),
    ].forEach((labels, which) => labels.forEach((label) => {
      const [kind, sign] = KINDS[which];
      const item = make("li", undefined, kind);
      const within = [label, ...pool.above[label]].some((one) => marked.includes(pool.concepts[one]));
      const text = make(within && which ? "b" : "span");
      text.append(make("bdi", pool.concepts[label]));
      item.append(make("span", sign), " ", text, make("span", ` (${pool.meanings[which]})`, "unseen"));
      item.firstChild.setAttribute("aria-hidden", "true");
      list.append(item);
    }));
    card.append(list.childElementCount ? list : make("p", "No labels.", "fine"));
    return card;
  };
  const samplesBehind = (element, view) => {
    const bar = element.querySelector(".behind");
    if (!bar) return null;
    const [select, button, said] = ["select", "button", ".hint"].map((one) => bar.querySelector(one));
    const hint = said.textContent;
    let found;
    let names; // of what is behind a key: the true and the predicted concept, or the branch
    const fill = () => {
      const { samples, table } = view();
      found = samples && whole(samples);
      const some = Boolean(found?.keys.length);
      for (const one of [select, button]) one.disabled = !some;
      bar.hidden = !some;
      said.textContent = some ? hint : "";
      select.replaceChildren();
      if (!some) return;
      const { columns } = whole(table);
      const wide = columns.length - 1;
      names = {
        cell: (key) => [columns[0].values[Math.floor(key / wide)], columns[1 + (key % wide)].title],
        bar: (key) => [columns[0].values[key], columns[1].values[key]],
        branch: (key) => [columns[0].values[key]],
      }[found.kind];
      select.append(...found.keys.map((key, place) => {
        const option = make("option", `${names(key).join(" → ")} (${counted(found.n[place], content.samples.unit)})`);
        option.value = key;
        return option;
      }));
      const more = found.there - found.keys.length;
      if (more > 0) select.append(make("option", `… and ${number(more)} smaller, left out`));
      if (more > 0) select.lastChild.disabled = true;
    };
    const show = () => {
      pool ??= whole(content.samples);
      const place = found.keys.indexOf(Number(select.value));
      const [own, run, samples, n] = [names(found.keys[place]), pool.runs[found.run], found.samples[place], found.n[place]];
      const branch = found.kind === "branch";
      const title = own.flatMap((name, at) => [branch ? "Errors in " : `${at ? ", " : ""}${found.sides[at]} `, make("bdi", name)]);
      const mass = branch ? ` with ${counted(found.mass[place], "error")} in all` : `, mass ${number(found.mass[place])}`;
      const most = samples.length < n ? `; the ${samples.length} with the ${branch ? "most errors" : "largest mass"} are shown` : "";
      const legend = KINDS.map(([, sign], which) => `${sign} ${pool.meanings[which]}`).join(", ");
      panel.querySelector("h2").replaceChildren(...title);
      panel.querySelector(".lead").replaceChildren(make("bdi", run.name), `: ${counted(n, pool.unit)}${mass}${most}. ${legend}.`);
      panel.querySelector(".cards").replaceChildren(...samples.map((sample) => cardOf(sample, run, own)));
      const back = document.activeElement === document.body ? button : document.activeElement;
      panel.onclose = () => back.focus({ preventScroll: true });
      document.body.append(panel);
      panel.showModal();
      panel.scrollTop = 0;
    };
    button.addEventListener("click", show);
    const choose = (key) => {
      const there = found.keys.includes(key);
      if (there) select.value = key;
      const [own, other] = names(key);
      const none = own === other ? "right, and only errors lead to samples" : found.there > found.keys.length ? `only the ${found.keys.length} largest lead to samples` : "no samples";
      said.textContent = there ? hint : `${names(key).join(" → ")}: ${none}.`;
      return there;
    };
    const listen = (place) => {
      place.on("plotly_click", ({ points }) => {
        const point = points.find(({ data }) => data.type === "heatmap" || data.type === "bar");
        if (!point || button.disabled) return;
        const { data, x, y } = point;
        if (choose(data.type === "bar" ? y : data.y.indexOf(y) * data.x.length + data.x.indexOf(x))) show();
      });
      place.on("plotly_icicleclick", ({ points: [{ id, data }] }) => {
        const key = Number(id) - (data.ids.length - whole(view().table).columns[0].values.length);
        if (button.disabled || key < 0) return true; // a root of all is no concept
        const leaf = !data.parents.includes(id);
        if (choose(key) && leaf) show();
        return !leaf; // a branch is opened too
      });
    };
    return { fill, listen };
  };

  // --- Figures --------------------------------------------------------------------------------------------
  const ROWS = 200;
  const figures = all("[data-figure]").map((element) => {
    const views = content.figures[Number(element.dataset.figure)];
    const choices = all(".choices select", element);
    const place = element.querySelector(".plot");
    const details = element.querySelector("details.numbers");
    let seen = false;
    let keyed = false;
    const behind = samplesBehind(element, () => views[chosen()]);

    const chosen = () => choices.reduce((sum, select) => sum * select.options.length + select.selectedIndex, 0);
    const draw = () => {
      if (!place) return;
      const { plot } = views[chosen()];
      place.hidden = !plot;
      if (!plot || !seen) return;
      place.style.minHeight = plot.layout.height ? 0 : "";
      const { data: traces, layout } = themed(whole(plot));
      place.style.maxWidth = layout.meta?.widest ? `${layout.meta.widest}px` : "";
      fit(traces, layout, printing ? 660 : place.parentElement.clientWidth);
      const data = traces.flatMap((trace) => numbered(trace, layout));
      const width = printing ? { width: 660, autosize: false } : { autosize: true, width: undefined };
      Plotly.react(place, data, { ...layout, ...width }, {
        displaylogo: false, responsive: true, plotlyServerURL: "",
        // Those and no others: by default one of them sends the chart to a server.
        modeBarButtons: [layout.xaxis ? ["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"] : ["toImage"]],
        toImageButtonOptions: { format: "svg", filename: `figure-${element.dataset.figure}` },
      });
      if (data[0]?.type === "icicle" && !keyed) keysOfTiles(place);
      if (!keyed) behind?.listen(place);
      keyed = true;
    };
    const tabulate = () => {
      if (details?.open) showTable(details, whole(views[chosen()].table));
    };
    const change = () => {
      const now = chosen();
      for (const select of choices) select.parentElement.dataset.chosen = select.value;
      for (const panel of all("[data-view]", element)) panel.hidden = Number(panel.dataset.view) !== now;
      draw();
      tabulate();
      if (seen) behind?.fill();
    };
    for (const select of choices) select.addEventListener("change", change);
    details?.addEventListener("toggle", tabulate);
    change();
    const width = () => place?.parentElement.clientWidth;
    const reserve = (wide) => {
      const { plot } = views[chosen()];
      if (plot?.layout.height && !seen) place.style.minHeight = `${heightOf(plot, wide)}px`;
    };
    return { element, width, reserve, draw, tabulate, details, see: () => { if (!seen) { seen = true; draw(); behind?.fill(); } } };
  });

  // A long page opens fast where only what is looked at is drawn. Its place is kept until then: nothing moves
  // under a reader's hand. All widths are read before the first height is set, which lays the page out once.
  const wide = figures.map(({ width }) => width());
  figures.forEach(({ reserve }, at) => reserve(wide[at]));
  const watch = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      figures.find(({ element }) => element === target).see();
    }
  }, { rootMargin: "400px" });
  for (const { element } of figures) watch.observe(element);

  const redraw = () => { for (const { draw } of figures) draw(); };
  const label = () => { button.textContent = dark() ? "Light colours" : "Dark colours"; };
  button.hidden = false;
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); redraw(); });
  system.addEventListener("change", () => { label(); redraw(); });
  label();

  // --- Tables ---------------------------------------------------------------------------------------------
  function written(value, digits) {
    if (value === null) return "–";
    if (typeof value === "string") return value;
    if (digits !== null) return value.toFixed(digits);
    const places = Number.isInteger(value) ? 0 : 2;
    return value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });
  }
  function showTable(details, table) {
    const place = details.querySelector(".scroll");
    const body = make("tbody");
    const head = make("tr");
    const numeric = table.columns.map(({ values }) => values.some((value) => typeof value === "number"));
    table.columns.forEach(({ title, values }, column) => {
      const cell = make("th", undefined, numeric[column] ? "number" : "");
      cell.scope = "col";
      if (!numeric[column]) {
        const longest = values.reduce((most, value) => Math.max(most, String(value ?? "").length), 0);
        cell.style.setProperty("--longest", longest);
      }
      cell.append(make("button"));
      // A notation of a measure may be broken before its options and before their values.
      cell.firstChild.append(...title.split(/(?=\()|(?<==)/).flatMap((part, at) => (at ? [make("wbr"), part] : [part])));
      cell.firstChild.type = "button";
      head.append(cell);
    });
    const count = table.columns.length ? table.columns[0].values.length : 0;
    let order = [...Array(count).keys()];
    let most = ROWS;
    const filter = details.querySelector("input");
    const more = make("button", "", "more");
    more.type = "button";
    const show = () => {
      const wanted = filter.value.toLowerCase();
      const kept = order.filter((row) => !wanted || table.columns.some(({ values }) => typeof values[row] === "string" && values[row].toLowerCase().includes(wanted)));
      body.replaceChildren(...kept.slice(0, most).map((row) => {
        const line = make("tr");
        table.columns.forEach(({ values, digits }, column) => {
          const cell = make(column ? "td" : "th", undefined, numeric[column] ? "number" : "");
          if (!column) cell.scope = "row";
          cell.append(make("bdi", written(values[row], digits)));
          line.append(cell);
        });
        return line;
      }));
      more.hidden = kept.length <= most;
      more.textContent = `Show all ${kept.length.toLocaleString("en-US")} rows`;
      details.querySelector(".said").textContent = wanted ? `${kept.length.toLocaleString("en-US")} of ${count.toLocaleString("en-US")} rows` : "";
    };
    more.addEventListener("click", () => { most = Infinity; show(); });
    filter.oninput = show;
    // The first column by which the rows are sorted already says so.
    const sorted = (values, sign) => new Set(values).size > 1 && values.every((value, at) => !at || compared(values[at - 1], value, sign) <= 0);
    const ways = table.columns.map(({ values }, column) => (sorted(values, 1) ? "ascending" : numeric[column] && sorted(values, -1) ? "descending" : null));
    const first = ways.findIndex(Boolean);
    if (first >= 0) head.cells[first].setAttribute("aria-sort", ways[first]);
    sortable(head, (column, sign) => {
      const { values } = table.columns[column];
      order.sort((a, b) => compared(values[a], values[b], sign) || a - b);
      show();
    });
    const built = make("table");
    built.append(make("caption", table.title, "unseen"), make("thead"), body);
    built.querySelector("thead").append(head);
    place.replaceChildren(built, more);
    details.querySelector(".notes").replaceChildren(...table.notes.map((note) => make("p", note)));
    details.querySelector(".copy-table").onclick = () => {
      const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
      const lines = [table.columns.map(({ title }) => title), ...order.map((row) => table.columns.map(({ values }) => values[row]))];
      copy(lines.map((line) => line.map((value) => quoted(String(value ?? ""))).join(",")).join("\n") + "\n", details.querySelector(".said"));
    };
    show();
  }
  // What is undefined comes last, whichever way.
  function compared(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  }
  function sortable(head, sort) {
    all("th", head).forEach((cell, column) => {
      cell.querySelector("button")?.addEventListener("click", () => {
        const first = cell.dataset.first ?? (cell.classList.contains("number") ? "descending" : "ascending");
        const other = first === "ascending" ? "descending" : "ascending";
        const way = cell.getAttribute("aria-sort") === first ? other : first;
        for (const one of all("th", head)) one.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", way);
        sort(column, way === "ascending" ? 1 : -1);
      });
    });
  }

  // Tables that are there from the beginning: cells tell their values.
  for (const table of all("table.sortable")) {
    const body = table.tBodies[0];
    const lines = [...body.rows];
    const value = (line, column) => {
      const { value } = line.cells[column].dataset;
      return value === undefined ? line.cells[column].textContent : value === "" ? null : Number(value);
    };
    sortable(table.tHead.rows[0], (column, sign) => {
      body.append(...lines.toSorted((a, b) => compared(value(a, column), value(b, column), sign)));
    });
    const filter = document.getElementById(table.dataset.filter);
    const said = document.getElementById(`${table.dataset.filter}-said`);
    const every = said?.textContent;
    filter?.addEventListener("input", () => {
      const wanted = filter.value.toLowerCase();
      const named = (line) => (table.dataset.rows ? line : line.cells[0]).textContent.toLowerCase();
      for (const line of lines) line.hidden = !named(line).includes(wanted);
      const left = lines.filter((line) => !line.hidden).length;
      said.textContent = wanted ? `${left} of ${lines.length} ${table.dataset.rows ?? "rows"}` : every;
    });
  }

  // A table that goes on beyond its edge says so; a column that is hardly cut is none that is hidden.
  const beyond = ({ target }) => {
    const edge = target.getBoundingClientRect().right + 1;
    const cells = all("thead th", target).map((cell) => cell.getBoundingClientRect());
    const hidden = cells.filter(({ left, right }) => (left + right) / 2 > edge).length;
    const more = hidden ? `${hidden} more ${hidden === 1 ? "column" : "columns"}` : "More";
    const right = cells.some(({ right }) => right > edge) ? `${more} to the right: scroll →` : "";
    const bottom = target.getBoundingClientRect().bottom;
    const follow = target.matches(".high") ? all("tbody tr", target).filter((row) => row.getBoundingClientRect().top >= bottom).length : 0;
    const text = [right, follow ? `${follow} more below: scroll ↓` : ""].filter(Boolean).join(" · ");
    if (target.nextElementSibling.textContent !== text) target.nextElementSibling.textContent = text;
  };
  const sizes = new ResizeObserver((entries) => entries.forEach(beyond));
  for (const target of all(".scroll")) {
    target.after(make("p", "", "beyond"));
    target.addEventListener("scroll", () => beyond({ target }), { passive: true });
    new MutationObserver(() => beyond({ target })).observe(target, { childList: true });
    sizes.observe(target);
  }

  // --- Copies, pictures, contents -------------------------------------------------------------------------
  async function copy(text, said) {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch { // where the browser has no clipboard for files
      const area = make("textarea", text);
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
    }
    said.textContent = done ? "Copied." : "The browser does not let this page copy.";
    setTimeout(() => { said.textContent = ""; }, 2500);
  }
  for (const one of all(".copy-text")) {
    one.addEventListener("click", () => copy(document.getElementById(one.dataset.copy).textContent, one.parentElement.querySelector(".said")));
  }
  // Pictures of other hosts are fetched when somebody asks for them, not before.
  for (const one of all("button[data-picture]")) {
    one.addEventListener("click", () => one.replaceWith(imageOf(one.dataset.picture, one.dataset.alt)));
  }
  const links = new Map(all("nav a").map((link) => [link.getAttribute("href").slice(1), link]));
  const reading = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(target.id).setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const section of all("main section")) reading.observe(section);

  // --- Paper ----------------------------------------------------------------------------------------------
  window.addEventListener("beforeprint", () => {
    printing = true;
    for (const { see, draw, tabulate } of figures) { see(); draw(); tabulate(); }
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    redraw();
  });
})();

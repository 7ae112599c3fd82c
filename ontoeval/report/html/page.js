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
  const INK_IN_THE_DARK = { "#0072B2": "#56B4E9", "#D55E00": "#FF9D5C", "#009E73": "#3CC79B", "#56B4E9": "#B4DDF7" };

  const themed = (plot) => {
    const style = getComputedStyle(root);
    const colour = (name) => (printing ? { ink: "#000", soft: "#333", line: "#ccc", paper: "#fff", raised: "#fff" }[name] : style.getPropertyValue(`--${name}`).trim());
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
        trace.marker.line.color = colour("paper");
        trace.marker.colors = trace.marker.colors.map((value) => (typeof value === "string" ? colour("line") : value));
      }
      if (!dark()) continue;
      for (const part of [trace.marker, trace.line, trace.error_x]) {
        if (part && INK_IN_THE_DARK[part.color]) part.color = INK_IN_THE_DARK[part.color];
      }
      if (trace.fillcolor) trace.fillcolor = "rgba(86,180,233,0.25)";
    }
    return { data, layout };
  };

  // The buttons of a figure lie above what they are for. Where a page is narrow, names are shortened (the whole
  // one is shown where the mouse is), and numbers that nobody could read are left out of cells.
  const BUTTONS = 34;
  const NARROW = 620;
  const cut = (text, longest) => {
    const signs = text.match(/&#?\w+;|[^]/gu) ?? [];
    return signs.length > longest ? `${signs.slice(0, longest - 1).join("")}…` : text;
  };
  const shortened = (text, longest) => {
    const parts = text.split(" → "); // of two names something of both stays
    return parts.map((part) => cut(part, Math.floor(longest / parts.length))).join(" → ");
  };
  const fit = (data, layout, width) => {
    const more = printing ? 0 : Math.max(0, BUTTONS - (layout.margin?.t ?? 0));
    layout.margin = { ...layout.margin, t: (layout.margin?.t ?? 0) + more };
    if (layout.height) layout.height += more;
    let beside = 0;
    for (const [key, axis] of Object.entries(layout)) {
      if (!/^[xy]axis/.test(key) || !axis.ticktext) continue;
      if (width < NARROW) axis.ticktext = axis.ticktext.map((text) => shortened(text, key[0] === "y" ? width / 18 : 14));
      if (width < NARROW && key[0] === "x") axis.tickangle = -90;
      if (key[0] === "y") beside = 7 * axis.ticktext.reduce((most, text) => Math.max(most, text.length), 0);
    }
    const room = Math.min(width, layout.meta?.widest ?? width) - beside - 80;
    for (const trace of data) {
      if (trace.texttemplate && trace.x && room / trace.x.length < 36) delete trace.texttemplate;
    }
  };

  // Small multiples stand beside each other as the width allows.
  const arrange = (layout, width) => {
    const { panels, tall, gap } = layout.meta;
    const columns = Math.max(1, Math.min(4, Math.floor(width / 170)));
    const rows = Math.ceil(panels / columns);
    const high = rows * (tall + gap[1]);
    for (let at = 0; at < panels; at += 1) {
      const own = at ? at + 1 : "";
      const left = (at % columns) / columns;
      const bottom = 1 - (Math.floor(at / columns) * (tall + gap[1]) + tall + gap[1] / 2) / high;
      layout[`xaxis${own}`].domain = [left, left + 1 / columns - gap[0] / width];
      layout[`yaxis${own}`].domain = [bottom, bottom + tall / high];
    }
    layout.height = high + 60;
  };

  // --- Figures --------------------------------------------------------------------------------------------
  const ROWS = 200;
  const figures = all("[data-figure]").map((element) => {
    const views = content.figures[Number(element.dataset.figure)];
    const choices = all(".choices select", element);
    const place = element.querySelector(".plot");
    const details = element.querySelector("details.numbers");
    let seen = false;

    const chosen = () => choices.reduce((sum, select) => sum * select.options.length + select.selectedIndex, 0);
    const draw = () => {
      if (!place || !seen) return;
      const { plot } = views[chosen()];
      place.hidden = !plot;
      if (!plot) return;
      const { data, layout } = themed(whole(plot));
      place.style.maxWidth = layout.meta?.widest ? `${layout.meta.widest}px` : "";
      if (layout.meta?.panels) arrange(layout, printing ? 660 : place.clientWidth);
      fit(data, layout, printing ? 660 : place.clientWidth);
      const width = printing ? { width: 660, autosize: false } : { autosize: true, width: undefined };
      Plotly.react(place, data, { ...layout, ...width }, {
        displaylogo: false, responsive: true, plotlyServerURL: "",
        // Those and no others: by default one of them sends the chart to a server.
        modeBarButtons: [layout.xaxis ? ["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"] : ["toImage"]],
        toImageButtonOptions: { format: "svg", filename: `figure-${element.dataset.figure}` },
      });
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
    };
    for (const select of choices) select.addEventListener("change", change);
    details?.addEventListener("toggle", tabulate);
    change();
    return { element, draw, tabulate, details, see: () => { if (!seen) { seen = true; draw(); } } };
  });

  // A long page opens fast where only what is looked at is drawn.
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
        cell.style.minWidth = `${Math.min(18, Math.max(4, 0.62 * longest))}rem`;
      }
      cell.append(make("button", title));
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
    filter.addEventListener("input", () => {
      const wanted = filter.value.toLowerCase();
      const named = (line) => (table.dataset.rows ? line : line.cells[0]).textContent.toLowerCase();
      for (const line of lines) line.hidden = !named(line).includes(wanted);
      const left = lines.filter((line) => !line.hidden).length;
      document.getElementById(`${table.dataset.filter}-said`).textContent = wanted ? `${left} of ${lines.length} ${table.dataset.rows ?? "runs"}` : "";
    });
  }

  // A table that goes on beyond its edge says so.
  const beyond = ({ target }) => {
    const hidden = all("thead th", target).filter((cell) => cell.getBoundingClientRect().right > target.getBoundingClientRect().right + 1).length;
    target.nextElementSibling.textContent = hidden ? `${hidden} more ${hidden === 1 ? "column" : "columns"} to the right: scroll →` : "";
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
    one.addEventListener("click", () => {
      const picture = make("img");
      picture.alt = one.dataset.alt;
      picture.referrerPolicy = "no-referrer";
      picture.addEventListener("error", () => picture.replaceWith(make("p", "There is no such picture.", "note")));
      picture.src = one.dataset.picture;
      one.replaceWith(picture);
    });
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
  let opened = [];
  window.addEventListener("beforeprint", () => {
    printing = true;
    opened = figures.filter(({ details }) => details && !details.open);
    for (const { details } of opened) details.open = true;
    for (const { see, draw, tabulate } of figures) { see(); draw(); tabulate(); }
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    for (const { details } of opened) details.open = false;
    redraw();
  });
})();

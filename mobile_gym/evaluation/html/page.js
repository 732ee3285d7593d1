"use strict";
const PAGE = 50;
const el = id => document.getElementById(id);
const index = JSON.parse(el("index").textContent);
const state = {from: 0, shown: []};

// Whatever comes from a run is set as text, never as HTML.
function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== null) node.setAttribute(key, value);
  node.append(...children.filter(child => child !== null && child !== undefined && child !== ""));
  return node;
}
function draw(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}
const picture = name => { const node = name && el(name); return node ? node.textContent : null; };
const share = value => `${Math.round(100 * value)} %`;

// The list.
const names = new Intl.Collator("en", {numeric: true});
const ORDERS = {
  "as played": null,
  "task": (a, b) => names.compare(a.task, b.task) || a.seed - b.seed || a.run - b.run,
  "failures first": (a, b) => a.good - b.good,
  "least progress": (a, b) => (a.progress ?? 2) - (b.progress ?? 2),
  "most turns": (a, b) => b.turns - a.turns,
  "most errors": (a, b) => b.errors - a.errors,
  "longest": (a, b) => (b.seconds ?? -1) - (a.seconds ?? -1),
  "farthest point": (a, b) => (b.distance ?? -1) - (a.distance ?? -1),
};
function fill(select, all, values) {
  select.append(make("option", {value: ""}, all), ...values.map(([value, text]) => make("option", {value}, text)));
  select.hidden = values.length < 2;
}
const unique = name => [...new Set(index.episodes.map(one => one[name]))].filter(Boolean).sort();
index.episodes.forEach((one, number) => { one.number = number; one.search = `${one.task} ${one.text} ${one.seed}`.toLowerCase(); });
fill(el("of-run"), "all runs", index.runs.map((label, number) => [String(number), label]));
fill(el("of-verdict"), "all outcomes", unique("verdict").map(name => [name, name]));
fill(el("of-end"), "ended by anything", unique("end").map(name => [name, `ended by ${name}`]));
const seen = index.episodes.filter(one => one.seen).length;
fill(el("of-picture"), "with or without pictures", seen && seen < index.episodes.length ? [["yes", "with pictures"], ["no", "without pictures"]] : []);
const usable = Object.keys(ORDERS).filter(name => name !== "farthest point" || index.episodes.some(one => one.distance !== null));
el("order").append(...usable.map(name => make("option", {value: name}, `order: ${name}`)));

function filter() {
  const words = el("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const run = el("of-run").value, verdict = el("of-verdict").value, end = el("of-end").value, pictured = el("of-picture").value;
  state.shown = index.episodes.filter(one =>
    (run === "" || one.run === Number(run)) && (verdict === "" || one.verdict === verdict) &&
    (end === "" || one.end === end) && (pictured === "" || one.seen === (pictured === "yes")) && words.every(word => one.search.includes(word)));
  const order = ORDERS[el("order").value];
  if (order) state.shown.sort((a, b) => order(a, b) || a.number - b.number);
  state.from = 0;
  list();
}
function list() {
  const part = state.shown.slice(state.from, state.from + PAGE);
  el("list").replaceChildren(...part.map(row));
  el("count").textContent = `${state.shown.length} of ${index.episodes.length} episodes`;
  el("where").textContent = part.length ? `${state.from + 1}–${state.from + part.length} of ${state.shown.length}` : "none";
  el("back").disabled = state.from === 0;
  el("on").disabled = state.from + PAGE >= state.shown.length;
}
function row(one) {
  const facts = [];
  if (one.distance !== null) facts.push(`distance ${one.distance.toFixed(2)}`);
  if (one.progress !== null) facts.push(`progress ${share(one.progress)}`, `${one.turns} turns`);
  if (one.end && one.progress !== null) facts.push(one.end);
  if (one.seconds !== null) facts.push(`${one.seconds} s`);
  const kind = one.good ? "verdict good" : /^(not run|unverifiable)$/.test(one.verdict) ? "verdict apart" : "verdict";
  const told = make("span", {class: "facts"}, facts.join(" · "));
  if (one.errors) told.append(" · ", make("span", {class: "bad"}, one.errors === 1 ? "1 error" : `${one.errors} errors`));
  const where = `seed ${one.seed}${index.runs.length > 1 ? ` · ${index.runs[one.run]}` : ""}`;
  const head = make("button", {class: "head", "aria-expanded": "false"}, make("span", {class: kind}, one.verdict),
    make("span", {class: "name"}, one.task, " ", make("small", {}, where)), make("span", {class: "said"}, one.text), told);
  const box = make("article", {class: "episode", id: `e${one.number}`}, head);
  head.addEventListener("click", () => toggle(box, one));
  return box;
}
function toggle(box, one, open = !box.classList.contains("open")) {
  box.classList.toggle("open", open);
  box.firstChild.setAttribute("aria-expanded", String(open));
  box.querySelector(".body")?.remove();
  if (open) box.append(body(one, JSON.parse(el(`d${one.number}`).textContent)));
}

// An episode.
function body(one, told) {
  const node = make("div", {class: "body"});
  const titled = (title, ...parts) => node.append(make("h4", {}, title), ...parts.filter(part => part));
  node.append(make("div", {class: "tags"}, ...told.tags.map(tag => make("span", {}, tag))));
  if (told.problems.length) node.append(make("div", {class: "warn"}, "Left out: ", told.problems.join("; ")));
  if (told.failed.length) node.append(make("div", {class: "failed"}, ...told.failed.map(text => make("p", {}, text))));
  if (told.picture || told.box) titled("The box that was meant, and the point that was given", grounding(told));
  if (told.steps?.length) titled("Steps", ...film(told.steps));
  else if (told.steps) node.append(make("p", {class: "soft"}, "The run kept no trajectory of this episode; with “mobile-gym eval … --trajectories” each step is shown here."));
  if (told.subtasks?.length) titled("What the verifier saw at the end", make("ul", {}, ...told.subtasks.map(subtask)));
  if (told.unexpected?.length) titled("Changes that the task does not ask for", lines(told.unexpected));
  if (told.process) process(told.process, titled);
  if (told.graph) titled("Task graph", graph(told.graph));
  if (told.errors.length) titled("Actions that were not carried out", lines(told.errors.map(error => `turn ${error.turn}: ${error.text}`)));
  node.append(make("p", {class: "soft"}, `reward ${told.reward}, task ${told.hash}`));
  return node;
}
const lines = texts => make("ul", {}, ...texts.map(text => make("li", {}, text)));
function words(told) {
  if (!told) return [];
  const found = told.seen ? make("span", {class: "seen"}, ` – ${told.seen}`) : null;
  return [told.text, found, told.parts ? make("ul", {}, ...told.parts.map(part => make("li", {}, ...words(part)))) : null];
}
function subtask(one) {
  const more = [];
  if (one.weight !== undefined && one.weight !== 1) more.push(` (weight ${one.weight})`);
  if (one.lost) more.push(make("span", {class: "bad"}, ` It held before turn ${one.lost} and was lost there.`));
  return make("li", {class: one.holds ? "yes" : "no"}, make("b", {}, `${one.id}: ${one.holds ? "met" : "not met"}. `), ...words(one.words), ...more);
}
function process(told, titled) {
  titled("Operations that are required on the way, in order", make("ul", {}, ...told.operations.map(one => {
    if (one.right === undefined) return make("li", {}, ...words(one.words));
    return make("li", {class: one.right ? "yes" : "no"}, make("b", {}, `${one.when}. `), ...words(one.words));
  })));
  if (!told.record.length) return;
  const rows = told.record.map(one => make("tr", {}, ...[one.turn, one.kind, one.element, one.text, one.app].map(value => make("td", {}, String(value)))));
  const heads = ["turn", "action", "element", "text", "app"].map(name => make("th", {}, name));
  titled("Process record", make("div", {class: "wide"}, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows))));
}
function graph(told) {
  const texts = [`${told.mismatches ?? "–"} actions matched no recorded one${told.missed.length ? ` (turns ${told.missed.join(", ")})` : ""}.`];
  if (told.strict !== null) texts.push(told.strict ? "It is a success in strict matching too." : "It is no success in strict matching.");
  if (told.path.length) texts.push(`Nodes: ${told.path.join(" → ")}`);
  return lines(texts);
}

// Pictures.
const POINTED = new Set(["tap", "double_tap", "long_press", "swipe", "drag"]);
function marks(step) {
  const [width, height] = step.size, [left, top, right, bottom] = step.screen;
  const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
  const action = step.action;
  if (!action?.point || !POINTED.has(action.kind)) return svg;
  const at = ([x, y]) => [left + x * (right - left - 1) / 1000, top + y * (bottom - top - 1) / 1000];
  const [x, y] = at(action.point), unit = width / 100;
  const both = (name, attributes, wide) => svg.append(
    draw(name, {...attributes, class: "halo", "stroke-width": wide * 2}), draw(name, {...attributes, class: "ink", "stroke-width": wide}));
  svg.append(draw("circle", {cx: x, cy: y, r: 4.5 * unit, class: "fill"}));
  both("circle", {cx: x, cy: y, r: 4.5 * unit}, unit);
  if (action.kind === "double_tap" || action.kind === "long_press") both("circle", {cx: x, cy: y, r: 7 * unit, ...(action.kind === "long_press" ? {"stroke-dasharray": `${2 * unit} ${2 * unit}`} : {})}, unit);
  if (action.lift) {
    const [u, v] = at(action.lift), length = Math.hypot(u - x, v - y);
    if (length > 0) {
      const [a, b] = [(u - x) / length, (v - y) / length], tip = 6 * unit;
      both("path", {d: `M${x} ${y}L${u} ${v}M${u - tip * (a + b * .7)} ${v - tip * (b - a * .7)}L${u} ${v}L${u - tip * (a - b * .7)} ${v - tip * (b + a * .7)}`}, 1.4 * unit);
    }
  }
  return svg;
}
function shot(source, overlay, text, onOpen) {
  const image = make("img", {src: source, alt: text, loading: "lazy"});
  const node = make(onOpen ? "button" : "div", {class: "shot"}, image);
  node.append(overlay);
  if (onOpen) node.addEventListener("click", onOpen);
  return node;
}
function film(steps) {
  const pictured = steps.some(step => picture(step.picture));
  const none = make("p", {class: "soft"}, "No picture of this episode is on the page.");
  return [pictured ? null : none, make("div", {class: "film", tabindex: "0"}, ...steps.map((step, number) => {
    const source = picture(step.picture), text = caption(step);
    const image = source ? shot(source, marks(step), text, () => enlarge(steps, number)) : pictured ? make("div", {class: "none"}, "no picture") : null;
    return make("figure", {}, image, make("figcaption", {}, make("b", {}, step.action ? `${step.turn}. ` : ""), text, ...remarks(steps, number)));
  }))];
}
function caption(step) {
  const action = step.action;
  if (!action) return "at the end";
  const kind = action.kind.replaceAll("_", " ").replace(/^press /, "");
  const text = action.text === undefined ? "" : ` “${action.text}”`;
  const lift = action.lift ? ` → ${action.lift.join(", ")}` : "";
  return `${kind}${action.point ? ` ${action.point.join(", ")}` : ""}${lift}${text}`;
}
function remarks(steps, number, whole = false) {
  const step = steps[number], before = number ? steps[number - 1].progress : undefined, found = [];
  const add = (kind, text) => found.push(make("div", {class: kind}, text));
  if (step.message) add("soft", `told: ${step.message}`);
  if (step.error) add("bad", step.error);
  if (step.unmatched && !step.error) add("bad", "matched no recorded action");
  if (step.progress !== undefined && step.progress !== (before ?? 0)) add(step.progress < (before ?? 0) ? "bad" : "good", `progress ${share(before ?? 0)} → ${share(step.progress)}`);
  if (step.flags?.length) add("soft", `read with: ${step.flags.join(", ")}`);
  if (step.thought) add(whole ? "soft" : "thought", step.thought);
  if (whole && step.answer) add("soft", `Answer: ${step.answer}`);
  return found;
}
function grounding(told) {
  const source = picture(told.picture);
  if (!source) return make("p", {class: "soft"}, `The picture is not on the page; box ${told.box.map(side => side.toFixed(3)).join(", ")}; point ${told.point ? told.point.map(value => (value / 1000).toFixed(3)).join(", ") : "none"}`);
  const [width, height] = told.size, unit = Math.max(width, height) / 200;
  const overlay = () => {
    const svg = draw("svg", {viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"});
    const [left, top, right, bottom] = told.box;
    svg.append(draw("rect", {x: left * width, y: top * height, width: (right - left) * width, height: (bottom - top) * height, class: "box", "stroke-width": unit}));
    if (told.point) for (const [kind, wide] of [["halo", 2 * unit], ["ink", unit]])
      svg.append(draw("circle", {cx: told.point[0] * (width - 1) / 1000, cy: told.point[1] * (height - 1) / 1000, r: 3 * unit, class: kind, "stroke-width": wide}));
    return svg;
  };
  const figure = make("figure", {}, shot(source, overlay(), "the picture with box and point", () => show(source, overlay(), [])));
  if (width > height) figure.setAttribute("style", "width:min(100%,420px)");
  return figure;
}

// The enlarged step.
let opened = null;
function enlarge(steps, number) {
  const step = steps[number], source = picture(step.picture);
  if (!source) return;
  opened = {steps, number};
  show(source, marks(step), [make("b", {}, step.action ? `${step.turn}. ` : "", caption(step)), ...remarks(steps, number, true)]);
}
function show(source, overlay, told) {
  if (!told.length) opened = null;
  el("large-picture").replaceChildren(shot(source, overlay, "the step, enlarged"));
  el("large-words").replaceChildren(...told);
  el("large-words").hidden = !told.length;
  for (const id of ["large-back", "large-on"]) el(id).hidden = !opened;
  if (!el("large").open) el("large").showModal();
}
function move(by) {
  if (!opened) return;
  for (let number = opened.number + by; number >= 0 && number < opened.steps.length; number += by)
    if (picture(opened.steps[number].picture)) return enlarge(opened.steps, number);
}
el("large-back").addEventListener("click", () => move(-1));
el("large-on").addEventListener("click", () => move(1));
el("large-close").addEventListener("click", () => el("large").close());
el("large").addEventListener("click", event => { if (event.target === el("large")) el("large").close(); });
el("large").addEventListener("keydown", event => { if (event.key === "ArrowLeft") move(-1); if (event.key === "ArrowRight") move(1); });

// Addresses such as #e12 open an episode.
function go() {
  const match = /^#e(\d+)$/.exec(location.hash);
  if (!match || !index.episodes[match[1]]) return;
  const one = index.episodes[match[1]];
  if (!el(`e${one.number}`)) {
    for (const id of ["find", "of-run", "of-verdict", "of-end", "of-picture"]) el(id).value = "";
    filter();
    state.from = Math.floor(state.shown.indexOf(one) / PAGE) * PAGE;
    list();
  }
  const box = el(`e${one.number}`);
  toggle(box, one, true);
  box.scrollIntoView({block: "start", behavior: "instant"});
}
for (const id of ["find", "of-run", "of-verdict", "of-end", "of-picture", "order"]) el(id).addEventListener("input", filter);
el("back").addEventListener("click", () => { state.from -= PAGE; list(); });
el("on").addEventListener("click", () => { state.from += PAGE; list(); el("episodes").scrollIntoView(); });
window.addEventListener("hashchange", go);
filter();
go();

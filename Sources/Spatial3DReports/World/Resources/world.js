"use strict";

const scene = JSON.parse(document.getElementById("scene").textContent);
const part = (id) => document.getElementById(id);
const noPlace = -32768, wordsOfRow = 8, heightOfRow = 28;

// Values.

const names = scene.rows.map(([number, name, bus]) => ({ number, name: name.split("/").pop(), bus }));
const isVoice = (state) => state === 0;
const idle = scene.states.indexOf("it does not play");
const numberText = (value, decimals = 1) => value.toFixed(decimals).replace("-", "−");
const levelText = (tenths, unit = "") => (tenths <= -1600 ? "silence" : numberText(tenths / 10) + unit);

/** The rows of a snapshot: words, as the page was written. A few snapshots stay decoded. */
const decoded = new Map();
function wordsOf(index) {
  let words = decoded.get(index);
  if (!words) {
    const text = atob(scene.snapshots[index] ?? "");
    words = new Int16Array(text.length / 2);
    for (let word = 0; word < words.length; word++) {
      words[word] = text.charCodeAt(2 * word) | (text.charCodeAt(2 * word + 1) << 8);
    }
    if (decoded.size > 8) decoded.delete(decoded.keys().next().value);
    decoded.set(index, words);
  }
  return words;
}

/** The numbers of emitters with a voice and without, for each snapshot. */
const totals = scene.snapshots.map((_, index) => {
  const words = wordsOf(index);
  let [real, virtual] = [0, 0];
  for (let at = 0; at < words.length; at += wordsOfRow) {
    const state = words[at + 6];
    if (isVoice(state)) real++;
    else if (state !== idle) virtual++;
  }
  return { real, virtual };
});

/** The zone, the way and the rays of a row: words, the index of the portal, and that of the listener. */
const wayOf = (row) => scene.ways[row.way] ?? ["", -1, 0];

/** The sentence about a row, with its zone and its way. */
function reasonAndWay(row) {
  const [words] = wayOf(row);
  return words ? `${reason(row)}, ${words}` : reason(row);
}

/** The zones with their levels, and the portals, of the snapshot in view. */
function spaceOf(index) {
  const [zones, portals] = scene.space.indices[index] ?? [];
  const levels = scene.space.levels[index] ?? [];
  return {
    zones: (scene.space.zones[zones] ?? []).map(([name, fade, outline], zone) => ({ name, fade, outline, level: levels[zone] ?? -160 })),
    portals: (scene.space.portals[portals] ?? []).map(([name, x, z, radius, openness]) => ({ name, x, z, radius, openness })),
  };
}

/** The sentence about a row. */
function reason(row) {
  const words = scene.states[row.state] ?? "";
  if (words.startsWith("others")) return `needs ${numberText(row.lacking / 10)} dB more for a voice: ${words}`;
  if (words.startsWith("too quiet")) return `${numberText(row.lacking / 10)} dB ${words}`;
  return words;
}

// The page's own state.

const view = { snapshot: 0, selected: -1, rows: [], shown: [], filter: "", events: [] };

function readRows() {
  const words = wordsOf(view.snapshot);
  view.rows = [];
  for (let at = 0; at < words.length; at += wordsOfRow) {
    view.rows.push({
      index: (words[at] & 0xffff) | (words[at + 1] << 16),
      x: words[at + 2], z: words[at + 3], level: words[at + 4], lacking: words[at + 5], state: words[at + 6],
      way: words[at + 7],
    });
  }
}

function filterRows() {
  const filter = view.filter.toLowerCase();
  const fits = (row) => {
    const { number, name, bus } = names[row.index];
    return `${number} ${name} ${bus} ${scene.states[row.state]} ${wayOf(row)[0]}`.toLowerCase().includes(filter);
  };
  view.shown = (filter ? view.rows.filter(fits) : [...view.rows]).sort((a, b) => b.level - a.level || a.index - b.index);
  part("count").textContent = `${view.shown.length} of ${view.rows.length}, the loudest first`;
}

const selectedRow = () => view.rows.find((row) => row.index === view.selected);

// Canvases.

const colorNames = ["paper", "panel", "ink", "quiet", "faint", "accent", "series1", "series2", "series3", "series4", "cursor"];
let colors = {};
function readColors() {
  const style = getComputedStyle(document.documentElement);
  colors = Object.fromEntries(colorNames.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

/** The drawing of a canvas, as sharp as the screen, with its size in the page's pixels. */
function drawingOf(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas, scale = devicePixelRatio || 1;
  canvas.width = Math.max(width * scale, 1);
  canvas.height = Math.max(height * scale, 1);
  const drawing = canvas.getContext("2d");
  drawing.scale(scale, scale);
  return { drawing, width, height };
}

const [west, east, north, south] = scene.area;
let places = { scale: 1, left: 0, top: 0 };

/** The place of coordinates in metres on the canvas. */
const spot = (x, z) => [places.left + (x - west) * places.scale, places.top + (z - north) * places.scale];

/** The place of a row on the canvas. */
function placeOf(row) {
  const x = (row.x + 32000) / 64000 * (east - west), z = (row.z + 32000) / 64000 * (south - north);
  return [places.left + x * places.scale, places.top + z * places.scale];
}

function drawVoices() {
  const { drawing, width, height } = drawingOf(part("voices"));
  const most = Math.max(...totals.map((total) => total.real + total.virtual), scene.voices, 1);
  const last = Math.max(scene.times.at(-1) ?? 0, 1e-9);
  const xOf = (time) => 8 + (time / last) * (width - 16);
  const yOf = (count) => height - 6 - (count / most) * (height - 20);
  // A single snapshot is drawn as if it lasted.
  const moments = scene.times.length === 1 ? [0, last] : scene.times;
  const area = (value, color) => {
    drawing.fillStyle = color;
    drawing.beginPath();
    drawing.moveTo(xOf(0), yOf(0));
    moments.forEach((time, index) => drawing.lineTo(xOf(time), yOf(value(totals[Math.min(index, totals.length - 1)]))));
    drawing.lineTo(xOf(last), yOf(0));
    drawing.fill();
  };
  drawing.globalAlpha = 0.55;
  area((total) => total.real + total.virtual, colors.series4);
  drawing.globalAlpha = 1;
  area((total) => total.real, colors.series1);
  drawing.fillStyle = colors.quiet;
  drawing.font = "12px system-ui, sans-serif";
  drawing.fillText(`${most}`, 10, 14);
  drawing.strokeStyle = colors.cursor;
  drawing.lineWidth = 2;
  drawing.beginPath();
  const x = xOf(scene.times[view.snapshot] ?? 0);
  drawing.moveTo(x, 0);
  drawing.lineTo(x, height);
  drawing.stroke();
}

// Lists, of which only the rows in sight are elements.

function add(parent, className, text) {
  const element = document.createElement("span");
  element.className = className;
  element.textContent = text;
  parent.append(element);
}

/** Draws the rows of a list that are in sight; `fill` fills the element of one. */
function drawList(list, count, fill) {
  const room = list.firstElementChild;
  room.style.height = `${count * heightOfRow}px`;
  const first = Math.max(Math.floor(list.scrollTop / heightOfRow) - 4, 0);
  const end = Math.min(first + Math.ceil(list.clientHeight / heightOfRow) + 9, count);
  room.replaceChildren();
  for (let index = first; index < end; index++) {
    const row = document.createElement("div");
    row.className = "row";
    row.style.top = `${index * heightOfRow}px`;
    fill(row, index);
    room.append(row);
  }
}

function drawEmitters() {
  const list = part("list");
  list.removeAttribute("aria-activedescendant");
  drawList(list, view.shown.length, (element, index) => {
    const row = view.shown[index], { number, name, bus } = names[row.index];
    const isSelected = row.index === view.selected;
    element.id = `row-${row.index}`;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", isSelected);
    element.setAttribute("aria-setsize", view.shown.length);
    element.setAttribute("aria-posinset", index + 1);
    if (isSelected) list.setAttribute("aria-activedescendant", element.id);
    add(element, "number quiet", number);
    add(element, "name", name);
    add(element, "bus-name quiet", bus);
    add(element, "number", levelText(row.level));
    add(element, isVoice(row.state) ? "has-voice" : "why", reasonAndWay(row));
    element.title = reasonAndWay(row);
    element.onclick = () => select(row.index);
  });
}

function drawEvents() {
  const time = scene.times[view.snapshot] ?? 0;
  part("event-count").textContent = `${view.events.length}`;
  drawList(part("events"), view.events.length, (element, index) => {
    const [moment, row, text] = view.events[index];
    element.setAttribute("role", "listitem");
    element.classList.toggle("is-now", moment <= time && moment > time - 0.5);
    add(element, "number quiet", `${numberText(moment, 3)}`);
    add(element, "name", row < 0 ? text : `${names[row].number} ${names[row].name}: ${text}`);
    element.onclick = () => {
      seek(nearest(moment));
      if (row >= 0) select(row);
    };
  });
}

function filterEvents() {
  const isOwn = part("own").checked;
  view.events = isOwn ? scene.events.filter(([, row]) => row === view.selected) : scene.events;
}

// The selected emitter, and the buses.

function drawWhy() {
  const row = selectedRow(), name = names[view.selected];
  part("why-name").textContent = name ? `${name.number} ${name.name}` : "No emitter is selected";
  part("why-state").textContent = row ? reason(row) : name ? "it does not exist now" : "";
  part("why-state").classList.toggle("is-silent", Boolean(row) && !isVoice(row.state));
  part("why-way").textContent = row ? wayOf(row)[0] : "";
  part("why-level").textContent = row ? `${levelText(row.level, " dB")} at the listener, on the bus ${name.bus}` : "";
}

const buses = scene.buses.map((bus) => {
  const element = document.createElement("div");
  element.className = "bus";
  const name = document.createElement("b"), meter = document.createElement("div"), fill = document.createElement("i");
  const number = document.createElement("span"), note = document.createElement("em");
  name.textContent = bus.name;
  name.title = bus.parent ? `${bus.name}, inside ${bus.parent}` : bus.name;
  meter.className = "meter";
  meter.setAttribute("role", "meter");
  meter.setAttribute("aria-label", `Level of ${bus.name}`);
  meter.setAttribute("aria-valuemin", -60);
  meter.setAttribute("aria-valuemax", 0);
  number.className = "number";
  meter.append(fill);
  element.append(name, meter, number, note);
  part("buses").append(element);
  return { bus, meter, fill, number, note };
});

function drawBuses() {
  for (const { bus, meter, fill, number, note } of buses) {
    const level = bus.levels[view.snapshot] ?? -160;
    fill.style.transform = `scaleX(${Math.min(Math.max((level + 60) / 60, 0), 1)})`;
    meter.setAttribute("aria-valuenow", Math.min(Math.max(level, -60), 0));
    number.textContent = level <= -160 ? "silence" : numberText(level);
    note.textContent = bus.texts[view.snapshot] ?? "";
  }
}

// Moving.

function draw() {
  part("clock").textContent =
    `${numberText(scene.times[view.snapshot] ?? 0, 2)} s: ${totals[view.snapshot]?.real ?? 0} real, ${totals[view.snapshot]?.virtual ?? 0} virtual`;
  drawVoices();
  drawMap();
  drawBuses();
  drawWhy();
  drawEmitters();
  drawEvents();
}

function seek(index) {
  view.snapshot = Math.min(Math.max(index, 0), Math.max(scene.times.length - 1, 0));
  part("seek").value = view.snapshot;
  readRows();
  filterRows();
  const time = scene.times[view.snapshot] ?? 0;
  const next = view.events.findIndex(([moment]) => moment > time);
  part("events").scrollTop = Math.max((next < 0 ? view.events.length : next) - 6, 0) * heightOfRow;
  draw();
}

/** The last snapshot before a moment. */
const nearest = (moment) => Math.max(scene.times.findLastIndex((time) => time <= moment + 1e-6), 0);

function select(index) {
  view.selected = index;
  if (part("own").checked) filterEvents();
  draw();
}

/** Selects the next emitter of the list, and scrolls to it. */
function step(distance) {
  if (!view.shown.length) return;
  const at = view.shown.findIndex((row) => row.index === view.selected);
  const next = at < 0 ? 0 : Math.min(Math.max(at + distance, 0), view.shown.length - 1);
  const list = part("list"), top = next * heightOfRow;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + heightOfRow > list.scrollTop + list.clientHeight) list.scrollTop = top + heightOfRow - list.clientHeight;
  select(view.shown[next].index);
}

part("key-zone").hidden = !scene.space.zones.some((zones) => zones.length);
part("key-portal").hidden = !scene.space.portals.some((portals) => portals.length);
part("seek").max = Math.max(scene.times.length - 1, 0);
part("seek").addEventListener("input", (event) => seek(Number(event.target.value)));
part("find").addEventListener("input", (event) => {
  view.filter = event.target.value;
  part("list").scrollTop = 0;
  filterRows();
  drawEmitters();
});
part("own").addEventListener("change", () => {
  filterEvents();
  drawEvents();
});
for (const [id, drawRows] of [["list", drawEmitters], ["events", drawEvents]]) {
  part(id).addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
}
part("map").addEventListener("click", (event) => {
  const bounds = event.target.getBoundingClientRect();
  const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
  let [best, distance] = [-1, 400];
  for (const row of view.rows) {
    if (row.x === noPlace) continue;
    const [left, top] = placeOf(row), squared = (left - x) ** 2 + (top - y) ** 2;
    if (squared < distance) [best, distance] = [row.index, squared];
  }
  if (best >= 0) select(best);
});
part("voices").addEventListener("click", (event) => {
  const bounds = event.target.getBoundingClientRect();
  const share = (event.clientX - bounds.left - 8) / Math.max(bounds.width - 16, 1);
  seek(nearest(share * (scene.times.at(-1) ?? 0)));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isText = event.target === part("find"), isSlider = event.target === part("seek");
  if (event.key === "/" && !isText) part("find").focus();
  else if (event.key === "Escape" && isText) part("list").focus();
  else if (isText || (isSlider && event.key.startsWith("Arrow"))) return;
  else if (event.key === "ArrowLeft") seek(view.snapshot - 1);
  else if (event.key === "ArrowRight") seek(view.snapshot + 1);
  else if (event.key === "ArrowDown") step(1);
  else if (event.key === "ArrowUp") step(-1);
  else return;
  event.preventDefault();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  readColors();
  draw();
});
addEventListener("resize", () => draw());

readColors();
filterEvents();
seek(0);

const noPlace = -32768, wordsOfRow = 9, heightOfRow = 28;
// Times are rounded to a microsecond: the difference of two of them is that of one moment up to two.
const resolution = 2e-6;

// Values.

const names = scene.rows.map(([number, name, bus]) => ({ number, name: name.split("/").pop(), bus }));
const kinds = { real: 0, virtual: 1, other: 2 };
const [wordsOfState, kindOfState] = [0, 1].map((place) => scene.states.map((state) => state[place]));
const isHeard = (state) => state === 0;
const levelText = (tenths, unit = "") => (tenths <= -1600 ? "silence" : numberText(tenths / 10, 1) + unit);

/** The rows of a snapshot: words, as the page was written. A few snapshots stay decoded. */
const decoded = new Map();
function wordsOf(index) {
  let words = decoded.get(index);
  if (!words) {
    const text = atob(scene.snapshots[index] ?? "");
    words = new Uint16Array(text.length / 2);
    for (let word = 0; word < words.length; word++) {
      words[word] = text.charCodeAt(2 * word) | (text.charCodeAt(2 * word + 1) << 8);
    }
    if (decoded.size > 8) decoded.delete(decoded.keys().next().value);
    decoded.set(index, words);
  }
  return words;
}

/** The numbers of emitters with a voice and without, for each snapshot. */
const totals = scene.counts.map(([real, virtual]) => ({ real, virtual }));

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
  const words = wordsOfState[row.state], lacking = numberText(row.lacking / 10, 1);
  if (words.startsWith("others")) return `needs ${lacking} dB more for a voice: ${words}`;
  if (words.startsWith("too quiet")) return `${lacking} dB ${words}`;
  return words;
}

/** The name of a row and the text of an event. */
function eventText([, row, text]) {
  return row < 0 ? text : `${names[row].number} ${names[row].name}: ${text}`;
}

// The page's own state.

// `selected` is the number of an emitter, and `event` one of the events.
const view = { snapshot: 0, selected: -1, rows: [], shown: [], filter: "", events: [], event: null };

function readRows() {
  const words = wordsOf(view.snapshot), signed = new Int16Array(words.buffer);
  view.rows = [];
  for (let at = 0; at < words.length; at += wordsOfRow) {
    const index = words[at] | (words[at + 1] << 16);
    const [x, z, level, lacking] = signed.subarray(at + 2, at + 6);
    view.rows.push({ index, number: names[index].number, x, z, level, lacking, state: words[at + 6], way: words[at + 7], settings: words[at + 8] });
  }
}

function filterRows() {
  const filter = view.filter.toLowerCase();
  const fits = (row) => {
    const { number, name, bus } = names[row.index];
    return `${number} ${name} ${bus} ${wordsOfState[row.state]} ${wayOf(row)[0]}`.toLowerCase().includes(filter);
  };
  view.shown = (filter ? view.rows.filter(fits) : [...view.rows]).sort((a, b) => b.level - a.level || a.index - b.index);
  part("count").textContent = `${view.shown.length} of ${view.rows.length}, the loudest first`;
}

function filterEvents() {
  const isOwn = part("own").checked, filter = view.filter.toLowerCase();
  view.events = scene.events.filter((event) => {
    if (isOwn && names[event[1]]?.number !== view.selected) return false;
    return !filter || eventText(event).toLowerCase().includes(filter);
  });
  part("event-count").textContent = `${view.events.length} of ${scene.events.length}`;
}

const selectedRow = () => view.rows.find((row) => row.number === view.selected);

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
  const most = totals.reduce((most, { real, virtual }) => Math.max(most, real + virtual), Math.max(scene.voices, 1));
  const last = Math.max(lastTime, 1e-9);
  const xOf = (time) => 8 + (time / last) * (width - 16);
  const yOf = (count) => height - 6 - (count / most) * (height - 20);
  // A single snapshot is drawn as if it lasted.
  const moments = scene.times.length === 1 ? [0, last] : scene.times;
  const trace = (value) => {
    drawing.beginPath();
    moments.forEach((time, index) => drawing.lineTo(xOf(time), yOf(value(totals[Math.min(index, totals.length - 1)]))));
  };
  const fill = (color) => {
    drawing.fillStyle = color;
    drawing.lineTo(xOf(last), yOf(0));
    drawing.lineTo(xOf(0), yOf(0));
    drawing.fill();
  };
  const all = (total) => total.real + total.virtual;
  trace(all);
  drawing.globalAlpha = 0.35;
  fill(colors.series4);
  drawing.globalAlpha = 1;
  trace((total) => total.real);
  fill(colors.series1);
  trace(all);
  drawing.strokeStyle = colors.series4;
  drawing.lineWidth = 2;
  drawing.stroke();
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

// The selected emitter, and the buses.

/** The last name of each number, for a moment at which it does not exist. */
const nameOf = new Map(names.map((name) => [name.number, name]));

function drawWhy() {
  const row = selectedRow(), name = row ? names[row.index] : nameOf.get(view.selected);
  part("why-name").textContent = name ? `${name.number} ${name.name}` : "No emitter is selected";
  part("why-state").textContent = row ? reason(row) : name ? "it is not in this snapshot" : "";
  part("why-state").classList.toggle("is-silent", Boolean(row) && !isHeard(row.state));
  part("why-way").textContent = row ? wayOf(row)[0] : "";
  part("why-settings").textContent = row ? (scene.settings[row.settings] ?? "") : "";
  part("why-level").textContent = row ? `${levelText(row.level, " dB")} at the listener, on the bus ${name.bus}` : "";
}

const buses = scene.buses.map((bus) => {
  const element = document.createElement("div");
  element.className = "bus";
  const name = document.createElement("b"), meter = document.createElement("div"), fill = document.createElement("i");
  const number = document.createElement("span"), note = document.createElement("em");
  name.textContent = bus.name;
  name.style.paddingLeft = `${Math.min(bus.depth, 5) * 12}px`;
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
    number.textContent = level <= -160 ? "silence" : numberText(level, 1);
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

const lastTime = scene.times.at(-1) ?? 0;

function seek(index) {
  view.snapshot = Math.min(Math.max(index, 0), Math.max(scene.times.length - 1, 0));
  const time = scene.times[view.snapshot] ?? 0;
  part("seek").value = view.snapshot;
  part("seek").setAttribute("aria-valuetext", `${numberText(time, 2)} of ${numberText(lastTime, 2)} seconds`);
  readRows();
  filterRows();
  part("events").scrollTop = Math.max(nextEvent() - 6, 0) * heightOfRow;
  draw();
}

/** The index of the first event after the snapshot in view. */
function nextEvent() {
  const index = view.events.findIndex(([moment]) => moment > (scene.times[view.snapshot] ?? 0) + resolution);
  return index < 0 ? view.events.length : index;
}

/** The last snapshot before a moment. */
const nearest = (moment) => Math.max(scene.times.findLastIndex((time) => time <= moment + resolution), 0);

function select(number) {
  view.selected = number;
  if (part("own").checked) filterEvents();
  draw();
}

/** The index at a distance from another one; the first step from none leads to `first`. */
const stepped = (at, distance, count, first) => Math.min(Math.max(at < 0 ? first : at + distance, 0), count - 1);

/** Selects the next emitter of the list, and scrolls to it. */
function step(distance) {
  if (!view.shown.length) return;
  const at = view.shown.findIndex((row) => row.number === view.selected);
  const next = stepped(at, distance, view.shown.length, 0);
  reveal(part("list"), next);
  select(view.shown[next].number);
}

/** Shows the next event of the list. */
function stepEvent(distance) {
  if (!view.events.length) return;
  showEvent(view.events[stepped(view.events.indexOf(view.event), distance, view.events.length, nextEvent())]);
}

/** Selects an event with its emitter, and goes to its time; the list scrolls no more than it has to. */
function showEvent(event) {
  const [moment, row] = event, list = part("events"), top = list.scrollTop;
  view.event = event;
  if (row >= 0) view.selected = names[row].number;
  seek(nearest(moment));
  list.scrollTop = top;
  reveal(list, view.events.indexOf(event));
  drawEvents();
}

part("key-zone").hidden = !scene.space.zones.some((zones) => zones.length);
part("key-portal").hidden = !scene.space.portals.some((portals) => portals.length);
part("seek").max = Math.max(scene.times.length - 1, 0);
part("seek").addEventListener("input", (event) => seek(Number(event.target.value)));
part("find").addEventListener("input", (event) => {
  view.filter = event.target.value;
  for (const id of ["list", "events"]) part(id).scrollTop = 0;
  filterRows();
  filterEvents();
  drawEmitters();
  drawEvents();
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
    if (squared < distance) [best, distance] = [row.number, squared];
  }
  if (best < 0) return;
  // The arrows go on from there.
  part("list").focus({ preventScroll: true });
  select(best);
});
part("voices").addEventListener("click", (event) => {
  const bounds = event.target.getBoundingClientRect();
  const share = (event.clientX - bounds.left - 8) / Math.max(bounds.width - 16, 1);
  seek(nearest(share * lastTime));
});
/** The steps that the vertical arrows take in the list that has the focus; elsewhere they scroll the page. */
const steps = { list: step, events: stepEvent };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isText = event.target === part("find"), isSlider = event.target === part("seek");
  const stepOf = steps[event.target.id];
  if (event.key === "/" && !isText) part("find").focus();
  else if (event.key === "Escape" && isText) part("list").focus();
  else if (isText || (isSlider && event.key.startsWith("Arrow"))) return;
  else if (event.key === "ArrowLeft") seek(view.snapshot - 1);
  else if (event.key === "ArrowRight") seek(view.snapshot + 1);
  else if (event.key === "ArrowDown" && stepOf) stepOf(1);
  else if (event.key === "ArrowUp" && stepOf) stepOf(-1);
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
// The first moment at which something plays: a world is often recorded from before its first sound on.
seek(Math.max(totals.findIndex(({ real, virtual }) => real + virtual > 0), 0));
followAddress((moment) => seek(nearest(moment)));

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

// Values over time.

/** The value of a track at a moment, on a straight line between its samples; a single sample holds all along. */
function valueOf(track, time) {
  const place = Math.min(Math.max(time * scene.rate, 0), track.length - 1);
  const index = Math.min(Math.floor(place), Math.max(track.length - 2, 0));
  const next = track[Math.min(index + 1, track.length - 1)];
  return track[index] + (next - track[index]) * (place - index);
}

/** The latest of some moments that has come. */
const latest = (moments, time) =>
  moments.reduce((last, moment) => (moment.time <= time + 1e-6 && moment.time >= (last?.time ?? 0) ? moment : last), undefined);

const levelText = (decibels) => (decibels < scene.levels.lowest ? "silent" : numberText(decibels, 1));
const clockText = (time, decimals) => {
  const [minutes, seconds] = [Math.floor(time / 60), time % 60];
  return `${minutes}:${seconds.toFixed(decimals).padStart(decimals ? 3 + decimals : 2, "0")}`;
};

/** How loud a level is, from 0 to 1, on the scale of the page. */
const fraction = (decibels) =>
  Math.min(Math.max((decibels - scene.levels.lowest) / (scene.levels.highest - scene.levels.lowest), 0), 1);

// Elements.

function add(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(parent.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  parent.append(element);
  return element;
}

const series = (index) => `color: var(--series${(index % 8) + 1})`;

// The scene from above: metres are units of the drawing, and `pixel` is how many of them one of the screen's points is.

const map = part("map");
const [west, east] = scene.map.x;
const [north, south] = scene.map.z;
map.setAttribute("viewBox", `${west} ${north} ${east - west} ${south - north}`);

/** The radius of a sound's disc at the loudest level, in pixels. */
const largestHalo = 30;

const path = (points) => points.map(([x, z], index) => `${index ? "L" : "M"}${x} ${z}`).join("");

let pixel, things, sources, listener, earDots;

function drawMap() {
  pixel = Math.max((east - west) / Math.max(map.clientWidth, 120), (south - north) / Math.max(map.clientHeight, 120));
  map.replaceChildren();

  things = scene.things.map((thing) => {
    const group = add(map, "g", { style: `color: var(--${thing.color})` });
    const shape = { "stroke-width": thing.width * pixel, stroke: "currentColor", "stroke-linecap": "round" };
    if (thing.radius) add(group, "circle", { ...shape, r: thing.radius, fill: "var(--faint)" });
    else add(group, "path", { ...shape, d: path(thing.points), fill: "none" });
    return { ...thing, group };
  });

  const { x, z } = scene.listener;
  if (x.length > 1 || z.length > 1) {
    const places = Array.from({ length: Math.max(x.length, z.length) }, (_, index) => [x[index] ?? x[0], z[index] ?? z[0]]);
    add(map, "path", { d: path(places), class: "curve trail", style: `stroke-width: ${1.5 * pixel}` });
  }

  const type = (size) => `font-size: ${size * pixel}px`;
  sources = scene.sources.map((source, index) => {
    const group = add(map, "g", { style: series(index) });
    const halo = add(group, "circle", { fill: "currentColor", opacity: 0.18 });
    add(group, "circle", { r: 11 * pixel, fill: "currentColor" });
    add(group, "text", { y: 4.2 * pixel, class: "middle digit", style: type(12) }, index + 1);
    // Above the disc of the level at its largest, or below it in the lower half: away from the middle.
    const reach = source.level.length ? largestHalo : 11;
    const y = (source.z[0] > (north + south) / 2 ? reach + 15 : -reach - 6) * pixel;
    add(group, "text", { y, class: "middle name", style: `${type(13)}; stroke-width: ${4 * pixel}px` }, source.name);
    return { ...source, group, halo };
  });

  listener = add(map, "g");
  // Where the listener looks: a beam of 60 degrees, and a nose.
  add(listener, "path", { d: "M0 0 L-29 -50.2 A58 58 0 0 1 29 -50.2 Z", fill: "var(--ink)", opacity: 0.13, transform: `scale(${pixel})` });
  add(listener, "path", { d: "M-7.5 -9 L0 -22 L7.5 -9 Z", fill: "var(--ink)", transform: `scale(${pixel})` });
  add(listener, "circle", { r: 10.5 * pixel, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2 * pixel });
  earDots = [["left", -11], ["right", 11]].map(([ear, x]) =>
    add(listener, "circle", { cx: x * pixel, fill: "currentColor", class: ear }));

  const bar = add(map, "g", { transform: `translate(${west + 20 * pixel} ${south - 18 * pixel})`, class: "axis" });
  const length = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((length) => length / pixel > 56) ?? 1000;
  add(bar, "path", { d: `M0 ${-4 * pixel}V0H${length}V${-4 * pixel}`, class: "curve", style: `stroke-width: ${1.2 * pixel}` });
  add(bar, "text", { x: length / 2, y: -6 * pixel, class: "middle", style: type(12) }, `${length} m`);
}

// Beside it.

const meters = ["left", "right"].map((ear) => {
  const meter = part(ear);
  meter.setAttribute("aria-valuemin", scene.levels.lowest);
  meter.setAttribute("aria-valuemax", scene.levels.highest);
  return { track: scene.ears[ear], meter, fill: meter.firstElementChild, number: part(`${ear}-number`) };
});

const rows = scene.sources.map((source, index) => {
  const row = add(part("sources"), "li");
  add(add(row, "span", { class: "dot", style: series(index) }), "b", {}, index + 1);
  add(row, "span", { class: "name", title: source.name }, source.name);
  return { angle: add(row, "span", { class: "number" }), distance: add(row, "span", { class: "number" }) };
});

const readings = scene.readings.map((reading) => {
  const row = add(part("readings"), "div");
  add(row, "span", { class: "quiet" }, reading.name);
  return { ...reading, output: add(row, "span") };
});

/** The events of one sound with one text, in a line: a loop that starts over thirty times is one line. */
const lines = Map.groupBy(scene.events, (event) => `${event.source} ${event.text}`).values();
const mostTimes = 16;
const links = [...lines].flatMap((events) => {
  const row = add(part("moments"), "li");
  add(add(row, "span", { class: "dot", style: series(events[0].source) }), "b", {}, events[0].source + 1);
  add(row, "span", {}, events[0].text);
  const times = add(row, "span", { class: "times" });
  const shown = events.slice(0, events.length > mostTimes ? mostTimes - 1 : mostTimes);
  const links = shown.map((event) => {
    const link = add(times, "a", { href: `#t=${event.time}` }, numberText(event.time, 1));
    // The address may say so already.
    link.addEventListener("click", () => seek(event.time));
    return { time: event.time, link };
  });
  if (shown.length < events.length) add(times, "span", { class: "quiet" }, `and ${events.length - shown.length} more`);
  return links;
});

const chapters = scene.chapters.map((chapter, index) => {
  const end = scene.chapters[index + 1]?.time ?? scene.seconds;
  const style = `flex-grow: ${end - chapter.time}`;
  const link = add(part("chapters"), "a", { href: `#t=${chapter.time}`, style, title: chapter.text }, chapter.title);
  link.addEventListener("click", () => seek(chapter.time));
  return { time: chapter.time, link };
});

part("halos").hidden = !scene.sources.some((source) => source.level.length);
part("note").textContent =
  scene.gain === 0
    ? "The page plays the mix at its own level."
    : `The page plays the mix ${numberText(Math.abs(scene.gain), 1)} dB ${scene.gain > 0 ? "louder" : "quieter"}, ` +
      `at about ${numberText(scene.loudness)} LUFS, and turns down peaks that would clip. All levels on the page are those of the mix.`;

// The timeline: levels of both ears, and a lane of notifications for each source that has some.

const timeline = part("timeline");
const gutter = 44;
const curvesHeight = 124;
const lanes = scene.sources.map((_, index) => index).filter((index) => scene.events.some((event) => event.source === index));
let playhead = null;
let width = 0;
const xOf = (time) => gutter + (time / Math.max(scene.seconds, 0.01)) * (width - gutter);

function drawTimeline() {
  width = Math.max(timeline.clientWidth, 120);
  const lanesTop = curvesHeight + (lanes.length ? 8 : 0);
  const bottom = lanesTop + lanes.length * 22;
  const height = bottom + 20;
  timeline.replaceChildren();
  timeline.setAttribute("height", height);
  timeline.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const yOf = (decibels) => 8 + (1 - fraction(decibels)) * (curvesHeight - 8);

  for (let level = scene.levels.lowest; level <= scene.levels.highest; level += 10) {
    add(timeline, "line", { x1: gutter, x2: width, y1: yOf(level), y2: yOf(level), class: "grid" });
    if ((scene.levels.highest - level) % 20 === 0) {
      add(timeline, "text", { x: gutter - 10, y: yOf(level) + 4, class: "axis end" }, numberText(level));
    }
  }
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].find((step) => (step / scene.seconds) * width > 56) ?? 1200;
  for (let time = 0; time <= scene.seconds; time += step) {
    add(timeline, "line", { x1: xOf(time), x2: xOf(time), y1: 8, y2: bottom, class: "grid" });
    const isLast = xOf(time) > width - 14;
    add(timeline, "text", { x: xOf(time), y: height - 4, class: `axis ${isLast ? "end" : "middle"}` }, clockText(time, 0));
  }
  for (const ear of ["left", "right"]) {
    // Silence has no line: none runs along the bottom.
    let d = "", isDrawn = false;
    for (let x = gutter; x <= width; x++) {
      const level = valueOf(scene.ears[ear], ((x - gutter) / (width - gutter)) * scene.seconds);
      d += `${isDrawn ? "L" : "M"}${x} ${yOf(level).toFixed(1)}`;
      isDrawn = level > scene.levels.lowest;
    }
    add(timeline, "path", { d, class: `curve ${ear}` });
  }
  lanes.forEach((source, lane) => {
    const y = lanesTop + lane * 22 + 11;
    const row = add(timeline, "g", { style: series(source) });
    add(row, "circle", { cx: gutter - 20, cy: y, r: 9, fill: "currentColor" });
    add(row, "text", { x: gutter - 20, y: y + 4, class: "middle digit" }, source + 1);
    add(row, "line", { x1: gutter, x2: width, y1: y, y2: y, class: "grid" });
    for (const event of scene.events.filter((event) => event.source === source)) {
      const mark = add(row, "rect", { x: xOf(event.time) - 2, y: y - 7, width: 4, height: 14, rx: 2, fill: "currentColor" });
      add(mark, "title", {}, `${clockText(event.time, 2)} ${event.text}`);
    }
  });
  playhead = add(timeline, "g");
  add(playhead, "line", { y1: 2, y2: bottom, class: "head" });
  add(playhead, "path", { d: "M-6 0H6V5L0 11L-6 5Z", class: "grip" });
}

// One moment, everywhere on the page.

/** Marks the last link whose moment has come. */
function markCurrent(links, time) {
  const current = latest(links, time)?.time;
  for (const link of links) {
    if (link.time === current) link.link.setAttribute("aria-current", "true");
    else link.link.removeAttribute("aria-current");
  }
}

function show(time) {
  const [x, z] = [valueOf(scene.listener.x, time), valueOf(scene.listener.z, time)];
  const turn = valueOf(scene.listener.turn, time);
  listener.setAttribute("transform", `translate(${x} ${z}) rotate(${turn})`);

  for (const thing of things) {
    const [left, top, angle] = ["x", "z", "turn"].map((key) => valueOf(thing[key], time));
    thing.group.setAttribute("transform", `translate(${left} ${top}) rotate(${angle})`);
    thing.group.setAttribute("opacity", valueOf(thing.opacity, time));
  }

  sources.forEach((source, index) => {
    const [left, top] = [valueOf(source.x, time), valueOf(source.z, time)];
    source.group.setAttribute("transform", `translate(${left} ${top})`);
    source.group.setAttribute("opacity", valueOf(source.opacity, time));
    if (source.level.length) source.halo.setAttribute("r", (11 + (largestHalo - 11) * fraction(valueOf(source.level, time))) * pixel);
    const bearing = (Math.atan2(left - x, z - top) * 180) / Math.PI - turn;
    const angle = Math.round(bearing - 360 * Math.round(bearing / 360));
    rows[index].angle.textContent = `${numberText(angle)}°`;
    rows[index].distance.textContent = `${numberText(Math.hypot(left - x, top - z), 1)} m`;
  });

  meters.forEach(({ track, meter, fill, number }, index) => {
    const level = valueOf(track, time);
    fill.style.transform = `scaleX(${fraction(level)})`;
    number.textContent = levelText(level);
    meter.setAttribute("aria-valuenow", Math.max(level, scene.levels.lowest).toFixed(1));
    meter.setAttribute("aria-valuetext", level < scene.levels.lowest ? "silent" : `${numberText(level, 1)} dB`);
    earDots[index].setAttribute("r", (2.5 + 5 * fraction(level)) * pixel);
  });

  for (const reading of readings) {
    reading.output.textContent = `${numberText(valueOf(reading.values, time), reading.decimals)} ${reading.unit}`;
  }

  const caption = latest(scene.chapters, time)?.text ?? "";
  if (part("caption").textContent !== caption) part("caption").textContent = caption;
  markCurrent(chapters, time);
  markCurrent(links, time);

  part("clock").textContent = `${clockText(time, 1)} / ${clockText(scene.seconds, 0)}`;
  part("seek").value = time;
  part("seek").setAttribute("aria-valuetext", `${numberText(time, 1)} of ${numberText(scene.seconds)} seconds`);
  playhead?.setAttribute("transform", `translate(${xOf(time)})`);
}

// The sound.

// `isWanted` is so from a press on the button on, while the sound is still decoded too; `node` is there while it plays.
const player = { context: null, buffer: null, node: null, isWanted: false, offset: 0, startedAt: 0, frame: 0 };

/** Where the sound is that is heard now, in seconds. */
function timeNow() {
  if (!player.node) return player.offset;
  const heard = player.context.currentTime - (player.context.outputLatency || 0) - player.startedAt;
  return Math.min(player.offset + Math.max(heard, 0), scene.seconds);
}

async function decode() {
  player.context ??= new AudioContext();
  const bytes = Uint8Array.from(atob(part("sound").textContent), (letter) => letter.charCodeAt(0));
  player.buffer ??= await player.context.decodeAudioData(bytes.buffer);
}

const isAtEnd = () => player.offset >= scene.seconds - 0.01;

/** Plays on, or from the beginning where all was heard. */
async function play() {
  if (isAtEnd()) player.offset = 0;
  player.isWanted = true;
  part("problem").textContent = "";
  nameButton();
  try {
    if (!player.buffer) await decode();
    await player.context.resume();
  } catch (error) {
    part("problem").textContent = `This browser could not play the sound: ${error.message}`;
    pause();
    return;
  }
  if (player.isWanted && !player.node) start();
}

function start() {
  player.node = new AudioBufferSourceNode(player.context, { buffer: player.buffer });
  player.node.connect(player.context.destination);
  player.startedAt = player.context.currentTime;
  player.node.start(0, player.offset);
  player.frame = requestAnimationFrame(follow);
}

function halt() {
  player.offset = timeNow();
  player.node?.stop();
  player.node = null;
  cancelAnimationFrame(player.frame);
}

function pause() {
  halt();
  player.isWanted = false;
  nameButton();
}

/** Goes to a moment, and plays on from there if it played; at the end nothing is left to play. */
function seek(time) {
  const wasPlaying = player.node !== null;
  halt();
  player.offset = Math.min(Math.max(time, 0), scene.seconds);
  show(player.offset);
  if (!wasPlaying) return;
  if (isAtEnd()) pause();
  else start();
}

function nameButton() {
  part("play-name").textContent = player.isWanted ? "Pause" : "Play";
  part("sign").setAttribute("d", player.isWanted ? "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" : "M8 5v14l11-7z");
}

let shownAt = -Infinity;

/** Shows what is heard, each frame; twice a second where the reader wants little motion. */
function follow(now) {
  const time = timeNow();
  if (!isCalm.matches || now - shownAt >= 500) {
    shownAt = now;
    show(time);
  }
  if (time >= scene.seconds) {
    pause();
    show(scene.seconds);
  } else {
    player.frame = requestAnimationFrame(follow);
  }
}

// Hands on it.

const toggle = () => (player.isWanted ? pause() : play());
part("play").addEventListener("click", toggle);
part("seek").max = scene.seconds;
part("seek").addEventListener("input", () => seek(Number(part("seek").value)));

const seekTo = (event) => {
  const left = timeline.getBoundingClientRect().left;
  seek(((event.clientX - left - gutter) / (width - gutter)) * scene.seconds);
};
timeline.addEventListener("pointerdown", (event) => {
  timeline.setPointerCapture(event.pointerId);
  seekTo(event);
});
timeline.addEventListener("pointermove", (event) => event.buttons && seekTo(event));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const step = event.shiftKey ? 5 : 1;
  const time = timeNow();
  // Home and End are the page's, or the slider's own while that has the focus.
  const places = { ArrowLeft: time - step, ArrowRight: time + step };
  if (event.key in places) seek(places[event.key]);
  else if (event.key === " " && !event.target.closest("button")) toggle();
  else return;
  event.preventDefault();
});

function draw() {
  drawMap();
  drawTimeline();
  show(timeNow());
}
const observer = new ResizeObserver(draw);
for (const drawn of [map, timeline]) observer.observe(drawn);
draw();
followAddress(seek);

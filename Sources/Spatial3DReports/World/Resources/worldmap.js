// The map: zones, emitters, portals and listeners from above. Functions alone: the script of the page calls them.

/** A zone is filled by its level; a band outside of it is as wide as its fade, and a label has its name. */
function drawZone(drawing, { name, fade, outline, level }) {
  const heard = level <= -160 ? 0 : Math.min(10 ** (level / 20), 1);
  const shape = new Path2D();
  let [left, top] = [Infinity, Infinity];
  if (outline.length === 3) {
    const [x, y] = spot(outline[0], outline[1]), radius = outline[2] * places.scale;
    shape.arc(x, y, radius, 0, 7);
    [left, top] = [x, y - radius];
  } else {
    for (let at = 0; at + 1 < outline.length; at += 2) {
      const [x, y] = spot(outline[at], outline[at + 1]);
      shape.lineTo(x, y);
      if (y < top || (y === top && x < left)) [left, top] = [x, y];
    }
    shape.closePath();
  }
  drawing.strokeStyle = drawing.fillStyle = colors.series2;
  drawing.lineJoin = "round";
  if (fade > 0) {
    // A line along the outline lies on both sides of it; the inner half is clipped away.
    const outside = new Path2D(shape);
    outside.rect(-1e6, -1e6, 2e6, 2e6);
    drawing.save();
    drawing.clip(outside, "evenodd");
    drawing.globalAlpha = 0.12;
    drawing.lineWidth = 2 * fade * places.scale;
    drawing.stroke(shape);
    drawing.restore();
  }
  drawing.globalAlpha = 0.05 + 0.2 * heard;
  drawing.fill(shape);
  drawing.globalAlpha = 0.9;
  drawing.lineWidth = 1.5;
  drawing.stroke(shape);
  drawing.globalAlpha = 1;
  drawing.font = "12px system-ui, sans-serif";
  return { text: heard ? `${name} ${numberText(level, 1)} dB` : name, x: left + 6, y: Math.max(top, 0) + 16 };
}

/** A portal is a dial: a full disc is open, an empty one closed. */
function drawPortal(drawing, { x, z, radius, openness }) {
  const [left, top] = spot(x, z), size = Math.max(radius * places.scale, 6);
  drawing.lineWidth = 2;
  drawing.strokeStyle = drawing.fillStyle = colors.series3;
  drawing.beginPath();
  drawing.arc(left, top, size, 0, 7);
  drawing.globalAlpha = 0.8;
  drawing.fillStyle = colors.paper;
  drawing.fill();
  drawing.globalAlpha = 1;
  drawing.stroke();
  drawing.fillStyle = colors.series3;
  drawing.beginPath();
  drawing.moveTo(left, top);
  drawing.arc(left, top, size, -Math.PI / 2, (2 * openness - 0.5) * Math.PI);
  drawing.fill();
  const text = openness <= 0 ? "closed" : openness < 1 ? `${numberText(openness * 100, 0)} %` : "";
  // Beside a small dial, and within reach of the middle of a large one.
  return { text, x: left + Math.min(size, 40) + 4, y: top + 4 };
}

/** A listener, with the sector in front of it, and with its number among several. */
function drawListener(drawing, [x, z, forwardX, forwardZ], number) {
  const [left, top] = spot(x, z), turn = Math.atan2(forwardZ, forwardX);
  drawing.fillStyle = colors.ink;
  drawing.globalAlpha = 0.14;
  drawing.beginPath();
  drawing.moveTo(left, top);
  drawing.arc(left, top, 46, turn - 0.52, turn + 0.52);
  drawing.fill();
  drawing.globalAlpha = 1;
  drawing.strokeStyle = colors.ink;
  drawing.fillStyle = colors.paper;
  drawing.lineWidth = 2;
  drawing.beginPath();
  drawing.arc(left, top, number ? 9 : 7, 0, 7);
  drawing.fill();
  drawing.stroke();
  if (!number) return;
  drawing.fillStyle = colors.ink;
  drawing.font = "600 12px system-ui, sans-serif";
  drawing.textAlign = "center";
  drawing.fillText(`${number}`, left, top + 4);
  drawing.textAlign = "start";
}

/** The way of the selected emitter to its listener: straight, or by its portal. */
function drawWay(drawing, row, portals, listener) {
  const portal = portals[wayOf(row)[1]];
  drawing.strokeStyle = colors.cursor;
  drawing.lineWidth = 1.5;
  drawing.setLineDash([5, 4]);
  drawing.beginPath();
  drawing.moveTo(...placeOf(row));
  if (portal) drawing.lineTo(...spot(portal.x, portal.z));
  drawing.lineTo(...spot(listener[0], listener[1]));
  drawing.stroke();
  drawing.setLineDash([]);
}

/** Short texts, each with an edge in the color of the map, so that nothing below it disturbs. */
function drawLabels(drawing, labels, width) {
  drawing.font = "12px system-ui, sans-serif";
  drawing.lineJoin = "round";
  drawing.lineWidth = 3;
  drawing.strokeStyle = colors.panel;
  drawing.fillStyle = colors.ink;
  for (const { text, x, y } of labels) {
    const left = Math.min(Math.max(x, 4), Math.max(width - drawing.measureText(text).width - 4, 4));
    drawing.strokeText(text, left, y);
    drawing.fillText(text, left, y);
  }
}

/** The emitters: the ones with a voice last and largest, so that they are on top. */
function drawDots(drawing) {
  const size = view.rows.length > 2000 ? 1.6 : view.rows.length > 200 ? 2.6 : 4.5;
  const layers = [[kinds.other, colors.quiet, 0.6], [kinds.virtual, colors.series4, 1], [kinds.real, colors.series1, 1.5]];
  for (const [kind, color, factor] of layers) {
    const radius = size * factor;
    drawing.beginPath();
    for (const row of view.rows) {
      if (row.x === noPlace || kindOfState[row.state] !== kind) continue;
      const [x, y] = placeOf(row);
      // Among thousands, a square of three pixels looks like a disc, and costs a fraction.
      if (radius < 2) {
        drawing.rect(x - radius, y - radius, 2 * radius, 2 * radius);
        continue;
      }
      drawing.moveTo(x + radius, y);
      drawing.arc(x, y, radius, 0, 7);
    }
    drawing.fillStyle = color;
    drawing.fill();
  }
}

function drawMap() {
  const { drawing, width, height } = drawingOf(part("map"));
  const scale = Math.min(width / (east - west), height / (south - north));
  places = { scale, left: (width - (east - west) * scale) / 2, top: (height - (south - north) * scale) / 2 };
  const space = spaceOf(view.snapshot);
  const zoneLabels = space.zones.map((zone) => drawZone(drawing, zone));
  drawDots(drawing);
  const portalLabels = space.portals.map((portal) => drawPortal(drawing, portal));
  const numbers = scene.listeners[view.snapshot] ?? [], listeners = [];
  for (let at = 0; at + 3 < numbers.length; at += 4) listeners.push(numbers.slice(at, at + 4));
  listeners.forEach((listener, index) => drawListener(drawing, listener, listeners.length > 1 ? index + 1 : 0));
  drawLabels(drawing, [...zoneLabels, ...portalLabels], width);
  const selected = selectedRow();
  if (selected && selected.x !== noPlace) {
    const listener = listeners[wayOf(selected)[2]] ?? listeners[0];
    if (listener) drawWay(drawing, selected, space.portals, listener);
    const [x, y] = placeOf(selected);
    drawing.strokeStyle = colors.cursor;
    drawing.lineWidth = 2.5;
    drawing.beginPath();
    drawing.arc(x, y, 10, 0, 7);
    drawing.stroke();
  }
  const length = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((length) => length * scale > 50) ?? 2000;
  drawing.strokeStyle = drawing.fillStyle = colors.quiet;
  drawing.lineWidth = 1.2;
  drawing.beginPath();
  drawing.moveTo(14, height - 18);
  drawing.lineTo(14, height - 14);
  drawing.lineTo(14 + length * scale, height - 14);
  drawing.lineTo(14 + length * scale, height - 18);
  drawing.stroke();
  drawing.font = "12px system-ui, sans-serif";
  drawing.fillText(`${length} m`, 18, height - 20);
}

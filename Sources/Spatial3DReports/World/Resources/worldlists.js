// The lists of emitters and events, of which only the rows in sight are elements. Functions alone, as for the map.

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

/** Makes an element an option of a list. */
function nameOption(list, element, id, isSelected, index, count) {
  element.id = id;
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", isSelected);
  element.setAttribute("aria-setsize", count);
  element.setAttribute("aria-posinset", index + 1);
  if (isSelected) list.setAttribute("aria-activedescendant", id);
}

/** Scrolls a list until a row is in sight. */
function reveal(list, index) {
  const top = index * heightOfRow;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + heightOfRow > list.scrollTop + list.clientHeight) list.scrollTop = top + heightOfRow - list.clientHeight;
}

function drawEmitters() {
  const list = part("list");
  list.removeAttribute("aria-activedescendant");
  drawList(list, view.shown.length, (element, index) => {
    const row = view.shown[index], { number, name, bus } = names[row.index];
    nameOption(list, element, `row-${row.number}`, row.number === view.selected, index, view.shown.length);
    add(element, "number quiet", number);
    add(element, "name", name);
    add(element, "bus-name quiet", bus);
    add(element, "number", levelText(row.level));
    add(element, isHeard(row.state) ? "has-voice" : "why", reasonAndWay(row));
    element.title = reasonAndWay(row);
    element.onclick = () => select(row.number);
  });
}

function drawEvents() {
  const time = scene.times[view.snapshot] ?? 0, list = part("events");
  list.removeAttribute("aria-activedescendant");
  drawList(list, view.events.length, (element, index) => {
    const event = view.events[index], [moment] = event;
    nameOption(list, element, `event-${index}`, event === view.event, index, view.events.length);
    element.classList.toggle("is-now", moment <= time + resolution && moment > time - 0.5);
    add(element, "number quiet", numberText(moment, 3));
    add(element, "name", eventText(event));
    element.title = eventText(event);
    element.onclick = () => showEvent(event);
  });
}

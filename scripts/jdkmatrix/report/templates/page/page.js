// SPDX-License-Identifier: Apache-2.0
// The page is whole without this: it adds copy buttons, a filter and keys, and opens what is linked to.
"use strict";

const said = document.getElementById("said");

function say(text) {
  said.textContent = text;
}

function copied(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea"); // no clipboard on plain http
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("refused"));
}

function addTools(part) {
  for (const wide of part.querySelectorAll(".scroll:not([tabindex])")) wide.tabIndex = 0;
  for (const line of part.querySelectorAll(".rerun:not(:has(button))")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy the command");
    button.addEventListener("click", () => {
      copied(line.querySelector("code").textContent).then(
        () => { button.textContent = "Copied"; say("Copied the command"); },
        () => { button.textContent = "Not copied"; say("The command could not be copied"); },
      );
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    line.append(button);
  }
}

// `stays`: the page is not scrolled, as a mark beside the target was clicked.
function openTarget(stays) {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && document.getElementById(id);
  if (!target) return;
  const bug = target.closest("#cells .bug");
  if (bug) {
    for (const other of document.querySelectorAll("#cells .chosen")) other.classList.remove("chosen");
    bug.classList.add("chosen");
  }
  for (let at = target; at; at = at.parentElement?.closest("details")) at.open = true;
  const details = target.matches(".brief") ? null : target.closest("details");
  const pane = target.closest("#cells");
  if (pane && getComputedStyle(pane).position === "sticky") {
    if (!stays) pane.parentElement.scrollIntoView();
    pane.scrollTop += (details ?? target).getBoundingClientRect().top - pane.getBoundingClientRect().top;
  } else {
    (details ?? target).scrollIntoView();
  }
  for (const old of document.querySelectorAll(".here")) old.classList.remove("here");
  target.classList.add("here");
  for (const mark of document.querySelectorAll(`.grid td a[href="${CSS.escape(location.hash)}"]`)) mark.classList.add("here");
  (details?.firstElementChild ?? target).focus({ preventScroll: true });
}

// Beside the grid a cell is opened without the browser's own way there, which moves the grid.
function openBesideGrid() {
  document.querySelector(".grid")?.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    const target = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const pane = target?.closest("#cells");
    if (!pane || getComputedStyle(pane).position !== "sticky" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    history.pushState(null, "", link.hash);
    openTarget(true);
  });
}

function markWide() {
  const grid = document.querySelector("#grid .scroll"); // others would be laid out though closed
  grid?.classList.toggle("wide", grid.scrollWidth > grid.clientWidth + 1);
}

function makeButton(text, isPressed, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  if (isPressed !== null) button.setAttribute("aria-pressed", isPressed);
  button.addEventListener("click", () => act(button));
  return button;
}

function makeTools(...parts) {
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(...parts);
  return tools;
}

function addFilter() {
  const section = document.getElementById("cells");
  if (!section) return;
  const tests = [...section.querySelectorAll(".test")];
  const label = document.createElement("label");
  label.textContent = "Search ";
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "build, outcome or grade";
  label.append(input);
  const all = makeButton("Show all", false, () => {
    all.setAttribute("aria-pressed", section.classList.toggle("all"));
  });
  const close = makeButton("Close all", null, () => {
    for (const part of section.querySelectorAll("details[open]")) part.open = false;
  });
  section.querySelector("h2").after(makeTools(label, all, close));
  input.addEventListener("input", () => {
    const query = input.value.trim().toLowerCase();
    section.classList.toggle("all", query !== "" || all.ariaPressed === "true");
    let count = 0;
    for (const test of tests) {
      let any = 0;
      for (const cell of test.querySelectorAll(".cell")) {
        const line = cell.matches(".brief") ? cell : cell.firstElementChild;
        const text = line.textContent.toLowerCase();
        cell.hidden = !query.split(/\s+/).every((word) => text.includes(word));
        any += !cell.hidden;
      }
      test.hidden = any === 0;
      test.open = query !== "" && any > 0;
      count += any;
    }
    for (const bug of section.querySelectorAll(".bug")) {
      bug.hidden = !bug.querySelector(".test:not([hidden])");
    }
    say(`${count} results shown`);
  });
}

// Which rows and columns of the grid are shown, and in which order the rows are.
function addGridTools() {
  const table = document.querySelector(".grid");
  if (!table) return;
  const bodies = [...table.tBodies];
  const heads = [...table.tHead.rows[0].cells].slice(1); // one for each release line
  let first = 1;
  const lines = heads.map((head) => {
    const line = { head, from: first, to: first + head.colSpan, shown: true };
    first = line.to;
    return line;
  });
  const shownCells = (row) => [...row.cells].slice(1).filter((cell) => !cell.hidden);
  const isOdd = (body) => body.querySelector(".odd, .flag, .inconclusive, .error") !== null;
  const differs = (body) => isOdd(body) || [...body.rows].some((row) => {
    const words = shownCells(row).filter((cell) => cell.firstElementChild.matches("a"))
      .map((cell) => cell.textContent);
    return words.some((word) => word !== words[0]);
  });
  let onlyDifferences = false;
  const show = () => {
    for (const line of lines) {
      line.head.hidden = !line.shown;
      for (const row of [table.tHead.rows[1], ...bodies.flatMap((body) => [...body.rows])]) {
        const shift = row.parentElement === table.tHead ? 1 : 0; // its corner is in the row above
        for (let n = line.from; n < line.to; n++) row.cells[n - shift].hidden = !line.shown;
      }
    }
    const different = bodies.filter(differs);
    for (const body of bodies) body.hidden = onlyDifferences && !different.includes(body);
    only.textContent = `Only differences (${different.length})`;
    only.setAttribute("aria-pressed", onlyDifferences);
    all.setAttribute("aria-pressed", !onlyDifferences);
    markWide();
  };
  const change = (act) => {
    act();
    show();
    say(`${bodies.filter((body) => !body.hidden).length} rows shown`);
  };
  const only = makeButton("", false, () => change(() => { onlyDifferences = true; }));
  const all = makeButton(`All ${bodies.length}`, true, () => change(() => { onlyDifferences = false; }));
  const parts = [only, all];
  if (lines.length > 1) {
    parts.push(...lines.map((line) => makeButton(line.head.textContent, true, (button) => change(() => {
      line.shown = !line.shown;
      button.setAttribute("aria-pressed", line.shown);
    }))));
  }
  const number = (body) => parseInt(body.querySelector("th a").textContent, 10) || 0;
  const orders = [
    ["as listed", (a, b) => bodies.indexOf(a) - bodies.indexOf(b)],
    ["surprises first", (a, b) => isOdd(b) - isOdd(a) || bodies.indexOf(a) - bodies.indexOf(b)],
    ["newest bug first", (a, b) => number(b) - number(a)],
  ];
  const sort = document.createElement("select");
  sort.setAttribute("aria-label", "Order of the rows");
  sort.append(...orders.map(([name]) => new Option(name)));
  sort.addEventListener("change", () => table.append(...[...bodies].sort(orders[sort.selectedIndex][1])));
  parts.push(sort);
  document.querySelector("#grid .legend").before(makeTools(...parts));
  onlyDifferences = document.getElementById("topics") !== null && bodies.some(differs);
  show();
}

// Arrow keys go from mark to mark; a mark's tip names its build and test.
function steerGrid() {
  const table = document.querySelector(".grid");
  if (!table) return;
  const builds = [...table.querySelectorAll("thead tr:last-child th")].map((th) => th.textContent);
  table.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!(event.key in step) || !event.target.matches("td a")) return;
    const rows = [...table.querySelectorAll("tbody tr")].filter((row) => row.checkVisibility());
    const [dx, dy] = step[event.key];
    let x = event.target.parentElement.cellIndex;
    let y = rows.indexOf(event.target.closest("tr"));
    let next = null;
    do {
      x += dx;
      y += dy;
      next = rows[y]?.cells[x]?.querySelector("td > a") ?? null;
    } while (rows[y]?.cells[x] && x > 0 && !next?.checkVisibility());
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  table.addEventListener("mouseover", (event) => {
    const link = event.target;
    if (!link.matches("td a") || link.title) return;
    const test = decodeURIComponent(link.hash).split("/").pop();
    link.title = `${builds[link.parentElement.cellIndex - 1]}, ${test}: ${link.textContent}`;
  });
}

document.addEventListener("toggle", (event) => addTools(event.target), true);
window.addEventListener("hashchange", () => openTarget(false));
window.addEventListener("popstate", () => openTarget(false));
window.addEventListener("resize", markWide);
document.documentElement.classList.add("js");
addTools(document);
addFilter();
addGridTools();
steerGrid();
openBesideGrid();
markWide();
window.addEventListener("load", () => setTimeout(openTarget, 0, false)); // after the browser's own way there

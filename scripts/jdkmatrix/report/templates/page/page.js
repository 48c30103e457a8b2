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
    button.setAttribute("aria-label", "Copy the rerun command");
    button.addEventListener("click", () => {
      copied(line.querySelector("code").textContent).then(
        () => { button.textContent = "Copied"; say("Copied the rerun command"); },
        () => { button.textContent = "Not copied"; say("The command could not be copied"); },
      );
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    line.append(button);
  }
}

function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id && document.getElementById(id);
  if (!target) return;
  for (let at = target; at; at = at.parentElement?.closest("details")) at.open = true;
  const details = target.matches(".brief") ? null : target.closest("details");
  const pane = target.closest("#cells");
  if (pane && getComputedStyle(pane).position === "sticky") { // beside the grid, which stays
    pane.scrollTop += (details ?? target).getBoundingClientRect().top - pane.getBoundingClientRect().top;
  } else {
    (details ?? target).scrollIntoView();
  }
  for (const old of document.querySelectorAll(".here")) old.classList.remove("here");
  target.classList.add("here");
  document.querySelector(`.grid td a[href="${CSS.escape(location.hash)}"]`)?.classList.add("here");
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
    openTarget();
  });
}

function markWide() {
  const grid = document.querySelector("#grid .scroll"); // others would be laid out though closed
  grid?.classList.toggle("wide", grid.scrollWidth > grid.clientWidth + 1);
}

function addFilter() {
  const section = document.getElementById("cells");
  if (!section) return;
  const tests = [...section.querySelectorAll(".test")];
  const tools = document.createElement("div");
  tools.className = "tools";
  const label = document.createElement("label");
  label.textContent = "Show cells with ";
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "build, outcome or grade";
  label.append(input);
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close all";
  close.addEventListener("click", () => {
    for (const one of section.querySelectorAll("details[open]")) one.open = false;
  });
  tools.append(label, close);
  section.querySelector("h2").after(tools);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const test of tests) {
      let any = 0;
      for (const cell of test.querySelectorAll(".cell")) {
        const line = cell.matches(".brief") ? cell : cell.firstElementChild;
        const text = line.textContent.toLowerCase();
        cell.hidden = !wanted.split(/\s+/).every((word) => text.includes(word));
        any += !cell.hidden;
      }
      test.hidden = any === 0;
      test.open = wanted !== "" && any > 0;
      shown += any;
    }
    for (const bug of section.querySelectorAll(".bug")) {
      bug.hidden = !bug.querySelector(".test:not([hidden])");
    }
    say(`${shown} cells shown`);
  });
}

// Arrow keys go from mark to mark; a mark's tip names its build and test.
function steerGrid() {
  const table = document.querySelector(".grid");
  if (!table) return;
  const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.cells]);
  const builds = [...table.querySelectorAll("thead tr:last-child th")].map((th) => th.textContent);
  const place = (link) => {
    const y = rows.findIndex((row) => row.includes(link.parentElement));
    return [rows[y]?.indexOf(link.parentElement) ?? -1, y];
  };
  table.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!(event.key in step) || !event.target.matches("td a")) return;
    const [dx, dy] = step[event.key];
    let [x, y] = place(event.target);
    do { x += dx; y += dy; } while (rows[y]?.[x]?.matches("td") && !rows[y][x].querySelector("a"));
    const next = rows[y]?.[x]?.matches("td") && rows[y][x].querySelector("a");
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  table.addEventListener("mouseover", (event) => {
    const link = event.target;
    if (!link.matches("td a") || link.title) return;
    const [x, y] = place(link);
    const test = rows[y][0].querySelector("span").textContent;
    link.title = `${builds[x - 1]}, ${test}: ${link.textContent}`;
  });
}

document.addEventListener("toggle", (event) => addTools(event.target), true);
window.addEventListener("hashchange", openTarget);
window.addEventListener("popstate", openTarget);
window.addEventListener("resize", markWide);
addTools(document);
addFilter();
steerGrid();
openBesideGrid();
markWide();
window.addEventListener("load", () => setTimeout(openTarget)); // after the browser's own way there

// SPDX-License-Identifier: Apache-2.0
// Search on the first page: rows that have all words stay; a version leads to its release.
const box = document.querySelector("input[type=search]");
const rows = [...document.querySelectorAll("[data-text]")];
const status = document.getElementById("answer");

function search() {
  const text = box.value.trim();
  const words = text.toLowerCase().split(/[\s(),;"]+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    row.hidden = !words.every((word) => row.dataset.text.includes(word));
    count += !row.hidden;
  }
  const release = [...document.querySelectorAll(".lines a")].find((a) => a.textContent === text);
  status.textContent = "";
  if (release) {
    status.append("Release ", release.cloneNode(true), ": what it fixes, brings and changes.");
    rows.forEach((row) => { row.hidden = false; });
  } else if (text) {
    status.textContent = count ? `${count} of ${rows.length} bugs and changes have these words.`
      : "None has all these words: try fewer, or the name of the exception.";
  }
}

if (status && box) {
  box.value = new URLSearchParams(location.search).get("q") || "";
  box.addEventListener("input", search);
  document.querySelector("header form").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  search();
}

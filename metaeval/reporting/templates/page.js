"use strict";
// What the page can do beyond being read: theme, sorting, filtering, counterexamples, downloads.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  for (const element of all("[hidden]#theme, .filters[hidden], .downloads[hidden]")) element.hidden = false;

  // Theme: the system's until the button is used.
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => root.dataset.theme || (system.matches ? "dark" : "light");
  const toggle = document.getElementById("theme");
  const label = () => {
    document.getElementById("theme-name").textContent = theme() === "dark" ? "Light" : "Dark";
  };
  toggle.addEventListener("click", () => {
    root.dataset.theme = theme() === "dark" ? "light" : "dark";
    try { localStorage.setItem("metaeval-theme", root.dataset.theme); } catch { /* not kept then */ }
    label();
  });
  system.addEventListener("change", label);
  label();

  // Sorting: numbers by value, text by the alphabet, undefined always last.
  const value = (row, column) => {
    const cell = row.cells[column];
    const given = cell.dataset.sort ?? cell.textContent.trim();
    const number = given === "" ? NaN : Number(given);
    return Number.isNaN(number) ? given : number;
  };
  const sort = (head) => {
    const table = head.closest("table");
    const column = head.cellIndex;
    const first = head.dataset.first || "descending";
    const other = first === "ascending" ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, column), row]);
    rows.sort(([a], [b]) => {
      if (a === b) return 0;
      if (a === "–" || a === "") return 1;
      if (b === "–" || b === "") return -1;
      if (typeof a === "number" && typeof b === "number") return sign * (a - b);
      return sign * String(a).localeCompare(String(b));
    });
    body.append(...rows.map(([, row]) => row));
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", order);
  };
  // Not <button>: no browser repeats the head of a table on the next sheet if a control is in it.
  for (const sorter of all(".sorter")) {
    sorter.role = "button";
    sorter.tabIndex = 0;
    sorter.addEventListener("click", () => sort(sorter.closest("th")));
    sorter.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      sort(sorter.closest("th"));
    });
  }

  // Filtering.
  for (const block of all("[data-filter]")) {
    const [text, flag] = [".filter-text", ".filter-flag"].map((s) => block.querySelector(s));
    const groups = all(".filter-group", block);
    const rows = all("tbody tr", block);
    const apply = () => {
      const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const content = row.textContent.toLowerCase();
        row.hidden = !(
          words.every((word) => content.includes(word)) &&
          groups.every(({ value, dataset }) => !value || row.dataset[`g${dataset.place}`] === value) &&
          (!flag?.checked || "flag" in row.dataset)
        );
        shown += !row.hidden;
      }
      block.querySelector(".shown").textContent = `${shown} of ${rows.length}`;
    };
    text.addEventListener("input", apply);
    for (const control of [...groups, flag]) control?.addEventListener("change", apply);
    apply();
  }

  // Counterexamples.
  const open = (id) => {
    const dialog = document.getElementById(id);
    if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
  };
  for (const button of all("[data-example]")) button.addEventListener("click", () => open(button.dataset.example));
  for (const dialog of all("dialog")) {
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }
  const followed = () => open(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", followed);
  followed();

  // Downloads. A spreadsheet takes cells with these beginnings for formulas, unless an apostrophe
  // makes them text.
  // The same as in metaeval/cells.py: text that a spreadsheet might run; a plain number is none.
  const formula = /^(?![+-](?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$)'*[=+\-@\t\r\n＝＋－＠]/;
  const guard = (cell) => (typeof cell === "string" && formula.test(cell) ? `'${cell}` : cell);
  const csvCell = (cell) => {
    const text = cell === null ? "" : String(guard(cell));
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const content = {
    csv: ({ columns, rows }) => [columns, ...rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n",
    json: ({ columns, rows }) =>
      JSON.stringify(rows.map((row) => Object.fromEntries(row.map((cell, i) => [columns[i], cell]))), null, 1) + "\n",
  };
  const types = { csv: "text/csv", json: "application/json" };
  for (const button of all(".downloads button")) {
    button.addEventListener("click", () => {
      const name = button.parentElement.dataset.frame;
      const kind = button.dataset.kind;
      const data = JSON.parse(document.getElementById(`data-${name}`).textContent);
      const address = URL.createObjectURL(new Blob([content[kind](data)], { type: types[kind] }));
      const link = Object.assign(document.createElement("a"), { href: address, download: `${name}.${kind}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    });
  }

  // Where the reader is.
  const links = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
  if ("IntersectionObserver" in window) {
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting) continue;
          for (const link of links.values()) link.removeAttribute("aria-current");
          links.get(target.id)?.setAttribute("aria-current", "true");
        }
      },
      { rootMargin: "-10% 0px -80% 0px" },
    );
    for (const section of all("main > section")) watch.observe(section);
  }

  // Folded parts belong on paper too.
  addEventListener("beforeprint", () => { for (const part of all("main details")) part.open = true; });
})();

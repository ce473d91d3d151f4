// Before anything is drawn: the theme that was chosen on an earlier visit.
try {
  const chosen = localStorage.getItem("metaeval-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage can be forbidden; the page then follows the system.
}

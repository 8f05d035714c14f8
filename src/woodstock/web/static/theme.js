// Colours and text size chosen before: set before the first paint, so that nothing flashes.
(function () {
  try {
    const theme = localStorage.getItem("theme");
    const size = localStorage.getItem("size");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    if (size) document.documentElement.dataset.size = size;
  } catch {
    // No storage: the colours of the system.
  }
})();

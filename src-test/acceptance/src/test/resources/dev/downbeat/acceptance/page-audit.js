// What a reader with a ruler would find on this page: a list of sentences.
function look(tallest) {
  const findings = [];
  const most = 4;
  function found(kind, what) {
    if (findings.filter(one => one.startsWith(kind)).length < most) { findings.push(kind + ": " + what); }
  }
  const words = element => JSON.stringify(element.textContent.trim().slice(0, 60));
  const isSeen = element => element.checkVisibility ? element.checkVisibility() : element.offsetParent !== null;

  // a phone zooms out of a page that is too wide: window.innerWidth would grow with it
  const width = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth;
  if (wide > width) { found("wide", wide + " of " + width); }
  const tall = document.documentElement.scrollHeight;
  if (tall > tallest) { found("tall", tall + " of " + tallest); }

  for (const scroller of width < 760 ? [] : document.querySelectorAll("section > .scroll")) {
    // a column beyond the right end of a table would be missed: nothing says that it is there
    if (scroller.scrollWidth > scroller.clientWidth + 1) { found("cut", words(scroller.querySelector("thead") || scroller)); }
  }

  for (const svg of document.querySelectorAll("svg.chart")) {
    // letters and shapes must be in the place of the picture: nothing scrolls, so its right end is seen
    const frame = svg.parentElement.getBoundingClientRect();
    if (frame.width === 0) { continue; }
    const name = svg.closest("section, details") ? svg.closest("section, details").id : "?";
    if (frame.right > width || svg.parentElement.scrollWidth > svg.parentElement.clientWidth + 1) { found("cut", name); }
    const scale = 1;
    const texts = [...svg.querySelectorAll("text")].map(text => [text, text.getBoundingClientRect()])
      .filter(([, box]) => box.width > 0);
    if (texts.length < 2) { found("bare", name); }
    texts.forEach(([text, box], i) => {
      const over = 1.5 * scale;
      if (box.left < frame.left - over || box.right > frame.right + over
          || box.top < frame.top - over || box.bottom > frame.bottom + over) {
        found("cut", name + " " + words(text));
      }
      for (const [other, there] of texts.slice(i + 1)) {
        // a text's box is a fifth taller than its letters
        const across = Math.min(box.right, there.right) - Math.max(box.left, there.left);
        const down = Math.min(box.bottom, there.bottom) - Math.max(box.top, there.top);
        if (across > 2 * scale && down > 0.3 * Math.min(box.height, there.height)) {
          found("overlap", name + " " + words(text) + " and " + words(other));
        }
      }
    });
    for (const shape of svg.querySelectorAll("path, rect, circle")) {
      if (shape.closest("pattern") || shape.closest("defs")) { continue; }
      const box = shape.getBoundingClientRect();
      const over = 3 * scale;
      if (box.left < frame.left - over || box.right > frame.right + over
          || box.top < frame.top - over || box.bottom > frame.bottom + over) {
        found("outside", name + " " + shape.tagName + " " + (shape.getAttribute("d") || "").slice(0, 40));
      }
    }
  }

  for (const element of document.querySelectorAll("h1, h2, p, li, td, th, code, summary")) {
    if (!isSeen(element) || element.classList.contains("unseen")) { continue; }
    const scroller = element.closest(".scroll");
    const box = element.getBoundingClientRect();
    if (!scroller && (box.right > width + 1 || box.left < -1)) { found("clipped", words(element)); }
    const style = getComputedStyle(element);
    if (element.scrollWidth > element.clientWidth + 1 && style.overflowX !== "visible" && style.overflowX !== "auto"
        && style.display !== "inline") {
      found("clipped", words(element));
    }
  }
  return findings;
}

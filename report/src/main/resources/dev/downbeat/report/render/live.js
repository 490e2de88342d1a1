"use strict";
// Puts the newest state in the place of the one before, without a reload: where the reader looks and what was chosen stay.
// The last state is the page of the whole run, which has no such script. Nobody serves it any more: it can be saved, and a
// reader who reloads or leaves it before that is asked.
function keep(text) {
  var ask = function (event) { event.preventDefault(); };
  var save = document.createElement("button");
  save.textContent = "Save this page";
  save.className = "save";
  save.addEventListener("click", function () {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "text/html"}));
    link.download = "report.html";
    link.click();
    removeEventListener("beforeunload", ask);
  });
  var over = document.createElement("p");
  over.id = "over";
  over.className = "lead";
  over.textContent = "The run has ended and this page is no longer served. ";
  over.appendChild(save);
  document.querySelector("header").appendChild(over);
  addEventListener("beforeunload", ask);
}
// What a reader can change, by section and place in it.
function parts(root) {
  var all = {};
  root.querySelectorAll("details, summary, input, a, svg[data-words], .scroll").forEach(function (part) {
    var within = part.closest("[id]");
    var key = part.tagName + (within ? within.id : "") + (part.tagName === "DETAILS" ? part.querySelector("summary").textContent : "");
    while (all[key]) { key += "+"; }
    all[key] = part;
  });
  return all;
}
function forget() {
  document.querySelectorAll("#silent").forEach(function (one) { one.remove(); });
}
var answered = new Date().toLocaleTimeString();
setTimeout(function renew() {
  var silent = document.createElement("p");
  silent.className = "lead";
  silent.textContent = "No response since " + answered + ".";
  fetch(location.href.split("#")[0], {cache: "no-store", signal: AbortSignal.timeout(10000)}).then(function (answer) { return answer.text(); }).then(function (text) {
    forget();
    var next = new DOMParser().parseFromString(text, "text/html");
    var isLast = !next.querySelector("noscript");
    var isZoomed = document.querySelector('main svg svg:not([viewBox^="0 "])') !== null;
    if (isZoomed ? !isLast : false) { // until a double click shows the whole run again
      answered = new Date().toLocaleTimeString();
      setTimeout(renew, 2000);
      return;
    }
    var old = parts(document.querySelector("main"));
    var states = Object.keys(old).map(function (key) {
      var part = old[key];
      return {key: key, open: part.open, checked: part.checked, left: part.scrollLeft, top: part.scrollTop, has: part === document.activeElement};
    });
    var main = document.adoptNode(next.querySelector("main"));
    document.querySelector("main").replaceWith(main);
    document.title = next.title;
    document.querySelector("link[rel=icon]").href = next.querySelector("link[rel=icon]").href;
    document.querySelectorAll("body script").forEach(function (script) { script.remove(); });
    next.querySelectorAll("body script:not([type])").forEach(function (script) {
      var again = document.createElement("script");
      again.textContent = script.textContent;
      document.body.appendChild(again);
    });
    var now = parts(main);
    states.filter(function (state) { return now[state.key]; }).forEach(function (state) {
      var part = now[state.key];
      part.open = state.open;
      part.checked = state.checked;
      part.scrollLeft = state.left;
      part.scrollTop = state.top;
      if (state.has) { part.focus({preventScroll: true}); }
    });
    if (isLast) { keep(text); }
  }).catch(function () {
    forget();
    silent.id = "silent";
    document.querySelector("header").appendChild(silent);
    setTimeout(renew, 2000);
  });
}, 2000);

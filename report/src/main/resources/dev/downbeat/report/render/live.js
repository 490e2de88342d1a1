"use strict";
// Puts the newest state in the place of the one before, without a reload: where the reader looks and what is unfolded stay.
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
  over.textContent = "The run has ended, and this address with it. ";
  over.appendChild(save);
  document.querySelector("header").appendChild(over);
  addEventListener("beforeunload", ask);
}
setTimeout(function renew() {
  fetch(location.href.split("#")[0], {cache: "no-store"}).then(function (answer) { return answer.text(); }).then(function (text) {
    var next = new DOMParser().parseFromString(text, "text/html");
    var main = next.querySelector("main");
    var place = function (details) { return details.closest("section").id + details.querySelector("summary").textContent; };
    var unfolded = Array.prototype.map.call(document.querySelectorAll("section[id] details[open]"), place);
    main.querySelectorAll("section[id] details").forEach(function (details) {
      details.open = details.open ? true : unfolded.includes(place(details));
    });
    document.querySelector("main").replaceWith(document.adoptNode(main));
    document.title = next.title;
    document.querySelectorAll("body script").forEach(function (script) { script.remove(); });
    next.querySelectorAll("body script:not([type])").forEach(function (script) {
      var again = document.createElement("script");
      again.textContent = script.textContent;
      document.body.appendChild(again);
    });
    if (!next.querySelector("noscript")) { keep(text); }
  }).catch(function () { setTimeout(renew, 2000); });
}, 2000);

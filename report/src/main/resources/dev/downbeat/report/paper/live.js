"use strict";
// Puts the newest state in the place of the one before, without a reload: where the reader looks and what is unfolded stay.
// The last state is the page of the whole run, which has no such script.
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
    next.querySelectorAll("body script").forEach(function (script) {
      var again = document.createElement("script");
      again.textContent = script.textContent;
      document.body.appendChild(again);
    });
  }).catch(function () { setTimeout(renew, 2000); });
}, 2000);

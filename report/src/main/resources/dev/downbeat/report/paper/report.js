"use strict";
// Reads values off under the pointer, or with the arrow keys; of pictures over time, off all of them at the same time.
// The page says everything without it.
var overTime = [];
document.querySelectorAll("svg[data-words]").forEach(function (svg) {
  var down = svg.dataset.y !== undefined;
  var places = (down ? svg.dataset.y : svg.dataset.x).split(",").map(Number);
  var words = svg.dataset.words.split("|");
  var width = svg.viewBox.baseVal.width;
  var height = svg.viewBox.baseVal.height;
  var group = null;
  var at = -1;

  function make(name, attributes) {
    var element = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { element.setAttribute(key, attributes[key]); });
    group.appendChild(element);
    return element;
  }

  function hide() {
    if (group) { group.remove(); }
    group = null;
  }

  function show(index) {
    at = Math.max(0, Math.min(places.length - 1, index));
    hide();
    group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", "reading");
    svg.appendChild(group);
    make("line", down ? {x1: 0, x2: width, y1: places[at], y2: places[at], "stroke-dasharray": "2 3"}
      : {x1: places[at], x2: places[at], y1: 20, y2: height - 30, "stroke-dasharray": "2 3"});
    var box = make("rect", {y: 0, height: 20, rx: 3});
    var text = make("text", {y: 14.5});
    text.textContent = words[at];
    var frame = svg.getBoundingClientRect();
    var pressed = width * frame.height / (frame.width * height); // on a phone, all but letters
    var wide = (text.getComputedTextLength() + 16) * pressed;
    var left = Math.max(2, Math.min(width - wide - 2, (down ? width / 2 : places[at]) - wide / 2));
    box.setAttribute("x", left);
    box.setAttribute("width", wide);
    text.setAttribute("x", left + 8 * pressed);
  }

  function nearest(there) {
    var best = 0;
    places.forEach(function (place, index) {
      if (Math.abs(places[best] - there) > Math.abs(place - there)) { best = index; }
    });
    return best;
  }

  var linked = svg.dataset.time !== undefined;
  if (linked) { overTime.push({hide: hide, at: function (place) { show(nearest(place)); }}); }

  function all(index) {
    show(index);
    if (linked) { overTime.forEach(function (other) { other.at(places[at]); }); }
  }

  function none() {
    hide();
    if (linked) { overTime.forEach(function (other) { other.hide(); }); }
  }

  svg.addEventListener("pointermove", function (event) {
    var bounds = svg.getBoundingClientRect();
    all(nearest(down ? (event.clientY - bounds.top) * height / bounds.height
      : (event.clientX - bounds.left) * width / bounds.width));
  });
  svg.addEventListener("pointerleave", none);
  svg.addEventListener("blur", none);
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", function (event) {
    var step = event.key === (down ? "ArrowDown" : "ArrowRight") ? 1
      : event.key === (down ? "ArrowUp" : "ArrowLeft") ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      all(at + step);
    }
  });
});

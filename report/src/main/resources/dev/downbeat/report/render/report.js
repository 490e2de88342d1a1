"use strict";
// Reads values off under the pointer, or with the arrow keys; of pictures over time, off all of them at the same time.
// Pictures over time are zoomed by dragging and shown whole again by a double click; each can be saved.
// Time charts share a cursor and zoom. The page is complete without this script.
var overTime = [];
document.querySelectorAll("svg[data-words]").forEach(function (svg) {
  var down = svg.dataset.y !== undefined;
  var places = (down ? svg.dataset.y : svg.dataset.x).split(",").map(Number);
  var words = svg.dataset.words.split("|");
  words.forEach(function (text, index) { // numbers alone: what else it says is as in the one before
    var numbers = text.slice(1).split(" ");
    if (text.charAt(0) === "~") {
      words[index] = words[index - 1].replace(/[0-9]+(?:[.,][0-9]+)*/g, function (old) { return numbers.shift() || old; });
    }
  });
  if (words.length > places.length) { // the first and the last of evenly spaced ones
    var step = (places[1] - places[0]) / (words.length - 1);
    places = words.map(function (text, index) { return places[0] + index * step; });
  }
  var height = svg.height.baseVal.value;
  var group = null;
  var at = -1;
  var from = 70; // of a picture over time: what is seen of it
  var to = 954;
  var drawn = svg.querySelector("svg");
  var texts = Array.prototype.map.call(svg.querySelectorAll("text"), function (text) {
    var x = 10 * parseFloat(text.getAttribute("x"));
    return {text: text, x: x, moves: !(69 > x || x > 955 || text.classList.contains("still"))};
  });

  function seen(x) { return 70 + (x - from) * 884 / (to - from); }

  function zoom(first, last) {
    from = first;
    to = last;
    var whole = to - from === 884;
    drawn.setAttribute("x", whole ? "0" : "7%");
    drawn.setAttribute("width", whole ? "100%" : "88.4%");
    drawn.setAttribute("viewBox", (whole ? "0 0 1000 " : from + " 0 " + (to - from) + " ") + height);
    texts.filter(function (one) { return one.moves; }).forEach(function (one) {
      var x = seen(one.x);
      one.text.setAttribute("x", x / 10 + "%");
      one.text.style.visibility = 69 > x || x > 955 ? "hidden" : "visible";
    });
  }

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
    var width = svg.getBoundingClientRect().width;
    var place = down ? places[at] : seen(places[at]) * width / 1000;
    group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", "reading");
    svg.appendChild(group);
    make("line", down ? {x1: 0, x2: width, y1: place, y2: place, "stroke-dasharray": "2 3"}
      : {x1: place, x2: place, y1: 20, y2: height - 30, "stroke-dasharray": "2 3"});
    var box = make("rect", {y: 0, height: 20, rx: 3});
    var text = make("text", {y: 14.5});
    text.textContent = words[at];
    var wide = text.getComputedTextLength() + 16;
    var left = Math.max(2, Math.min(width - wide - 2, (down ? width / 2 : place) - wide / 2));
    box.setAttribute("x", left);
    box.setAttribute("width", wide);
    text.setAttribute("x", left + 8);
  }

  function nearest(there) {
    var best = 0;
    places.forEach(function (place, index) {
      if (Math.abs(places[best] - there) > Math.abs(place - there)) { best = index; }
    });
    return best;
  }

  var linked = svg.dataset.time !== undefined;
  if (linked) { overTime.push({hide: hide, at: function (place) { show(nearest(place)); }, zoom: zoom}); }

  function all(index) {
    show(index);
    if (linked) { overTime.forEach(function (other) { other.at(places[at]); }); }
  }

  function none() {
    hide();
    if (linked) { overTime.forEach(function (other) { other.hide(); }); }
  }

  function across(event) {
    var bounds = svg.getBoundingClientRect();
    var x = (event.clientX - bounds.left) * 1000 / bounds.width;
    return Math.max(from, Math.min(to, from + (x - 70) * (to - from) / 884));
  }

  if (linked) {
    var begun = -1;
    svg.addEventListener("pointerdown", function (event) { begun = event.pointerType === "mouse" ? across(event) : -1; });
    svg.addEventListener("pointerup", function (event) {
      var ends = [begun, across(event)].sort(function (a, b) { return a - b; });
      var isDrag = begun >= 0 ? ends[1] - ends[0] > (to - from) / 50 : false;
      if (isDrag) {
        overTime.forEach(function (other) { other.zoom(ends[0], ends[1]); });
      }
      begun = -1;
    });
    svg.addEventListener("dblclick", function () { overTime.forEach(function (other) { other.zoom(70, 954); }); });
  }

  svg.addEventListener("pointermove", function (event) {
    var bounds = svg.getBoundingClientRect();
    all(nearest(down ? (event.clientY - bounds.top) * height / bounds.height
      : linked ? across(event) : (event.clientX - bounds.left) * 1000 / bounds.width));
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

document.querySelectorAll("svg.chart").forEach(function (svg) {
  var save = document.createElement("button");
  save.textContent = "Save as SVG";
  save.className = "save";
  save.addEventListener("click", function () {
    var copy = svg.cloneNode(true);
    ["class", "data-words", "data-x", "data-y", "data-time", "tabindex"].forEach(function (name) { copy.removeAttribute(name); });
    copy.querySelectorAll(".reading").forEach(function (reading) { reading.remove(); });
    copy.setAttribute("width", "1000");
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], {type: "image/svg+xml"}));
    link.download = svg.querySelector("title").id.replace("-title", "") + ".svg";
    link.click();
    setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
  });
  svg.parentElement.appendChild(save);
});

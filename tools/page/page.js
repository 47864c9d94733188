/* The pictures of the page, drawn from the data in front of this script. */
(function () {
  "use strict";
  var NS = "http://www.w3.org/2000/svg";
  var data = JSON.parse(document.getElementById("data").textContent);

  function svg(tag, attributes, parent, text) {
    var node = document.createElementNS(NS, tag);
    for (var name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.appendChild(node);
    return node;
  }
  function html(tag, attributes, parent, text) {
    var node = document.createElement(tag);
    for (var name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.appendChild(node);
    return node;
  }
  function frame(parent, width, height, title) {
    var root = svg("svg", { viewBox: "0 0 " + width + " " + height, width: width, height: height,
                            role: "img", "aria-label": title }, parent);
    svg("title", {}, root, title);
    return root;
  }
  function plural(n, word) { return n + " " + word + (n === 1 ? "" : "s"); }
  function hue(part, parts) { return "hsl(" + Math.round(part * 360 / Math.max(parts, 1)) + " 62% 70%)"; }

  /* ---- which iterations conflict ---------------------------------------------------------- */

  function meets(entry, d) {
    if (entry === "*") return true;
    if (entry === "+") return d > 0;
    if (entry === "-") return d < 0;
    if (entry === "0+") return d >= 0;
    if (entry === "0-") return d <= 0;
    return Number(entry) === d;
  }
  /* One picture per vector: the first dependence that has it, and all objects that do. */
  function distinct(dependences) {
    var seen = {}, list = [];
    dependences.forEach(function (dep) {
      if (dep.status !== "carried" && dep.status !== "limit") return;
      var key = dep.vector.join(",");
      if (!seen[key]) list.push(seen[key] = { dep: dep, objects: [] });
      if (seen[key].objects.indexOf(dep.object) < 0) seen[key].objects.push(dep.object);
    });
    return list;
  }
  function arrow(root, x, y, tx, ty, inset) {
    var length = Math.hypot(tx - x, ty - y) || 1, ux = (tx - x) / length, uy = (ty - y) / length;
    var ex = tx - ux * inset, ey = ty - uy * inset;
    svg("path", { "class": "arrow", d: "M" + (x + ux * inset) + " " + (y + uy * inset) + "L" + (ex - ux * 6) + " " + (ey - uy * 6) }, root);
    svg("path", { "class": "tip", d: "M" + ex + " " + ey + "L" + (ex - ux * 9 - uy * 4.5) + " " + (ey - uy * 9 + ux * 4.5) +
                                     "L" + (ex - ux * 9 + uy * 4.5) + " " + (ey - uy * 9 - ux * 4.5) + "Z" }, root);
  }
  /* Around the iteration in the middle: all that conflict with it, arrows to the nearest. */
  function spacePicture(parent, group, analysis, axes, colour) {
    var dep = group.dep;
    var flat = axes.length < 2, half = 3, step = 32, left = 34, top = flat ? 16 : 14;
    var rows = flat ? 0 : half, size = (2 * half + 1) * step;
    var height = (flat ? step : size) + top + 26;
    var words = "Conflicts through " + group.objects.join(", ") + ", vector (" + dep.vector.join(", ") + ")";
    var root = frame(parent, size + left + 10, height, words + (dep.why ? ": " + dep.why : ""));
    root.setAttribute("class", "c" + colour);
    function x(i) { return left + (i + half + 0.5) * step; }
    function y(j) { return top + (rows - j + 0.5) * step; }
    var found = [];
    for (var j = -rows; j <= rows; j++)
      for (var i = -half; i <= half; i++) {
        var hit = (i || j) && meets(dep.vector[axes[0]], i) && (flat || meets(dep.vector[axes[1]], j));
        if (i || j) svg("circle", { cx: x(i), cy: y(j), r: hit ? 5.5 : 3, "class": hit ? "meets" : "point" }, root);
        if (hit) found.push([i, j]);
      }
    found.filter(function (p) {
      return Math.abs(p[0]) + Math.abs(p[1]) <= 1 || found.every(function (q) {
        return Math.abs(q[0]) + Math.abs(q[1]) >= Math.abs(p[0]) + Math.abs(p[1]); });
    }).forEach(function (p) { arrow(root, x(0), y(0), x(p[0]), y(p[1]), 7); });
    svg("circle", { cx: x(0), cy: y(0), r: 6, "class": "here" }, root);
    var base = top + (flat ? step : size);
    svg("path", { "class": "axis", d: "M" + left + " " + top + "V" + base + "H" + (left + size) }, root);
    svg("text", { x: left + size / 2, y: base + 17, "text-anchor": "middle" }, root, analysis.dims[axes[0]].name);
    if (!flat)
      svg("text", { x: 0, y: 0, "text-anchor": "middle", transform: "translate(20 " + (top + size / 2) + ") rotate(-90)" },
          root, analysis.dims[axes[1]].name);
  }
  /* Of more than two dims those that the vector says something of. */
  function axesOf(dep, analysis) {
    var order = analysis.cut.slice();
    analysis.dims.forEach(function (dim, d) { if (order.indexOf(d) < 0) order.push(d); });
    var said = order.filter(function (d) { return dep.vector[d] !== "*"; });
    var free = order.filter(function (d) { return dep.vector[d] === "*"; });
    var two = said.concat(free).slice(0, 2);
    return order.filter(function (d) { return two.indexOf(d) >= 0; });
  }
  function drawSpace(box, loop) {
    var analysis = loop.analysis;
    var deps = distinct(analysis.dependences), row = html("div", { "class": "row" });
    box.textContent = "";
    if (deps.length === 0) {
      html("p", { "class": "quiet" }, box, "No two iterations conflict: there is no arrow to draw.");
      return;
    }
    html("p", { "class": "quiet" }, box, "The dark point is one iteration, the grid its neighbours. Coloured points may conflict " +
      "with it, as far as the vector tells; arrows lead to the nearest.");
    deps.slice(0, 8).forEach(function (group) {
      var one = html("div", {}, row);
      spacePicture(one, group, analysis, axesOf(group.dep, analysis), loop.colours[group.objects[0]] || 0);
      var line = html("div", {}, one);
      group.objects.forEach(function (object) {
        html("span", { "class": "swatch c" + (loop.colours[object] || 0) }, line);
        line.appendChild(document.createTextNode(" " + object + " "));
      });
      html("span", { "class": "vector" }, line, "(" + group.dep.vector.join(", ") + ")");
      if (group.dep.why) html("div", { "class": "quiet why" }, one, group.dep.why);
    });
    box.appendChild(row);
    if (deps.length > 8) html("p", { "class": "quiet" }, box, (deps.length - 8) + " more stand in the table below.");
  }

  /* ---- lanes of blocks over time ----------------------------------------------------------- */

  /* events: [lane, begin, end, part or -1]; returns the picture and its scale. */
  function lanes(parent, names, events, length, parts, title, width, labelWidth) {
    var high = names.length > 24 ? 10 : 22, top = 4, root;
    root = frame(parent, width, names.length * high + top + 22, title);
    function x(t) { return labelWidth + (width - labelWidth - 12) * t / (length || 1); }
    names.forEach(function (name, i) {
      svg("rect", { "class": "lane", x: labelWidth, y: top + i * high, width: width - labelWidth - 12, height: high - 2 }, root);
      if (high > 12 || i % 4 === 0)
        svg("text", { x: labelWidth - 6, y: top + i * high + high / 2 + 3, "text-anchor": "end", "class": "quiet" }, root, name);
    });
    events.forEach(function (e) {
      var attributes = { x: x(e[1]), y: top + e[0] * high, width: Math.max(x(e[2]) - x(e[1]) - 0.3, 0.4), height: high - 2 };
      if (e[3] < 0) attributes["class"] = "waits"; else attributes.fill = hue(e[3], parts);
      svg("rect", attributes, root);
      if (e[3] >= 0 && high > 12 && attributes.width > 16)
        svg("text", { x: attributes.x + attributes.width / 2, y: top + e[0] * high + high / 2 + 3, "class": "cell-label on" }, root, e[3]);
    });
    return { root: root, x: x, bottom: top + names.length * high };
  }

  /* ---- how the blocks run -------------------------------------------------------------------- */

  function explain(schedule, strategy) {
    var text = schedule.rows + " x " + schedule.columns + " blocks";
    if (schedule.example) text += " (an example's size: the run chooses the grid from the data)";
    text += strategy === "wavefront" ? "; a block waits for the one above it and the one to its left." :
            strategy === "pipeline" ? "; a row is a stage, a column a range of iterations: a block waits for the one above it, " +
                                      "and for one of the slots that its colour names." :
            schedule.pairs ? "; a column is a round, a block joins the two parts of the table that it names."
                           : schedule.columns > 1 ? "; a column's part of the travelling arrays is with one worker at a time."
                                                  : "; rows do not wait for each other.";
    return text;
  }
  function drawSchedule(box, loop) {
    var schedule = loop.schedule;
    box.textContent = "";
    if (!schedule) {
      html("p", { "class": "quiet" }, box, "Which blocks there are is known when the loop runs: the conflicts of its data tell.");
      return;
    }
    var run = schedule.runs[schedule.runs.length - 1], now = 0, timer = null;
    var nparts = 1;
    schedule.steps.forEach(function (s) { nparts = Math.max(nparts, 1 + (s.length > 3 ? s[3] : s[1])); });
    function part(s) { return s.length > 3 ? s[3] : s[0]; }
    function parts() { return schedule.steps[0].length > 3 ? nparts : schedule.rows; }
    html("p", { "class": "quiet" }, box, explain(schedule, loop.analysis.strategy));

    var controls = html("div", { "class": "controls" }, box);
    var back = html("button", { type: "button" }, controls, "Previous");
    var play = html("button", { type: "button" }, controls, "Play");
    var next = html("button", { type: "button" }, controls, "Next");
    var id = "clock-" + box.parentNode.id;
    html("label", { "for": id }, controls, "Clock");
    var slider = html("input", { type: "range", min: 0, max: run.length - 1, value: 0, id: id }, controls);
    html("label", { "for": id + "-w" }, controls, "Workers");
    var select = html("select", { id: id + "-w" }, controls);
    schedule.runs.forEach(function (r, i) { html("option", { value: i }, select, r.workers); });
    select.value = schedule.runs.length - 1;
    var status = html("p", { "class": "status", "aria-live": "polite" }, box);

    var row = html("div", { "class": "row" }, box), gridBox = html("div", {}, row), laneBox = html("div", {}, row);
    var wide = schedule.columns > 1 ? schedule.columns : 1;
    var cell = Math.max(14, Math.min(44, Math.floor(640 / wide))), high = Math.min(cell, 36);
    if (wide === 1) cell = 90;
    var left = 62, top = 24;
    var root = frame(gridBox, left + wide * cell + 4, top + schedule.rows * high + 4, "the grid of blocks");
    for (var r = 0; r < schedule.rows; r++)
      svg("text", { x: left - 8, y: top + r * high + high / 2 + 4, "text-anchor": "end", "class": "quiet" }, root, "row " + r);
    if (wide > 1 && cell > 16)
      for (var c = 0; c < wide; c++)
        svg("text", { x: left + c * cell + cell / 2, y: 16, "text-anchor": "middle", "class": "quiet" }, root, c);
    var cells = schedule.steps.map(function (s) {
      var rect = svg("rect", { x: left + s[1] * cell + 1, y: top + s[0] * high + 1, width: cell - 2, height: high - 2, rx: 3 }, root);
      var label = svg("text", { x: left + s[1] * cell + cell / 2, y: top + s[0] * high + high / 2 + 4, "class": "cell-label" }, root, "");
      return [rect, label];
    });
    var gantt = null, line = null;

    function drawLanes() {
      laneBox.textContent = "";
      html("div", { "class": "quiet" }, laneBox, "The same by worker, all clocks of a pass:");
      var names = [];
      for (var w = 0; w < run.workers; w++) names.push("worker " + w);
      gantt = lanes(laneBox, names, schedule.steps.map(function (s, i) {
        return [run.events[i][0], run.events[i][1], run.events[i][1] + 1, part(s)]; }), run.length, parts(),
        "blocks by worker over " + plural(run.length, "clock"), 440, 70);
      line = svg("path", { "class": "now-line" }, gantt.root);
      svg("text", { x: gantt.x(0), y: gantt.bottom + 15, "class": "quiet" }, gantt.root, "clock 0");
      svg("text", { x: gantt.x(run.length), y: gantt.bottom + 15, "text-anchor": "end", "class": "quiet" }, gantt.root, run.length);
    }
    function show() {
      var busy = [];
      schedule.steps.forEach(function (s, i) {
        var begin = run.events[i][1], state = begin === now ? "now" : begin < now ? "done" : "";
        cells[i][0].setAttribute("class", "cell " + state);
        if (state) cells[i][0].setAttribute("style", "fill:" + hue(part(s), parts()));
        else cells[i][0].removeAttribute("style");
        cells[i][1].textContent = cell > 22 ? (state === "now" && run.workers < schedule.rows ? "w" + run.events[i][0] : s[2]) : "";
        cells[i][1].setAttribute("class", "cell-label" + (state === "now" ? " on" : ""));
        if (state === "now") busy.push([run.events[i][0], s]);
      });
      busy.sort(function (a, b) { return a[0] - b[0]; });
      status.textContent = "Clock " + now + " of " + run.length + ", " + busy.length + " of " + plural(run.workers, "worker") + " busy: " +
        busy.slice(0, 8).map(function (b) { return "worker " + b[0] + " has row " + b[1][0] + (schedule.columns > 1 ? ", " + (schedule.pairs ? "parts " : "column ") + b[1][2] : ""); }).join("; ") +
        (busy.length > 8 ? "; ..." : "") + ".";
      slider.value = now;
      slider.setAttribute("aria-valuetext", "clock " + now);
      line.setAttribute("d", "M" + gantt.x(now + 0.5) + " 0V" + gantt.bottom);
    }
    function go(clock) { now = Math.max(0, Math.min(run.length - 1, clock)); show(); }
    function stop() { clearInterval(timer); timer = null; play.textContent = "Play"; }
    back.addEventListener("click", function () { stop(); go(now - 1); });
    next.addEventListener("click", function () { stop(); go(now + 1); });
    slider.addEventListener("input", function () { stop(); go(Number(slider.value)); });
    select.addEventListener("change", function () {
      stop(); run = schedule.runs[Number(select.value)]; slider.max = run.length - 1; drawLanes(); go(0); });
    play.addEventListener("click", function () {
      if (timer) { stop(); return; }
      play.textContent = "Pause";
      if (now === run.length - 1) go(0);
      timer = setInterval(function () { if (now < run.length - 1) go(now + 1); else stop(); }, 600);
    });
    drawLanes();
    show();
  }

  /* ---- measured and predicted ---------------------------------------------------------------- */

  function time(us) { return us >= 1e6 ? (us / 1e6).toFixed(2) + " s" : us >= 1e3 ? (us / 1e3).toFixed(2) + " ms" : us.toFixed(1) + " us"; }
  function drawTimes(box, loop) {
    var times = loop.times;
    box.textContent = "";
    if (!times) {
      html("p", { "class": "quiet" }, box, "The trace has no run of this loop.");
      return;
    }
    var sides = [["measured", times.measured]], longest = times.measured.length, columns = 1;
    if (times.predicted) sides.push(["predicted", times.predicted]);
    sides.forEach(function (s) {
      longest = Math.max(longest, s[1].length);
      s[1].events.forEach(function (e) { columns = Math.max(columns, e[4] + 1); });
    });
    html("p", { "class": "quiet" }, box, "Pass " + times.pass + " of " + times.passes + " (the one of median length), " +
      plural(times.ranks, "rank") + " with " + plural(times.threads, "thread") + ", from " + times.trace +
      (times.from ? "; predicted: " + times.from + "." : "; there is no prediction: the trace does not tell the grid."));
    sides.forEach(function (s) {
      var side = s[1], part = html("div", {}, box);
      var difference = s[0] === "predicted" ? ", " + Math.abs(100 * (side.length / times.measured.length - 1)).toFixed(0) + " % " +
        (side.length < times.measured.length ? "less" : "more") + " than measured" : "";
      if (s[0] === "predicted" && Math.abs(side.length / times.measured.length - 1) > 0.25)
        html("p", {}, part, "They differ by more than a quarter. The prediction has " + times.from + "; it does not know who else used the " +
          "processors, nor what caches and memory did. A profile of this machine (ORRERY_PROFILE, on one quiet thread, and --profile) " +
          "or a quiet run tells more.");
      html("p", {}, part, (s[0] === "measured" ? "Measured: " : "Predicted: ") + time(side.length) + difference + ", workers busy " +
        (100 * side.busy).toFixed(0) + " %");
      var picture = lanes(part, times.lanes, side.events.filter(function (e) { return e[0] < times.lanes.length; }).map(function (e) {
        return [e[0], e[1], e[2], e[3] < 0 ? -1 : e[4]]; }), longest, columns, s[0] + " blocks by worker", 1000, 130);
      svg("text", { x: picture.x(0), y: picture.bottom + 15, "class": "quiet" }, picture.root, "0");
      svg("text", { x: picture.x(longest), y: picture.bottom + 15, "text-anchor": "end", "class": "quiet" }, picture.root, time(longest));
    });
    html("p", { "class": "quiet" }, box, "A colour is a column of the grid; grey: the worker waits.");
  }

  Array.prototype.forEach.call(document.querySelectorAll("section.loop"), function (section) {
    var loop = data.loops[Number(section.getAttribute("data-loop"))];
    var draw = { space: drawSpace, schedule: drawSchedule, times: drawTimes };
    for (var kind in draw) {
      var box = section.querySelector(".picture." + kind);
      if (box) draw[kind](box, loop);
    }
  });
  /* A code opens its explanation; printed, all are open. */
  function open() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    var folded = target && target.closest("details");
    if (folded) { folded.open = true; target.scrollIntoView(); }
  }
  addEventListener("hashchange", open);
  addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details"), function (one) { one.open = true; });
  });
  open();
  document.documentElement.setAttribute("data-drawn", data.loops.length);
}());

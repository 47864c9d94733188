/* Put into a page by look.sh: tells the page around it what cannot be read in this window. */
addEventListener("load", function () {
  function channels(text) {
    var parts = text.match(/[\d.]+/g);
    return parts ? parts.map(Number).concat([1]).slice(0, 4) : [0, 0, 0, 0];
  }
  function over(front, back) {
    return [0, 1, 2].map(function (i) { return front[i] * front[3] + back[i] * (1 - front[3]); }).concat([1]);
  }
  function light(colour) {
    var linear = colour.slice(0, 3).map(function (c) {
      c /= 255;
      return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }
  function contrast(a, b) {
    var x = light(a), y = light(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  }
  function lies_on(element, other) {
    var a = element.getBoundingClientRect(), b = other.getBoundingClientRect(), x = a.left + a.width / 2, y = a.top + a.height / 2;
    return x > b.left && x < b.right && y > b.top && y < b.bottom;
  }
  /* What is behind an element: of a text in a picture the rectangle in front of it in the text. */
  function ground(element) {
    var before = element.previousElementSibling, colours = [], at;
    if (element.namespaceURI.indexOf("svg") > 0 && before && before.tagName === "rect" && lies_on(element, before)) {
      var fill = channels(getComputedStyle(before).fill);
      fill[3] *= Number(getComputedStyle(before).fillOpacity);
      colours.push(fill);
    }
    for (at = element; at; at = at.parentElement) colours.push(channels(getComputedStyle(at).backgroundColor));
    var dark = matchMedia("(prefers-color-scheme: dark)").matches &&
      getComputedStyle(document.documentElement).colorScheme.indexOf("dark") >= 0;
    return colours.reverse().reduce(function (back, front) { return over(front, back); }, dark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
  }
  function has_text(element) {
    return Array.prototype.some.call(element.childNodes, function (n) { return n.nodeType === 3 && n.textContent.trim(); });
  }
  var faults = [], seen = 0, wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push("wider than the window by " + wide);
  Array.prototype.forEach.call(document.body.querySelectorAll("*"), function (element) {
    if (/^(SCRIPT|STYLE|OPTION|TITLE|title|CAPTION)$/.test(element.tagName) || !has_text(element)) return;
    var style = getComputedStyle(element), picture = element.namespaceURI.indexOf("svg") > 0;
    var place = element.getBoundingClientRect();
    if (style.visibility !== "visible" || place.width < 2 || place.height < 2) return;
    var colour = channels(picture ? style.fill : style.color), back = ground(element);
    var ratio = contrast(over(colour, back), back);
    ++seen;
    if (ratio < 4.5)
      faults.push(element.tagName + "." + (element.getAttribute("class") || "") + " '" + element.textContent.trim().slice(0, 30) +
                  "' has a contrast of " + ratio.toFixed(2));
  });
  var scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  parent.postMessage({ seen: seen, text: faults.slice(0, 5).map(function (f) {
    return location.pathname.split("/").pop() + ", " + innerWidth + " wide, " + scheme + ": " + f; }).join("\n") }, "*");
});

import Gait
import GaitTraining

/// The script that zooms plots and shows the numbers under the pointer: with a mouse, with fingers or with the
/// keyboard.
///
/// Pages are complete without it. It adds buttons and an overview, changes the visible range of the stretched drawings,
/// draws curves from the numbers that `PlotData` carries, and moves one crosshair through all plots and the map of a
/// page.
enum PlotScript {
  static let source = #"""
    const decode = (text, type) => {
      const raw = atob(text), bytes = new Uint8Array(raw.length);
      for (let index = 0; index < raw.length; index++) bytes[index] = raw.charCodeAt(index);
      return new type(bytes.buffer);
    };
    const routeData = document.querySelector("script.route"), route = routeData ? JSON.parse(routeData.textContent) : null;
    const crosshairs = [];
    const point = (time, source) => { for (const crosshair of crosshairs) crosshair(time, source); };
    /* The last index whose number is not above the value; -1 if there is none. */
    const indexAt = (numbers, value) => {
      let low = 0, high = numbers.length;
      while (low < high) { const middle = low + high >> 1; numbers[middle] <= value ? low = middle + 1 : high = middle; }
      return low - 1;
    };
    const nearest = (numbers, value) => {
      const index = Math.max(0, indexAt(numbers, value));
      return index + 1 < numbers.length && numbers[index + 1] - value < value - numbers[index] ? index + 1 : index;
    };
    const svgElement = (name, attributes, parent, text) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key in attributes) element.setAttribute(key, attributes[key]);
      if (text) element.textContent = text;
      parent.append(element);
      return element;
    };
    const html = (name, attributes, parent) => {
      const element = Object.assign(document.createElement(name), attributes);
      if (parent) parent.append(element);
      return element;
    };
    const clockText = (seconds, places) => {
      const unit = Math.pow(10, places), whole = Math.round(Math.abs(seconds) * unit), two = n => String(n).padStart(2, "0");
      const rest = (whole % (60 * unit) / unit).toFixed(places).padStart(places ? places + 3 : 2, "0"), minutes = Math.floor(whole / unit / 60);
      return (seconds < 0 ? "\u2212" : "") + (minutes >= 60 ? Math.floor(minutes / 60) + ":" + two(minutes % 60) : minutes) + ":" + rest;
    };
    for (const plot of document.querySelectorAll(".zooms")) {
      const svg = plot.querySelector("svg.plot"), ticks = svg.querySelector(".ticks"), isClock = plot.dataset.kind == "clock";
      const whole = [+plot.dataset.from, +plot.dataset.to], length = whole[1] - whole[0], unit = plot.dataset.distance, isDistance = !!unit, isFitted = plot.classList.contains("fits");
      let [from, to] = whole, wide = 0;
      const stretched = [...svg.querySelectorAll(".stretch")];
      const labels = [...svg.querySelectorAll(".label")].map(label => [label, parseFloat(label.getAttribute("x")) / 100]);
      const data = JSON.parse(plot.querySelector("script.data").textContent), headings = [...svg.querySelectorAll(".heading")];
      const base = +ticks.dataset.y, axisTitle = svg.querySelector(".title"), axisText = axisTitle.textContent;
      data.panels.forEach((panel, index) => {
        const groups = [...stretched[index].querySelectorAll("[data-curve]")];
        panel.curves.forEach((curve, place) => {
          curve.group = groups[place];
          curve.original = curve.group.innerHTML;
          const paths = [...curve.group.querySelectorAll("path")];
          curve.line = paths.find(path => (path.getAttribute("class") || "").includes("line")), curve.area = paths.find(path => path.getAttribute("class").includes("area"));
        });
        panel.now = svgElement("text", {class: "now", x: "100%", y: panel.top - 6, "text-anchor": "end"}, svg);
        if (isFitted) panel.ends = [panel.height, 9].map(y => svgElement("text", {class: "soft", x: -6, y: panel.top + y, "text-anchor": "end"}, svg));
        panel.heading = headings.find(text => Math.abs(+text.getAttribute("y") - panel.top + 6) < 3);
      });
      /* Decodes numbers when they are first needed, so that a page opens fast. */
      const ready = (panel, curve) => {
        if (curve.isReady) return;
        curve.isReady = true;
        if (curve.count == null) {
          curve.x = Float64Array.from(decode(curve.x, Uint32Array), n => data.from + n * data.unit);
          curve.y = decode(curve.y, Float32Array);
        } else if (curve.exact != null) curve.low = curve.high = decode(curve.exact, Float32Array);
        else for (const key of curve.high ? ["low", "high"] : ["low"])
          curve[key] = Float64Array.from(decode(curve[key], Uint16Array), n => n == 65535 ? NaN : panel.low + n / 65534 * (panel.high - panel.low));
        if (!curve.high) curve.high = curve.low;
      };
      /* The axis of what is visible, without the outermost hundredth at each end, which is drawn at the edge. */
      const fit = (panel, lows, highs) => {
        const sorted = [lows, highs].map(numbers => Float64Array.from(numbers).sort()), out = Math.floor(lows.length / 100);
        if (!lows.length) return;
        const low = sorted[0][out], high = sorted[1][lows.length - 1 - out], room = Math.max(0.06 * (high - low), (0.1 - high + low) / 2);
        /* Numbers that are never negative have an axis that is not. */
        [panel.low, panel.high] = [low < 0 ? low - room : Math.max(0, low - room), high + room];
        panel.ends.forEach((text, index) => { text.textContent = (index ? panel.high : panel.low).toFixed(2).replace("-", "\u2212"); });
      };
      const restore = curve => { if (curve.isChanged) curve.group.innerHTML = curve.original; curve.isChanged = false; };
      const xPlace = x => ((x - whole[0]) / length * 1000).toFixed(4);
      /* Tenths of a pixel: whole numbers become text much faster. */
      const yPlace = (panel, y) => {
        const share = Math.min(1, Math.max(0, (y - panel.low) / (panel.high - panel.low)));
        return Math.round(10 * panel.height * (panel.reversed ? share : 1 - share));
      };
      /* As Curve.thinned: of each column the first, least, largest and last point, breaks, and the ends of crossings. */
      const chosen = curve => {
        const {x, y} = curve, columns = Math.max(200, wide), kept = [];
        const first = Math.max(0, indexAt(x, from)), last = Math.min(x.length - 1, indexAt(x, to) + 1);
        if (last - first < 4 * columns) { for (let i = first; i <= last; i++) kept.push(i); return kept; }
        const column = i => Math.floor((x[i] - from) / (to - from) * columns);
        for (let start = first; start <= last;) {
          let end = start, least = -1, most = -1;
          const place = column(start), own = new Set([start]);
          for (; end <= last && column(end) == place; end++) {
            if (!isNaN(y[end])) { if (least < 0 || y[end] < y[least]) least = end; if (most < 0 || y[end] > y[most]) most = end; }
            const isBreak = end > first && isNaN(y[end]) != isNaN(y[end - 1]);
            if (end > first && (isBreak || curve.levels.some(level => (y[end - 1] < level) != (y[end] < level)))) own.add(end - 1).add(end);
          }
          own.add(end - 1);
          if (least >= 0) own.add(least).add(most);
          kept.push(...[...own].filter(i => i >= start).sort((a, b) => a - b));
          start = end;
        }
        return kept;
      };
      const drawCurve = (panel, curve) => {
        if (to - from > 0.7 * length || !curve.line) { restore(curve); return; }
        ready(panel, curve);
        curve.isChanged = true;
        const shapes = [];
        let path = "", firstX = "", height = NaN;
        const end = () => {
          if (path && curve.area) shapes.push([curve.area, path + " V" + panel.height + " H" + firstX + " Z"]);
          if (path) shapes.push([curve.line, path]);
          path = "";
        };
        for (const i of chosen(curve)) {
          const x = xPlace(curve.x[i]);
          if (isNaN(curve.y[i])) { if (path && curve.stepped) path += "H" + x; end(); continue; }
          height = yPlace(panel, curve.y[i]) / 10;
          if (!path) { path = "M" + x + "," + height; firstX = x; } else path += curve.stepped ? "H" + x + "V" + height : " L" + x + "," + height;
        }
        end();
        curve.group.replaceChildren(...shapes.map(([model, d]) => { const shape = model.cloneNode(); shape.setAttribute("d", d); return shape; }));
      };
      const drawEnvelope = (panel, curve) => {
        if (to - from > 0.7 * length && !isFitted) { restore(curve); return; }
        ready(panel, curve);
        curve.isChanged = true;
        const {low, high} = curve, first = Math.max(0, Math.floor((from - whole[0]) / curve.width) - 1);
        const last = Math.min(curve.count, Math.ceil((to - whole[0]) / curve.width) + 1);
        const size = Math.max(1, Math.ceil((last - first) / ((isFitted ? 0.7 : 2) * wide))), lows = [], highs = [], shapes = [];
        for (let part = first; part < last; part += size) {
          let least = Infinity, most = -Infinity;
          for (let index = part, end = Math.min(part + size, last); index < end; index++) {
            if (low[index] < least) least = low[index];
            if (high[index] > most) most = high[index];
          }
          lows.push(least), highs.push(most);
        }
        if (isFitted) fit(panel, lows.filter(isFinite), highs.filter(isFinite));
        const xAt = part => Math.round(1e7 * Math.min(part, last) * curve.width / length);
        let top = "", bottom = [];
        const end = () => { if (top) shapes.push(top + bottom.reverse().join("") + "Z"); top = ""; bottom = []; };
        lows.forEach((least, index) => {
          if (least > highs[index]) { end(); return; }
          const left = xAt(first + index * size), right = xAt(first + (index + 1) * size), height = yPlace(panel, highs[index]);
          top += (top ? "V" + height : "M" + left + "," + height) + "H" + right;
          bottom.push("V" + yPlace(panel, least) + "H" + left);
        });
        end();
        const style = curve.group.getAttribute("class");
        curve.group.innerHTML = shapes.map(d => '<path class="' + style + '" transform="scale(.0001 .1)" d="' + d + '"/>').join("");
      };
      const valuesAt = (panel, place, most) => {
        const texts = panel.bands.filter(band => band[0] <= place && place < band[1]).slice(-1).map(band => band[2]);
        const number = value => panel.kind == "clock" ? clockText(value, 0) : value.toFixed(panel.digits).replace("-", "\u2212");
        const values = panel.curves.map(curve => {
          ready(panel, curve);
          if (curve.count != null) {
            const part = Math.min(curve.count - 1, Math.floor((place - whole[0]) / curve.width + 1e-6)), low = curve.low[part], high = curve.high[part];
            return [low, isNaN(low) ? "" : number(low) + (number(low) == number(high) ? "" : "\u2026" + number(high))];
          }
          const before = indexAt(curve.x, place + 1e-6);
          let index = before;
          if (!curve.stepped && before + 1 < curve.x.length && (before < 0 || place - curve.x[before] > curve.x[before + 1] - place)) index = before + 1;
          const isKnown = index >= 0 && !isNaN(curve.y[index]) && (curve.stepped || !isNaN(curve.y[Math.max(0, before)]));
          return [isKnown ? curve.y[index] : NaN, isKnown ? (curve.name ? curve.name + " " : "") + number(curve.y[index]) : ""];
        }).filter(value => value[1]);
        if (values.length > 1) values.sort((a, b) => b[0] - a[0]);
        return texts.concat(values.slice(0, most).map(value => value[1])).join(", ") || "\u2013";
      };
      const step = count => {
        const rough = (to - from) / count, power = Math.pow(10, Math.floor(Math.log10(rough)));
        const round = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough * 0.99);
        return isClock && rough > 1 ? [2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400].find(n => n >= rough) || round : round;
      };
      let here = null;
      const cross = svgElement("line", {class: "cross", y1: data.panels[0].top, y2: base, display: "none"}, svg);
      const toPlace = time => time == null ? null : !isDistance ? time : route ? route.along[nearest(route.t, time)] : null;
      const toTime = place => !isDistance ? place : route ? route.t[nearest(route.along, place)] : null;
      const drawCross = () => {
        const x = here == null ? -1 : (here - from) / (to - from), isShown = x >= 0 && x <= 1;
        cross.setAttribute("display", isShown ? "" : "none");
        cross.setAttribute("x1", 100 * x + "%");
        cross.setAttribute("x2", 100 * x + "%");
        const pixel = (to - from) / wide, places = pixel >= 1 ? 0 : pixel >= 0.1 ? 1 : pixel >= 0.01 ? 2 : 3;
        axisTitle.textContent = !isShown ? axisText : isClock ? clockText(here, places) : isDistance ? here.toFixed(3) + " " + unit : String(Math.floor(here));
        for (const panel of data.panels) {
          const text = isShown ? valuesAt(panel, here, 2) : "";
          panel.now.textContent = text;
          if (isShown && panel.now.getComputedTextLength() > svg.clientWidth) {
            let one = valuesAt(panel, here, 1);
            panel.now.textContent = one;
            for (let name = one.replace(/ [^ ]*$/, ""); name && panel.now.getComputedTextLength() > svg.clientWidth; name = name.slice(0, -1))
              panel.now.textContent = name.slice(0, -1) + "\u2026 " + one.split(" ").pop();
          }
          if (!panel.heading) continue;
          panel.heading.style.display = "";
          if (isShown && panel.heading.getComputedTextLength() + panel.now.getComputedTextLength() + 12 > svg.clientWidth) panel.heading.style.display = "none";
        }
      };
      crosshairs.push((time, source) => { if (source != plot) { here = isClock || isDistance ? toPlace(time) : null; drawCross(); } });
      const pointAt = place => {
        here = place == null ? null : Math.min(whole[1], Math.max(whole[0], place));
        drawCross();
        point(here == null || !(isClock || isDistance) ? null : toTime(here), plot);
      };
      const tools = html("div", {className: "tools"}), spoken = html("div", {className: "spoken", role: "status"}), holder = html("div");
      const overview = svgElement("svg", {class: "overview", "aria-hidden": "true", preserveAspectRatio: "none", viewBox: "0 0 1000 " + stretched[0].getAttribute("height")}, holder);
      overview.innerHTML = stretched[0].innerHTML;
      for (const group of overview.querySelectorAll("[data-curve]")) group.removeAttribute("data-curve");
      const range = svgElement("rect", {class: "range", y: 0, height: stretched[0].getAttribute("height")}, overview);
      const draw = () => {
        wide = Math.max(1, svg.clientWidth);
        const start = (from - whole[0]) / length, part = (to - from) / length;
        for (const shapes of stretched)
          shapes.setAttribute("viewBox", [1000 * start, 0, 1000 * part, shapes.getAttribute("height")].join(" "));
        for (const [label, place] of labels) {
          const x = (place - start) / part;
          label.setAttribute("x", 100 * x + "%");
          label.style.display = x >= 0.02 && x <= 0.98 ? "" : "none";
        }
        range.setAttribute("x", 1000 * start);
        range.setAttribute("width", Math.max(4, 1000 * part));
        const size = step(Math.max(4, wide / 90)), places = size < 1 ? Math.min(3, Math.ceil(-Math.log10(size) - 1e-9)) : 0;
        ticks.replaceChildren();
        for (let tick = Math.ceil(from / size - 1e-6) * size; tick <= to + 1e-9 * length; tick += size) {
          const x = 100 * (tick - from) / (to - from) + "%";
          svgElement("line", {class: "axis", x1: x, x2: x, y1: base, y2: base + 5}, ticks);
          svgElement("text", {class: "soft", x: x, y: base + 18, "text-anchor": "middle"}, ticks, isClock ? clockText(tick, places) : String(+tick.toPrecision(6)));
        }
        for (const panel of data.panels) for (const curve of panel.curves) curve.count == null ? drawCurve(panel, curve) : drawEnvelope(panel, curve);
        drawCross();
        plot.dispatchEvent(new Event("view"));
      };
      const show = (a, b) => {
        const span = Math.min(length, Math.max(b - a, length / 10000, isClock ? 0.2 : 0));
        from = Math.min(Math.max(whole[0], (a + b - span) / 2), whole[1] - span);
        to = from + span;
        draw();
      };
      const zoom = (factor, place = here == null || here < from || here > to ? 0.5 : (here - from) / (to - from)) => {
        const center = from + place * (to - from), span = Math.min(length, (to - from) / factor);
        show(center - place * span, center + (1 - place) * span);
      };
      const move = share => show(from + share * (to - from), to + share * (to - from));
      const buttons = [["+", "zoom in", () => zoom(2)], ["\u2212", "zoom out", () => zoom(0.5)], ["\u2190", "earlier", () => move(-0.4)],
        ["\u2192", "later", () => move(0.4)], ["all", "the whole range", () => show(...whole)]];
      for (const [textContent, title, onclick] of buttons) html("button", {textContent, title, ariaLabel: title, onclick}, tools);
      plot.prepend(tools, ...(plot.closest(".whole") ? [overview] : []));
      plot.append(spoken);
      const shareIn = (box, event) => (event.clientX - box.left) / box.width, share = event => shareIn(svg.getBoundingClientRect(), event);
      const placeAt = event => from + share(event) * (to - from);
      const pointers = new Map();
      svg.style.touchAction = "pan-y";
      svg.onpointerdown = event => {
        pointers.set(event.pointerId, event.clientX);
        svg.setPointerCapture(event.pointerId);
        if (event.pointerType != "mouse") pointAt(placeAt(event));
      };
      svg.onpointerup = svg.onpointercancel = event => pointers.delete(event.pointerId);
      svg.onpointerleave = event => { if (event.pointerType == "mouse" && !pointers.size) pointAt(null); };
      svg.onpointermove = event => {
        if (!pointers.has(event.pointerId)) { pointAt(placeAt(event)); return; }
        const before = [...pointers.values()];
        pointers.set(event.pointerId, event.clientX);
        const after = [...pointers.values()];
        if (after.length > 1) {
          const [was, is] = [Math.abs(before[0] - before[1]), Math.abs(after[0] - after[1])];
          if (was > 5 && is > 5) zoom(is / was, share(event));
        } else if (event.pointerType == "mouse") move((before[0] - after[0]) / svg.clientWidth);
        else pointAt(placeAt(event));
      };
      svg.ondblclick = event => zoom(2, share(event));
      svg.addEventListener("wheel", event => {
        if (!event.ctrlKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX)) return;
        event.preventDefault();
        event.ctrlKey ? zoom(Math.exp(-event.deltaY / 100), share(event)) : move(event.deltaX / svg.clientWidth);
      }, {passive: false});
      const placeIn = event => whole[0] + shareIn(overview.getBoundingClientRect(), event) * length;
      let drag = null;
      overview.onpointerdown = event => {
        const place = placeIn(event), near = 14 / overview.clientWidth * length;
        const edge = Math.abs(place - from) < near ? "from" : Math.abs(place - to) < near ? "to" : "";
        if (!edge && (place < from || place > to)) show(place - (to - from) / 2, place + (to - from) / 2);
        drag = {edge, offset: place - from};
        overview.setPointerCapture(event.pointerId);
      };
      overview.onpointermove = event => {
        if (!drag) return;
        const place = placeIn(event);
        if (drag.edge == "from") show(Math.min(place, to), to);
        else if (drag.edge == "to") show(from, Math.max(place, from));
        else show(place - drag.offset, place - drag.offset + to - from);
      };
      overview.onpointerup = overview.onpointercancel = () => { drag = null; };
      const walk = pixels => {
        pointAt((here == null ? (from + to) / 2 : here) + pixels * (to - from) / Math.max(1, svg.clientWidth));
        if (here < from) move(-0.5);
        if (here > to) move(0.5);
        spoken.textContent = axisTitle.textContent + ": " + data.panels.map(panel => (panel.heading ? panel.heading.textContent + " " : "") + panel.now.textContent).join("; ");
      };
      plot.onkeydown = event => {
        const action = {ArrowLeft: () => event.shiftKey ? move(-0.2) : walk(-2), ArrowRight: () => event.shiftKey ? move(0.2) : walk(2),
          "+": () => zoom(2), "-": () => zoom(0.5), "0": () => show(...whole), Escape: () => pointAt(null)}[event.key];
        if (action) { action(); event.preventDefault(); }
      };
      addEventListener("resize", draw);
      plot.view = {svg, whole, show, zoom, move, get from() { return from; }, get to() { return to; }, get wide() { return wide; }};
      draw();
    }
    const paper = document.querySelector(".map-paper");
    if (route && route.x && paper) {
      const here = svgElement("circle", {class: "here", r: 7, display: "none"}, paper);
      crosshairs.push(time => {
        here.setAttribute("display", time == null ? "none" : "");
        if (time == null) return;
        const index = nearest(route.t, time);
        here.setAttribute("cx", route.x[index] + "%");
        here.setAttribute("cy", route.y[index] + "%");
      });
      /* The place of the route next to the pointer, within 30 pixels. */
      paper.onpointermove = event => {
        const box = paper.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * 100, y = (event.clientY - box.top) / box.height * 100;
        let best = -1, least = Math.pow(30 / box.width * 100, 2);
        route.x.forEach((place, index) => {
          const apart = Math.pow(place - x, 2) + Math.pow((route.y[index] - y) * box.height / box.width, 2);
          if (apart < least) { least = apart; best = index; }
        });
        point(best < 0 ? null : route.t[best], paper);
      };
      paper.onpointerleave = event => { if (event.pointerType == "mouse") point(null, paper); };
    }
    /* What was hidden has a width now. */
    for (const element of document.querySelectorAll(".choice input, details"))
      for (const kind of ["change", "toggle"]) element.addEventListener(kind, () => dispatchEvent(new Event("resize")));
    """#
}

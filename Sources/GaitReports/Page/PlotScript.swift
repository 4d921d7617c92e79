import Gait
import GaitTraining

/// The script that zooms and moves plots: with buttons, arrow keys, a drag, a pinch or the wheel with the control key.
///
/// Pages are complete without it. It adds the buttons, changes the visible range of the stretched drawings, writes new ticks,
/// and draws the samples that a page of `SignalPlot` carries, of which every part shows the smallest and largest.
enum PlotScript {
  static let source = #"""
    for (const plot of document.querySelectorAll(".zooms")) {
      const svg = plot.querySelector("svg.plot"), ticks = svg.querySelector(".ticks"), clock = plot.dataset.kind == "clock";
      const whole = [+plot.dataset.from, +plot.dataset.to], length = whole[1] - whole[0];
      let [from, to] = whole;
      const stretched = [...svg.querySelectorAll(".stretch")];
      const labels = [...svg.querySelectorAll(".label")].map(label => [label, parseFloat(label.getAttribute("x")) / 100]);
      const channels = [...svg.querySelectorAll("[data-channel]")].map(group => [group, group.innerHTML]);
      const carried = document.querySelector("script.samples"), samples = carried ? JSON.parse(carried.textContent) : null;
      const numbers = text => new Uint16Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
      if (samples) samples.channels = samples.channels.map(pair => pair.map(numbers));
      const two = number => String(number).padStart(2, "0");
      const time = (seconds, step) => {
        const places = step < 1 ? Math.min(3, Math.ceil(-Math.log10(step) - 1e-9)) : 0;
        const rest = (seconds % 60).toFixed(places).padStart(places ? places + 3 : 2, "0"), minutes = Math.floor(seconds / 60 + 1e-9);
        return (minutes >= 60 ? Math.floor(minutes / 60) + ":" + two(minutes % 60) : minutes) + ":" + rest;
      };
      const step = count => {
        const rough = (to - from) / count, power = Math.pow(10, Math.floor(Math.log10(rough)));
        const round = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough * 0.99);
        return clock && rough > 1 ? [2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400].find(n => n >= rough) || round : round;
      };
      const add = (name, attributes, text) => {
        const element = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const key in attributes) element.setAttribute(key, attributes[key]);
        if (text) element.textContent = text;
        ticks.append(element);
      };
      const drawSamples = () => {
        const first = Math.max(0, Math.floor((from - whole[0]) / length * samples.parts) - 1);
        const last = Math.min(samples.parts, Math.ceil((to - whole[0]) / length * samples.parts) + 1);
        const size = Math.max(1, Math.ceil((last - first) / (2 * svg.clientWidth)));
        for (const [group, original] of channels) {
          if (to - from > 0.7 * length) { group.innerHTML = original; continue; }
          const [low, high] = samples.channels[+group.dataset.channel];
          const height = +group.ownerSVGElement.getAttribute("height"), shapes = [];
          let top = [], bottom = [];
          const end = () => { if (top.length) shapes.push(top.concat(bottom.reverse()).join(" ")); top = []; bottom = []; };
          for (let part = first; part < last; part += size) {
            let least = 65535, most = -1;
            for (let index = part; index < Math.min(part + size, last); index++)
              if (high[index] != 65535) { least = Math.min(least, high[index]); most = Math.max(most, low[index]); }
            if (most < 0) { end(); continue; }
            const x = ((part + Math.min(size, last - part) / 2) / samples.parts * 1000).toFixed(4);
            top.push(x + "," + (least / 65534 * height).toFixed(1));
            bottom.push(x + "," + (most / 65534 * height).toFixed(1));
          }
          end();
          group.innerHTML = shapes.map(points => '<polyline class="' + group.getAttribute("class") + '" points="' + points + '"/>').join("");
        }
      };
      const draw = () => {
        const start = (from - whole[0]) / length, part = (to - from) / length;
        for (const shapes of stretched)
          shapes.setAttribute("viewBox", [1000 * start, 0, 1000 * part, shapes.getAttribute("height")].join(" "));
        for (const [label, place] of labels) {
          const x = (place - start) / part;
          label.setAttribute("x", 100 * x + "%");
          label.style.display = x >= 0 && x <= 1 ? "" : "none";
        }
        const y = +ticks.dataset.y, size = step(Math.max(3, svg.clientWidth / 90));
        ticks.replaceChildren();
        for (let tick = Math.ceil(from / size - 1e-6) * size; tick <= to + 1e-9 * length; tick += size) {
          const x = 100 * (tick - from) / (to - from) + "%";
          add("line", {class: "axis", x1: x, x2: x, y1: y, y2: y + 5});
          add("text", {class: "soft", x: x, y: y + 18, "text-anchor": "middle"}, clock ? time(tick, size) : String(+tick.toPrecision(6)));
        }
        if (samples) drawSamples();
      };
      const show = (a, b) => {
        const span = Math.min(length, Math.max(b - a, length / 5000, clock ? 0.2 : 0));
        from = Math.min(Math.max(whole[0], (a + b - span) / 2), whole[1] - span);
        to = from + span;
        draw();
      };
      const zoom = (factor, place = 0.5) => {
        const center = from + place * (to - from), span = Math.min(length, (to - from) / factor);
        show(center - place * span, center + (1 - place) * span);
      };
      const move = share => show(from + share * (to - from), to + share * (to - from));
      const tools = document.createElement("div");
      tools.className = "tools";
      const buttons = [["+", "zoom in", () => zoom(2)], ["\u2212", "zoom out", () => zoom(0.5)], ["\u2190", "earlier", () => move(-0.4)],
        ["\u2192", "later", () => move(0.4)], ["all", "the whole range", () => show(...whole)]];
      for (const [text, title, action] of buttons) {
        const button = document.createElement("button");
        button.textContent = text;
        button.title = title;
        button.setAttribute("aria-label", title);
        button.onclick = action;
        tools.append(button);
      }
      plot.prepend(tools);
      const share = event => (event.clientX - svg.getBoundingClientRect().left) / svg.clientWidth;
      const pointers = new Map();
      svg.style.touchAction = "pan-y";
      svg.onpointerdown = event => { pointers.set(event.pointerId, event.clientX); svg.setPointerCapture(event.pointerId); };
      svg.onpointerup = svg.onpointercancel = event => pointers.delete(event.pointerId);
      svg.onpointermove = event => {
        if (!pointers.has(event.pointerId)) return;
        const before = [...pointers.values()];
        pointers.set(event.pointerId, event.clientX);
        const after = [...pointers.values()];
        if (after.length > 1) {
          const [was, is] = [Math.abs(before[0] - before[1]), Math.abs(after[0] - after[1])];
          if (was > 5 && is > 5) zoom(is / was, share(event));
        } else move((before[0] - after[0]) / svg.clientWidth);
      };
      svg.ondblclick = event => zoom(2, share(event));
      svg.addEventListener("wheel", event => {
        if (!event.ctrlKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX)) return;
        event.preventDefault();
        event.ctrlKey ? zoom(Math.exp(-event.deltaY / 100), share(event)) : move(event.deltaX / svg.clientWidth);
      }, {passive: false});
      plot.onkeydown = event => {
        const action = {ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), "+": () => zoom(2), "-": () => zoom(0.5), "0": () => show(...whole)}[event.key];
        if (action) { action(); event.preventDefault(); }
      };
      addEventListener("resize", draw);
      draw();
    }
    """#
}

/// The script of a page for labelling: the lane of labels, which alone edits, its buttons and keys, and what is stored
/// and saved.
///
/// It runs after `PlotScript`, whose plot zooms and pans the signal. A state is a list of parts that share their
/// boundaries; every change makes a new state, so that each can be undone.
enum LabelScript {
  static let source = #"""
    {
      const plot = document.querySelector(".zooms"), view = plot.view, data = JSON.parse(document.querySelector("script.labelling").textContent);
      const count = data.count, times = data.times ? decode(data.times, Uint32Array) : null, storageKey = "gait labels " + data.key;
      /* Microseconds from the recording's first sample to the start of a sample, or to the end after the last. */
      const micros = k => data.base + (k >= count ? data.length : times ? times[k] : k * data.step), seconds = k => micros(k) / 1e6;
      const firstFrom = time => { let low = 0, high = count; while (low < high) { const middle = low + high >> 1; micros(middle) < time ? low = middle + 1 : high = middle; } return low; };
      const sampleAt = time => { const k = firstFrom(time * 1e6); return k > 0 && time - seconds(k - 1) < seconds(k) - time ? k - 1 : k; };
      const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
      const timeText = (time, places = 6) => { const text = clockText(time, places); return text.includes(".") ? text.replace(/\.?0+$/, "") : text; };
      const begun = {names: data.names, parts: data.parts.map(([from, to, name, isSure, chance]) => ({from, to, name, isSure: isSure == 1, chance}))};
      let state = begun, done = [], undone = [], selection = null, edge = null, cursor = 0, drag = null, savedText = "", pressed = 0;

      /* --- Changes */
      const partAt = k => state.parts.find(part => part.from <= k && k < part.to);
      const isBoundary = k => k > 0 && k < count && state.parts.some(part => part.from == k);
      /* The parts with those of a stretch cut at its ends and changed. */
      const changed = (from, to, change) => state.parts.flatMap(part => {
        if (part.to <= from || part.from >= to) return [part];
        const [a, b] = [Math.max(from, part.from), Math.min(to, part.to)];
        return [{...part, to: a}, {...change(part), from: a, to: b}, {...part, from: b}].filter(piece => piece.from < piece.to);
      });
      const joined = parts => parts.reduce((list, part) => {
        const last = list[list.length - 1];
        return last && last.to == part.from && last.joins && part.joins ? [...list.slice(0, -1), {...last, to: part.to}] : [...list, part];
      }, []).map(({joins, ...part}) => part);
      const become = (next, text) => { state = next; if (!isBoundary(edge)) edge = null; keep(); draw(); say(text); };
      const change = (text, parts, names = state.names) => { [done, undone] = [[...done.slice(-999), state], []]; become({parts, names}, text); };
      const step = (from, to, text) => { if (from.length) { to.push(state); become(from.pop(), text); } else say("There is nothing more."); };
      const label = name => {
        if (!selection) { say("Select a stretch first."); return; }
        const [from, to] = selection;
        const parts = joined(changed(from, to, part => ({...part, name, isSure: true, chance: 1, joins: true})));
        change(range(selection) + (name == null ? " has no label." : " is " + name + "."), parts, name == null || state.names.includes(name) ? state.names : [...state.names, name]);
      };
      const named = (name, apply) => { name = name.trim(); if (name) apply(name); else say("Type a name first."); };
      const rename = name => {
        const old = selection && partAt(selection[0]) ? partAt(selection[0]).name : null;
        if (old == null) { say("Select a stretch with the label to rename."); return; }
        change(old + " is now " + name + ".", state.parts.map(part => part.name == old ? {...part, name} : part), [...new Set(state.names.map(other => other == old ? name : other))]);
      };
      const next = () => {
        const open = state.parts.filter(part => !part.isSure), after = selection ? selection[1] : 0;
        if (!open.length) { say("Everything is confirmed. Save the file."); return; }
        const asksForWorst = document.querySelector("#worst").checked;
        const part = asksForWorst ? open.reduce((a, b) => b.chance < a.chance ? b : a) : open.find(part => part.from >= after) || open[0];
        select(part.from, part.to, true);
      };
      const confirm = () => {
        if (selection && state.parts.some(part => !part.isSure && part.from < selection[1] && part.to > selection[0]))
          change(range(selection) + " is confirmed.", changed(...selection, part => ({...part, isSure: true, chance: 1})));
        next();
      };
      const split = () => {
        const part = partAt(cursor);
        if (!part || part.from == cursor) { say("Put the cursor inside a stretch first."); return; }
        const at = cursor;
        change("Split at " + timeText(seconds(at)) + ".", state.parts.flatMap(one => one == part ? [{...one, to: at}, {...one, from: at}] : [one]));
        select(part.from, at);
        edge = at;
        draw();
      };
      const join = () => {
        const from = selection ? partAt(selection[0]) : null, after = from && partAt(selection[1]), to = from && partAt(selection[1] - 1) == from ? after : partAt(selection[1] - 1);
        if (!from || !to || from == to) { say("Select a stretch with another one after it."); return; }
        change("Joined.", state.parts.filter(part => part == from || part.from >= to.to || part.to <= from.from).map(part => part == from ? {...part, to: to.to} : part));
        select(from.from, to.to);
      };
      const moved = (before, from, to) => {
        const index = before.parts.findIndex(part => part.from == from);
        to = clamp(to, before.parts[index - 1].from + 1, before.parts[index].to - 1);
        const parts = before.parts.map((part, place) => place == index - 1 ? {...part, to} : place == index ? {...part, from: to} : part);
        return [to, {...before, parts}];
      };
      const follow = (from, to) => { if (selection) selection = selection.map(end => end == from ? to : end); edge = cursor = to; };
      const moveEdge = to => {
        const from = edge, [place, after] = moved(state, from, to);
        if (place == from) return;
        follow(from, place);
        show(seconds(place), seconds(place));
        change("The boundary is at " + timeText(seconds(place)) + ".", after.parts);
      };
      /* Moves the boundary that is held, or the cursor. */
      const put = to => {
        if (edge != null) { moveEdge(to); return; }
        cursor = to;
        show(seconds(to), seconds(to));
        draw();
        say("The cursor is at " + timeText(seconds(to)) + ".");
      };
      const nudge = (samples, time) => {
        const place = edge == null ? cursor : edge;
        put(clamp(time ? sampleAt(seconds(place) + time) : place + samples, 0, count));
      };
      const typed = text => {
        const ends = text.trim().split(/\s*[\u2013\u2014-]\s*|\s+/).map(part => /^(\d+:){0,2}\d+([.,]\d*)?$/.test(part) ? part.replace(",", ".").split(":").reduce((sum, piece) => 60 * sum + +piece, 0) : NaN);
        if (!ends.length || ends.length > 2 || ends.some(isNaN)) { say("\u201c" + text + "\u201d is no time: type 65.2, 1:05.2 or a stretch 1:05.2\u20132:00."); return; }
        const [a, b] = ends.map(sampleAt);
        b > a ? select(a, b, true) : put(a);
      };

      /* --- Storing, saving and opening */
      const warning = text => { document.querySelector("#warning").textContent = text; document.querySelector("#warning").hidden = !text; };
      const keep = () => {
        try { localStorage.setItem(storageKey, JSON.stringify({...state, savedText})); }
        catch { warning("This browser refuses to store the labels: save the file before you leave."); }
      };
      const restore = text => { try { const found = JSON.parse(text); return Array.isArray(found.parts) && found.parts.length && found.parts[found.parts.length - 1].to == count ? found : null; } catch { return null; } };
      const quoted = text => /[",]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
      const rows = () => state.parts.filter(part => part.isSure).reduce((list, part) => {
        const last = list[list.length - 1];
        return last && last.to == part.from && last.name == part.name ? [...list.slice(0, -1), {...last, to: part.to}] : [...list, part];
      }, []).map(part => [seconds(part.from), seconds(part.to), quoted(part.name == null ? "" : part.name)].join(",") + "\n").join("");
      const save = () => {
        const lines = ["labels of " + data.name, "fingerprint: " + data.fingerprint, ...data.lines, "saved: " + new Date().toISOString()].map(line => "# " + line + "\n");
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([lines.join("") + "start,end,label\n" + rows()], {type: "text/csv"}));
        link.download = data.file;
        link.click();
        savedText = rows();
        keep();
        say("Saved " + data.file + ". gait label --collect files it beside the recording.");
      };
      const cells = line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1] != null ? cell[1].replaceAll('""', '"') : cell[2]);
      const open = text => {
        const lines = text.split(/\r?\n/).filter(line => line), stated = /^# fingerprint: (.*)$/m.exec(text);
        const table = lines.filter(line => line[0] != "#").map(cells), columns = ["start", "end", "label"].map(name => (table[0] || []).indexOf(name));
        if (stated && stated[1] != data.fingerprint) { say("This file has the labels of another recording."); return; }
        if (columns.includes(-1)) { say("This file has no columns start, end and label."); return; }
        const found = table.slice(1).map(row => [firstFrom(Math.round(row[columns[0]] * 1e6)), firstFrom(Math.round(row[columns[1]] * 1e6)), row[columns[2]] || null]);
        if (table.slice(1).some(row => columns.some(column => row[column] == null) || !(+row[columns[0]] < +row[columns[1]]))) { say("A row of this file is no interval."); return; }
        const names = [...new Set([...begun.names, ...found.map(row => row[2]).filter(name => name != null)])];
        const old = state;
        let parts = begun.parts.map(part => ({...part, isSure: false}));
        for (const [from, to, name] of found) { state = {parts, names}; parts = joined(changed(from, to, part => ({...part, name, isSure: true, chance: 1, joins: true}))); }
        state = old;
        change("Opened a file with " + found.length + " intervals.", parts, names);
      };
      addEventListener("beforeunload", event => { if (rows() != savedText) event.preventDefault(); });
      addEventListener("storage", event => {
        if (event.key == storageKey + " open") {
          warning("This recording is open in another tab too. Its changes appear here.");
          if (event.newValue && event.newValue[0] == "?") try { localStorage.setItem(event.key, "!" + Math.random()); } catch {}
        }
        const other = event.key == storageKey && restore(event.newValue);
        if (other) { done.push(state); state = {parts: other.parts, names: other.names}; savedText = other.savedText; draw(); }
      });

      /* --- The lane */
      const html = (name, attributes, parent, text) => { const element = Object.assign(document.createElement(name), attributes); if (text) element.textContent = text; if (parent) parent.append(element); return element; };
      const desk = document.createElement("div"), height = data.beside ? 96 : 66;
      desk.className = "desk";
      plot.insertBefore(desk, view.svg);
      const lane = svgElement("svg", {class: "lane", height}, desk), patterns = svgElement("defs", {}, lane);
      svgElement("path", {class: "hatch", d: "M-2 2l4-4M0 8l8-8M6 10l4-4"}, svgElement("pattern", {id: "hatch", width: 8, height: 8, patternUnits: "userSpaceOnUse"}, patterns));
      const drawing = svgElement("g", {}, lane), series = new Map(data.names.map((name, index) => [name, data.series[index]]));
      const seriesOf = name => {
        if (!series.has(name)) { let free = 3; while ([...series.values()].includes(free)) free++; series.set(name, free % 30); }
        return series.get(name);
      };
      const share = k => (seconds(k) - view.from) / (view.to - view.from), percent = value => (100 * value).toFixed(4) + "%";
      const range = ([from, to]) => timeText(seconds(from), 2) + "\u2013" + timeText(seconds(to), 2);
      const show = (from, to) => {
        const span = view.to - view.from, wanted = Math.max(span, 1.2 * (to - from)), middle = (from + to) / 2;
        if (from < view.from || to > view.to) view.show(middle - wanted / 2, middle + wanted / 2);
      };
      const select = (from, to, shows) => {
        selection = [from, to];
        [edge, cursor] = [null, from];
        if (shows) show(seconds(from), seconds(to));
        draw();
        const part = partAt(from);
        say(range(selection) + ": " + (part.name == null ? (part.isSure ? "no label" : "not inspected") : part.name + (part.isSure ? "" : ", a suggestion")) + ".");
      };
      const strip = (parts, top, deep) => {
        const width = lane.clientWidth, add = (name, attributes, text) => svgElement(name, attributes, drawing, text);
        for (const part of parts) {
          const from = clamp(share(part.from), 0, 1), to = clamp(share(part.to), 0, 1), [x, w] = [percent(from), percent(to - from)];
          if (to <= from) continue;
          const style = part.name == null ? "none" : "f" + seriesOf(part.name);
          add("rect", {class: style, x, y: top, width: w, height: 8});
          add("rect", {class: style + " pale", x, y: top + 8, width: w, height: deep - 8});
          if (!part.isSure) add("rect", {fill: "url(#hatch)", x, y: top, width: w, height: deep});
          const number = state.names.indexOf(part.name) + 1, most = Math.floor(((to - from) * width - 10) / 7.5);
          const text = part.name == null ? (part.isSure ? "no label" : "not inspected") : part.name + (part.isSure ? "" : "?");
          const shown = text.length <= most ? text : part.name != null && most >= 1 ? (most > 4 ? text.slice(0, most - 1) + "\u2026" : String(number)) : "";
          if (shown) add("text", {class: "halo" + (part.isSure ? " strong" : ""), x: percent((from + to) / 2), y: top + deep / 2 + 8, "text-anchor": "middle"}, shown);
        }
      };
      const paint = () => {
        drawing.replaceChildren();
        const add = (name, attributes) => svgElement(name, attributes, drawing);
        strip(state.parts, 4, 42);
        if (data.beside) {
          strip(data.beside.parts.map(([from, to, name]) => ({from, to, name, isSure: true})), 68, 24);
          for (const [from, to] of differing()) add("rect", {class: "differs", x: percent(share(from)), y: 62, width: percent(share(to) - share(from)), height: 4});
        }
        if (selection) add("rect", {class: "selected", x: percent(share(selection[0])), y: 3, width: percent(share(selection[1]) - share(selection[0])), height: 44});
        for (const part of state.parts.slice(1)) {
          const place = share(part.from), x = percent(place);
          if (place < 0 || place > 1) continue;
          add("line", {class: "handle" + (part.from == edge ? " held" : ""), x1: x, x2: x, y1: 2, y2: 52});
          add("circle", {class: "handle" + (part.from == edge ? " held" : ""), cx: x, cy: 54, r: 6});
        }
        const x = percent(share(cursor));
        add("line", {class: "cursor", x1: x, x2: x, y1: 0, y2: height});
      };
      const draw = () => { paint(); buttons(); summary(); };
      const under = x => { const box = lane.getBoundingClientRect(); return sampleAt(view.from + clamp((x - box.left) / box.width, 0, 1) * (view.to - view.from)); };
      const edgeNear = (x, reach) => {
        const box = lane.getBoundingClientRect(), distance = k => Math.abs(box.left + share(k) * box.width - x);
        const near = state.parts.slice(1).map(part => part.from).filter(k => distance(k) <= reach);
        return near.length ? near.reduce((a, b) => distance(b) < distance(a) ? b : a) : null;
      };
      const reach = event => event.pointerType == "mouse" ? 8 : 22;
      const pull = () => {
        const to = under(drag.x);
        if (drag.edge == null) selection = [Math.min(drag.from, to), Math.max(drag.from, to)];
        else { const before = edge, [place, after] = moved(drag.state, drag.edge, to); state = after; follow(before == null ? drag.edge : before, place); }
        cursor = to;
        paint();
      };
      const release = () => { clearInterval(drag.timer); drag = null; };
      lane.onpointerdown = event => {
        if (!event.isPrimary || event.button) return;
        drag = {pointer: event.pointerId, start: event.clientX, x: event.clientX, from: under(event.clientX), edge: edgeNear(event.clientX, reach(event)), state, selection, held: edge, cursor};
        lane.setPointerCapture(event.pointerId);
      };
      lane.onpointermove = event => {
        if (!drag || event.pointerId != drag.pointer) { lane.style.cursor = edgeNear(event.clientX, reach(event)) == null ? "pointer" : "ew-resize"; return; }
        drag.x = event.clientX;
        if (!drag.timer && Math.abs(drag.x - drag.start) < 4) return;
        /* Past an edge of the lane, the view scrolls under the pointer. */
        if (!drag.timer) {
          if (drag.edge != null) edge = drag.edge;
          drag.timer = setInterval(() => {
            const box = lane.getBoundingClientRect(), out = drag.x > box.right - 4 ? 1 : drag.x < box.left + 4 ? -1 : 0;
            if (out) { view.move(out * 0.03); pull(); }
          }, 40);
        }
        pull();
      };
      lane.onpointerup = event => {
        if (!drag || event.pointerId != drag.pointer) return;
        const was = drag;
        release();
        if (!was.timer) {
          /* A tap in the middle of a narrow stretch selects it, though a drag from there would move a boundary. */
          const part = partAt(Math.min(was.from, count - 1)), wide = (share(part.to) - share(part.from)) * lane.clientWidth;
          if (edgeNear(was.start, Math.min(reach(event), Math.max(9, 0.3 * wide))) == null) { select(part.from, part.to); cursor = was.from; }
          else if (edge == was.edge && event.timeStamp - pressed < 400) magnify();
          else { edge = cursor = was.edge; say("The boundary at " + timeText(seconds(edge)) + " is held: drag it, or nudge it."); }
          pressed = event.timeStamp;
          draw();
        } else if (was.edge != null) {
          const after = state;
          state = was.state;
          change("The boundary is at " + timeText(seconds(edge)) + ".", after.parts);
        } else if (selection[1] > selection[0]) select(...selection);
        else { selection = was.selection; draw(); }
      };
      /* A drag that the system cancels changes nothing. */
      lane.onpointercancel = event => { if (!drag || event.pointerId != drag.pointer) return; ({state, selection, cursor, held: edge} = drag); release(); draw(); };
      /* To the selected stretch; to 12 s around a boundary that is held, or the cursor; then to single samples. */
      const magnify = () => {
        const place = seconds(edge == null ? cursor : edge), span = view.to - view.from, part = selection && 1.3 * (seconds(selection[1]) - seconds(selection[0]));
        if (edge == null && part && span > 1.01 * part) { const middle = (seconds(selection[0]) + seconds(selection[1])) / 2; view.show(middle - part / 2, middle + part / 2); return; }
        const half = span > 12.1 ? 6 : lane.clientWidth / 6 * data.length / 1e6 / count;
        view.show(place - half, place + half);
      };

      /* --- Buttons, keys and texts */
      const nameRow = html("div", {className: "row"}, desk), labelButtons = html("span", {className: "labels"}, nameRow), field = html("input", {type: "text", id: "name", placeholder: "new name", size: 10}, nameRow);
      const time = html("input", {type: "text", id: "time", placeholder: "time", size: 10});
      field.setAttribute("aria-label", "name of a label");
      time.setAttribute("aria-label", "time, or a stretch such as 1:05.2\u20132:00");
      const give = apply => named(field.value, name => { apply(name); field.value = ""; field.blur(); });
      field.onkeydown = event => { if (event.key == "Enter") give(event.shiftKey ? rename : label); };
      time.onkeydown = event => { if (event.key == "Enter") { typed(time.value); time.value = ""; time.blur(); } };
      const button = (parent, text, key, action) => {
        const element = html("button", {type: "button", title: key ? "key " + key : ""}, parent, text);
        element.onclick = event => { action(); if (event.detail) element.blur(); };
        return element;
      };
      const actions = [
        ["Confirm", "Enter", confirm], ["Next", "N", next], ["No label", "Delete", () => label(null)], ["Split", "S", split], ["Join", "J", join],
        ["Zoom to it", "Z", magnify], ["\u2212 1 s", "Shift \u2190", () => nudge(0, -1)], ["\u2212 1", "\u2190", () => nudge(-1)],
        ["+ 1", "\u2192", () => nudge(1)], ["+ 1 s", "Shift \u2192", () => nudge(0, 1)], ["Undo", "Ctrl Z", () => step(done, undone, "Undone.")],
        ["Redo", "Ctrl Y", () => step(undone, done, "Done again.")]];
      button(nameRow, "Add", "Enter in the field", () => give(label));
      button(nameRow, "Rename", "Shift Enter in the field", () => give(rename));
      const tools = html("div", {className: "row"}, desk), files = html("div", {className: "row files"}, plot);
      for (const action of actions) button(tools, ...action);
      tools.append(time);
      button(files, "Save the file", "", save).id = "save";
      const chooser = html("input", {type: "file", id: "file", accept: ".csv", hidden: true}, files);
      chooser.onchange = async () => { if (chooser.files[0]) open(await chooser.files[0].text()); chooser.value = ""; };
      button(files, "Open a file", "", () => chooser.click());
      const worst = html("label", {}, files), check = html("input", {type: "checkbox", id: "worst"}, worst);
      worst.append(" least certain first");
      const status = html("p", {id: "status"}, desk);
      status.setAttribute("role", "status");
      const say = text => { status.textContent = text; };
      const buttons = () => {
        if (labelButtons.dataset.names == JSON.stringify(state.names)) return;
        labelButtons.dataset.names = JSON.stringify(state.names);
        labelButtons.replaceChildren();
        state.names.forEach((name, index) => {
          const element = button(labelButtons, "", index < 9 ? String(index + 1) : "", () => label(name)), swatch = svgElement("svg", {class: "swatch", "aria-hidden": "true"}, element);
          svgElement("rect", {class: "f" + seriesOf(name), width: 14, height: 14}, swatch);
          element.append((index < 9 ? index + 1 + " " : "") + name);
        });
      };
      const hold = end => {
        const place = selection ? selection[end] : null;
        if (!isBoundary(place)) { say("There is no boundary at this end of the selected stretch."); return; }
        edge = cursor = place;
        show(seconds(place), seconds(place));
        draw();
        say("The boundary at " + timeText(seconds(place)) + " is held: nudge it, or type its time.");
      };
      const neighbour = by => {
        const place = state.parts.findIndex(part => part == partAt(Math.min(count - 1, selection ? selection[0] : cursor))), part = state.parts[clamp(place + by, 0, state.parts.length - 1)];
        select(part.from, part.to, true);
      };
      const keys = {
        Enter: confirm, n: next, Delete: () => label(null), Backspace: () => label(null), s: split, j: join, z: magnify, "[": () => hold(0), Home: () => hold(0), "]": () => hold(1),
        End: () => hold(1), ",": () => neighbour(-1), ".": () => neighbour(1), t: () => time.focus(), l: () => field.focus(), u: () => check.click(),
        ArrowLeft: shift => nudge(-1, shift && -1), ArrowRight: shift => nudge(1, shift && 1), "+": () => view.zoom(2), "-": () => view.zoom(0.5), "0": () => view.show(...view.whole),
        Escape: () => { edge = selection = null; draw(); }};
      document.addEventListener("keydown", event => {
        const target = event.target, key = event.key.length == 1 ? event.key.toLowerCase() : event.key;
        if (target.matches("input[type=text]")) { if (key == "Escape") target.blur(); return; }
        if (target == plot && /^(Arrow.*|[-+0]|Escape)$/.test(key) || target.matches("button, a, input, summary") && (key == "Enter" || key == " ")) return;
        const isCommand = event.ctrlKey || event.metaKey, name = state.names[+key - 1];
        const action = isCommand ? {z: () => event.shiftKey ? step(undone, done, "Done again.") : step(done, undone, "Undone."), y: () => step(undone, done, "Done again.")}[key]
          : event.altKey ? null : /^[1-9]$/.test(key) ? () => name == null ? say("There is no label " + key + ".") : label(name) : keys[key];
        if (!action) return;
        action(event.shiftKey);
        event.preventDefault();
        event.stopPropagation();
      }, true);

      /* The confirmed stretches in which the two people differ. */
      const differing = () => {
        const ends = [...new Set([...state.parts, ...data.beside.parts.map(([from, to]) => ({from, to}))].flatMap(part => [part.from, part.to]))].sort((a, b) => a - b);
        const theirs = k => (data.beside.parts.find(([from, to]) => from <= k && k < to) || [0, 0, null])[2];
        return ends.slice(0, -1).map((from, index) => [from, ends[index + 1]]).filter(([from]) => partAt(from).isSure && partAt(from).name != theirs(from));
      };
      const minutes = parts => parts.reduce((sum, part) => sum + seconds(part.to) - seconds(part.from), 0) / 60, fixed = value => value.toFixed(value < 10 ? 2 : 1);
      const windowsOf = time => time < data.window[0] ? 0 : Math.floor((time - data.window[0]) / data.window[1] + 1e-6) + 1;
      const summary = () => {
        const sure = state.parts.filter(part => part.isSure), own = sure.filter(part => part.name != null), box = document.querySelector("#labelled");
        const names = [...new Set([...state.names, ...data.others.map(other => other[1])])], people = [...new Set([data.person, ...data.others.map(other => other[0])])];
        const amount = (person, name) => (person == data.person ? minutes(own.filter(part => part.name == name)) : 0) + data.others.filter(other => other[0] == person && other[1] == name).reduce((sum, other) => sum + other[2], 0);
        const head = ["minutes", ...people], table = html("table", {className: "texts"}, box);
        const line = (tag, texts) => { const row = document.createElement("tr"); texts.forEach(text => html(tag, {}, row, text)); return row; };
        html("thead", {}, table).append(line("th", head));
        html("tbody", {}, table).append(...names.map(name => line("td", [name, ...people.map(person => fixed(amount(person, name)))])));
        const lacks = names.flatMap(name => {
          const windows = own.filter(part => part.name == name).reduce((sum, part) => sum + windowsOf(seconds(part.to) - seconds(part.from)), 0) + data.others.filter(other => other[1] == name).reduce((sum, other) => sum + other[3], 0);
          const holders = people.filter(person => amount(person, name) > 0).length;
          return windows == 0 ? [] : [...(windows < data.fewest ? [name + ": " + windows + " windows; " + data.fewest + " are a start"] : []), ...(holders < 2 ? [name + ": from one person or recording; two are needed to hold one out"] : [])];
        });
        if (names.filter(name => people.some(person => amount(person, name) > 0)).length < 2) lacks.unshift("two labels with confirmed stretches");
        const short = own.filter(part => seconds(part.to) - seconds(part.from) < data.window[0]);
        const texts = [
          fixed(minutes(state.parts.filter(part => !part.isSure))) + " minutes are not confirmed, " + fixed(minutes(state.parts.filter(part => !part.isSure && part.name == null))) + " of them not inspected; " + fixed(minutes(sure.filter(part => part.name == null))) + " have no label.",
          lacks.length ? "Training still lacks: " + lacks.join("; ") + "." : "Training has what it needs.",
          short.length ? "Shorter than a window of " + data.window[0] + " s: " + short.slice(0, 5).map(part => part.name + " " + range([part.from, part.to])).join(", ") + (short.length > 5 ? " and " + (short.length - 5) + " more" : "") + "." : "No stretch is shorter than a window of " + data.window[0] + " s.",
          ...(data.beside ? ["Differs from " + data.beside.name + " in " + fixed(minutes(differing().map(([from, to]) => ({from, to})))) + " minutes."] : [])];
        box.replaceChildren(Object.assign(document.createElement("div"), {className: "wide"}), ...texts.map(text => Object.assign(document.createElement("p"), {textContent: text})));
        box.firstChild.append(table);
        box.firstChild.tabIndex = 0;
      };

      savedText = rows();
      let stored = null;
      try { stored = localStorage.getItem(storageKey); localStorage.setItem(storageKey + " open", "?" + Math.random()); } catch { warning("This browser stores nothing for this page: save the file before you leave."); }
      const found = stored && restore(stored);
      if (found) { done.push(state); state = {parts: found.parts, names: found.names}; savedText = found.savedText; }
      plot.addEventListener("view", paint);
      draw();
      say(found ? "Your earlier labels are restored; undo returns to those of the page." : "Select a stretch, or press Next.");
    }
    """#
}

/// The script of a page for labelling: the strip of labels (`lane`), in which alone labels are edited, its buttons and
/// keys, and the storing and saving of labels.
///
/// It runs after `PlotScript`, whose plot zooms and pans the signal. A state is a list of parts that share their
/// boundaries; every change makes a new state, so that each can be undone.
enum LabelScript {
  static let source = #"""
    {
      const plot = document.querySelector(".zooms"), view = plot.view;
      const data = JSON.parse(document.querySelector("script.labelling").textContent), count = data.count;
      const times = data.times ? decode(data.times, Uint32Array) : null, storageKey = "gait labels " + data.key;
      /* Microseconds from the recording's first sample to the start of each sample, and to the end of the last. */
      const micros = k => data.base + (k == count ? data.length : times ? times[k] : k * data.step);
      const starts = Float64Array.from({length: count + 1}, (none, k) => micros(k)), sampleAt = time => nearest(starts, time * 1e6);
      const seconds = k => starts[k] / 1e6, length = part => seconds(part.to) - seconds(part.from);
      const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
      const known = names => [...new Set(names)].filter(name => name != null);
      const timeText = (time, places = 6) => { const text = clockText(time, places); return text.includes(".") ? text.replace(/\.?0+$/, "") : text; };
      const range = part => timeText(seconds(part.from), 2) + "\u2013" + timeText(seconds(part.to), 2);
      const textOf = (part, ending) => part.name != null ? part.name + (part.isSure ? "" : ending) : part.isSure ? "no label" : "not inspected";
      const stretch = (one, other) => ({from: Math.min(one, other), to: Math.max(one, other)});
      /* The parts with another in the place of what was there. */
      const replaced = (parts, part) => [
        ...parts.filter(other => other.from < part.from).map(other => ({...other, to: Math.min(other.to, part.from)})), part,
        ...parts.filter(other => other.to > part.to).map(other => ({...other, from: Math.max(other.from, part.to)}))];
      const begun = confirmed => confirmed.reduce(replaced, data.suggestions);
      let state = {names: data.names, parts: begun(data.confirmed)}, done = [], undone = [], selection = null, edge = null, cursor = 0;
      let drag = null, savedText = "", pressed = 0;

      /* --- Changes: each makes a new state */
      const partAt = k => state.parts.find(part => part.from <= k && k < part.to);
      const isBoundary = k => state.parts.slice(1).some(part => part.from == k);
      const sure = (part, name) => ({...part, name, isSure: true, chance: 1});
      const become = (next, text) => { state = next; if (!isBoundary(edge)) edge = null; keep(); draw(); say(text); };
      const change = (text, parts, names = state.names) => { [done, undone] = [[...done.slice(-999), state], []]; become({parts, names}, text); };
      const step = (from, to, text) => { if (from.length) { to.push(state); become(from.pop(), text); } else say("There is nothing more."); };
      const undo = () => step(done, undone, "Undone."), redo = () => step(undone, done, "Done again.");
      const label = name => {
        if (!selection) return say("Select a stretch first.");
        const text = range(selection) + (name == null ? " has no label." : " is " + name + ".");
        change(text, replaced(state.parts, sure(selection, name)), known([...state.names, name]));
      };
      const rename = name => {
        const old = selection ? partAt(selection.from).name : null, other = known => known == old ? name : known;
        if (old == null) return say("Select a stretch with the label to rename.");
        change(old + " is now " + name + ".", state.parts.map(part => ({...part, name: other(part.name)})), known(state.names.map(other)));
      };
      const next = () => {
        const open = state.parts.filter(part => !part.isSure), after = selection ? selection.to : 0;
        if (!open.length) return say("Everything is confirmed. Save the file.");
        select(worst.checked ? open.reduce((a, b) => b.chance < a.chance ? b : a) : open.find(part => part.from >= after) || open[0]);
      };
      const confirm = () => {
        const open = state.parts.filter(part => selection && !part.isSure && part.from < selection.to && part.to > selection.from);
        const own = open.map(part => sure({from: Math.max(part.from, selection.from), to: Math.min(part.to, selection.to)}, part.name));
        if (own.length) change(range(selection) + " is confirmed.", own.reduce(replaced, state.parts));
        next();
      };
      const split = () => {
        const part = partAt(cursor), at = cursor;
        if (!part || part.from == at) return say("Put the cursor inside a stretch first.");
        change("", replaced(state.parts, {...part, from: at}));
        select({...part, to: at});
        hold(at);
      };
      const join = () => {
        const part = selection && partAt(selection.from), last = part && partAt(selection.to - 1), after = last == part ? part && partAt(selection.to) : last;
        if (!after) return say("Select a stretch with another one after it.");
        const whole = {...part, to: after.to};
        change("", replaced(state.parts, whole));
        select(whole);
      };
      /* The parts of an earlier moment after a boundary was moved, at most to its neighbours; what was selected with it follows. */
      const moved = (before, from, to) => {
        const parts = before.state.parts, old = before.selection;
        to = clamp(to, parts.find(part => part.to == from).from + 1, parts.find(part => part.from == from).to - 1);
        const follow = part => ({...part, from: part.from == from ? to : part.from, to: part.to == from ? to : part.to});
        [selection, edge, cursor] = [old && follow(old), to, to];
        return parts.map(follow);
      };
      const placed = parts => change("The boundary is at " + timeText(seconds(edge)) + ".", parts);
      /* Moves the boundary that is held, or the cursor. */
      const put = to => {
        if (edge != null) placed(moved({state, selection}, edge, to));
        else { cursor = to; draw(); say("The cursor is at " + timeText(seconds(to)) + "."); }
        show({from: cursor, to: cursor});
      };
      const nudge = (samples, time) => put(clamp(time ? sampleAt(seconds(cursor) + time) : cursor + samples, 0, count));
      const typed = text => {
        const isTime = piece => /^(\d+:){0,2}\d+([.,]\d*)?$/.test(piece), pieces = text.trim().split(/\s*[\u2013\u2014-]\s*|\s+/);
        if (pieces.length > 2 || !pieces.every(isTime)) return say("\u201c" + text + "\u201d is no time: type 65.2, 1:05.2 or a stretch 1:05.2\u20132:00.");
        const [from, to] = pieces.map(piece => sampleAt(piece.replace(",", ".").split(":").reduce((sum, part) => 60 * sum + +part, 0)));
        to > from ? select({from, to}) : put(from);
      };

      /* --- Storing, saving and opening */
      const warning = text => { document.querySelector("#warning").textContent = text; document.querySelector("#warning").hidden = false; };
      const keep = () => {
        try { localStorage.setItem(storageKey, JSON.stringify({...state, savedText})); }
        catch { warning("This browser refuses to store the labels: save the file before you leave."); }
      };
      /* Takes what this page stored earlier, or another tab. */
      const restore = text => {
        let found = null;
        try { found = JSON.parse(text); } catch { return false; }
        if (!found || !found.parts || !found.parts.length || found.parts[found.parts.length - 1].to != count) return false;
        done.push(state);
        [state, savedText] = [{names: found.names, parts: found.parts}, found.savedText];
        return true;
      };
      const quoted = text => /[",]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
      /* What is confirmed, neighbours with one label as one interval. */
      const rows = () => {
        const list = state.parts.filter(part => part.isSure);
        const goesOn = (part, k) => k > 0 && list[k - 1].to == part.from && list[k - 1].name == part.name;
        const starts = list.filter((part, k) => !goesOn(part, k)), ends = list.filter((part, k) => k + 1 == list.length || !goesOn(list[k + 1], k + 1));
        return starts.map((part, k) => [seconds(part.from), seconds(ends[k].to), quoted(part.name || "")].join(",") + "\n").join("");
      };
      const save = () => {
        const lines = ["labels of " + data.name, "fingerprint: " + data.fingerprint, ...data.lines, "saved: " + new Date().toISOString()];
        const text = lines.map(line => "# " + line + "\n").join("") + "start,end,label\n" + rows();
        html("a", {href: URL.createObjectURL(new Blob([text], {type: "text/csv"})), download: data.file}).click();
        savedText = rows();
        keep();
        say("Saved " + data.file + ". gait label --collect files it beside the recording.");
      };
      const cells = line => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cell => cell[1] != null ? cell[1].replaceAll('""', '"') : cell[2]);
      const open = text => {
        const stated = /^# fingerprint: (\S*)/m.exec(text), lines = text.split(/\r?\n/).filter(line => line && line[0] != "#");
        const [titles = [], ...table] = lines.map(cells), columns = ["start", "end", "label"].map(name => titles.indexOf(name));
        const found = table.map(row => columns.map(column => row[column]));
        if (stated && stated[1] != data.fingerprint) return say("This file has the labels of another recording.");
        if (columns.includes(-1)) return say("This file has no columns start, end and label.");
        if (found.some(([start, end, name]) => name == null || !(+start < +end))) return say("A row of this file is no interval.");
        const place = text => Math.min(count, indexAt(starts, Math.round(text * 1e6) - 1) + 1);
        const parts = found.map(([start, end, name]) => sure({from: place(start), to: place(end)}, name || null)).filter(part => part.from < part.to);
        change("Opened a file with " + found.length + " intervals.", begun(parts), known([...data.names, ...parts.map(part => part.name)]));
      };
      addEventListener("beforeunload", event => { if (rows() != savedText) event.preventDefault(); });
      addEventListener("storage", event => {
        if (event.key == storageKey && restore(event.newValue)) draw();
        if (event.key != storageKey + " open") return;
        warning("This recording is open in another tab too. Its changes appear here.");
        if (event.newValue && event.newValue[0] == "?") try { localStorage.setItem(event.key, "!" + Math.random()); } catch {}
      });

      /* --- The lane, its buttons and fields */
      const height = data.beside ? 96 : 66;
      view.svg.insertAdjacentHTML("beforebegin", `<div class="desk">
        <svg class="lane" height="${height}"><defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="hatch" d="M-2 2l4-4M0 8l8-8M6 10l4-4"/></pattern></defs><g></g></svg>
        <div class="tools row"><span class="labels"></span><input type="text" id="name" placeholder="new name" size="10" aria-label="name of a label"/></div>
        <div class="tools row"></div><p id="status" role="status"></p></div>`);
      plot.insertAdjacentHTML("beforeend", `<div class="tools row files"><input type="file" id="file" accept=".csv" hidden=""/>
        <label><input type="checkbox" id="worst"/> least certain first</label></div>`);
      const found = ["lane", "lane g", "desk .row", "labels", "desk .row + .row", "files"].map(name => document.querySelector("." + name));
      const [lane, drawing, nameRow, labelButtons, tools, files] = found;
      const [field, chooser, worst, status] = ["name", "file", "worst", "status"].map(id => document.getElementById(id));
      const say = text => { status.textContent = text; };
      /* Names of the page have their own series, new ones the next. */
      const seriesOf = name => {
        const place = data.names.indexOf(name);
        return place < 0 ? (3 + data.names.length + state.names.indexOf(name)) % 30 : data.series[place];
      };
      const share = k => (seconds(k) - view.from) / (view.to - view.from), percent = value => (100 * value).toFixed(4) + "%";
      const show = part => {
        const [from, to] = [seconds(part.from), seconds(part.to)], half = Math.max(view.to - view.from, 1.2 * (to - from)) / 2;
        if (from < view.from || to > view.to) view.show((from + to) / 2 - half, (from + to) / 2 + half);
      };
      const select = (part, shows = true) => {
        selection = {from: part.from, to: part.to};
        [edge, cursor] = [null, part.from];
        if (shows) show(part);
        draw();
        say(range(part) + ": " + textOf(partAt(part.from), ", a suggestion") + ".");
      };
      const hold = place => {
        if (!isBoundary(place)) return say("There is no boundary at this end of the selected stretch.");
        edge = cursor = place;
        show({from: place, to: place});
        draw();
        say("The boundary at " + timeText(seconds(place)) + " is held: drag it, nudge it, or type its time.");
      };
      const neighbour = by => {
        const place = state.parts.indexOf(partAt(Math.min(count - 1, selection ? selection.from : cursor)));
        select(state.parts[clamp(place + by, 0, state.parts.length - 1)]);
      };
      const add = (name, attributes, text) => svgElement(name, attributes, drawing, text);
      const strip = (parts, top, deep) => {
        for (const part of parts) {
          const from = clamp(share(part.from), 0, 1), to = clamp(share(part.to), 0, 1), [x, width] = [percent(from), percent(to - from)];
          if (to <= from) continue;
          const style = part.name == null ? "unknown" : "f" + seriesOf(part.name);
          add("rect", {class: style, x, y: top, width, height: 8});
          add("rect", {class: style + " pale", x, y: top + 8, width, height: deep - 8});
          if (!part.isSure) add("rect", {fill: "url(#hatch)", x, y: top, width, height: deep});
          /* The text, its beginning, or the label's number: what has room. */
          const text = textOf(part, "?"), most = Math.floor(((to - from) * view.wide - 10) / 7.5), number = state.names.indexOf(part.name) + 1;
          const shown = text.length <= most ? text : part.name == null || most < 1 ? "" : most > 4 ? text.slice(0, most - 1) + "\u2026" : String(number);
          if (shown) add("text", {class: "halo" + (part.isSure ? " strong" : ""), x: percent((from + to) / 2), y: top + deep / 2 + 8, "text-anchor": "middle"}, shown);
        }
      };
      const box = (style, part, y, height) => add("rect", {class: style, x: percent(share(part.from)), y, width: percent(share(part.to) - share(part.from)), height});
      const paint = () => {
        drawing.replaceChildren();
        strip(state.parts, 4, 42);
        if (data.beside) strip(data.beside.parts, 68, 24);
        for (const part of differing()) box("f1", part, 62, 4);
        if (selection) box("range", selection, 3, 44);
        for (const {from} of state.parts.slice(1).filter(part => share(part.from) >= 0 && share(part.from) <= 1)) {
          const x = percent(share(from)), style = "handle" + (from == edge ? " held" : "");
          add("line", {class: style, x1: x, x2: x, y1: 2, y2: 52});
          add("circle", {class: style, cx: x, cy: 54, r: 6});
        }
        const x = percent(share(cursor));
        add("line", {class: "cursor", x1: x, x2: x, y1: 0, y2: height});
      };
      const draw = () => { paint(); buttons(); summary(); };

      /* --- Pointers */
      const under = x => { const box = lane.getBoundingClientRect(); return sampleAt(view.from + clamp((x - box.left) / box.width, 0, 1) * (view.to - view.from)); };
      /* The nearest boundary within some pixels. */
      const edgeNear = (x, reach) => {
        const box = lane.getBoundingClientRect(), distance = k => Math.abs(box.left + share(k) * box.width - x);
        return state.parts.slice(1).map(part => part.from).filter(k => distance(k) <= reach).sort((a, b) => distance(a) - distance(b))[0];
      };
      const reach = event => event.pointerType == "mouse" ? 8 : 22;
      const pull = () => {
        const to = under(drag.x);
        if (drag.edge != null) state = {...state, parts: moved(drag.before, drag.edge, to)};
        else [selection, cursor] = [stretch(drag.from, to), to];
        paint();
      };
      const isDragged = event => drag && event.pointerId == drag.pointer;
      lane.onpointerdown = event => {
        if (!event.isPrimary || event.button) return;
        const x = event.clientX;
        drag = {pointer: event.pointerId, start: x, x, from: under(x), edge: edgeNear(x, reach(event)), before: {state, selection, edge, cursor}};
        lane.setPointerCapture(event.pointerId);
      };
      lane.onpointermove = event => {
        if (!isDragged(event)) { lane.style.cursor = edgeNear(event.clientX, reach(event)) == null ? "pointer" : "ew-resize"; return; }
        drag.x = event.clientX;
        if (!drag.timer && Math.abs(drag.x - drag.start) < 4) return;
        /* Past an edge of the lane, the view scrolls under the pointer. */
        drag.timer = drag.timer || setInterval(() => {
          const box = lane.getBoundingClientRect(), out = drag.x > box.right - 4 ? 1 : drag.x < box.left + 4 ? -1 : 0;
          if (out) { view.move(out * 0.03); pull(); }
        }, 40);
        pull();
      };
      lane.onpointerup = lane.onpointercancel = event => {
        if (!isDragged(event)) return;
        const {before, edge: end, from, start, timer} = drag, to = under(drag.x);
        clearInterval(timer);
        drag = null;
        ({state, selection, edge, cursor} = before);
        if (timer && event.type == "pointerup" && to != from) return end == null ? select(stretch(from, to), false) : placed(moved(before, end, to));
        /* What the system cancels, or ends where it began, changes nothing. */
        if (timer || event.type != "pointerup") return draw();
        /* A tap in the middle of a narrow stretch selects it, though a drag from there would move a boundary. */
        const part = partAt(Math.min(from, count - 1));
        const near = edgeNear(start, Math.min(reach(event), Math.max(9, 0.3 * (share(part.to) - share(part.from)) * view.wide)));
        if (near == null) { select(part, false); cursor = from; paint(); }
        else if (edge == end && event.timeStamp - pressed < 400) magnify();
        else hold(end);
        pressed = event.timeStamp;
      };
      /* To the selected stretch; to 12 s around a boundary that is held, or the cursor; then to single samples. */
      const magnify = () => {
        const span = view.to - view.from, wide = selection && edge == null ? 1.3 * length(selection) : Infinity, isWhole = span > 1.01 * wide;
        const middle = isWhole ? (seconds(selection.from) + seconds(selection.to)) / 2 : seconds(cursor);
        const half = isWhole ? wide / 2 : span > 12.1 ? 6 : view.wide / 6 * data.length / 1e6 / count;
        view.show(middle - half, middle + half);
      };

      /* --- Buttons and keys: what is done, by which keys, and the button's text if there is one */
      const actions = [
        ["Confirm", "Enter", confirm], ["Next", "N", next], ["No label", "Delete|Backspace", () => label(null)], ["Split", "S", split], ["Join", "J", join],
        ["Zoom to it", "Z", magnify], ["\u2212 1 s", "Shift ArrowLeft", () => nudge(0, -1)], ["\u2212 1", "ArrowLeft", () => nudge(-1)],
        ["+ 1", "ArrowRight", () => nudge(1)], ["+ 1 s", "Shift ArrowRight", () => nudge(0, 1)], ["Undo", "Ctrl Z", undo], ["Redo", "Ctrl Y|Ctrl Shift Z", redo],
        ["", "[|Home", () => hold(selection && selection.from)], ["", "]|End", () => hold(selection && selection.to)],
        ["", ",", () => neighbour(-1)], ["", ".", () => neighbour(1)], ["", "T", () => time.focus()], ["", "L", () => field.focus()], ["", "U", () => worst.click()],
        ["", "+", () => view.zoom(2)], ["", "-", () => view.zoom(0.5)], ["", "0", () => view.show(...view.whole)], ["", "Escape", () => { edge = selection = null; draw(); }]];
      const numbered = key => ["", key, () => +key > state.names.length ? say("There is no label " + key + ".") : label(state.names[key - 1])];
      const bound = new Map([...actions, ...[..."123456789"].map(numbered)].flatMap(([, keys, action]) => keys.split("|").map(key => [key, action])));
      const button = (parent, textContent, keys, action) => {
        const title = keys && "key " + keys.split("|")[0].replace("ArrowLeft", "\u2190").replace("ArrowRight", "\u2192");
        const element = html("button", {type: "button", title, textContent}, parent);
        element.onclick = event => { action(); if (event.detail) element.blur(); };
        return element;
      };
      const give = apply => { const name = field.value.trim(); name ? apply(name) : say("Type a name first."); field.value = ""; field.blur(); };
      button(nameRow, "Add", "Enter in the field", () => give(label));
      button(nameRow, "Rename", "Shift Enter in the field", () => give(rename));
      for (const action of actions.filter(([text]) => text)) button(tools, ...action);
      const time = html("input", {type: "text", id: "time", placeholder: "time", size: 10, ariaLabel: "time, or a stretch such as 1:05.2\u20132:00"}, tools);
      files.prepend(button(files, "Save the file", "", save), button(files, "Open a file", "", () => chooser.click()));
      files.firstChild.id = "save";
      field.onkeydown = event => { if (event.key == "Enter") give(event.shiftKey ? rename : label); };
      time.onkeydown = event => { if (event.key == "Enter") { typed(time.value); time.value = ""; time.blur(); } };
      chooser.onchange = async () => { if (chooser.files[0]) open(await chooser.files[0].text()); chooser.value = ""; };
      const buttons = () => {
        if (labelButtons.dataset.names == JSON.stringify(state.names)) return;
        labelButtons.dataset.names = JSON.stringify(state.names);
        labelButtons.replaceChildren();
        state.names.forEach((name, index) => {
          const key = index < 9 ? String(index + 1) : "", element = button(labelButtons, "", key, () => label(name));
          svgElement("rect", {class: "f" + seriesOf(name), width: 14, height: 14}, svgElement("svg", {class: "swatch", "aria-hidden": "true"}, element));
          element.append((key && key + " ") + name);
        });
      };
      document.addEventListener("keydown", event => {
        const target = event.target, key = event.key.length == 1 ? event.key.toUpperCase() : event.key, isCommand = event.ctrlKey || event.metaKey;
        if (target.matches("input[type=text]")) { if (key == "Escape") target.blur(); return; }
        if (target == plot && /^(Arrow.*|[-+0]|Escape)$/.test(key) || target.matches("button, a, input, summary") && (key == "Enter" || key == " ")) return;
        const start = isCommand ? "Ctrl " : "", action = event.shiftKey && bound.get(start + "Shift " + key) || bound.get(start + key);
        if (!action || event.altKey) return;
        action();
        event.preventDefault();
        event.stopPropagation();
      }, true);

      /* --- What is labelled */
      /* The confirmed stretches in which the two people differ. */
      const differing = () => {
        if (!data.beside) return [];
        const ends = [...new Set([...state.parts, ...data.beside.parts].flatMap(part => [part.from, part.to]))].sort((a, b) => a - b);
        const theirs = k => (data.beside.parts.find(part => part.from <= k && k < part.to) || {}).name;
        return ends.slice(1).map((to, index) => ({from: ends[index], to})).filter(({from}) => partAt(from).isSure && partAt(from).name != theirs(from));
      };
      const total = (list, value) => list.reduce((sum, entry) => sum + value(entry), 0);
      const minutes = (list, value = length) => { const sum = total(list, value) / 60; return sum.toFixed(sum < 10 ? 2 : 1); };
      const summary = () => {
        const own = state.parts.filter(part => part.isSure && part.name != null), left = state.parts.filter(part => !part.isSure), [window, hop] = data.window;
        const windows = entry => Math.max(0, Math.floor((entry.seconds - window) / hop + 1e-6) + 1);
        const all = [...own.map(part => ({person: data.person, name: part.name, seconds: length(part)})), ...data.others];
        const people = known([data.person, ...all.map(entry => entry.person)]), names = known([...state.names, ...all.map(entry => entry.name)]);
        const short = own.filter(part => length(part) < window), listed = short.slice(0, 5).map(part => part.name + " " + range(part)).join(", ");
        const texts = [
          minutes(left) + " minutes are not confirmed, " + minutes(left.filter(part => part.name == null)) + " of them not inspected; "
            + minutes(state.parts.filter(part => part.isSure && part.name == null)) + " have no label.",
          ...(known(all.map(entry => entry.name)).length < 2 ? ["Training needs two labels with confirmed stretches."] : []),
          ...(short.length ? ["Shorter than a window of " + window + " s: " + listed + (short.length > 5 ? " and " + (short.length - 5) + " more" : "") + "."] : []),
          ...(data.beside ? ["Differs from " + data.beside.name + " in " + minutes(differing()) + " minutes."] : [])];
        const place = document.querySelector("#labelled"), wide = html("div", {className: "wide", tabIndex: 0}), table = html("table", {className: "texts"}, wide);
        const line = (parent, tag, texts) => { const row = html("tr", {}, parent); texts.forEach(textContent => html(tag, {textContent}, row)); };
        line(html("thead", {}, table), "th", ["minutes", ...people, "training still lacks"]);
        const body = html("tbody", {}, table);
        for (const name of names) {
          const entries = all.filter(entry => entry.name == name), count = total(entries, windows), isOne = known(entries.map(entry => entry.person)).length < 2;
          const lack = count < data.fewest ? data.fewest - count + " windows" : isOne ? "a second person or recording" : "nothing";
          line(body, "td", [name, ...people.map(person => minutes(entries.filter(entry => entry.person == person), entry => entry.seconds)), lack]);
        }
        place.replaceChildren(wide, ...texts.map(textContent => html("p", {textContent})));
      };

      savedText = rows();
      let stored = null;
      try { stored = localStorage.getItem(storageKey); localStorage.setItem(storageKey + " open", "?" + Math.random()); }
      catch { warning("This browser stores nothing for this page: save the file before you leave."); }
      const isRestored = restore(stored);
      plot.addEventListener("view", paint);
      draw();
      say(isRestored ? "Your earlier labels are restored; undo returns to those of the page." : "Select a stretch, or press Next.");
    }
    """#
}

#!/usr/bin/env python3
"""Labels a recording on its page in headless Chromium: with the mouse, with fingers and with the keyboard. For
Scripts/check-report.

    Scripts/labelling.py PAGE     confirms what the pages in PAGE's folder suggest, and saves their files in `downloads`
"""
import json, math, pathlib, re, subprocess, sys, tempfile, time
sys.dont_write_bytecode = True
import chromium

# The scenario: a label that the model lacks, two suggested boundaries off by 5 s, a minute to leave without a label.
NEW, OFF, UNLABELLED = "hopping", 5, 60
MOST_ACTIONS = 25

HELPERS = r"""
window.data = JSON.parse(document.querySelector("script.labelling").textContent);
window.plot = document.querySelector(".zooms");
window.laneBox = () => { const box = document.querySelector(".lane").getBoundingClientRect(); return [box.left, box.top, box.width]; };
window.presses = 0;
for (const kind of ["click", "pointerup"]) addEventListener(kind, () => presses++, true);
window.visible = () => [plot.view.from, plot.view.to];
window.press = text => { const button = [...document.querySelectorAll("button")].find(button => button.textContent == text); button.scrollIntoView({block: "nearest"});
  const box = button.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };
/* What the lane shows of the whole recording, without selection and cursor. */
window.drawn = () => {
  plot.view.show(...plot.view.whole);
  document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}));
  return JSON.stringify([...document.querySelectorAll(".lane g rect, .lane g text")].map(shape => [shape.getAttribute("x"), shape.getAttribute("width"), shape.getAttribute("class"), shape.textContent]));
};
"""


class Person:
    """A person who labels: counts actions, and waits after each until the page is drawn."""

    def __init__(self, browser, path, width):
        self.browser, self.path, self.width = browser, path, width
        self.count = 0
        self.open()

    def open(self, clears=True):
        self.browser.call("Emulation.setTouchEmulationEnabled", enabled=self.width < 600, maxTouchPoints=1)
        self.load()
        if clears:
            self.browser.evaluate("localStorage.clear()")
            self.load()
        self.browser.evaluate(HELPERS)
        self.browser.evaluate("document.querySelector('.lane').scrollIntoView({block: 'center'})")

    def load(self):
        self.browser.evaluate("addEventListener('beforeunload', event => event.stopImmediatePropagation(), true)")
        self.browser.call("Page.navigate", url="about:blank")
        self.browser.open(self.path, self.width, False)

    def done(self):
        self.count += 1
        self.browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def save(self, folder):
        """Saves the file in an empty folder, or one without a file of that name; returns its text, empty if there is
        none."""
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self.browser.evaluate("document.querySelector('#save').click()")
        file = folder / self.browser.evaluate("data.file")
        for _ in range(250):
            if file.exists() and file.read_text().endswith("\n"):
                return file.read_text()
            time.sleep(0.02)
        return ""

    def at(self, seconds):
        """Pixels of a time on the lane, whole ones as those of a mouse."""
        left, top, width = self.browser.evaluate("laneBox()")
        start, end = self.browser.evaluate("visible()")
        return round(left + (seconds - start) / (end - start) * width), round(top + 40)

    def press(self, text):
        before = self.browser.evaluate("presses")
        self.point(*self.browser.evaluate(f"press({json.dumps(text)})"))
        # A busy browser recognises a tap late.
        for _ in range(150):
            if self.browser.evaluate("presses") >= before + 2:
                break
            time.sleep(0.02)
        self.done()

    def click(self, seconds, times=1):
        for _ in range(times):
            self.point(*self.at(seconds))
        self.done()

    def drag(self, start, end):
        self.pull(self.at(start), self.at(end))
        self.done()


class Mouse(Person):
    def event(self, kind, x, y, button="left"):
        self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button,
                          buttons=0 if kind == "mouseReleased" else 1, clickCount=1)

    def point(self, x, y):
        self.event("mousePressed", x, y)
        self.event("mouseReleased", x, y)

    def pull(self, start, end, ends=True):
        self.event("mousePressed", *start)
        for step in range(1, 9):
            self.event("mouseMoved", start[0] + round((end[0] - start[0]) * step / 8), start[1])
        if ends:
            self.event("mouseReleased", end[0], start[1])


class Finger(Person):
    def done(self):
        # A tap at once after another gesture would be a part of that.
        time.sleep(0.4)
        super().done()

    def event(self, kind, points):
        self.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def point(self, x, y):
        self.event("touchStart", [(x, y)])
        self.event("touchEnd", [])

    def pull(self, start, end, ends=True):
        self.event("touchStart", [start])
        for step in range(1, 13):
            self.event("touchMove", [(start[0] + round((end[0] - start[0]) * step / 12), start[1])])
        # A finger that rests before it is lifted flings nothing.
        for _ in range(4):
            time.sleep(0.05)
            self.event("touchMove", [(end[0], start[1])])
        if ends:
            self.event("touchEnd", [])


class Keyboard(Person):
    def key(self, key, shift=False, control=False, counts=True):
        text = key if len(key) == 1 and not control else "\r" if key == "Enter" else ""
        modifiers = (8 if shift else 0) + (2 if control else 0)
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "",
                              modifiers=modifiers,
                              windowsVirtualKeyCode=13 if key == "Enter" else ord(key.upper()) if len(key) == 1 else 0)
        if counts:
            self.done()

    def type(self, text):
        """Types into the field that has the focus, and ends with Enter: one action."""
        self.browser.call("Input.insertText", text=text)
        self.key("Enter", counts=False)
        self.done()


def clock(seconds):
    return f"{int(seconds // 60)}:{seconds % 60:09.6f}"


def truth(browser):
    """The labels that the person has in mind: from the page's suggestions, with exact times of samples."""
    data = browser.evaluate("data")
    at = lambda sample: (data["base"] + (data["length"] if sample >= data["count"] else sample * data["step"])) / 1e6
    parts = [[at(part["from"]), at(part["to"]), part.get("name")] for part in data["suggestions"]]
    assert len(parts) > 5 and all(part[2] for part in parts), parts
    for place, shift in ((0, -OFF), (1, OFF)):
        moved = round(parts[place][1] + shift, 6)
        parts[place][1] = parts[place + 1][0] = moved
    parts[3][2] = NEW
    # The minute is inside the fifth part.
    middle = math.floor((parts[4][0] + parts[4][1]) / 2)
    minute = [middle - UNLABELLED / 2, middle + UNLABELLED / 2]
    assert parts[4][0] < minute[0] and minute[1] < parts[4][1], parts[4]
    suggested = [at(part["to"]) for part in data["suggestions"]]
    parts[4:5] = [[parts[4][0], minute[0], parts[4][2]], [*minute, ""], [minute[1], parts[4][1], parts[4][2]]]
    return parts, suggested, minute


def by_pointer(person, parts, suggested, minute):
    """The actions with a mouse or a finger; each is done before the next is asked for."""
    def move(start, end):
        samples = round((end - start) / person.browser.evaluate("data.step / 1e6"))
        if abs(samples) < 4:
            yield from [lambda: person.click(start)] if samples else []
            yield from [lambda: person.press("+ 1" if samples > 0 else "\u2212 1")] * abs(samples)
        else:
            yield lambda: person.click(start, 2)
            yield lambda: person.drag(start, end)
            yield lambda: person.press("all")

    for place in (0, 1):
        yield from move(suggested[place], parts[place][1])
    yield lambda: person.click((parts[3][0] + parts[3][1]) / 2)
    yield lambda: person.press(f"4 {NEW}")
    yield lambda: person.click((minute[0] + minute[1]) / 2)
    yield lambda: person.press("Zoom to it")
    yield lambda: person.drag(*minute)
    # The status says what was selected.
    text = person.browser.evaluate("document.querySelector('#status').textContent")
    ends = [sum(60 ** place * float(piece) for place, piece in enumerate(reversed(end.split(":"))))
            for end in re.findall(r"[\d:.]*\d", text)[:2]]
    yield lambda: person.press("No label")
    for start, end in zip(ends, minute):
        yield from move(start, end)
    yield lambda: person.press("all")
    yield lambda: person.drag(0, parts[-1][1])
    yield lambda: person.press("Confirm")


def by_keys(person, parts, suggested, minute):
    key, typed = (lambda text, **options: lambda: person.key(text, **options)), (lambda text: lambda: person.type(text))
    return [key("n"), key("]"), key("t"), typed(clock(parts[0][1])), key("Enter"), key("]"), key("t"),
            typed(clock(parts[1][1])), key("Enter"), key("Enter"),
            key("l"), typed(NEW), key("Enter"), key("t"), typed(f"{clock(minute[0])}-{clock(minute[1])}"),
            key("Delete"), key("Enter"), key("Enter"), key("Enter"),
            key("Enter"), key("Enter")]


def kill(person):
    """Kills the tab and opens the page again."""
    browser = person.browser
    browser.count += 1
    browser.socket.send(json.dumps({"id": browser.count, "method": "Page.crash"}))
    while json.loads(browser.socket.recv()).get("method") != "Inspector.targetCrashed":
        pass
    browser.call("Page.navigate", url="about:blank")
    person.open(clears=False)


def check(browser, path, recording, model, gait, work, fail):
    """Labels the recording at `recording` on its page at `path` in each way, and trains with what the page saved."""
    browser.call("Inspector.enable")
    folder, saved = work / "labelled", work / "downloads"
    for made in (folder, saved):
        made.mkdir(exist_ok=True)
    copy = folder / recording.name
    copy.write_bytes(recording.read_bytes())
    intervals, train = copy.with_suffix(".labels.csv"), ["train", folder, "--layout", "{recording}.csv", "--intervals",
                                                         "labels.csv", "--skip-cross-validation",
                                                          "--force", "--quiet", "--output"]

    def save(person):
        for old in saved.glob("*"):
            old.unlink()
        text = person.save(saved)
        if not text:
            fail("label: nothing is saved")
        return text

    def rows(text):
        cells = [line.split(",") for line in text.splitlines() if not line.startswith("#")][1:]
        return [[float(start), float(end), label] for start, end, label in cells]

    first = Keyboard(browser, path, 1280)
    parts, suggested, minute = truth(browser)
    if rows(save(first)):
        fail("label: suggestions are saved though nothing was confirmed")
    gait("label", "--collect", saved, folder)
    refused = subprocess.run([str(part) for part in (gait.program, *train, work / "nothing.json")], capture_output=True,
                             text=True)
    if refused.returncode == 0 or (work / "nothing.json").exists():
        fail("label: confirming nothing trains a model")
    intervals.write_text("start,end,label\n" + "".join(f"{start},{end},{label}\n" for start, end, label in parts))
    gait(*train, work / "true.json")
    # A page that begins with labels has them instead of the suggestions, and saves them as they are.
    gait("label", copy, "--model", model, "--output-folder", work / "begun", "--quiet")
    begun = rows(save(Keyboard(browser, work / "begun" / copy.with_suffix(".html").name, 1280)))
    if begun != parts:
        fail(f"label: a page that begins with labels saves {begun} instead of {parts}")
    for name, kind, width, scenario in (("mouse", Mouse, 1280, by_pointer), ("touch", Finger, 390, by_pointer),
                                        ("keyboard", Keyboard, 1280, by_keys)):
        person = kind(browser, path, width)
        for action in scenario(person, parts, suggested, minute):
            action()
        count, got = person.count, rows(save(person))
        if got != parts:
            fail(f"label by {name}: {got} instead of {parts}")
            continue
        if count > MOST_ACTIONS:
            fail(f"label by {name}: {count} actions")
        gait("label", "--collect", saved, folder, "--force")
        gait(*train, work / f"{name}.json")
        if (work / f"{name}.json").read_bytes() != (work / "true.json").read_bytes():
            fail(f"label by {name}: the model is another")
        print(f"  labelled by {name} in {count} actions: the same model", flush=True)
    killed = 0
    for length in range(1, len(by_keys(person, parts, suggested, minute)) + 1):
        person = Keyboard(browser, path, 1280)
        for action in by_keys(person, parts, suggested, minute)[:length]:
            action()
        before = browser.evaluate("drawn()")
        kill(person)
        killed += 1
        if browser.evaluate("drawn()") != before:
            fail(f"label: after action {length} and a killed tab, labels are lost")
    print(f"  {killed} killed tabs lost nothing", flush=True)
    check_opening(browser, path, saved, fail)
    check_rules(browser, path, fail)


def check_opening(browser, path, saved, fail):
    """A file that was saved half-way opens again, and undo takes it back; that of another recording does not open."""
    def opened(file):
        node = browser.call("Runtime.evaluate", expression="document.querySelector('#file')")["result"]["objectId"]
        browser.call("DOM.setFileInputFiles", files=[str(file)], objectId=node)
        person.done()
        time.sleep(0.3)
        return browser.evaluate("drawn()")

    person = Keyboard(browser, path, 1280)
    begun = browser.evaluate("drawn()")
    for key in ("n", "Enter", "4", "n", "Delete"):
        person.key(key)
    for old in saved.glob("*"):
        old.unlink()
    text, half = person.save(saved), browser.evaluate("drawn()")
    file, other = saved / browser.evaluate("data.file"), saved / "other.csv"
    other.write_text(text.replace("fnv1a64:", "fnv1a64:0"))
    person = Keyboard(browser, path, 1280)
    if opened(other) != begun:
        fail("label: a file of another recording opens")
    if half == begun or opened(file) != half:
        fail("label: a file that was saved half-way opens as something else")
    person.key("z", control=True)
    if browser.evaluate("drawn()") != begun:
        fail("label: undo does not take an opened file back")


def check_steps(browser, path, fail):
    """The main thread's own time for a step of zooming or dragging: at most 16 ms in the median, 33 ms in 95 of 100."""
    browser.call("Performance.enable", timeDomain="threadTicks")
    busy = lambda: next(value["value"] for value in browser.call("Performance.getMetrics")["metrics"]
                        if value["name"] == "TaskDuration")
    for width in (390, 1280):
        browser.open(path, width, False)
        steps = []
        for step in range(60):
            before = busy()
            browser.evaluate("(() => { const view = document.querySelector('.zooms').view; "
                             + ("view.move(0.03)" if step % 2 else "view.zoom(1.15)")
                             + "; return new Promise(done => requestAnimationFrame(() => "
                               "requestAnimationFrame(done))); })()")
            steps.append(1000 * (busy() - before))
        steps.sort()
        print(f"  {width} px: a step takes {steps[30]:.1f} ms of the main thread, {steps[57]:.1f} ms in 95 of 100",
              flush=True)
        if steps[30] > 16 or steps[57] > 33:
            fail(f"{path.stem}: a step of zooming takes {steps[30]:.1f} ms, {steps[57]:.1f} ms in 95 of 100")
    browser.call("Performance.disable")


def check_rules(browser, path, fail):
    """What a drag that is cancelled, undo, a name and another tab must not do."""
    finger = Finger(browser, path, 390)
    boundary = browser.evaluate("(data.base + data.suggestions[0].to * data.step) / 1e6")
    before = browser.evaluate("drawn()")
    finger.pull(finger.at(boundary), finger.at(boundary + 60), ends=False)
    finger.event("touchCancel", [])
    if browser.evaluate("drawn()") != before:
        fail("label: a cancelled drag moves a boundary")
    mouse = Mouse(browser, path, 1280)
    before = browser.evaluate("drawn()")
    mouse.pull((lambda box: (round(box[0] + box[2] / 3), round(box[1] + 260)))(browser.evaluate("laneBox()")), (900, 0))
    if browser.evaluate("drawn()") != before:
        fail("label: a drag over the signal changes labels")
    mouse.drag(boundary - 30, boundary + 30)
    browser.evaluate("plot.view.show(30, 300)")
    view = browser.evaluate("visible()")
    mouse.press("1 running")
    if browser.evaluate("visible()") != view:
        fail("label: naming moves the view")
    if browser.evaluate("dispatchEvent(new Event('beforeunload', {cancelable: true}))"):
        fail("label: leaving with unsaved labels does not ask")
    mouse.press("Undo")
    if browser.evaluate("drawn()") != before:
        fail("label: undo does not bring back what was")
    mouse.press("all")
    # A drag that rests past the edge scrolls.
    browser.evaluate("plot.view.show(20, 80)")
    left, top, width = browser.evaluate("laneBox()")
    mouse.pull((round(left + width / 2), round(top + 40)), (round(left + width + 20), 0), ends=False)
    time.sleep(0.5)
    mouse.event("mouseReleased", left + width + 20, top + 40)
    if browser.evaluate("visible()")[0] <= 20.5:
        fail("label: a drag past the edge does not scroll")
    browser.evaluate(
        "dispatchEvent(new StorageEvent('storage', {key: 'gait labels ' + data.key + ' open', newValue: '?1'}))")
    if browser.evaluate("document.querySelector('#warning').hidden"):
        fail("label: a second tab does not warn")


def main():
    chromium.enter(__file__)
    page, folder = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path("downloads").absolute()
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = chromium.Browser(profile)
        for path in sorted(page.parent.glob("*.html")):
            person = Keyboard(browser, path, 1280)
            person.key("n")
            while "Everything is confirmed" not in browser.evaluate("document.querySelector('#status').textContent"):
                person.key("Enter")
            if not person.save(folder):
                sys.exit(f"{path} saved nothing")
        browser.close()


if __name__ == "__main__":
    main()

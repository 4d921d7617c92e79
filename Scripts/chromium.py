"""Headless Chromium for the scripts that open pages. They first run themselves again in .build/report-tools, where
`enter` installs from PyPI axe, a WebSocket client and Pillow."""
import base64, json, os, pathlib, shutil, subprocess, sys, time, urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".build/report-tools"
PACKAGES = ["axe-core-python==0.1.0", "websocket-client", "pillow"]


def enter(script):
    """Runs the script in the environment with the packages, unless it already runs there."""
    if pathlib.Path(sys.prefix) == TOOLS:
        return
    stamp = TOOLS / "packages"
    if not stamp.exists() or stamp.read_text() != " ".join(PACKAGES):
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
        subprocess.run([TOOLS / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", *PACKAGES],
                       check=True)
        stamp.write_text(" ".join(PACKAGES))
    python = str(TOOLS / "bin/python")
    os.execv(python, [python, "-B", script, *sys.argv[1:]])


class Browser:
    """Chromium over the DevTools protocol."""

    def __init__(self, profile):
        import websocket
        chromium = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        if chromium is None:
            sys.exit("this needs Chromium: apt-get install chromium")
        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--remote-debugging-port=0",
             "--remote-allow-origins=*", f"--user-data-dir={profile}", "about:blank"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        port = pathlib.Path(profile, "DevToolsActivePort")
        while not port.exists() or not port.read_text().strip():
            time.sleep(0.1)
        number = port.read_text().split()[0]
        for target in json.load(urllib.request.urlopen(f"http://127.0.0.1:{number}/json")):
            if target["type"] == "page":
                self.socket = websocket.create_connection(target["webSocketDebuggerUrl"], timeout=120)
        self.count, self.events = 0, []
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.count:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def evaluate(self, source):
        result = self.call("Runtime.evaluate", expression=source, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            return {"error": details.get("exception", {}).get("description", str(details))[:600]}
        return result["result"].get("value")

    def open(self, path, width, dark, height=900):
        """Opens a page; returns the seconds until it is loaded and drawn."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        start = time.monotonic()
        self.call("Page.navigate", url=path.as_uri())
        while self.evaluate("document.readyState == 'complete' && location.href != 'about:blank'") is not True:
            time.sleep(0.01)
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return time.monotonic() - start

    def screenshot(self, path, height=None, top=0):
        """Takes a picture of the page, or of a part of it."""
        height = height or min(12000, int(self.evaluate("document.documentElement.scrollHeight")))
        width = self.evaluate("innerWidth")
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        self.call("Browser.close")
        self.process.wait()

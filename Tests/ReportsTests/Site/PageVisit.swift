import FoundationEssentials

/// What a reader's browser makes of a page, scrolled from top to bottom.
struct PageVisit: Sendable {
    struct Answer: Sendable, Equatable {
        let address: String
        let status: Int
    }

    /// What the browser complained about: blocked loads, failed ones, script errors.
    let complaints: [String]
    /// All that it asked for, `data:` URIs left out.
    let requested: [String]
    let answers: [Answer]
    let imageCount: Int
    let brokenImages: [String]
    /// The sum of all layout shifts; 0 when nothing ever moved.
    let layoutShift: Double
    /// How far the page is wider than the window.
    let overflow: Double
    /// The colour behind the page, to see that the stylesheet was taken.
    let background: String
    /// The window as a PNG.
    let screenshot: [UInt8]

    /// Visits `address` with a new browser whose window is `width` wide.
    static func visit(_ address: String, width: Int, isDark: Bool = false, home: String) async throws -> PageVisit {
        try await Chromium.withBrowser(home: home) { browser in
            try PageVisit(of: address, width: width, isDark: isDark, in: browser)
        }
    }

    private init(of address: String, width: Int, isDark: Bool, in browser: Chromium) throws {
        try browser.send(
            "Emulation.setDeviceMetricsOverride",
            ["width": .number(Double(width)), "height": 900, "deviceScaleFactor": 1, "mobile": false])
        try browser.send(
            "Emulation.setEmulatedMedia",
            ["features": .list([.object(["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"])])])
        try browser.send("Page.addScriptToEvaluateOnNewDocument", ["source": .text(Self.shiftWatch)])
        try browser.send("Page.navigate", ["url": .text(address)])
        try browser.wait(for: "Page.loadEventFired")
        let found = try browser.evaluate(Self.scrollThrough)
        layoutShift = found["shift"]?.number ?? .infinity
        overflow = found["overflow"]?.number ?? .infinity
        background = found["background"]?.text ?? ""
        imageCount = Int(found["images"]?.number ?? 0)
        brokenImages = found["broken"]?.list.compactMap(\.text) ?? ["no list"]
        let shot = try browser.send("Page.captureScreenshot", ["format": "png"])
        screenshot = shot["data"]?.text.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []

        requested = browser.events.filter { $0.method == "Network.requestWillBeSent" }
            .compactMap { $0.parameters["request"]?["url"]?.text }.filter { !$0.hasPrefix("data:") }
        answers = browser.events.filter { $0.method == "Network.responseReceived" }
            .compactMap { event in
                guard let response = event.parameters["response"], let url = response["url"]?.text, !url.hasPrefix("data:") else {
                    return nil
                }
                return Answer(address: url, status: Int(response["status"]?.number ?? 0))
            }
        complaints = browser.events.compactMap { event in
            switch event.method {
            case "Runtime.consoleAPICalled": "console: \(event.parameters["args"] ?? .null)"
            case "Runtime.exceptionThrown": "exception: \(event.parameters)"
            case "Log.entryAdded": event.parameters["entry"]?["text"]?.text ?? "log entry"
            case "Network.loadingFailed": "failed: \(event.parameters["errorText"]?.text ?? "")"
            default: nil
            }
        }
    }

    private static let shiftWatch = """
        window.shiftSeen = 0;
        new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shiftSeen += entry.value; })
          .observe({type: 'layout-shift', buffered: true});
        """

    private static let scrollThrough = """
        (async () => {
          const pause = time => new Promise(done => setTimeout(done, time));
          const root = document.documentElement;
          for (let y = 0; y < root.scrollHeight; y += 400) { window.scrollTo({top: y, behavior: 'instant'}); await pause(30); }
          const images = [...document.images];
          for (let tries = 0; tries < 400 && !images.every(image => image.complete); tries++) await pause(25);
          window.scrollTo({top: 0, behavior: 'instant'});
          await pause(150);
          return {
            shift: window.shiftSeen, overflow: root.scrollWidth - root.clientWidth, images: images.length,
            broken: images.filter(image => !image.complete || image.naturalWidth === 0).map(image => image.currentSrc || image.src),
            background: getComputedStyle(document.body).backgroundColor,
          };
        })()
        """
}

internal import Drawing
internal import Glibc

/// The picture of a poster, without its letters: 500 × 750 units, whatever the size in pixels.
struct Scene {
    /// Where the title goes, so that it does not cover what the picture is about.
    enum Room {
        case top, middle, bottom
    }

    static let width = 500.0
    static let height = 750.0

    let canvas: Canvas
    let palette: Palette
    var random: StableRandom

    /// Draws the composition that falls to this title.
    mutating func draw(composition: Int) -> Room {
        switch composition % Self.compositionCount {
        case 0: mountains()
        case 1: city()
        case 2: sunRays()
        case 3: waves()
        case 4: forest()
        case 5: planet()
        case 6: quarterCircles()
        case 7: road()
        case 8: flower()
        case 9: lighthouse()
        case 10: doorway()
        case 11: rings()
        case 12: lanterns()
        default: stripes()
        }
    }

    static let compositionCount = 14

    // MARK: - Parts that several compositions share

    var everything: Rectangle { Rectangle(x: 0, y: 0, width: Self.width, height: Self.height) }

    func sky(horizon: Double = Scene.height) {
        canvas.fill(
            with: .linear(
                from: Point(0, 0), to: Point(0, horizon),
                stops: [Paint.Stop(0, palette.top), Paint.Stop(0.55, palette.middle), Paint.Stop(1, palette.low)]))
    }

    func glow(at centre: Point, radius: Double, colour: Colour, strength: Double = 0.7) {
        canvas.fill(
            .circle(centre: centre, radius: radius),
            with: .radial(
                centre: centre, radius: radius,
                stops: [
                    Paint.Stop(0, colour.opacity(strength)), Paint.Stop(0.4, colour.opacity(strength * 0.35)),
                    Paint.Stop(1, colour.opacity(0)),
                ]))
    }

    func disc(at centre: Point, radius: Double, colour: Colour) {
        glow(at: centre, radius: radius * 3.2, colour: colour)
        canvas.fill(
            .circle(centre: centre, radius: radius),
            with: .linear(
                from: Point(centre.x, centre.y - radius), to: Point(centre.x, centre.y + radius),
                stops: [Paint.Stop(0, colour), Paint.Stop(1, colour.mixed(with: palette.low, share: 0.35))]))
    }

    mutating func moon(at centre: Point, radius: Double) {
        disc(at: centre, radius: radius, colour: palette.light)
        for _ in 0..<9 {
            let (angle, away) = (random.within(0...6.28), random.within(0...0.75) * radius)
            let crater = Point(centre.x + away * cos(angle), centre.y + away * sin(angle))
            canvas.fill(.circle(centre: crater, radius: random.within(0.05...0.2) * radius), with: palette.low.opacity(0.22))
        }
    }

    mutating func stars(_ count: Int, above y: Double) {
        for _ in 0..<count {
            let place = Point(random.within(0...Self.width), random.unit() * random.within(0...y))
            canvas.fill(.circle(centre: place, radius: random.within(0.4...1.7)), with: palette.light.opacity(random.within(0.3...1)))
        }
    }

    /// The outline of hills from side to side, filled down to the bottom edge.
    mutating func ridge(at base: Double, height: Double, jaggedness: Double) -> Path {
        let waves = (0..<6).map { octave in
            (frequency: pow(1.9, Double(octave)) * 0.009, phase: random.within(0...6.28), size: height * pow(0.52, Double(octave)))
        }
        var points = [Point(0, Self.height)]
        for x in stride(from: 0.0, through: Self.width, by: 3) {
            var y = base
            for wave in waves { y -= wave.size * sin(x * wave.frequency + wave.phase) * 0.5 }
            points.append(Point(x, y - random.within(-jaggedness...jaggedness)))
        }
        points.append(Point(Self.width, Self.height))
        return .polygon(points)
    }

    func haze(from top: Double, to bottom: Double, strength: Double) {
        canvas.fill(
            .rectangle(Rectangle(x: 0, y: top, width: Self.width, height: bottom - top)),
            with: .linear(
                from: Point(0, top), to: Point(0, bottom),
                stops: [Paint.Stop(0, palette.low.opacity(0)), Paint.Stop(1, palette.low.opacity(strength))]))
    }

    /// Somebody, seen from behind, who has come to look.
    func figure(at feet: Point, height: Double, colour: Colour) {
        let (x, y, h) = (feet.x, feet.y, height)
        canvas.fill(.circle(centre: Point(x, y - h * 0.9), radius: h * 0.095), with: colour)
        var coat = Path()
        coat.move(to: Point(x - h * 0.09, y - h * 0.8))
        coat.curve(Point(x - h * 0.17, y - h * 0.72), Point(x - h * 0.15, y - h * 0.4), to: Point(x - h * 0.18, y - h * 0.25))
        coat.line(to: Point(x + h * 0.18, y - h * 0.25))
        coat.curve(Point(x + h * 0.15, y - h * 0.4), Point(x + h * 0.17, y - h * 0.72), to: Point(x + h * 0.09, y - h * 0.8))
        coat.close()
        canvas.fill(coat, with: colour)
        for side in [-1.0, 1.0] {
            canvas.stroke(
                .line(Point(x + side * h * 0.06, y - h * 0.3), Point(x + side * h * 0.07, y)), with: colour, lineWidth: h * 0.08)
        }
    }

    func bird(at place: Point, span: Double, colour: Colour) {
        var wings = Path()
        wings.move(to: Point(place.x - span, place.y - span * 0.25))
        wings.curve(Point(place.x - span * 0.6, place.y - span * 0.55), Point(place.x - span * 0.2, place.y - span * 0.4), to: place)
        wings.curve(
            Point(place.x + span * 0.2, place.y - span * 0.4), Point(place.x + span * 0.6, place.y - span * 0.55),
            to: Point(place.x + span, place.y - span * 0.25))
        canvas.stroke(wings, with: colour, lineWidth: span * 0.12)
    }

    mutating func birds(_ count: Int, around centre: Point) {
        for _ in 0..<count {
            let place = Point(centre.x + random.within(-110...110), centre.y + random.within(-50...50))
            bird(at: place, span: random.within(5...13), colour: palette.near.opacity(0.8))
        }
    }
}

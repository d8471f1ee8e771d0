internal import Drawing
internal import Glibc

/// Compositions of shapes rather than places.
extension Scene {
    mutating func sunRays() -> Room {
        canvas.fill(with: palette.low)
        let centre = Point(random.within(180...320), random.within(330...470))
        let count = 14 + 2 * random.below(8)
        let start = random.within(0...1)
        for ray in 0..<count where ray % 2 == 0 {
            let (from, to) = (start + 6.2832 * Double(ray) / Double(count), start + 6.2832 * Double(ray + 1) / Double(count))
            canvas.fill(
                .polygon([
                    centre, Point(centre.x + 900 * cos(from), centre.y + 900 * sin(from)),
                    Point(centre.x + 900 * cos(to), centre.y + 900 * sin(to)),
                ]),
                with: .radial(
                    centre: centre, radius: 620,
                    stops: [Paint.Stop(0, palette.low.mixed(with: palette.middle, share: 0.4)), Paint.Stop(1, palette.middle)]))
        }
        let radius = random.within(90...150)
        for (step, colour) in [palette.near, palette.light, palette.accent, palette.top].enumerated() {
            canvas.fill(.circle(centre: centre, radius: radius * (1.15 - 0.2 * Double(step))), with: colour)
        }
        birds(4, around: Point(centre.x, centre.y - 10))
        for layer in 0..<3 {
            canvas.fill(ridge(at: 560 + 55 * Double(layer), height: 90, jaggedness: 0.6), with: palette.layer(layer + 1, of: 4))
        }
        return .top
    }

    mutating func planet() -> Room {
        canvas.fill(
            with: .radial(
                centre: Point(250, 360), radius: 560,
                stops: [Paint.Stop(0, palette.middle), Paint.Stop(0.6, palette.top), Paint.Stop(1, palette.near)]))
        stars(420, above: 750)
        let centre = Point(random.within(190...310), random.within(270...350))
        let radius = random.within(100...155)
        let tilt = random.within(-0.5...0.5)
        glow(at: centre, radius: radius * 2.2, colour: palette.accent, strength: 0.5)
        rings(around: centre, radius: radius, tilt: tilt, isFront: false)
        canvas.withClip(.circle(centre: centre, radius: radius)) {
            canvas.fill(with: palette.low)
            for band in 0..<14 {
                let y = centre.y - radius + 2 * radius * Double(band) / 14
                let colour = [palette.accent, palette.light, palette.middle, palette.far][random.below(4)]
                canvas.fill(
                    .ellipse(in: Rectangle(x: centre.x - radius * 1.3, y: y, width: radius * 2.6, height: random.within(8...36))),
                    with: colour.opacity(random.within(0.25...0.7)))
            }
            canvas.fill(
                .circle(centre: Point(centre.x + radius * 0.5, centre.y + radius * 0.3), radius: radius * 1.6),
                with: .radial(
                    centre: Point(centre.x - radius * 0.5, centre.y - radius * 0.5), radius: radius * 1.9,
                    stops: [
                        Paint.Stop(0, palette.near.opacity(0)), Paint.Stop(0.5, palette.near.opacity(0.1)),
                        Paint.Stop(1, palette.near.opacity(0.95)),
                    ]))
        }
        rings(around: centre, radius: radius, tilt: tilt, isFront: true)
        canvas.fill(ridge(at: 650, height: 60, jaggedness: 2), with: palette.near)
        figure(at: Point(random.within(120...380), 676), height: 62, colour: palette.near)
        return random.below(2) == 0 ? .top : .bottom
    }

    private func rings(around centre: Point, radius: Double, tilt: Double, isFront: Bool) {
        canvas.withState {
            canvas.translate(x: centre.x, y: centre.y)
            canvas.rotate(radians: tilt)
            canvas.withClip(.rectangle(Rectangle(x: -500, y: isFront ? 0 : -500, width: 1_000, height: 500))) {
                for ring in 0..<7 {
                    let reach = radius * (1.35 + 0.1 * Double(ring))
                    let colour = ring % 3 == 1 ? palette.accent : palette.light
                    canvas.stroke(
                        .ellipse(in: Rectangle(x: -reach, y: -reach * 0.24, width: 2 * reach, height: reach * 0.48)),
                        with: colour.opacity(0.35 + 0.08 * Double(ring)), lineWidth: 4)
                }
            }
        }
    }

    mutating func quarterCircles() -> Room {
        canvas.fill(with: palette.low)
        let side = 125.0
        let colours = [palette.accent, palette.top, palette.middle, palette.near, palette.light, palette.far]
        for row in 0..<6 {
            for column in 0..<4 {
                let cell = Rectangle(x: side * Double(column), y: side * Double(row), width: side, height: side)
                let (ground, figure) = (random.pick(colours), random.pick(colours))
                canvas.withClip(.rectangle(cell)) {
                    canvas.fill(with: ground)
                    let corner = Point(random.below(2) == 0 ? cell.x : cell.maxX, random.below(2) == 0 ? cell.y : cell.maxY)
                    switch random.below(5) {
                    case 0:
                        canvas.fill(.circle(centre: corner, radius: side), with: figure)
                        canvas.fill(.circle(centre: corner, radius: side / 2), with: random.pick(colours))
                    case 1: canvas.fill(.circle(centre: cell.centre, radius: side * 0.36), with: figure)
                    case 2: canvas.fill(.polygon([corner, Point(cell.maxX, cell.y), Point(cell.x, cell.maxY)]), with: figure)
                    case 3:
                        for ring in stride(from: 5.0, to: 0, by: -1) {
                            canvas.fill(.circle(centre: corner, radius: side * ring / 5), with: Int(ring) % 2 == 0 ? ground : figure)
                        }
                    default:
                        for line in 0..<6 {
                            canvas.fill(
                                .rectangle(Rectangle(x: cell.x, y: cell.y + side * Double(line) / 6, width: side, height: side / 12)),
                                with: figure)
                        }
                    }
                }
            }
        }
        return .middle
    }

    mutating func flower() -> Room {
        canvas.fill(
            with: .radial(
                centre: Point(250, 420), radius: 520,
                stops: [Paint.Stop(0, palette.middle), Paint.Stop(0.55, palette.top), Paint.Stop(1, palette.near)]))
        let centre = Point(250, random.within(400...450))
        let petals = 7 + random.below(8)
        for ring in 0..<5 {
            let reach = 250 - 44 * Double(ring)
            let turn = random.within(0...1)
            let colour = [palette.far, palette.accent, palette.low, palette.accent.mixed(with: palette.light, share: 0.4), palette.light][
                ring]
            for petal in 0..<petals {
                canvas.withState {
                    canvas.translate(x: centre.x, y: centre.y)
                    canvas.rotate(radians: turn + 6.2832 * Double(petal) / Double(petals))
                    self.petal(reach: reach, width: reach * 2.3 / Double(petals), colour: colour)
                }
            }
        }
        for seed in 0..<150 {
            let (angle, away) = (Double(seed) * 2.39996, 3.1 * sqrt(Double(seed)))
            canvas.fill(
                .circle(centre: Point(centre.x + away * cos(angle), centre.y + away * sin(angle)), radius: 2.1),
                with: seed % 3 == 0 ? palette.near : palette.accent)
        }
        return .bottom
    }

    private func petal(reach: Double, width: Double, colour: Colour) {
        var outline = Path()
        outline.move(to: Point(0, 0))
        outline.curve(Point(reach * 0.3, -width), Point(reach * 0.8, -width), to: Point(reach, 0))
        outline.curve(Point(reach * 0.8, width), Point(reach * 0.3, width), to: Point(0, 0))
        canvas.fill(
            outline,
            with: .linear(
                from: Point(0, 0), to: Point(reach, 0),
                stops: [
                    Paint.Stop(0, colour.mixed(with: palette.near, share: 0.65)), Paint.Stop(0.6, colour),
                    Paint.Stop(1, colour.mixed(with: palette.light, share: 0.35)),
                ]))
        for vein in -2...2 {
            canvas.stroke(
                .line(Point(reach * 0.2, 0), Point(reach * 0.9, Double(vein) * width * 0.22)), with: palette.near.opacity(0.22),
                lineWidth: 0.9)
        }
    }

    mutating func doorway() -> Room {
        canvas.fill(
            with: .linear(from: Point(0, 0), to: Point(500, 750), stops: [Paint.Stop(0, palette.top), Paint.Stop(1, palette.near)]))
        for line in 0..<60 {
            let x = Double(line) * 500 / 60
            canvas.stroke(.line(Point(x, 0), Point(x, 560)), with: palette.near.opacity(0.2), lineWidth: random.within(0.5...3))
        }
        let (left, width) = (random.within(160...240), random.within(95...130))
        let door = Rectangle(x: left, y: 220, width: width, height: 340)
        canvas.fill(.rectangle(Rectangle(x: 0, y: 560, width: 500, height: 190)), with: palette.near.mixed(with: palette.far, share: 0.3))
        canvas.fill(
            .polygon([Point(door.x, 560), Point(door.maxX, 560), Point(door.maxX + 170, 750), Point(door.x - 40, 750)]),
            with: .linear(
                from: Point(0, 560), to: Point(0, 750),
                stops: [Paint.Stop(0, palette.light.opacity(0.95)), Paint.Stop(1, palette.accent.opacity(0.25))]))
        glow(at: door.centre, radius: 330, colour: palette.accent, strength: 0.55)
        canvas.fill(
            .rectangle(door),
            with: .linear(
                from: Point(0, door.y), to: Point(0, door.maxY), stops: [Paint.Stop(0, palette.low), Paint.Stop(1, palette.light)]))
        for board in 0..<9 {
            let spread = Double(board) - 4
            canvas.stroke(
                .line(Point(250 + spread * 60, 560), Point(250 + spread * 150, 750)), with: palette.near.opacity(0.5), lineWidth: 1.5)
        }
        figure(at: Point(door.centre.x, 585), height: 200, colour: palette.near)
        canvas.fill(
            .polygon([
                Point(door.centre.x - 20, 585), Point(door.centre.x + 20, 585), Point(door.centre.x + 130, 750),
                Point(door.centre.x + 40, 750),
            ]),
            with: palette.near.opacity(0.75))
        return .top
    }

    mutating func rings() -> Room {
        canvas.fill(with: palette.near)
        var centre = Point(random.within(170...330), random.within(280...400))
        let drift = (random.within(-7...7), random.within(-4...9))
        let colours = [palette.accent, palette.near, palette.light, palette.top, palette.low, palette.middle]
        let count = 19
        for ring in 0..<count {
            let radius = 520 * (1 - Double(ring) / Double(count))
            canvas.fill(.circle(centre: centre, radius: radius), with: colours[(ring + ring / 4) % colours.count])
            for _ in 0..<26 {
                let angle = random.within(0...6.28)
                let inner = radius - random.within(3...14)
                canvas.fill(
                    .circle(centre: Point(centre.x + inner * cos(angle), centre.y + inner * sin(angle)), radius: random.within(0.6...2)),
                    with: palette.light.opacity(0.5))
            }
            centre = Point(centre.x + drift.0, centre.y + drift.1)
        }
        figure(at: Point(centre.x, centre.y + 34), height: 62, colour: palette.near)
        return .bottom
    }

    mutating func stripes() -> Room {
        canvas.fill(with: palette.low)
        canvas.withState {
            canvas.translate(x: 250, y: 375)
            canvas.rotate(radians: random.pick([-0.6, -0.35, 0.35, 0.6, 0.9]))
            var y = -650.0
            while y < 650 {
                let height = random.within(8...74)
                let colour = random.pick([palette.accent, palette.top, palette.middle, palette.light, palette.far, palette.near])
                canvas.fill(
                    .rectangle(Rectangle(x: -700, y: y, width: 1_400, height: height)),
                    with: .linear(
                        from: Point(-300, 0), to: Point(320, 0),
                        stops: [Paint.Stop(0, colour), Paint.Stop(1, colour.mixed(with: palette.near, share: 0.45))]))
                y += height + random.within(0...14)
            }
        }
        let centre = Point(random.within(170...330), random.within(220...330))
        disc(at: centre, radius: random.within(80...130), colour: palette.light)
        canvas.fill(ridge(at: 600, height: 120, jaggedness: 1.5), with: palette.near)
        birds(6, around: centre)
        return .bottom
    }
}

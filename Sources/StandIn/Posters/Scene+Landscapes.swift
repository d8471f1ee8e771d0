internal import Drawing
internal import Glibc

/// Compositions with a horizon.
extension Scene {
    mutating func mountains() -> Room {
        sky(horizon: 620)
        if random.below(2) == 0 { stars(140, above: 330) }
        let sun = Point(random.within(130...370), random.within(210...330))
        if random.below(2) == 0 {
            moon(at: sun, radius: random.within(36...70))
        } else {
            disc(at: sun, radius: random.within(45...95), colour: random.below(2) == 0 ? palette.light : palette.accent)
        }
        birds(5, around: Point(sun.x, sun.y + 40))
        let layers = 5 + random.below(2)
        for layer in 0..<layers {
            let base = 370 + 330 * Double(layer) / Double(layers)
            let path = ridge(at: base, height: 150 - 14 * Double(layer), jaggedness: layer < 2 ? 3.5 : 2)
            canvas.fill(path, with: palette.layer(layer, of: layers))
            haze(from: base, to: base + 120, strength: 0.2)
        }
        if random.below(2) == 0 {
            canvas.fill(.polygon([Point(180, 750), Point(300, 640), Point(420, 750)]), with: palette.near)
            figure(at: Point(300, 646), height: 70, colour: palette.near)
        }
        return .top
    }

    mutating func city() -> Room {
        sky(horizon: 560)
        stars(60, above: 260)
        moon(at: Point(random.within(110...390), random.within(150...260)), radius: random.within(40...85))
        for layer in 0..<3 {
            let colour = palette.layer(layer + 1, of: 4)
            var x = -20.0
            while x < Self.width {
                let width = random.within(26...70) - 6 * Double(2 - layer)
                let top = 330 + 85 * Double(layer) + random.within(-90...90)
                building(Rectangle(x: x, y: top, width: width, height: Self.height - top), colour: colour, layer: layer)
                x += width + random.within(0...7)
            }
            haze(from: 480, to: 750, strength: 0.16)
        }
        canvas.fill(
            .rectangle(Rectangle(x: 0, y: 600, width: Self.width, height: 150)),
            with: .linear(
                from: Point(0, 600), to: Point(0, 750), stops: [Paint.Stop(0, palette.near.opacity(0)), Paint.Stop(1, palette.near)]))
        return random.below(2) == 0 ? .top : .bottom
    }

    private mutating func building(_ outline: Rectangle, colour: Colour, layer: Int) {
        canvas.fill(.rectangle(outline), with: colour)
        if random.below(4) == 0 {
            canvas.stroke(
                .line(Point(outline.centre.x, outline.y), Point(outline.centre.x, outline.y - random.within(20...60))), with: colour,
                lineWidth: 2)
        }
        let pane = 3.2 + Double(layer) * 1.1
        for y in stride(from: outline.y + 10, to: Self.height - 40, by: pane * 2.5) {
            for x in stride(from: outline.x + 6, to: outline.maxX - 6, by: pane * 2) where random.below(100) < 30 {
                let light = random.below(6) == 0 ? palette.accent : palette.light
                canvas.fill(
                    .rectangle(Rectangle(x: x, y: y, width: pane, height: pane * 1.4)), with: light.opacity(random.within(0.25...0.95)))
            }
        }
    }

    mutating func forest() -> Room {
        sky(horizon: 700)
        if random.below(2) == 0 {
            stars(120, above: 300)
            moon(at: Point(random.within(120...380), random.within(170...280)), radius: random.within(45...90))
        } else {
            disc(at: Point(random.within(120...380), 320), radius: random.within(50...100), colour: palette.light)
        }
        let layers = 6
        for layer in 0..<layers {
            let colour = palette.layer(layer, of: layers)
            let base = 430 + 62 * Double(layer)
            canvas.fill(ridge(at: base, height: 50, jaggedness: 1), with: colour)
            var x = -20.0
            while x < Self.width + 20 {
                let height = random.within(55...120) + 24 * Double(layer)
                conifer(at: Point(x, base + random.within(-10...30)), height: height, colour: colour)
                x += random.within(16...38) + 6 * Double(layer)
            }
            haze(from: base - 60, to: base + 70, strength: 0.24)
        }
        if random.below(2) == 0 {
            glow(at: Point(258, 690), radius: 110, colour: palette.accent, strength: 0.9)
            figure(at: Point(250, 735), height: 84, colour: palette.near)
            canvas.fill(.circle(centre: Point(268, 695), radius: 5), with: palette.light)
        }
        return .top
    }

    private mutating func conifer(at foot: Point, height: Double, colour: Colour) {
        let tiers = 6
        var points = [Point(foot.x, foot.y - height)]
        var left: [Point] = []
        for tier in 1...tiers {
            let y = foot.y - height + height * 0.95 * Double(tier) / Double(tiers)
            let reach = height * 0.2 * Double(tier) / Double(tiers) * random.within(0.85...1.2)
            points += [Point(foot.x + reach, y), Point(foot.x + reach * 0.5, y - 3)]
            left += [Point(foot.x - reach, y), Point(foot.x - reach * 0.5, y - 3)]
        }
        canvas.fill(.polygon(points + left.reversed()), with: colour)
        canvas.fill(
            .rectangle(Rectangle(x: foot.x - height * 0.015, y: foot.y - height * 0.1, width: height * 0.03, height: 90)), with: colour)
    }

    mutating func lighthouse() -> Room {
        sky(horizon: 600)
        stars(150, above: 420)
        let lamp = Point(random.within(150...350), 330)
        for side in [-1.0, 1.0] {
            let tilt = random.within(-40...60)
            canvas.fill(
                .polygon([lamp, Point(lamp.x + side * 520, lamp.y - 90 + tilt), Point(lamp.x + side * 520, lamp.y + 40 + tilt)]),
                with: .linear(
                    from: lamp, to: Point(lamp.x + side * 420, lamp.y),
                    stops: [Paint.Stop(0, palette.light.opacity(0.75)), Paint.Stop(1, palette.light.opacity(0))]))
        }
        let tower = palette.near.mixed(with: palette.far, share: 0.25)
        canvas.fill(
            .polygon([Point(lamp.x - 15, 345), Point(lamp.x + 15, 345), Point(lamp.x + 30, 600), Point(lamp.x - 30, 600)]), with: tower)
        for band in 0..<3 {
            let y = 385 + 70 * Double(band)
            let half = 15 + 15 * (y - 345) / 255
            canvas.fill(
                .polygon([
                    Point(lamp.x - half, y), Point(lamp.x + half, y), Point(lamp.x + half + 2, y + 32), Point(lamp.x - half - 2, y + 32),
                ]), with: palette.accent)
        }
        canvas.fill(.rectangle(Rectangle(x: lamp.x - 20, y: 340, width: 40, height: 6)), with: tower)
        canvas.fill(.roundedRectangle(Rectangle(x: lamp.x - 11, y: 314, width: 22, height: 27), radius: 4), with: palette.light)
        canvas.fill(.polygon([Point(lamp.x - 15, 315), Point(lamp.x, 296), Point(lamp.x + 15, 315)]), with: tower)
        glow(at: lamp, radius: 130, colour: palette.light, strength: 0.9)
        canvas.fill(ridge(at: 610, height: 60, jaggedness: 3), with: palette.near)
        for row in 0..<16 {
            let y = 645 + Double(row) * 7
            for _ in 0..<26 {
                let x = random.within(-20...500)
                canvas.stroke(
                    .line(Point(x, y), Point(x + random.within(8...46), y)),
                    with: palette.middle.mixed(with: palette.light, share: random.unit() * 0.5).opacity(0.55), lineWidth: 1.4)
            }
        }
        return .top
    }

    mutating func road() -> Room {
        sky(horizon: 430)
        let vanishing = Point(random.within(180...320), 430)
        disc(
            at: Point(vanishing.x, random.within(330...420)), radius: random.within(60...120),
            colour: random.below(2) == 0 ? palette.accent : palette.light)
        canvas.fill(ridge(at: 420, height: 46, jaggedness: 2), with: palette.layer(1, of: 4))
        canvas.fill(
            .rectangle(Rectangle(x: 0, y: 430, width: Self.width, height: 320)),
            with: .linear(
                from: Point(0, 430), to: Point(0, 750), stops: [Paint.Stop(0, palette.layer(1, of: 4)), Paint.Stop(1, palette.near)]))
        for row in 0..<900 {
            let depth = pow(Double(row) / 900, 1.6)
            let y = 432 + 318 * depth
            let x = random.within(-10...510)
            canvas.stroke(
                .line(Point(x, y), Point(x + random.within(-3...3), y - 2 - 16 * depth)),
                with: palette.low.mixed(with: palette.near, share: random.within(0.2...0.9)).opacity(0.6), lineWidth: 0.6 + 1.4 * depth)
        }
        canvas.fill(
            .polygon([Point(vanishing.x - 3, 430), Point(vanishing.x + 3, 430), Point(430, 750), Point(70, 750)]),
            with: palette.near.mixed(with: palette.far, share: 0.35))
        for dash in 0..<9 {
            let (near, far) = (pow(Double(dash) / 9 + 0.07, 2), pow(Double(dash) / 9, 2))
            let middle = { (depth: Double) in Point(vanishing.x + (250 - vanishing.x) * depth, 430 + 320 * depth) }
            let (a, b) = (middle(far), middle(near))
            canvas.fill(
                .polygon([Point(a.x - 7 * far, a.y), Point(a.x + 7 * far, a.y), Point(b.x + 7 * near, b.y), Point(b.x - 7 * near, b.y)]),
                with: palette.light)
        }
        for pole in 0..<7 {
            let depth = pow(Double(pole + 1) / 7, 1.8)
            let foot = Point(vanishing.x + (vanishing.x - 560) * depth * 0.9, 430 + 270 * depth)
            let top = foot.y - 330 * depth
            canvas.stroke(.line(foot, Point(foot.x, top)), with: palette.near, lineWidth: 1 + 6 * depth)
            canvas.stroke(
                .line(Point(foot.x - 26 * depth, top + 26 * depth), Point(foot.x + 26 * depth, top + 26 * depth)), with: palette.near,
                lineWidth: 1 + 4 * depth)
        }
        return .top
    }

    mutating func waves() -> Room {
        sky(horizon: 420)
        disc(
            at: Point(random.within(140...360), random.within(230...330)), radius: random.within(70...130),
            colour: random.below(2) == 0 ? palette.accent : palette.light)
        birds(4, around: Point(250, 170))
        let rows = 11
        let boatRow = 2 + random.below(3)
        for row in 0..<rows {
            let base = 390 + 34 * Double(row)
            let (phase, length, size) = (random.within(0...6.28), random.within(90...150) + 6 * Double(row), 9 + 1.6 * Double(row))
            if row == boatRow { boat(at: Point(random.within(160...340), base + 4), size: 40 + 10 * Double(row)) }
            var points = [Point(0, Self.height)]
            for x in stride(from: 0.0, through: Self.width, by: 3) {
                let turn = (x / length) * 6.283 + phase
                points.append(Point(x, base - size * (sin(turn) + 0.35 * sin(2 * turn + 0.8))))
            }
            points.append(Point(Self.width, Self.height))
            let colour = palette.layer(row, of: rows).mixed(with: row % 2 == 0 ? palette.middle : palette.top, share: 0.35)
            canvas.fill(.polygon(points), with: colour)
            var crest = Path()
            crest.move(to: points[1])
            for point in points.dropFirst(2).dropLast() { crest.line(to: point) }
            canvas.stroke(crest, with: palette.light.opacity(0.5), lineWidth: 1.4)
        }
        return .top
    }

    private func boat(at place: Point, size: Double) {
        canvas.fill(
            .polygon([
                Point(place.x - 2, place.y - size * 0.2), Point(place.x - 2, place.y - size * 1.5),
                Point(place.x + size * 0.75, place.y - size * 0.25),
            ]),
            with: palette.light)
        canvas.fill(
            .polygon([
                Point(place.x - 6, place.y - size * 0.25), Point(place.x - 6, place.y - size * 1.2),
                Point(place.x - size * 0.5, place.y - size * 0.25),
            ]),
            with: palette.accent)
        canvas.fill(
            .polygon([
                Point(place.x - size * 0.8, place.y - size * 0.2), Point(place.x + size * 0.9, place.y - size * 0.2),
                Point(place.x + size * 0.6, place.y + size * 0.2), Point(place.x - size * 0.55, place.y + size * 0.2),
            ]), with: palette.near)
    }

    mutating func lanterns() -> Room {
        sky()
        stars(160, above: 600)
        for depth in 0..<3 {
            for _ in 0..<(16 - 5 * depth) {
                let size = 9 + 13 * Double(depth) + random.within(0...6)
                lantern(at: Point(random.within(0...500), random.within(40...640)), size: size, strength: 0.45 + 0.25 * Double(depth))
            }
        }
        for layer in 2..<5 {
            canvas.fill(ridge(at: 570 + 36 * Double(layer), height: 55, jaggedness: 1), with: palette.layer(layer, of: 5))
        }
        for step in 0..<3 { figure(at: Point(200 + 46 * Double(step), 738), height: 66 - 12 * Double(step % 2), colour: palette.near) }
        return .middle
    }

    private func lantern(at place: Point, size: Double, strength: Double) {
        glow(at: place, radius: size * 3, colour: palette.accent, strength: strength)
        canvas.fill(
            .roundedRectangle(
                Rectangle(x: place.x - size / 2, y: place.y - size * 0.65, width: size, height: size * 1.3), radius: size * 0.35),
            with: .radial(
                centre: Point(place.x, place.y + size * 0.3), radius: size * 1.1,
                stops: [Paint.Stop(0, palette.light), Paint.Stop(1, palette.accent)]))
    }
}

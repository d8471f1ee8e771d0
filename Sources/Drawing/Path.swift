/// An outline made of lines and curves.
package struct Path: Sendable {
    package enum Element: Sendable {
        case move(Point)
        case line(Point)
        /// A cubic Bézier curve with its two control points and its end.
        case curve(Point, Point, Point)
        case close
    }

    package private(set) var elements: [Element] = []

    package init() {}

    package mutating func move(to point: Point) { elements.append(.move(point)) }
    package mutating func line(to point: Point) { elements.append(.line(point)) }
    package mutating func curve(_ first: Point, _ second: Point, to end: Point) { elements.append(.curve(first, second, end)) }
    package mutating func close() { elements.append(.close) }
    package mutating func append(_ other: Path) { elements += other.elements }

    /// A closed outline through `points`.
    package static func polygon(_ points: [Point]) -> Path {
        var path = Path()
        guard let first = points.first else { return path }
        path.move(to: first)
        for point in points.dropFirst() { path.line(to: point) }
        path.close()
        return path
    }

    package static func line(_ from: Point, _ to: Point) -> Path {
        var path = Path()
        path.move(to: from)
        path.line(to: to)
        return path
    }

    package static func rectangle(_ rectangle: Rectangle) -> Path {
        polygon([
            Point(rectangle.x, rectangle.y), Point(rectangle.maxX, rectangle.y), Point(rectangle.maxX, rectangle.maxY),
            Point(rectangle.x, rectangle.maxY),
        ])
    }

    /// A rectangle whose corners are quarter circles; `radius` is cut down to half of the shorter side.
    package static func roundedRectangle(_ rectangle: Rectangle, radius: Double) -> Path {
        let r = min(max(0, radius), rectangle.width / 2, rectangle.height / 2)
        guard r > 0 else { return .rectangle(rectangle) }
        let k = r * (1 - circleControl)
        let (left, top, right, bottom) = (rectangle.x, rectangle.y, rectangle.maxX, rectangle.maxY)
        var path = Path()
        path.move(to: Point(left + r, top))
        path.line(to: Point(right - r, top))
        path.curve(Point(right - k, top), Point(right, top + k), to: Point(right, top + r))
        path.line(to: Point(right, bottom - r))
        path.curve(Point(right, bottom - k), Point(right - k, bottom), to: Point(right - r, bottom))
        path.line(to: Point(left + r, bottom))
        path.curve(Point(left + k, bottom), Point(left, bottom - k), to: Point(left, bottom - r))
        path.line(to: Point(left, top + r))
        path.curve(Point(left, top + k), Point(left + k, top), to: Point(left + r, top))
        path.close()
        return path
    }

    /// The ellipse that fills `rectangle`.
    package static func ellipse(in rectangle: Rectangle) -> Path {
        let (rx, ry) = (rectangle.width / 2, rectangle.height / 2)
        let (kx, ky) = (rx * circleControl, ry * circleControl)
        let (x, y) = (rectangle.centre.x, rectangle.centre.y)
        var path = Path()
        path.move(to: Point(x + rx, y))
        path.curve(Point(x + rx, y + ky), Point(x + kx, y + ry), to: Point(x, y + ry))
        path.curve(Point(x - kx, y + ry), Point(x - rx, y + ky), to: Point(x - rx, y))
        path.curve(Point(x - rx, y - ky), Point(x - kx, y - ry), to: Point(x, y - ry))
        path.curve(Point(x + kx, y - ry), Point(x + rx, y - ky), to: Point(x + rx, y))
        path.close()
        return path
    }

    package static func circle(centre: Point, radius: Double) -> Path {
        ellipse(in: Rectangle(x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius))
    }

    /// How far along a quarter circle's tangent, in radii, the control points of the Bézier curve nearest to it lie.
    private static let circleControl = 0.5522847498
}

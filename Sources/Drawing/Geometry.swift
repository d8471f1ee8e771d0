/// A place on a canvas, in its units, from the top left corner.
package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// An upright rectangle on a canvas.
package struct Rectangle: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var centre: Point { Point(x + width / 2, y + height / 2) }

    /// This rectangle with each side moved inwards; outwards for a negative amount.
    package func inset(by amount: Double) -> Rectangle {
        Rectangle(x: x + amount, y: y + amount, width: width - 2 * amount, height: height - 2 * amount)
    }
}

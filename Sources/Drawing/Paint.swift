/// What an outline is filled with.
package enum Paint: Sendable {
    case colour(Colour)
    case linear(from: Point, to: Point, stops: [Stop])
    /// From the centre outwards to `radius`.
    case radial(centre: Point, radius: Double, stops: [Stop])

    /// A colour at a place along a gradient: 0 where it begins, 1 where it ends.
    package struct Stop: Sendable, Hashable {
        package var offset: Double
        package var colour: Colour

        package init(_ offset: Double, _ colour: Colour) {
            self.offset = offset
            self.colour = colour
        }
    }
}

/// How what is drawn is combined with what is there.
package enum Blend: Sendable {
    case normal, multiply, screen, overlay, softLight, add
    /// Replaces what is there, opacity included.
    case replace
}

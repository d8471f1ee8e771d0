internal import CCairo

/// Text that has been broken into lines and shaped, ready to be measured and drawn. Owns one pango layout.
package final class TextLayout {
    let layout: OpaquePointer
    /// Whether the text is read from the right, as its first letter that has a direction says.
    package let isRightToLeft: Bool

    init(_ layout: OpaquePointer) {
        self.layout = layout
        isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// The width of the longest line.
    package var width: Double { pango_units_to_double(logicalExtents.width) }
    /// The height of all lines together.
    package var height: Double { pango_units_to_double(logicalExtents.height) }

    /// From the top of the box to the first line's baseline.
    package var baseline: Double { pango_units_to_double(pango_layout_get_baseline(layout)) }

    package var lineCount: Int { Int(pango_layout_get_line_count(layout)) }

    /// Whether an ellipsis stands for a part of the text.
    package var isShortened: Bool { pango_layout_is_ellipsized(layout) != 0 }

    /// Where the ink is, from the top left corner of the box: what a person sees, without the room that fonts keep around it.
    package var ink: Rectangle {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        return Rectangle(
            x: pango_units_to_double(ink.x), y: pango_units_to_double(ink.y), width: pango_units_to_double(ink.width),
            height: pango_units_to_double(ink.height))
    }

    /// The characters that no font on this machine has a glyph for; boxes are drawn in their place.
    package var missingCharacters: [Unicode.Scalar] {
        guard pango_layout_get_unknown_glyphs_count(layout) > 0, let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        var missing: [Unicode.Scalar] = []
        repeat {
            guard let glyphs = pango_layout_iter_get_run_readonly(iterator)?.pointee.glyphs?.pointee else { continue }
            for place in 0..<Int(glyphs.num_glyphs) {
                // An unknown glyph's number is its character's with this flag set (PANGO_GLYPH_UNKNOWN_FLAG, a macro that Swift cannot see).
                let glyph = glyphs.glyphs[place].glyph
                guard glyph & 0x1000_0000 != 0, let scalar = Unicode.Scalar(glyph & 0x0fff_ffff) else { continue }
                missing.append(scalar)
            }
        } while pango_layout_iter_next_run(iterator) != 0
        return missing
    }

    private var logicalExtents: PangoRectangle {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return logical
    }
}

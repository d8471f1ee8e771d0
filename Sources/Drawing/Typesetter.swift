internal import CCairo

/// Sets text: knows the machine's fonts and lays out with them.
///
/// Owns one pango font map, whose caches make the second text much cheaper than the first: make one for a drawing and keep it.
/// Not `Sendable`: pango's font maps belong to one thread.
package final class Typesetter {
    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    /// - Parameter language: a BCP 47 tag; it decides which glyphs Han characters get, and how lines break.
    package init(language: String? = nil) {
        fontMap = pango_cairo_font_map_new()
        // One unit is one point at 72 dots per inch, so that sizes mean the same on every canvas.
        pango_cairo_font_map_set_resolution(OpaquePointer(fontMap), 72)
        context = pango_font_map_create_context(fontMap)
        pango_context_set_round_glyph_positions(context, 0)
        let options = cairo_font_options_create()
        defer { cairo_font_options_destroy(options) }
        // Unhinted, so that lines break at the same places in pixels, in a PDF and at every scale.
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        if let language { pango_context_set_language(context, pango_language_from_string(language)) }
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fontMap))
    }

    /// Lays out `text`.
    ///
    /// Its direction follows from its first letter that has one. Line ends and control characters in it become spaces.
    /// - Parameters:
    ///   - width: where lines break, in the canvas's units; nil means one line as long as it takes.
    ///   - maximumLines: what does not fit into them ends in an ellipsis; nil means as many as it takes. Needs a width.
    package func layout(
        _ text: String, style: TextStyle, width: Double? = nil, maximumLines: Int? = nil, alignment: TextAlignment = .leading
    ) -> TextLayout {
        let layout = pango_layout_new(context)!
        let clean = text.spacedOut
        pango_layout_set_text(layout, clean, -1)

        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, style.family)
        pango_font_description_set_absolute_size(font, style.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, PangoWeight(UInt32(style.weight)))
        if style.isItalic { pango_font_description_set_style(font, PANGO_STYLE_ITALIC) }
        pango_layout_set_font_description(layout, font)

        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        if style.letterSpacing != 0 {
            pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(pango_units_from_double(style.letterSpacing)))
        }
        if !style.features.isEmpty { pango_attr_list_insert(attributes, pango_attr_font_features_new(style.features)) }
        if style.lineHeight > 0 {
            // Absolute, or a fallback font's larger line would push its neighbours apart.
            pango_attr_list_insert(
                attributes, pango_attr_line_height_new_absolute(pango_units_from_double(style.size * style.lineHeight)))
        }
        pango_layout_set_attributes(layout, attributes)

        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        if let width { pango_layout_set_width(layout, pango_units_from_double(max(0, width))) }
        if let maximumLines {
            pango_layout_set_height(layout, Int32(-maximumLines))
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        }
        // To pango, left means leading: it swaps the sides for text that is read from the right.
        let side =
            switch alignment {
            case .leading: PANGO_ALIGN_LEFT
            case .centre: PANGO_ALIGN_CENTER
            case .trailing: PANGO_ALIGN_RIGHT
            }
        pango_layout_set_alignment(layout, side)
        return TextLayout(layout)
    }
}

extension String {
    /// This text on one line: each line end, tab, control character and bidirectional override becomes a space.
    fileprivate var spacedOut: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text.append(" ")
            case .format where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value): text.append(" ")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

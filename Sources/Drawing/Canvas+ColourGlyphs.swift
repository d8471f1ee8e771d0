internal import CCairo

extension Canvas {
    /// Draws `text` in a PDF, with its emoji as pictures of their own.
    ///
    /// cairo puts coloured glyphs into a PDF at 72 dots per inch and leaves their characters out of the text. Here they get the pixels that
    /// print needs, and an invisible space that stands for their characters, so that the text can be searched and copied whole.
    func drawWithColourGlyphs(_ text: TextLayout, at origin: Point) {
        guard let iterator = pango_layout_get_iter(text.layout) else { return }
        defer { pango_layout_iter_free(iterator) }
        let characters = pango_layout_get_text(text.layout)!
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator) else { continue }
            var place = PangoRectangle()
            pango_layout_iter_get_run_extents(iterator, nil, &place)
            let x = origin.x + pango_units_to_double(place.x)
            let baseline = origin.y + pango_units_to_double(pango_layout_iter_get_baseline(iterator))
            if run.hasColour {
                let ascent = baseline - origin.y - pango_units_to_double(place.y)
                let size = (width: pango_units_to_double(place.width), height: pango_units_to_double(place.height))
                paint(run, x: x, baseline: baseline, ascent: ascent, size: size)
                let item = run.pointee.item.pointee
                setInvisibly(characters + Int(item.offset), count: item.length, x: x, baseline: baseline, size: size)
            } else {
                cairo_move_to(context, x, baseline)
                pango_cairo_show_glyph_item(context, characters, run)
            }
        } while pango_layout_iter_next_run(iterator) != 0
    }

    /// Pixels per point: 300 dots per inch.
    private static let density = 300.0 / 72

    private func paint(
        _ run: UnsafeMutablePointer<PangoGlyphItem>, x: Double, baseline: Double, ascent: Double, size: (width: Double, height: Double)
    ) {
        let (width, height) = (Int32((size.width * Self.density).rounded(.up)), Int32((size.height * Self.density).rounded(.up)))
        guard let image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height) else { return }
        defer { cairo_surface_destroy(image) }
        let pen = cairo_create(image)
        cairo_scale(pen, Self.density, Self.density)
        cairo_move_to(pen, 0, ascent)
        pango_cairo_show_glyph_string(pen, run.pointee.item.pointee.analysis.font, run.pointee.glyphs)
        cairo_destroy(pen)
        withState {
            cairo_translate(context, x, baseline - ascent)
            cairo_scale(context, 1 / Self.density, 1 / Self.density)
            cairo_set_source_surface(context, image, 0, 0)
            cairo_paint(context)
        }
    }

    private func setInvisibly(
        _ characters: UnsafePointer<CChar>, count: Int32, x: Double, baseline: Double, size: (width: Double, height: Double)
    ) {
        withState {
            cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
            cairo_set_font_size(context, 100)
            var space = cairo_text_extents_t()
            cairo_text_extents(context, " ", &space)
            guard space.x_advance > 0 else { return }
            // As wide as the emoji, or readers would take the text on either side of it for two.
            var stretched = cairo_matrix_t(
                xx: size.width / space.x_advance * 100, yx: 0, xy: 0, yy: size.height * 0.8, x0: 0, y0: 0)
            cairo_set_font_matrix(context, &stretched)
            var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
            var glyphCount: Int32 = 0
            let status = cairo_scaled_font_text_to_glyphs(
                cairo_get_scaled_font(context), x, baseline, " ", 1, &glyphs, &glyphCount, nil, nil, nil)
            defer { cairo_glyph_free(glyphs) }
            guard status == CAIRO_STATUS_SUCCESS, glyphCount == 1 else { return }
            var cluster = cairo_text_cluster_t(num_bytes: count, num_glyphs: 1)
            cairo_show_text_glyphs(context, characters, count, glyphs, 1, &cluster, 1, cairo_text_cluster_flags_t(0))
        }
    }
}

extension TextLayout {
    /// Whether any of its glyphs are coloured pictures.
    var hasColourGlyphs: Bool {
        guard let iterator = pango_layout_get_iter(layout) else { return false }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            if let run = pango_layout_iter_get_run_readonly(iterator), run.hasColour { return true }
        } while pango_layout_iter_next_run(iterator) != 0
        return false
    }
}

extension UnsafeMutablePointer<PangoGlyphItem> {
    fileprivate var hasColour: Bool {
        guard let font = pointee.item.pointee.analysis.font, let shaper = pango_font_get_hb_font(font) else { return false }
        return hb_ot_color_has_png(hb_font_get_face(shaper)) != 0
    }
}

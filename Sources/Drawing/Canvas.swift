internal import CCairo

/// Something to draw on: pixels in memory, or the pages of a PDF file.
///
/// The same calls draw on both, so that there is one drawing code. Units are those that the canvas was made with: pixels divided by its
/// scale, or PDF points. Owns one cairo context. Not `Sendable`: one thread draws.
package final class Canvas {
    let surface: Surface
    let context: OpaquePointer

    /// - Parameter scale: pixels, or points, per unit.
    init(surface: Surface, scale: Double) {
        self.surface = surface
        context = cairo_create(surface.pointer)
        cairo_scale(context, scale, scale)
    }

    deinit { cairo_destroy(context) }

    // MARK: - Shapes

    package func fill(_ path: Path, with paint: Paint) {
        add(path)
        set(paint)
        cairo_fill(context)
    }

    package func fill(_ path: Path, with colour: Colour) {
        fill(path, with: .colour(colour))
    }

    /// Fills everything, or all of the present clip.
    package func fill(with paint: Paint) {
        set(paint)
        cairo_paint(context)
    }

    package func fill(with colour: Colour) {
        fill(with: .colour(colour))
    }

    /// Draws along `path` with a round pen.
    package func stroke(_ path: Path, with colour: Colour, lineWidth: Double) {
        add(path)
        set(.colour(colour))
        cairo_set_line_width(context, lineWidth)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(context)
    }

    // MARK: - Pictures and text

    /// Draws `picture` stretched to fill `target`.
    ///
    /// - Parameter orientation: how the picture is to be turned first, as EXIF numbers it: 1 for upright.
    package func draw(_ picture: Picture, in target: Rectangle, orientation: Int = 1, opacity: Double = 1) {
        withState {
            cairo_translate(context, target.x, target.y)
            cairo_scale(context, target.width, target.height)
            var turned = Self.turning(orientation)
            cairo_transform(context, &turned)
            cairo_scale(context, 1 / Double(picture.widthPixels), 1 / Double(picture.heightPixels))
            cairo_rectangle(context, 0, 0, Double(picture.widthPixels), Double(picture.heightPixels))
            cairo_clip(context)
            cairo_set_source_surface(context, picture.surface.pointer, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
            // Pixels only: the outermost ones would fade into nothing otherwise, and in a PDF it would keep a JPEG from being taken as it is.
            if cairo_surface_get_type(surface.pointer) == CAIRO_SURFACE_TYPE_IMAGE {
                cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
            }
            cairo_paint_with_alpha(context, opacity)
        }
    }

    /// Draws `text` with the top left corner of its box at `origin`.
    package func draw(_ text: TextLayout, at origin: Point, colour: Colour) {
        set(.colour(colour))
        if cairo_surface_get_type(surface.pointer) == CAIRO_SURFACE_TYPE_PDF, text.hasColourGlyphs {
            drawWithColourGlyphs(text, at: origin)
        } else {
            cairo_move_to(context, origin.x, origin.y)
            pango_cairo_show_layout(context, text.layout)
        }
    }

    /// Draws `text` with its box's left side at `x` and its first line's baseline at `baseline`.
    package func draw(_ text: TextLayout, x: Double, baseline: Double, colour: Colour) {
        draw(text, at: Point(x, baseline - text.baseline), colour: colour)
    }

    /// Fills the outlines of `text`: for gradients, and for text that is to be a shape in a PDF.
    package func fill(_ text: TextLayout, at origin: Point, with paint: Paint) {
        cairo_new_path(context)
        cairo_move_to(context, origin.x, origin.y)
        pango_cairo_layout_path(context, text.layout)
        set(paint)
        cairo_fill(context)
    }

    // MARK: - State

    /// Runs `body`, and puts back the transformation, the clip and the blend that were there before.
    package func withState<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        cairo_save(context)
        defer { cairo_restore(context) }
        return try body()
    }

    /// Runs `body` with all that it draws cut off at `path`.
    package func withClip<Value, Failure: Error>(_ path: Path, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        cairo_save(context)
        defer { cairo_restore(context) }
        add(path)
        cairo_clip(context)
        return try body()
    }

    /// Runs `body` on a layer of its own, and lays that over the canvas.
    package func withLayer<Failure: Error>(
        opacity: Double = 1, blend: Blend = .normal, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        cairo_push_group(context)
        defer {
            cairo_pop_group_to_source(context)
            withState {
                set(blend)
                cairo_paint_with_alpha(context, opacity)
            }
        }
        try body()
    }

    /// How shapes, text and pictures are combined with what is there, until the present state ends.
    package func set(_ blend: Blend) {
        let chosen =
            switch blend {
            case .normal: CAIRO_OPERATOR_OVER
            case .multiply: CAIRO_OPERATOR_MULTIPLY
            case .screen: CAIRO_OPERATOR_SCREEN
            case .overlay: CAIRO_OPERATOR_OVERLAY
            case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
            case .add: CAIRO_OPERATOR_ADD
            case .replace: CAIRO_OPERATOR_SOURCE
            }
        cairo_set_operator(context, chosen)
    }

    package func translate(x: Double, y: Double) { cairo_translate(context, x, y) }
    package func scale(x: Double, y: Double) { cairo_scale(context, x, y) }
    package func rotate(radians: Double) { cairo_rotate(context, radians) }

    /// - Throws: the first thing that went wrong in drawing; cairo goes on silently after an error.
    package func check(doing: String) throws(DrawingError) {
        try DrawingError.check(cairo_status(context), doing: doing)
        try surface.check(doing: doing)
    }

    // MARK: - Private

    private func add(_ path: Path) {
        cairo_new_path(context)
        for element in path.elements {
            switch element {
            case .move(let point): cairo_move_to(context, point.x, point.y)
            case .line(let point): cairo_line_to(context, point.x, point.y)
            case .curve(let first, let second, let end): cairo_curve_to(context, first.x, first.y, second.x, second.y, end.x, end.y)
            case .close: cairo_close_path(context)
            }
        }
    }

    private func set(_ paint: Paint) {
        let stops: [Paint.Stop]
        let pattern: OpaquePointer?
        switch paint {
        case .colour(let colour):
            cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.opacity)
            return
        case .linear(let from, let to, let given):
            pattern = cairo_pattern_create_linear(from.x, from.y, to.x, to.y)
            stops = given
        case .radial(let centre, let radius, let given):
            pattern = cairo_pattern_create_radial(centre.x, centre.y, 0, centre.x, centre.y, radius)
            stops = given
        }
        for stop in stops {
            let colour = stop.colour
            cairo_pattern_add_color_stop_rgba(pattern, stop.offset, colour.red, colour.green, colour.blue, colour.opacity)
        }
        cairo_set_source(context, pattern)
        cairo_pattern_destroy(pattern)
    }

    /// From the unit square of a stored picture to the unit square of the picture as it is to be seen.
    private static func turning(_ orientation: Int) -> cairo_matrix_t {
        switch orientation {
        case 2: cairo_matrix_t(xx: -1, yx: 0, xy: 0, yy: 1, x0: 1, y0: 0)
        case 3: cairo_matrix_t(xx: -1, yx: 0, xy: 0, yy: -1, x0: 1, y0: 1)
        case 4: cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: -1, x0: 0, y0: 1)
        case 5: cairo_matrix_t(xx: 0, yx: 1, xy: 1, yy: 0, x0: 0, y0: 0)
        case 6: cairo_matrix_t(xx: 0, yx: 1, xy: -1, yy: 0, x0: 1, y0: 0)
        case 7: cairo_matrix_t(xx: 0, yx: -1, xy: -1, yy: 0, x0: 1, y0: 1)
        case 8: cairo_matrix_t(xx: 0, yx: -1, xy: 1, yy: 0, x0: 0, y0: 1)
        default: cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
        }
    }
}

#pragma once
#include <vips/vips.h>

// libvips takes its options as variadic arguments, which Swift cannot call: each function here is one such call with its options spelt out.
// All return what libvips returns (0 is success) unless said otherwise.

enum posterity_format {
    POSTERITY_JPEG,
    POSTERITY_PNG,
    POSTERITY_WEBP,
    POSTERITY_GIF,
    POSTERITY_AVIF,
};

static inline void posterity_discard_log(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain;
    (void)level;
    (void)message;
    (void)data;
}

// libvips' warnings about a stranger's picture would go to stderr, past our own log lines.
static inline void posterity_silence_log(void) {
    g_log_set_handler("VIPS", G_LOG_LEVEL_MASK & ~G_LOG_FLAG_FATAL & ~G_LOG_LEVEL_ERROR, posterity_discard_log, NULL);
}

// VIPS_INIT is a macro.
static inline int posterity_init(void) { return VIPS_INIT("posterity"); }

// Opens a picture with the loader of `format` and no other; `shrink` is 1, 2, 4 or 8 and heeded for JPEG alone.
// The bytes must outlive the image. NULL on failure.
static inline VipsImage *posterity_load(enum posterity_format format, const void *bytes, size_t count, int shrink, VipsFailOn fail_on) {
    void *buffer = (void *)bytes;
    VipsImage *out = NULL;
    int failure = -1;
    switch (format) {
    case POSTERITY_JPEG:
        failure = vips_jpegload_buffer(buffer, count, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, "shrink", shrink, NULL);
        break;
    case POSTERITY_PNG:
        failure = vips_pngload_buffer(buffer, count, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
        break;
    case POSTERITY_WEBP:
        failure = vips_webpload_buffer(buffer, count, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
        break;
    case POSTERITY_GIF:
        failure = vips_gifload_buffer(buffer, count, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
        break;
    case POSTERITY_AVIF:
        failure = vips_heifload_buffer(buffer, count, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", fail_on, NULL);
        break;
    }
    return failure == 0 ? out : NULL;
}

static inline int posterity_to_srgb_by_profile(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_RELATIVE, "black_point_compensation", TRUE, "depth", 8, NULL);
}

static inline int posterity_colourspace(VipsImage *in, VipsImage **out, VipsInterpretation space) {
    return vips_colourspace(in, out, space, NULL);
}

static inline int posterity_cast_uchar(VipsImage *in, VipsImage **out) { return vips_cast_uchar(in, out, NULL); }

static inline int posterity_extract_bands(VipsImage *in, VipsImage **out, int count) {
    return vips_extract_band(in, out, 0, "n", count, NULL);
}

static inline int posterity_embed_copying_edges(VipsImage *in, VipsImage **out, int width, int height) {
    return vips_embed(in, out, 0, 0, width, height, "extend", VIPS_EXTEND_COPY, NULL);
}

static inline int posterity_shrink(VipsImage *in, VipsImage **out, int factor) { return vips_shrink(in, out, factor, factor, NULL); }

static inline int posterity_resize(VipsImage *in, VipsImage **out, double horizontal, double vertical) {
    return vips_resize(in, out, horizontal, "vscale", vertical, "kernel", VIPS_KERNEL_LANCZOS3, NULL);
}

static inline int posterity_premultiply(VipsImage *in, VipsImage **out) { return vips_premultiply(in, out, NULL); }

static inline int posterity_unpremultiply(VipsImage *in, VipsImage **out) { return vips_unpremultiply(in, out, NULL); }

static inline int posterity_crop(VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
    return vips_extract_area(in, out, left, top, width, height, NULL);
}

static inline int posterity_autorotate(VipsImage *in, VipsImage **out) { return vips_autorot(in, out, NULL); }

static inline int posterity_copy_as_srgb(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
}

// Posters change least from row to row: of all filters this one gives the smallest files for the time.
static inline int posterity_save_png(VipsImage *in, void **bytes, size_t *count, int compression) {
    return vips_pngsave_buffer(
        in, bytes, count, "compression", compression, "filter", VIPS_FOREIGN_PNG_FILTER_UP, "strip", TRUE, NULL);
}

static inline int posterity_save_jpeg(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_jpegsave_buffer(in, bytes, count, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, NULL);
}

static inline int posterity_save_png_file(VipsImage *in, const char *path, int compression) {
    return vips_pngsave(in, path, "compression", compression, "strip", TRUE, NULL);
}

// With 256 colours chosen for the picture, which takes all of it into memory. Effort 3 is a third of the usual time for 5 % more bytes.
static inline int posterity_save_palette_png_file(VipsImage *in, const char *path, int compression) {
    return vips_pngsave(
        in, path, "compression", compression, "palette", TRUE, "Q", 90, "dither", 0.5, "effort", 3, "strip", TRUE, NULL);
}

// Without the best tables for this picture, since finding them takes all of its coefficients in memory.
static inline int posterity_save_jpeg_file(VipsImage *in, const char *path, int quality) {
    return vips_jpegsave(in, path, "Q", quality, "strip", TRUE, NULL);
}

static inline int posterity_save_avif(VipsImage *in, void **bytes, size_t *count, int quality, int effort) {
    return vips_heifsave_buffer(
        in, bytes, count, "Q", quality, "effort", effort, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "bitdepth", 8, "strip", TRUE,
        NULL);
}

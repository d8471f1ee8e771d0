// What the job costs at the very least: every picture decoded by libjpeg-turbo and encoded by libwebp, in memory, and nothing else.
// No download, no check, no corners, no file written. The pictures have the size of their thumbnails already, as the job's do.
//
//     floor THREADS EFFORT QUALITY <LIST      LIST: one JPEG file a line
//
// Prints one line: pictures, wall seconds, CPU seconds, of those for decoding and for encoding, bytes encoded.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <webp/encode.h>

#include <jpeglib.h> // wants stdio.h before it

struct file {
    unsigned char *bytes;
    size_t count;
};

static struct file *files;
static int file_count;
static atomic_int next_file;
static int effort, quality;

struct share {
    pthread_t thread;
    double decoding, encoding;
    size_t bytes;
};

static void fail(const char *what, const char *name) {
    fprintf(stderr, "floor: %s %s\n", what, name);
    exit(1);
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static struct file read_file(const char *name) {
    FILE *in = fopen(name, "rb");
    if (in == NULL || fseek(in, 0, SEEK_END) != 0) fail("cannot read", name);
    struct file file = {.count = ftell(in)};
    rewind(in);
    file.bytes = malloc(file.count);
    if (file.bytes == NULL || fread(file.bytes, 1, file.count, in) != file.count) fail("cannot read", name);
    fclose(in);
    return file;
}

static unsigned char *decoded(struct file file, int *width, int *height) {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    decoder.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&decoder);
    jpeg_mem_src(&decoder, file.bytes, file.count);
    jpeg_read_header(&decoder, TRUE);
    decoder.out_color_space = JCS_RGB;
    jpeg_start_decompress(&decoder);
    *width = decoder.output_width, *height = decoder.output_height;
    size_t stride = (size_t)*width * 3;
    unsigned char *pixels = malloc(stride * *height);
    while (decoder.output_scanline < decoder.output_height) {
        JSAMPROW row = pixels + stride * decoder.output_scanline;
        jpeg_read_scanlines(&decoder, &row, 1);
    }
    jpeg_finish_decompress(&decoder);
    jpeg_destroy_decompress(&decoder);
    return pixels;
}

static size_t encoded(const unsigned char *pixels, int width, int height) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality) || !WebPPictureInit(&picture)) fail("cannot prepare", "libwebp");
    config.method = effort;
    picture.width = width, picture.height = height;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite, picture.custom_ptr = &writer;
    if (!WebPPictureImportRGB(&picture, pixels, width * 3) || !WebPEncode(&config, &picture)) fail("cannot encode", "a picture");
    WebPPictureFree(&picture);
    size_t count = writer.size;
    WebPMemoryWriterClear(&writer);
    return count;
}

static void *work(void *argument) {
    struct share *share = argument;
    for (int index; (index = atomic_fetch_add(&next_file, 1)) < file_count;) {
        int width, height;
        double start = seconds(CLOCK_THREAD_CPUTIME_ID);
        unsigned char *pixels = decoded(files[index], &width, &height);
        double middle = seconds(CLOCK_THREAD_CPUTIME_ID);
        share->bytes += encoded(pixels, width, height);
        free(pixels);
        share->decoding += middle - start;
        share->encoding += seconds(CLOCK_THREAD_CPUTIME_ID) - middle;
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) fail("usage:", "floor THREADS EFFORT QUALITY <LIST");
    int threads = atoi(arguments[1]);
    effort = atoi(arguments[2]), quality = atoi(arguments[3]);
    char name[4096];
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, "\n")] = 0;
        if ((file_count & (file_count - 1)) == 0) files = realloc(files, sizeof *files * (file_count ? 2 * file_count : 1));
        files[file_count++] = read_file(name);
    }

    struct share *shares = calloc(threads, sizeof *shares);
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < threads; i++) pthread_create(&shares[i].thread, NULL, work, &shares[i]);
    double decoding = 0, encoding = 0;
    size_t bytes = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(shares[i].thread, NULL);
        decoding += shares[i].decoding, encoding += shares[i].encoding, bytes += shares[i].bytes;
    }
    printf("%d %.4f %.4f %.4f %.4f %zu\n", file_count, seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, decoding,
        encoding, bytes);
    return 0;
}

#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

s3d_error s3d_capture_open(
    const char *name,
    int32_t sample_rate,
    s3d_layout layout,
    int32_t frame_capacity,
    s3d_capture **out
) {
    s3d_capture *capture = calloc(1, sizeof *capture);
    if (!capture) return ALC_OUT_OF_MEMORY;
    capture->process = getpid();
    const ALCenum format = s3d_layouts[layout].buffer_formats[S3D_FLOAT32];
    S3D_LOCK(name ? &s3d_names_lock : NULL);
    S3D_CALL();
    s3d_silence_alsa();
    capture->alc = alcCaptureOpenDevice(name, (ALCuint)sample_rate, format, frame_capacity);
    if (!capture->alc) {
        free(capture);
        return s3d_device_reason(NULL);
    }
    *out = capture;
    return S3D_OK;
}

void s3d_capture_close(s3d_capture *capture) {
    /* See s3d_device_is_inherited. */
    if (capture->process != getpid()) return;
    S3D_CALL();
    alcCaptureCloseDevice(capture->alc);
    free(capture);
}

void s3d_capture_start(s3d_capture *capture) {
    S3D_CALL();
    alcCaptureStart(capture->alc);
}

void s3d_capture_stop(s3d_capture *capture) {
    S3D_CALL();
    alcCaptureStop(capture->alc);
}

static ALCint read_number(s3d_capture *capture, ALCenum which, ALCint otherwise) {
    ALCint value = otherwise;
    S3D_CALL();
    alcGetIntegerv(capture->alc, which, 1, &value);
    return value;
}

int32_t s3d_capture_available(s3d_capture *capture) {
    return read_number(capture, ALC_CAPTURE_SAMPLES, 0);
}

bool s3d_capture_is_connected(s3d_capture *capture) {
    S3D_CALL();
    return !s3d_has(capture->alc, "ALC_EXT_disconnect") || read_number(capture, ALC_CONNECTED, ALC_TRUE) == ALC_TRUE;
}

void s3d_capture_read(s3d_capture *capture, float *samples, int32_t frame_count) {
    S3D_CALL();
    alcCaptureSamples(capture->alc, samples, frame_count);
}

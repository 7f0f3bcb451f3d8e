#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

static ALCenum format_of(s3d_layout layout) {
    switch (layout) {
    case S3D_MONO: return AL_FORMAT_MONO_FLOAT32;
    case S3D_STEREO: return AL_FORMAT_STEREO_FLOAT32;
    case S3D_QUAD: return AL_FORMAT_QUAD32;
    case S3D_SURROUND_51: return AL_FORMAT_51CHN32;
    case S3D_SURROUND_61: return AL_FORMAT_61CHN32;
    case S3D_SURROUND_71: return AL_FORMAT_71CHN32;
    default: return 0;
    }
}

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
    if (name) s3d_begin_enumeration();
    else s3d_begin_call();
    capture->alc = alcCaptureOpenDevice(name, (ALCuint)sample_rate, format_of(layout), frame_capacity);
    const ALCenum error = capture->alc ? ALC_NO_ERROR : alcGetError(NULL);
    if (name) s3d_end_enumeration();
    else s3d_end_call();
    if (!capture->alc) {
        free(capture);
        return error == ALC_NO_ERROR ? S3D_REFUSED : error;
    }
    *out = capture;
    return S3D_OK;
}

void s3d_capture_close(s3d_capture *capture) {
    /* See s3d_device_is_inherited. */
    if (capture->process != getpid()) return;
    s3d_begin_call();
    alcCaptureCloseDevice(capture->alc);
    s3d_end_call();
    free(capture);
}

void s3d_capture_start(s3d_capture *capture) {
    s3d_begin_call();
    alcCaptureStart(capture->alc);
    s3d_end_call();
}

void s3d_capture_stop(s3d_capture *capture) {
    s3d_begin_call();
    alcCaptureStop(capture->alc);
    s3d_end_call();
}

static ALCint read_number(s3d_capture *capture, ALCenum which, ALCint otherwise) {
    ALCint value = otherwise;
    s3d_begin_call();
    alcGetIntegerv(capture->alc, which, 1, &value);
    s3d_end_call();
    return value;
}

int32_t s3d_capture_available(s3d_capture *capture) {
    return read_number(capture, ALC_CAPTURE_SAMPLES, 0);
}

bool s3d_capture_is_connected(s3d_capture *capture) {
    s3d_begin_call();
    const bool is_told = s3d_has(capture->alc, "ALC_EXT_disconnect");
    s3d_end_call();
    return !is_told || read_number(capture, ALC_CONNECTED, ALC_TRUE) == ALC_TRUE;
}

void s3d_capture_read(s3d_capture *capture, float *samples, int32_t frame_count) {
    s3d_begin_call();
    alcCaptureSamples(capture->alc, samples, frame_count);
    s3d_end_call();
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scope.h"

/* One mix: what OpenAL Soft 1.25 mixes at once. 1.19 would take more, and then ramps changes over all of it. */
enum { FRAMES_PER_MIX = 1024 };

pthread_mutex_t s3d_process_context_lock = PTHREAD_MUTEX_INITIALIZER;

static ALCenum channels_of(s3d_layout layout) {
    switch (layout) {
    case S3D_MONO: return ALC_MONO_SOFT;
    case S3D_STEREO: return ALC_STEREO_SOFT;
    case S3D_QUAD: return ALC_QUAD_SOFT;
    case S3D_SURROUND_51: return ALC_5POINT1_SOFT;
    case S3D_SURROUND_61: return ALC_6POINT1_SOFT;
    case S3D_SURROUND_71: return ALC_7POINT1_SOFT;
    case S3D_BFORMAT_2D:
    case S3D_BFORMAT_3D: break;
    }
    return 0;
}

static int32_t channel_count_of(s3d_layout layout) {
    switch (layout) {
    case S3D_MONO: return 1;
    case S3D_STEREO: return 2;
    case S3D_QUAD: return 4;
    case S3D_SURROUND_51: return 6;
    case S3D_SURROUND_61: return 7;
    case S3D_SURROUND_71: return 8;
    case S3D_BFORMAT_2D:
    case S3D_BFORMAT_3D: break;
    }
    return 0;
}

static s3d_error create(s3d_device *device, const ALCint *attributes, s3d_context **out) {
    s3d_context *context = calloc(1, sizeof *context);
    if (!context) return ALC_OUT_OF_MEMORY;
    alcGetError(device->alc);
    context->alc = alcCreateContext(device->alc, attributes);
    if (!context->alc) {
        const ALCenum error = alcGetError(device->alc);
        free(context);
        return error == ALC_NO_ERROR ? S3D_REFUSED : error;
    }
    context->device = device;
    context->api = &device->api;
    ALCint rate = 0;
    alcGetIntegerv(device->alc, ALC_FREQUENCY, 1, &rate);
    context->sample_rate = rate;
    *out = context;
    return S3D_OK;
}

s3d_error s3d_context_create(s3d_device *device, s3d_context **out) {
    return create(device, NULL, out);
}

s3d_error s3d_context_create_offline(s3d_device *device, int32_t sample_rate, s3d_layout layout, s3d_context **out) {
    const ALCenum channels = channels_of(layout);
    if (!channels || !device->api.is_render_format_supported(device->alc, sample_rate, channels, ALC_FLOAT_SOFT))
        return S3D_NOT_IN_LIBRARY;
    const ALCint attributes[] = {
        ALC_FORMAT_CHANNELS_SOFT, channels, ALC_FORMAT_TYPE_SOFT, ALC_FLOAT_SOFT, ALC_FREQUENCY, sample_rate,
        ALC_HRTF_SOFT, ALC_FALSE, 0,
    };
    s3d_context *context = NULL;
    const s3d_error error = create(device, attributes, &context);
    if (error != S3D_OK) return error;
    if (context->sample_rate != sample_rate) {
        s3d_context_destroy(context);
        return S3D_NOT_IN_LIBRARY;
    }
    context->channel_count = channel_count_of(layout);
    *out = context;
    return S3D_OK;
}

void s3d_context_destroy(s3d_context *context) {
    alcDestroyContext(context->alc);
    free(context);
}

bool s3d_creation_fails(s3d_context *context) {
    const int32_t failing = context->device->force.failing_creation;
    return failing > 0 && atomic_fetch_add(&context->creations, 1) + 1 == failing;
}

int32_t s3d_context_sample_rate(s3d_context *context) {
    return context->sample_rate;
}

int64_t s3d_context_clock(s3d_context *context) {
    if (!context->api->get_integer64) return -1;
    ALCint64SOFT nanoseconds = -1;
    context->api->get_integer64(context->device->alc, ALC_DEVICE_CLOCK_SOFT, 1, &nanoseconds);
    return nanoseconds;
}

void s3d_context_render(s3d_context *context, float *samples, size_t frame_count) {
    while (frame_count > 0) {
        const size_t frames = frame_count < FRAMES_PER_MIX ? frame_count : FRAMES_PER_MIX;
        context->api->render_samples(context->device->alc, samples, (ALCsizei)frames);
        samples += frames * (size_t)context->channel_count;
        frame_count -= frames;
    }
}

static void apply_listener(const s3d_listener_update *listener) {
    if (listener->changed & S3D_LISTENER_POSITION) alListenerfv(AL_POSITION, listener->position);
    if (listener->changed & S3D_LISTENER_VELOCITY) alListenerfv(AL_VELOCITY, listener->velocity);
    if (listener->changed & S3D_LISTENER_ORIENTATION) alListenerfv(AL_ORIENTATION, listener->orientation);
    if (listener->changed & S3D_LISTENER_GAIN) alListenerf(AL_GAIN, listener->gain);
}

void s3d_listener_apply(s3d_context *context, const s3d_listener_update *update) {
    /* One property needs no deferring to be heard as one. */
    if ((update->changed & (update->changed - 1)) == 0) {
        const s3d_scope scope = s3d_enter(context);
        apply_listener(update);
        s3d_leave(scope);
    } else {
        const s3d_transaction transaction = s3d_transaction_begin(context);
        apply_listener(update);
        s3d_transaction_end(context, transaction);
    }
}

s3d_transaction s3d_transaction_begin(s3d_context *context) {
    const s3d_scope scope = s3d_enter(context);
    /* alcSuspendContext is OpenAL 1.1's own way to defer. */
    if (context->api->defer_updates) context->api->defer_updates();
    else alcSuspendContext(context->alc);
    return (s3d_transaction) { .previous = scope.previous };
}

void s3d_transaction_listener(s3d_context *context, const s3d_listener_update *update) {
    (void)context;
    apply_listener(update);
}

void s3d_transaction_end(s3d_context *context, s3d_transaction transaction) {
    if (context->api->defer_updates) context->api->process_updates();
    else alcProcessContext(context->alc);
    s3d_leave((s3d_scope) { .api = context->api, .previous = transaction.previous });
}

void s3d_listener_read(s3d_context *context, s3d_listener_update *out) {
    const s3d_scope scope = s3d_enter(context);
    alGetListenerf(AL_GAIN, &out->gain);
    alGetListenerfv(AL_POSITION, out->position);
    alGetListenerfv(AL_VELOCITY, out->velocity);
    alGetListenerfv(AL_ORIENTATION, out->orientation);
    s3d_leave(scope);
}

uintptr_t s3d_context_address(s3d_context *context) {
    return (uintptr_t)context->alc;
}

bool s3d_library_has_context(uintptr_t address) {
    /* OpenAL Soft looks a context up in its lists before it touches it. */
    return alcGetContextsDevice((ALCcontext *)address) != NULL;
}

bool s3d_thread_has_context(void) {
    const s3d_api *library = s3d_library();
    return library->get_thread_context && library->get_thread_context() != NULL;
}

void s3d_context_set_doppler_factor(s3d_context *context, float factor) {
    const s3d_scope scope = s3d_enter(context);
    alDopplerFactor(factor);
    s3d_leave(scope);
}

void s3d_context_set_speed_of_sound(s3d_context *context, float speed) {
    const s3d_scope scope = s3d_enter(context);
    alSpeedOfSound(speed);
    s3d_leave(scope);
}

int32_t s3d_context_version(s3d_context *context) {
    int major = 0, minor = 0;
    const s3d_scope scope = s3d_enter(context);
    const char *version = alGetString(AL_VERSION);
    const char *name = version ? strstr(version, "ALSOFT ") : NULL;
    const bool is_soft = name && sscanf(name, "ALSOFT %d.%d", &major, &minor) == 2;
    s3d_leave(scope);
    return is_soft ? major * 100 + minor : 0;
}

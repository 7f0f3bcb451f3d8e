#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scope.h"

pthread_mutex_t s3d_process_context_lock = PTHREAD_MUTEX_INITIALIZER;

/* Of AL_SOFTX_hold_on_disconnect, which old headers lack. */
enum { STOP_SOURCES_ON_DISCONNECT = 0x19AB };

bool s3d_let_sources_stay(const s3d_device *device) {
    if (device->force.no_hold_on_disconnect || !alIsExtensionPresent("AL_SOFTX_hold_on_disconnect")) return false;
    alDisable(STOP_SOURCES_ON_DISCONNECT);
    return true;
}

/* Among those of its device, of which a swap makes all anew. */
static void join(s3d_device *device, s3d_context *context) {
    pthread_mutex_lock(&device->objects_lock);
    device->last_number += 1;
    context->number = device->last_number;
    context->next = device->contexts;
    device->contexts = context;
    pthread_mutex_unlock(&device->objects_lock);
}

static void leave(s3d_device *device, s3d_context *context) {
    pthread_mutex_lock(&device->objects_lock);
    s3d_context **link = &device->contexts;
    while (*link && *link != context) link = &(*link)->next;
    if (*link) *link = context->next;
    pthread_mutex_unlock(&device->objects_lock);
}

/* The device is held. */
static s3d_error create(
    s3d_device *device,
    const ALCint *attributes,
    s3d_context **out
) {
    s3d_context *context = calloc(1, sizeof *context);
    if (!context) return ALC_OUT_OF_MEMORY;
    pthread_mutex_lock(&device->settings_lock);
    alcGetError(device->alc);
    ALCcontext *alc = alcCreateContext(device->alc, attributes);
    const ALCenum error = alc ? ALC_NO_ERROR : alcGetError(device->alc);
    pthread_mutex_unlock(&device->settings_lock);
    if (!alc) {
        free(context);
        return error == ALC_NO_ERROR ? S3D_REFUSED : error;
    }
    atomic_init(&context->alc, alc);
    context->device = device;
    context->api = &device->api;
    const s3d_scope scope = s3d_enter(context);
    context->holds_sources = s3d_let_sources_stay(device);
    s3d_leave(scope);
    join(device, context);
    *out = context;
    return S3D_OK;
}

/* A context's settings are those of its device from now on; of sources, nobody gets fewer than were granted. */
static void note_settings(s3d_device *device, const s3d_settings *settings) {
    pthread_mutex_lock(&device->objects_lock);
    device->settings = *settings;
    if (device->most_sources < settings->source_limit) device->most_sources = settings->source_limit;
    if (device->most_sources > 0) device->settings.source_limit = device->most_sources;
    pthread_mutex_unlock(&device->objects_lock);
}

/* What a context asks of a stand-in, whose rate is that of what was there, unless nothing was. */
static s3d_settings settings_on_stand_in(s3d_device *device, const s3d_settings *settings) {
    s3d_output granted;
    s3d_device_read_output(device, &granted);
    s3d_settings repeated = s3d_repeat_settings(*settings, &granted, true);
    if (!atomic_load(&device->can_render) && settings->sample_rate > 0) repeated.sample_rate = settings->sample_rate;
    return repeated;
}

s3d_error s3d_context_create(s3d_device *device, const s3d_settings *settings, s3d_context **out) {
    /* A second context could change the format under the first, whose caller made room for the old one. */
    if (device->is_loopback && !device->discarded) return S3D_REFUSED;
    s3d_hold(device);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    /* Attributes start a device that runs already anew, even if they ask for nothing. */
    const bool asks = s3d_write_attributes(device, device->is_loopback, settings, attributes) > 0;
    const bool is_stand_in = atomic_load(&device->is_stand_in);
    if (is_stand_in) {
        const s3d_settings asked = settings_on_stand_in(device, settings);
        s3d_write_attributes(device, true, &asked, attributes);
    }
    const s3d_error error = create(device, asks || is_stand_in ? attributes : NULL, out);
    if (error == S3D_OK && asks) note_settings(device, settings);
    if (error == S3D_OK) atomic_store(&device->can_render, true);
    s3d_release();
    return error;
}

s3d_error s3d_context_create_offline(s3d_device *device, const s3d_settings *settings, s3d_context **out) {
    s3d_context *context = NULL;
    s3d_error error = S3D_NOT_IN_LIBRARY;
    s3d_hold(device);
    const ALCenum channels = s3d_offline_channels(device, settings);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    s3d_write_attributes(device, true, settings, attributes);
    if (channels
        && device->api.is_render_format_supported(device->alc, settings->sample_rate, channels, ALC_FLOAT_SOFT))
        error = create(device, attributes, &context);
    s3d_release();
    if (error != S3D_OK) return error;
    if (s3d_device_sample_rate(device) != settings->sample_rate) {
        s3d_context_destroy(context);
        return S3D_NOT_IN_LIBRARY;
    }
    note_settings(device, settings);
    context->channel_count = s3d_offline_channel_count(settings);
    *out = context;
    return S3D_OK;
}

void s3d_context_destroy(s3d_context *context) {
    if (s3d_device_is_inherited(context->device)) return;
    s3d_device *device = context->device;
    s3d_hold(device);
    leave(device, context);
    s3d_context_unlisten(context);
    s3d_effects_release(context);
    alcDestroyContext(context->alc);
    s3d_release();
    s3d_forget_all(context);
    free(context);
}

bool s3d_context_holds_sources(s3d_context *context) {
    return context->holds_sources;
}

bool s3d_creation_fails(s3d_context *context) {
    const int32_t failing = context->device->force.failing_creation;
    return failing > 0 && atomic_fetch_add(&context->creations, 1) + 1 == failing;
}

void s3d_context_render(s3d_context *context, float *samples, size_t frame_count) {
    while (frame_count > 0) {
        const size_t frames = frame_count < S3D_FRAMES_PER_MIX ? frame_count : S3D_FRAMES_PER_MIX;
        const size_t count = frames * (size_t)context->channel_count;
        s3d_hold(context->device);
        if (atomic_load(&context->device->is_suspended)) memset(samples, 0, count * sizeof *samples);
        else context->api->render_samples(context->device->alc, samples, (ALCsizei)frames);
        s3d_release();
        samples += count;
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
    s3d_begin_call();
    const bool has = alcGetContextsDevice((ALCcontext *)address) != NULL;
    s3d_end_call();
    return has;
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

int32_t s3d_context_version(s3d_context *context) {
    int major = 0, minor = 0;
    const s3d_scope scope = s3d_enter(context);
    const char *version = alGetString(AL_VERSION);
    const char *name = version ? strstr(version, "ALSOFT ") : NULL;
    const bool is_soft = name && sscanf(name, "ALSOFT %d.%d", &major, &minor) == 2;
    s3d_leave(scope);
    return is_soft ? major * 100 + minor : 0;
}

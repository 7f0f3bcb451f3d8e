#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scope.h"

pthread_mutex_t s3d_process_context_lock = PTHREAD_MUTEX_INITIALIZER;

/* Adds a context to the list of its device, which a replacement goes through. */
static void join(s3d_device *device, s3d_context *context) {
    S3D_LOCK(&device->objects_lock);
    device->last_number += 1;
    context->number = device->last_number;
    context->next = device->contexts;
    device->contexts = context;
    s3d_update_running_time(device, true);
}

static void leave(s3d_device *device, s3d_context *context) {
    S3D_LOCK(&device->objects_lock);
    s3d_context **link = &device->contexts;
    while (*link && *link != context) link = &(*link)->next;
    if (*link) *link = context->next;
    if (!device->contexts) s3d_update_running_time(device, false);
}

/* The library's version, such as 119 or 125; 0 where it is not OpenAL Soft. */
static int32_t version_of(s3d_context *context) {
    int major = 0, minor = 0;
    S3D_ENTER(context);
    const char *version = alGetString(AL_VERSION);
    const char *name = version ? strstr(version, "ALSOFT ") : NULL;
    const bool is_soft = name && sscanf(name, "ALSOFT %d.%d", &major, &minor) == 2;
    return is_soft ? major * 100 + minor : 0;
}

/* The caller has the shared lock. */
static s3d_error create(s3d_device *device, const ALCint *attributes, s3d_context **out) {
    s3d_context *context = calloc(1, sizeof *context);
    if (!context) return ALC_OUT_OF_MEMORY;
    /* Also without attributes, where the device is paused. */
    const bool restarts = atomic_load(&device->can_render);
    if (restarts) s3d_begin_restart(device);
    pthread_mutex_lock(&device->settings_lock);
    /* Settings restart all reverbs of the device. */
    s3d_note_reverb_change(device);
    alcGetError(device->alc);
    ALCcontext *alc = alcCreateContext(device->alc, attributes);
    const s3d_error error = alc ? S3D_OK : s3d_device_reason(device->alc);
    s3d_note_sample_rate(device);
    if (restarts) s3d_end_restart(device);
    pthread_mutex_unlock(&device->settings_lock);
    if (!alc) {
        free(context);
        return error;
    }
    atomic_init(&context->alc, alc);
    context->device = device;
    context->api = &device->api;
    atomic_store(&device->version, version_of(context));
    {
        S3D_ENTER(context);
        context->keeps_sources_on_disconnect = s3d_keep_sources_on_disconnect(device);
    }
    join(device, context);
    *out = context;
    return S3D_OK;
}

/* Notes the settings that a device has from now on. A later start grants at least as many sources as an earlier one. */
static void note_settings(s3d_device *device, const s3d_settings *settings) {
    S3D_LOCK(&device->objects_lock);
    device->settings = *settings;
    if (device->most_sources < settings->source_limit) device->most_sources = settings->source_limit;
    if (device->most_sources > 0) device->settings.source_limit = device->most_sources;
}

/*
 * The settings of a context on a placeholder, which has the rate of the output before it, or its own where it had no
 * context.
 */
static s3d_settings settings_on_placeholder(s3d_device *device, const s3d_settings *settings) {
    const s3d_output granted = s3d_device_read_output(device);
    s3d_settings repeated = s3d_repeat_settings(*settings, &granted, true);
    if (!atomic_load(&device->can_render) && settings->sample_rate > 0) repeated.sample_rate = settings->sample_rate;
    return repeated;
}

/*
 * Whether a context without settings needs the settings of the last start: a paused device restarts for it, and OpenAL
 * Soft 1.25 forgets them.
 */
static bool repeats_settings(const s3d_device *device) {
    return !device->is_loopback && atomic_load(&device->is_suspended) && atomic_load(&device->can_render);
}

/*
 * Up to OpenAL Soft 1.20 sources have memory for as many sends as the device has. A context that raises the number
 * replaces that memory after the number, and calls of other threads overrun it in between.
 */
static bool reallocates_sends(const s3d_device *device, const s3d_settings *settings) {
    const int version = atomic_load(&device->version);
    return version > 0 && version < 121 && settings->has_send_limit
        && settings->send_limit > settings->least_send_limit;
}

static s3d_error create_with_settings(s3d_device *device, const s3d_settings *settings, s3d_context **out) {
    S3D_LOCK_SHARED(device);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    /* Any attributes restart a device that runs already, even if they ask for nothing. */
    const bool asks = s3d_write_attributes(device, device->is_loopback, settings, attributes) > 0;
    const bool is_placeholder = atomic_load(&device->is_placeholder);
    if (is_placeholder) {
        const s3d_settings asked = settings_on_placeholder(device, settings);
        s3d_write_attributes(device, true, &asked, attributes);
    }
    const bool repeats = !asks && !is_placeholder && repeats_settings(device);
    if (repeats) {
        const s3d_settings asked = s3d_last_settings(device);
        s3d_write_attributes(device, false, &asked, attributes);
    }
    const s3d_error error = create(device, asks || is_placeholder || repeats ? attributes : NULL, out);
    if (error != S3D_OK) return error;
    if (asks) {
        note_settings(device, settings);
        s3d_note_hrtf_rate(device, settings);
    }
    /* Any context of such a device may be the one that mixes. */
    if (device->is_loopback && !device->discarded) (*out)->channel_count = s3d_offline_channel_count(settings);
    atomic_store(&device->can_render, true);
    return S3D_OK;
}

s3d_error s3d_context_create(s3d_device *device, const s3d_settings *settings, s3d_context **out) {
    /* A further context of an offline device restarts it, which no mix may overlap. */
    const bool is_offline = device->is_loopback && !device->discarded;
    if (!is_offline && !reallocates_sends(device, settings)) return create_with_settings(device, settings, out);
    s3d_lock_exclusive(device);
    const s3d_error error = create_with_settings(device, settings, out);
    s3d_unlock_exclusive(device);
    return error;
}

/* The caller has the shared lock. A reset asks for every value: the library would keep an earlier request. */
static s3d_error reset(s3d_device *device, const s3d_settings *settings) {
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    s3d_settings asked = *settings;
    asked.asks_for_defaults = true;
    s3d_write_attributes(device, device->is_loopback, &asked, attributes);
    s3d_begin_restart(device);
    S3D_LOCK(&device->settings_lock);
    s3d_note_reverb_change(device);
    const bool is_done = device->api.reset_device(device->alc, attributes);
    const s3d_error error = is_done ? S3D_OK : s3d_device_reason(device->alc);
    s3d_note_sample_rate(device);
    s3d_end_restart(device);
    return error;
}

s3d_error s3d_device_reset(s3d_device *device, const s3d_settings *settings) {
    if (!device->api.reset_device || !device->api.get_string_at) return S3D_NOT_IN_LIBRARY;
    /* OpenAL Soft 1.25 crashes where it resets a device that is gone. */
    if (!s3d_device_is_connected(device)) return S3D_REFUSED;
    s3d_settings asked = *settings;
    {
        S3D_LOCK(&device->objects_lock);
        if (asked.source_limit < device->most_sources) asked.source_limit = device->most_sources;
    }
    const bool is_offline = device->is_loopback && !device->discarded;
    if (is_offline) s3d_lock_exclusive(device);
    s3d_error error;
    {
        S3D_LOCK_SHARED(device);
        error = reset(device, &asked);
        if (error == S3D_OK) {
            note_settings(device, &asked);
            s3d_note_hrtf_rate(device, &asked);
        }
    }
    if (is_offline) s3d_unlock_exclusive(device);
    return error;
}

s3d_error s3d_context_create_offline(s3d_device *device, const s3d_settings *settings, s3d_context **out) {
    S3D_LOCK_SHARED(device);
    const ALCenum channels = s3d_offline_channels(device, settings);
    if (!channels
        || !device->api.is_render_format_supported(device->alc, settings->sample_rate, channels, ALC_FLOAT_SOFT))
        return S3D_NOT_IN_LIBRARY;
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    s3d_write_attributes(device, true, settings, attributes);
    s3d_context *context = NULL;
    const s3d_error error = create(device, attributes, &context);
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
    {
        S3D_LOCK_SHARED(context->device);
        leave(context->device, context);
        s3d_context_unsubscribe(context);
        s3d_effects_release(context);
        alcDestroyContext(context->alc);
    }
    s3d_unregister_all(context);
    free(context);
}

bool s3d_context_keeps_sources_on_disconnect(s3d_context *context) {
    return context->keeps_sources_on_disconnect;
}

void s3d_context_render(s3d_context *context, float *samples, size_t frame_count) {
    while (frame_count > 0) {
        const size_t frames = frame_count < S3D_FRAMES_PER_MIX ? frame_count : S3D_FRAMES_PER_MIX;
        const size_t count = frames * (size_t)context->channel_count;
        S3D_LOCK_SHARED(context->device);
        S3D_LOCK(s3d_lock_for_render(context->device));
        if (atomic_load(&context->device->is_suspended)) memset(samples, 0, count * sizeof *samples);
        else s3d_mix(context->device, samples, (size_t)context->channel_count, frames);
        samples += count;
        frame_count -= frames;
    }
}

size_t s3d_context_frames_until_cut(s3d_context *context, size_t limit) {
    S3D_LOCK_SHARED(context->device);
    S3D_LOCK(s3d_lock_for_render(context->device));
    return s3d_frames_until_cut(context->device, limit);
}

void s3d_context_set_doppler_factor(s3d_context *context, float factor) {
    S3D_ENTER(context);
    alDopplerFactor(factor);
}

#include <stdlib.h>

#include "replacement.h"

static void give_back(s3d_replacement *replacement) {
    for (uint32_t index = 0; index < replacement->count; index += 1)
        if (replacement->contexts[index].alc) alcDestroyContext(replacement->contexts[index].alc);
    alcCloseDevice(replacement->alc);
    free(replacement->contexts);
    free(replacement);
}

void s3d_replacement_close(s3d_replacement *replacement) {
    S3D_CALL();
    give_back(replacement);
}

static bool list_contexts(s3d_device *device, s3d_replacement *replacement) {
    S3D_LOCK(&device->objects_lock);
    uint32_t count = 0;
    for (s3d_context *context = device->contexts; context; context = context->next) count += 1;
    replacement->contexts = calloc(count + 1, sizeof *replacement->contexts);
    replacement->count = replacement->contexts ? count : 0;
    replacement->settings = device->settings;
    count = 0;
    for (s3d_context *context = device->contexts; context && count < replacement->count; context = context->next)
        replacement->contexts[count++] = (struct s3d_replacement_context) { .of = context, .number = context->number };
    return replacement->contexts;
}

static s3d_error create_contexts(s3d_device *device, s3d_replacement *replacement) {
    const bool is_loopback = device->is_loopback || replacement->is_placeholder;
    const s3d_output granted = s3d_device_read_output(device);
    const s3d_settings settings = s3d_repeat_settings(replacement->settings, &granted, replacement->is_placeholder);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    {
        S3D_LOCK_SHARED(device);
        s3d_write_attributes(device, is_loopback, &settings, attributes);
    }
    for (uint32_t index = 0; index < replacement->count; index += 1) {
        replacement->contexts[index].alc = alcCreateContext(replacement->alc, attributes);
        if (!replacement->contexts[index].alc) return S3D_REFUSED;
    }
    return S3D_OK;
}

static s3d_error prepare(s3d_device *device, ALCdevice *alc, bool is_placeholder, s3d_replacement **out) {
    if (!alc) return s3d_device_reason(NULL);
    s3d_replacement *replacement = calloc(1, sizeof *replacement);
    if (!replacement) {
        alcCloseDevice(alc);
        return ALC_OUT_OF_MEMORY;
    }
    replacement->alc = alc;
    replacement->is_placeholder = is_placeholder;
    s3d_error error = list_contexts(device, replacement) ? S3D_OK : ALC_OUT_OF_MEMORY;
    if (error == S3D_OK) error = create_contexts(device, replacement);
    if (error == S3D_OK) *out = replacement;
    else give_back(replacement);
    return error;
}

s3d_error s3d_replacement_open(s3d_device *device, const char *name, s3d_replacement **out) {
    if (atomic_load(&device->is_unplugged)) return S3D_REFUSED;
    ALCdevice *alc = s3d_open_output(name);
    if (!alc && name) {
        /* The library searches its last enumeration, which may be older than the output. */
        free(s3d_copy_output_names());
        alc = s3d_open_output(name);
    }
    S3D_CALL();
    return prepare(device, alc, false, out);
}

char *s3d_replacement_copy_name(const s3d_replacement *replacement) {
    S3D_CALL();
    return s3d_copy_name_of(replacement->alc);
}

bool s3d_device_can_open_placeholder(s3d_device *device) {
    return device->api.loopback_open_device && device->api.render_samples;
}

s3d_error s3d_replacement_open_loopback(s3d_device *device, s3d_replacement **out) {
    if (!s3d_device_can_open_placeholder(device)) return S3D_NOT_IN_LIBRARY;
    S3D_CALL();
    return prepare(device, device->api.loopback_open_device(NULL), !device->is_loopback, out);
}

/* Whether the replacement has a context for each context of the device, and for no other. */
static bool is_current(const s3d_device *device, const s3d_replacement *replacement) {
    uint32_t count = 0;
    for (const s3d_context *context = device->contexts; context; context = context->next) count += 1;
    if (count != replacement->count) return false;
    for (uint32_t index = 0; index < count; index += 1) {
        const s3d_context *context = device->contexts;
        while (context && context->number != replacement->contexts[index].number) context = context->next;
        if (!context) return false;
    }
    return true;
}

s3d_error s3d_device_replace(s3d_device *device, s3d_replacement *replacement, uint32_t context_count) {
    {
        S3D_LOCK(&device->objects_lock);
        if (replacement->count != context_count || !is_current(device, replacement)) return S3D_CHANGED;
        if (!s3d_copy_objects(device, replacement)) return S3D_REFUSED;
    }
    /* Paused before a source starts there. */
    const bool is_silenced = device->is_loopback || replacement->is_placeholder || !device->api.pause_device;
    if (!is_silenced && atomic_load(&device->is_suspended)) device->api.pause_device(replacement->alc);

    for (uint32_t index = 0; index < replacement->count; index += 1) {
        s3d_context *context = replacement->contexts[index].of;
        ALCcontext *old = context->alc;
        if (context->hints) {
            S3D_ENTER(context);
            s3d_disable_events(context);
        }
        /* The old context deletes these objects. */
        context->filter = 0;
        context->effect = 0;
        atomic_store(&context->alc, replacement->contexts[index].alc);
        replacement->contexts[index].alc = old;
        S3D_ENTER(context);
        s3d_keep_sources_on_disconnect(device);
        if (context->hints) s3d_enable_events(context, context->hints);
    }
    ALCdevice *old = device->alc;
    const bool was_placeholder = atomic_load(&device->is_placeholder);
    const int64_t passed = atomic_load(&device->clock_base) + s3d_mixed_time(&device->api, old);
    atomic_store(&device->clock_base, passed - s3d_mixed_time(&device->api, replacement->alc));
    atomic_store(&device->alc, replacement->alc);
    atomic_fetch_add(&device->replacements, 1);
    s3d_note_sample_rate(device);
    atomic_store(&device->can_render, replacement->count > 0);
    atomic_store(&device->is_placeholder, replacement->is_placeholder);
    atomic_store(&device->is_stalled, false);
    {
        /* The time of an output goes on after the replacement. */
        S3D_LOCK(&device->objects_lock);
        s3d_update_running_time(device, false);
    }
    replacement->alc = old;
    replacement->is_placeholder = was_placeholder;
    S3D_LOCK(s3d_lock_for_slots(device));
    s3d_note_reverb_change(device);
    return S3D_OK;
}

void s3d_device_set_clock_back(s3d_device *device, int64_t nanoseconds) {
    if (device->api.get_integer64) atomic_fetch_sub(&device->clock_base, nanoseconds);
}

static void pause_output(s3d_device *device) {
    if (s3d_device_mixes(device)) s3d_pause_output(device, true);
}

void s3d_device_pause_output(s3d_device *device) {
    S3D_LOCK_SHARED(device);
    pause_output(device);
}

void s3d_device_begin_replacement(s3d_device *device) {
    s3d_lock_exclusive(device);
    /* From here on, sources stay at the positions that the caller reads. */
    s3d_placeholder_clock_stop(device);
    pause_output(device);
}

void s3d_device_end_replacement(s3d_device *device) {
    s3d_unlock_exclusive(device);
}

void s3d_device_resume_after_replacement(s3d_device *device, bool runs) {
    s3d_device_run_placeholder_clock(device, runs);
    /* The library cannot resume a device that is gone. */
    if (s3d_device_mixes(device)) s3d_pause_output(device, atomic_load(&device->is_suspended));
}

void s3d_device_run_placeholder_clock(s3d_device *device, bool runs) {
    if (!atomic_load(&device->is_placeholder)) return;
    if (!runs) s3d_placeholder_clock_stop(device);
    else if (!device->placeholder_clock) s3d_placeholder_clock_start(device);
}

bool s3d_device_is_placeholder(s3d_device *device) {
    return atomic_load(&device->is_placeholder);
}

s3d_error s3d_device_reopen(s3d_device *device, const char *name) {
    if (!device->has_reopening || atomic_load(&device->is_placeholder)) return S3D_NOT_IN_LIBRARY;
    /* OpenAL Soft 1.25 crashes where it resets a device that is gone. */
    if (!s3d_device_is_connected(device)) return S3D_NOT_IN_LIBRARY;
    const s3d_settings settings = s3d_last_settings(device);
    ALCint attributes[S3D_MAX_ATTRIBUTES];
    S3D_LOCK_SHARED(device);
    s3d_write_attributes(device, false, &settings, attributes);
    s3d_begin_restart(device);
    S3D_LOCK(&device->settings_lock);
    const bool is_done = device->api.reopen_device(device->alc, name, attributes);
    const s3d_error error = is_done ? S3D_OK : s3d_device_reason(device->alc);
    s3d_note_sample_rate(device);
    s3d_end_restart(device);
    return error;
}

void s3d_source_set_gain(s3d_context *context, s3d_source source, float gain) {
    S3D_ENTER(context);
    alSourcef(source.id, AL_GAIN, gain);
}

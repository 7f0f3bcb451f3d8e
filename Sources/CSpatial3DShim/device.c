#include <stdlib.h>
#include <unistd.h>

#include "reader_lock.h"

/* Whether a device has an extension that no test disabled. */
static bool has(const s3d_device *device, s3d_capability capability, const char *extension) {
    return !s3d_is_disabled(device, capability) && s3d_has(device->alc, extension);
}

/* Removes the functions of the features that the library lacks or a test disabled. */
static void remove_missing(s3d_device *device) {
    s3d_api *api = &device->api;
    if (s3d_is_disabled(device, S3D_CAPABILITY_threadLocalContexts)) {
        api->set_thread_context = NULL;
        api->source_f_direct = NULL;
    }
    if (!api->get_thread_context) api->set_thread_context = NULL;
    if (!api->source_fv_direct || !api->source_i_direct || !api->get_source_i_direct) api->source_f_direct = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_deferredUpdates) || !api->process_updates) api->defer_updates = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_offlineRendering)) api->loopback_open_device = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_events)) api->event_control = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_sourceLatency)) api->get_source_integer64 = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_sourceResampler)) api->get_context_string_at = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_startDelay)) api->play_at_time = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_staticBuffers)) api->buffer_data_static = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_callbackBuffers)) api->buffer_callback = NULL;
    if (s3d_is_disabled(device, S3D_CAPABILITY_mappedBuffers) || !api->buffer_storage || !api->unmap_buffer)
        api->map_buffer = NULL;
    if (!has(device, S3D_CAPABILITY_deviceClock, "ALC_SOFT_device_clock")) api->get_integer64 = NULL;
    if (!has(device, S3D_CAPABILITY_hrtf, "ALC_SOFT_HRTF")) api->get_string_at = NULL;
    if (!has(device, S3D_CAPABILITY_suspension, "ALC_SOFT_pause_device")) api->pause_device = NULL;
    if (!has(device, S3D_CAPABILITY_effects, "ALC_EXT_EFX")) api->gen_effect_slots = NULL;
    device->has_output_limiter = has(device, S3D_CAPABILITY_outputLimiter, "ALC_SOFT_output_limiter");
    device->has_output_mode = has(device, S3D_CAPABILITY_outputMode, "ALC_SOFT_output_mode");
    device->has_reopening = api->reopen_device && has(device, S3D_CAPABILITY_deviceReopening, "ALC_SOFT_reopen_device");
}

static s3d_error adopt(ALCdevice *alc, bool is_loopback, s3d_disabled_features disabled, s3d_device **out) {
    if (!alc) return s3d_device_reason(NULL);
    s3d_device *device = calloc(1, sizeof *device);
    if (!device) {
        alcCloseDevice(alc);
        return ALC_OUT_OF_MEMORY;
    }
    atomic_init(&device->alc, alc);
    device->process = getpid();
    device->disabled = disabled;
    device->is_loopback = is_loopback;
    device->api = *s3d_library();
    remove_missing(device);
    pthread_mutex_init(&device->settings_lock, NULL);
    pthread_mutex_init(&device->hrtf_lock, NULL);
    pthread_mutex_init(&device->mapping_lock, NULL);
    device->last_reverb_change = -S3D_CROSSFADE_FRAMES;
    for (int frame = 0; frame < S3D_CROSSFADE_FRAMES; frame += 1) device->reverb_changes[frame] = -1;
    pthread_mutex_init(&device->objects_lock, NULL);
    pthread_mutex_init(&device->reader_lock.mutex, NULL);
    s3d_note_sample_rate(device);
    s3d_register_device(device);
    *out = device;
    return S3D_OK;
}

s3d_error s3d_device_open(const char *name, s3d_disabled_features disabled, s3d_device **out) {
    ALCdevice *const alc = s3d_open_output(name);
    S3D_CALL();
    return adopt(alc, false, disabled, out);
}

s3d_error s3d_device_open_loopback(s3d_disabled_features disabled, s3d_device **out) {
    const s3d_api *library = s3d_library();
    if (s3d_contains(disabled.capabilities, S3D_CAPABILITY_offlineRendering)) return S3D_NOT_IN_LIBRARY;
    if (!library->loopback_open_device || !library->render_samples || !library->is_render_format_supported)
        return S3D_NOT_IN_LIBRARY;
    S3D_CALL();
    return adopt(library->loopback_open_device(NULL), true, disabled, out);
}

s3d_error s3d_device_open_beside(const s3d_device *loopback, s3d_device **out) {
    return s3d_device_open_loopback(loopback->disabled, out);
}

s3d_error s3d_device_open_silent(s3d_disabled_features disabled, s3d_device **out) {
    s3d_device *device;
    const s3d_error error = s3d_device_open_loopback(disabled, &device);
    if (error != S3D_OK) return error;
    device->discarded = malloc(sizeof(float) * S3D_MAX_OUTPUT_CHANNELS * S3D_FRAMES_PER_MIX);
    if (!device->discarded) {
        s3d_device_close(device);
        return ALC_OUT_OF_MEMORY;
    }
    *out = device;
    return S3D_OK;
}

size_t s3d_device_discard(s3d_device *device, size_t frame_count) {
    size_t mixed = 0;
    while (mixed < frame_count && !atomic_load(&device->is_suspended)) {
        const size_t left = frame_count - mixed;
        const size_t frames = left < S3D_FRAMES_PER_MIX ? left : S3D_FRAMES_PER_MIX;
        S3D_LOCK_SHARED(device);
        /* A context that is being created may change the format. */
        S3D_LOCK(&device->settings_lock);
        s3d_mix(device, device->discarded, 0, frames);
        mixed += frames;
    }
    return mixed;
}

bool s3d_device_is_inherited(const s3d_device *device) {
    return device->process != getpid();
}

void s3d_keep_until_close(s3d_device *device, struct s3d_kept_memory *memory) {
    S3D_LOCK(&device->objects_lock);
    memory->next = device->kept_memory;
    device->kept_memory = memory;
}

static void free_kept_memory(s3d_device *device) {
    for (struct s3d_kept_memory *memory = device->kept_memory; memory;) {
        struct s3d_kept_memory *const next = memory->next;
        free(memory);
        memory = next;
    }
}

void s3d_device_close(s3d_device *device) {
    if (s3d_device_is_inherited(device)) return;
    s3d_placeholder_clock_stop(device);
    s3d_begin_call();
    s3d_unregister_device(device);
    alcCloseDevice(device->alc);
    s3d_end_call();
    free_kept_memory(device);
    free(device->discarded);
    pthread_mutex_destroy(&device->settings_lock);
    pthread_mutex_destroy(&device->hrtf_lock);
    pthread_mutex_destroy(&device->mapping_lock);
    pthread_mutex_destroy(&device->objects_lock);
    pthread_mutex_destroy(&device->reader_lock.mutex);
    free(device->buffers);
    free(device);
}

bool s3d_device_is_connected(s3d_device *device) {
    if (atomic_load(&device->is_unplugged) || atomic_load(&device->is_placeholder)) return false;
    if (atomic_load(&device->is_stalled)) return false;
    S3D_LOCK_SHARED(device);
    /* The lock may have waited for a replacement. */
    if (atomic_load(&device->is_placeholder)) return false;
    /* A library without the extension does not write the number. */
    ALCint connected = ALC_TRUE;
    if (!device->is_loopback) alcGetIntegerv(device->alc, ALC_CONNECTED, 1, &connected);
    return connected != ALC_FALSE;
}

void s3d_device_set_stalled(s3d_device *device) {
    S3D_LOCK_SHARED(device);
    /* The lock may have waited for a replacement. */
    if (!atomic_load(&device->is_placeholder)) atomic_store(&device->is_stalled, true);
}

bool s3d_device_mixes(s3d_device *device) {
    return (atomic_load(&device->is_unplugged) && !atomic_load(&device->is_placeholder)) || s3d_device_is_connected(device);
}

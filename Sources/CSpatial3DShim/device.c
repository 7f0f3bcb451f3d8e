#include <stdlib.h>
#include <unistd.h>

#include "reader_lock.h"

static s3d_error adopt(ALCdevice *alc, bool is_loopback, s3d_force force, s3d_device **out) {
    if (!alc) {
        const ALCenum error = alcGetError(NULL);
        return error == ALC_NO_ERROR ? S3D_REFUSED : error;
    }
    s3d_device *device = calloc(1, sizeof *device);
    if (!device) {
        alcCloseDevice(alc);
        return ALC_OUT_OF_MEMORY;
    }
    atomic_init(&device->alc, alc);
    device->process = getpid();
    device->force = force;
    device->is_loopback = is_loopback;
    device->has_output_limiter = !force.no_output_limiter && s3d_has(alc, "ALC_SOFT_output_limiter");
    device->has_output_mode = !force.no_output_mode && s3d_has(alc, "ALC_SOFT_output_mode");
    device->api = *s3d_library();
    if (force.no_thread_context || !device->api.get_thread_context) device->api.set_thread_context = NULL;
    if (force.no_deferred_updates || !device->api.process_updates) device->api.defer_updates = NULL;
    s3d_api *api = &device->api;
    if (!api->source_f_direct || !api->source_fv_direct || !api->source_i_direct || !api->get_source_i_direct)
        api->source_f_direct = NULL;
    if (force.no_thread_context) api->source_f_direct = NULL;
    if (force.no_device_clock || !s3d_has(alc, "ALC_SOFT_device_clock")) device->api.get_integer64 = NULL;
    if (force.no_loopback) device->api.loopback_open_device = NULL;
    if (force.no_hrtf || !s3d_has(alc, "ALC_SOFT_HRTF")) device->api.get_string_at = NULL;
    if (force.no_pause_device || !s3d_has(alc, "ALC_SOFT_pause_device")) device->api.pause_device = NULL;
    if (force.no_events) device->api.event_control = NULL;
    if (force.no_source_latency) device->api.get_source_integer64 = NULL;
    pthread_mutex_init(&device->settings_lock, NULL);
    pthread_mutex_init(&device->hrtf_lock, NULL);
    pthread_mutex_init(&device->mapping_lock, NULL);
    atomic_init(&device->is_unplugged, false);
    atomic_init(&device->is_suspended, false);
    atomic_init(&device->is_placeholder, false);
    atomic_init(&device->can_render, false);
    atomic_init(&device->clock_base, 0);
    atomic_init(&device->has_new_reverb, false);
    device->last_reverb_change = -S3D_CROSSFADE_FRAMES;
    for (int frame = 0; frame < S3D_CROSSFADE_FRAMES; frame += 1) device->reverb_changes[frame] = -1;
    pthread_mutex_init(&device->objects_lock, NULL);
    pthread_mutex_init(&device->reader_lock.mutex, NULL);
    device->has_reopening = !force.no_reopening && device->api.reopen_device && s3d_has(alc, "ALC_SOFT_reopen_device");
    if (force.no_resamplers) device->api.get_context_string_at = NULL;
    if (force.no_start_delay) device->api.play_at_time = NULL;
    if (force.no_static_buffer) device->api.buffer_data_static = NULL;
    if (force.no_buffer_mapping || !device->api.buffer_storage || !device->api.unmap_buffer)
        device->api.map_buffer = NULL;
    if (force.no_effects || !s3d_has(alc, "ALC_EXT_EFX")) device->api.gen_effect_slots = NULL;
    s3d_register_device(device);
    *out = device;
    return S3D_OK;
}

s3d_error s3d_device_open(const char *name, s3d_force force, s3d_device **out) {
    ALCdevice *const alc = s3d_open_output(name);
    s3d_begin_call();
    const s3d_error error = adopt(alc, false, force, out);
    s3d_end_call();
    return error;
}

s3d_error s3d_device_open_loopback(s3d_force force, s3d_device **out) {
    const s3d_api *library = s3d_library();
    if (force.no_loopback) return S3D_NOT_IN_LIBRARY;
    if (!library->loopback_open_device || !library->render_samples || !library->is_render_format_supported)
        return S3D_NOT_IN_LIBRARY;
    s3d_begin_call();
    const s3d_error error = adopt(library->loopback_open_device(NULL), true, force, out);
    s3d_end_call();
    return error;
}

s3d_error s3d_device_open_silent(s3d_force force, s3d_device **out) {
    s3d_device *device;
    const s3d_error error = s3d_device_open_loopback(force, &device);
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
        s3d_lock_shared(device);
        /* A context that is being created may change the format. */
        pthread_mutex_lock(&device->settings_lock);
        s3d_mix(device, device->discarded, 0, frames);
        pthread_mutex_unlock(&device->settings_lock);
        s3d_unlock_shared();
        mixed += frames;
    }
    return mixed;
}

bool s3d_device_is_inherited(const s3d_device *device) {
    return device->process != getpid();
}

void s3d_device_close(s3d_device *device) {
    if (s3d_device_is_inherited(device)) return;
    s3d_placeholder_clock_stop(device);
    s3d_begin_call();
    s3d_unregister_device(device);
    alcCloseDevice(device->alc);
    s3d_end_call();
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
    ALCint connected = ALC_TRUE;
    s3d_lock_shared(device);
    /* The lock may have waited for a replacement. */
    if (atomic_load(&device->is_placeholder)) connected = ALC_FALSE;
    /* A library without the extension does not write the number. */
    else if (!device->is_loopback) alcGetIntegerv(device->alc, ALC_CONNECTED, 1, &connected);
    s3d_unlock_shared();
    return connected != ALC_FALSE;
}

bool s3d_device_mixes(s3d_device *device) {
    return (atomic_load(&device->is_unplugged) && !atomic_load(&device->is_placeholder)) || s3d_device_is_connected(device);
}

uintptr_t s3d_device_address(s3d_device *device) {
    return (uintptr_t)device->alc;
}

bool s3d_library_has_device(uintptr_t address) {
    /* OpenAL Soft compares the address with its list before it reads a device. */
    s3d_begin_call();
    const bool has = s3d_has((ALCdevice *)address, "ALC_EXT_EFX");
    s3d_end_call();
    return has;
}

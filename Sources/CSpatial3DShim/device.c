#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* The library hands out one list, which the next question overwrites. */
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

static char *copy_bytes(const char *bytes, size_t count) {
    char *copy = malloc(count);
    if (copy) memcpy(copy, bytes, count);
    return copy;
}

/* ALC_ENUMERATE_ALL_EXT lists devices; without it ALC_ENUMERATION_EXT lists at least the drivers. */
static bool lists_all_devices(void) {
    return alcIsExtensionPresent(NULL, "ALC_ENUMERATE_ALL_EXT") == ALC_TRUE;
}

char *s3d_copy_output_names(void) {
    pthread_mutex_lock(&names_lock);
    const char *names = alcGetString(NULL, lists_all_devices() ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER);
    char *copy = NULL;
    if (names) {
        const char *end = names;
        while (*end) end += strlen(end) + 1;
        copy = copy_bytes(names, (size_t)(end - names) + 1);
    }
    pthread_mutex_unlock(&names_lock);
    return copy;
}

char *s3d_copy_default_output_name(void) {
    pthread_mutex_lock(&names_lock);
    const char *name =
        alcGetString(NULL, lists_all_devices() ? ALC_DEFAULT_ALL_DEVICES_SPECIFIER : ALC_DEFAULT_DEVICE_SPECIFIER);
    char *copy = name && *name ? copy_bytes(name, strlen(name) + 1) : NULL;
    pthread_mutex_unlock(&names_lock);
    return copy;
}

static s3d_error adopt(ALCdevice *alc, s3d_force force, s3d_device **out) {
    if (!alc) {
        const ALCenum error = alcGetError(NULL);
        return error == ALC_NO_ERROR ? S3D_REFUSED : error;
    }
    s3d_device *device = calloc(1, sizeof *device);
    if (!device) {
        alcCloseDevice(alc);
        return ALC_OUT_OF_MEMORY;
    }
    device->alc = alc;
    device->force = force;
    device->api = *s3d_library();
    if (force.no_thread_context || !device->api.get_thread_context) device->api.set_thread_context = NULL;
    if (force.no_deferred_updates || !device->api.process_updates) device->api.defer_updates = NULL;
    if (force.no_device_clock || !alcIsExtensionPresent(alc, "ALC_SOFT_device_clock")) device->api.get_integer64 = NULL;
    if (force.no_static_buffer) device->api.buffer_data_static = NULL;
    if (force.no_buffer_mapping || !device->api.buffer_storage || !device->api.unmap_buffer)
        device->api.map_buffer = NULL;
    *out = device;
    return S3D_OK;
}

s3d_error s3d_device_open(const char *name, s3d_force force, s3d_device **out) {
    return adopt(alcOpenDevice(name), force, out);
}

s3d_error s3d_device_open_loopback(s3d_force force, s3d_device **out) {
    const s3d_api *library = s3d_library();
    if (!library->loopback_open_device || !library->render_samples || !library->is_render_format_supported)
        return S3D_NOT_IN_LIBRARY;
    return adopt(library->loopback_open_device(NULL), force, out);
}

char *s3d_device_copy_name(s3d_device *device) {
    const bool all = alcIsExtensionPresent(device->alc, "ALC_ENUMERATE_ALL_EXT") == ALC_TRUE;
    pthread_mutex_lock(&names_lock);
    const char *name = alcGetString(device->alc, all ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER);
    char *copy = name ? copy_bytes(name, strlen(name) + 1) : NULL;
    pthread_mutex_unlock(&names_lock);
    return copy;
}

void s3d_device_close(s3d_device *device) {
    alcCloseDevice(device->alc);
    free(device);
}

uintptr_t s3d_device_address(s3d_device *device) {
    return (uintptr_t)device->alc;
}

bool s3d_library_has_device(uintptr_t address) {
    /* OpenAL Soft looks a device up in its list before it touches it. */
    return alcIsExtensionPresent((ALCdevice *)address, "ALC_EXT_EFX") == ALC_TRUE;
}

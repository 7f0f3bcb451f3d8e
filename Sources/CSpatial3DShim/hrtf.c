#include <stdlib.h>
#include <string.h>

#include "reader_lock.h"

/* Copies names one after the other, or only measures them where `room` is NULL; returns the size. The caller has the
   lock of HRTFs. */
static size_t write_hrtf_names(const s3d_device *device, ALCint count, char *room) {
    size_t size = 0;
    for (ALCint index = 0; index < count; index += 1) {
        const char *name = device->api.get_string_at(device->alc, ALC_HRTF_SPECIFIER_SOFT, index);
        if (!name || !*name) break;
        const size_t length = strlen(name) + 1;
        if (room) memcpy(room + size, name, length);
        size += length;
    }
    if (room) room[size] = 0;
    return size + 1;
}

char *s3d_device_copy_hrtf_names(s3d_device *device) {
    if (!device->api.get_string_at) return NULL;
    S3D_LOCK_SHARED(device);
    /* Not the settings lock, for which the thread that mixes a silent device waits: the library searches folders. */
    S3D_LOCK(&device->hrtf_lock);
    ALCint count = 0;
    alcGetIntegerv(device->alc, ALC_NUM_HRTF_SPECIFIERS_SOFT, 1, &count);
    char *names = malloc(write_hrtf_names(device, count, NULL));
    if (names) write_hrtf_names(device, count, names);
    return names;
}

char *s3d_device_copy_hrtf_name(s3d_device *device) {
    if (!device->api.get_string_at) return NULL;
    S3D_LOCK_SHARED(device);
    S3D_LOCK(&device->settings_lock);
    return s3d_copy_text(alcGetString(device->alc, ALC_HRTF_SPECIFIER_SOFT));
}

bool s3d_device_may_take_hrtf_rate(const s3d_device *device) {
    return !device->is_loopback && device->api.get_string_at && !device->api.reopen_device;
}

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* The library hands out one list, which the next question overwrites. */
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

char *s3d_copy_text(const char *text) {
    const size_t size = text ? strlen(text) + 1 : 0;
    char *copy = size > 1 ? malloc(size) : NULL;
    if (copy) memcpy(copy, text, size);
    return copy;
}

static char *copy_name(ALCdevice *device, ALCenum which) {
    pthread_mutex_lock(&names_lock);
    char *copy = s3d_copy_text(alcGetString(device, which));
    pthread_mutex_unlock(&names_lock);
    return copy;
}

static char *copy_names(ALCenum which) {
    pthread_mutex_lock(&names_lock);
    const char *names = alcGetString(NULL, which);
    char *copy = NULL;
    if (names) {
        const char *end = names;
        while (*end) end += strlen(end) + 1;
        const size_t size = (size_t)(end - names) + 1;
        copy = malloc(size);
        if (copy) memcpy(copy, names, size);
    }
    pthread_mutex_unlock(&names_lock);
    return copy;
}

/* ALC_ENUMERATE_ALL_EXT lists devices; without it ALC_ENUMERATION_EXT lists at least the drivers. */
static bool lists_all_devices(ALCdevice *device) {
    return s3d_has(device, "ALC_ENUMERATE_ALL_EXT");
}

char *s3d_copy_output_names(void) {
    return copy_names(lists_all_devices(NULL) ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER);
}

char *s3d_copy_default_output_name(void) {
    /* OpenAL Soft 1.19 tells the first of the list that it made last. */
    free(s3d_copy_output_names());
    const ALCenum all = ALC_DEFAULT_ALL_DEVICES_SPECIFIER;
    return copy_name(NULL, lists_all_devices(NULL) ? all : ALC_DEFAULT_DEVICE_SPECIFIER);
}

char *s3d_copy_name_of_output(const char *name) {
    ALCdevice *const alc = alcOpenDevice(name);
    if (!alc) return NULL;
    /* Nobody else's: what this returns stays until it is closed. */
    char *copy = s3d_copy_text(alcGetString(alc, lists_all_devices(alc) ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER));
    alcCloseDevice(alc);
    return copy;
}

char *s3d_copy_input_names(void) {
    return copy_names(ALC_CAPTURE_DEVICE_SPECIFIER);
}

char *s3d_copy_default_input_name(void) {
    return copy_name(NULL, ALC_CAPTURE_DEFAULT_DEVICE_SPECIFIER);
}

char *s3d_device_copy_name(s3d_device *device) {
    /* First: who has it may wait for a sound server, and a swap waits for those who hold the device. */
    pthread_mutex_lock(&names_lock);
    s3d_hold(device);
    const bool all = lists_all_devices(device->alc);
    char *copy = s3d_copy_text(alcGetString(device->alc, all ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER));
    s3d_release(device);
    pthread_mutex_unlock(&names_lock);
    return copy;
}

char *s3d_capture_copy_name(s3d_capture *capture) {
    return copy_name(capture->alc, ALC_CAPTURE_DEVICE_SPECIFIER);
}

/* For strdup. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "reader_lock.h"

/*
 * Guards the library's one list of names, which each enumeration overwrites. OpenAL Soft 1.19 also searches that list
 * where it opens a device by name, while another thread's enumeration would free it.
 */
pthread_mutex_t s3d_names_lock = PTHREAD_MUTEX_INITIALIZER;

char *s3d_copy_text(const char *text) {
    return text && *text ? strdup(text) : NULL;
}

static char *copy_name(ALCdevice *device, ALCenum which) {
    S3D_LOCK(&s3d_names_lock);
    S3D_CALL();
    s3d_silence_alsa();
    return s3d_copy_text(alcGetString(device, which));
}

static char *copy_names(ALCenum which) {
    S3D_LOCK(&s3d_names_lock);
    S3D_CALL();
    s3d_silence_alsa();
    const char *names = alcGetString(NULL, which);
    if (!names) return NULL;
    const char *end = names;
    while (*end) end += strlen(end) + 1;
    const size_t size = (size_t)(end - names) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, names, size) : NULL;
}

/* ALC_ENUMERATE_ALL_EXT lists devices; without it ALC_ENUMERATION_EXT lists at least the drivers. */
static bool lists_all_devices(ALCdevice *device) {
    return s3d_has(device, "ALC_ENUMERATE_ALL_EXT");
}

static bool lists_all_outputs(void) {
    S3D_CALL();
    return lists_all_devices(NULL);
}

char *s3d_copy_output_names(void) {
    return copy_names(lists_all_outputs() ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER);
}

char *s3d_copy_default_output_name(void) {
    /* OpenAL Soft 1.19 returns the first name of its last enumeration. */
    free(s3d_copy_output_names());
    const ALCenum all = ALC_DEFAULT_ALL_DEVICES_SPECIFIER;
    return copy_name(NULL, lists_all_outputs() ? all : ALC_DEFAULT_DEVICE_SPECIFIER);
}

ALCdevice *s3d_open_output(const char *name) {
    S3D_LOCK(name ? &s3d_names_lock : NULL);
    S3D_CALL();
    s3d_silence_alsa();
    return alcOpenDevice(name);
}

char *s3d_copy_name_of(ALCdevice *alc) {
    return s3d_copy_text(alcGetString(alc, lists_all_devices(alc) ? ALC_ALL_DEVICES_SPECIFIER : ALC_DEVICE_SPECIFIER));
}

char *s3d_copy_name_of_output(const char *name) {
    ALCdevice *const alc = s3d_open_output(name);
    if (!alc) return NULL;
    S3D_CALL();
    char *copy = s3d_copy_name_of(alc);
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
    S3D_LOCK_SHARED(device);
    return s3d_copy_name_of(device->alc);
}

char *s3d_capture_copy_name(s3d_capture *capture) {
    return copy_name(capture->alc, ALC_CAPTURE_DEVICE_SPECIFIER);
}

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "internal.h"

/*
 * The lines that OpenAL Soft and ALSA write to standard error.
 *
 * Both report each output that does not open. At the end of the process OpenAL Soft 1.19 also counts the open devices,
 * such as the device of a global context. This package reports failures itself, so the lines are off unless
 * ALSOFT_LOGLEVEL or ALSOFT_LOGFILE asks for them.
 */

/* Runs before `main`, while the process has one thread. OpenAL Soft reads the variable later, in its first call. */
__attribute__((constructor)) static void silence_openal(void) {
    if (!getenv("ALSOFT_LOGFILE")) setenv("ALSOFT_LOGLEVEL", "0", 0);
}

typedef void alsa_handler(const char *file, int line, const char *function, int error, const char *format, ...);

static void ignore_error(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

static void replace_handler(void) {
    const char *level = getenv("ALSOFT_LOGLEVEL");
    if (level ? atoi(level) > 0 : getenv("ALSOFT_LOGFILE") != NULL) return;
    /* OpenAL Soft loads ALSA when it reads its configuration, and it does that to open a loopback device. */
    const s3d_api *library = s3d_library();
    ALCdevice *device = library->loopback_open_device ? library->loopback_open_device(NULL) : NULL;
    if (device) alcCloseDevice(device);
    void *alsa = dlopen("libasound.so.2", RTLD_LAZY | RTLD_NOLOAD);
    if (!alsa) return;
    int (*set_handler)(alsa_handler *) = (int (*)(alsa_handler *))dlsym(alsa, "snd_lib_error_set_handler");
    alsa_handler **handler = dlsym(alsa, "snd_lib_error");
    if (set_handler && handler) {
        /* NULL restores ALSA's own handler. The program may have set another, which stays. */
        alsa_handler *const before = *handler;
        set_handler(NULL);
        set_handler(before == *handler ? ignore_error : before);
    }
    dlclose(alsa);
}

void s3d_silence_alsa(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, replace_handler);
}

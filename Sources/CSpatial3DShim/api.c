#include <pthread.h>

#include "internal.h"

static s3d_api library;

_Thread_local void *s3d_thread_batch = NULL;

static void look_up(void) {
#define LOOK_UP(type, member, name) library.member = (type)alcGetProcAddress(NULL, name);
    S3D_EACH_DEVICE_FUNCTION(LOOK_UP)
#undef LOOK_UP
#define LOOK_UP(type, member, name) library.member = (type)alGetProcAddress(name);
    S3D_EACH_CONTEXT_FUNCTION(LOOK_UP)
#undef LOOK_UP
}

const s3d_api *s3d_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_up);
    return &library;
}

bool s3d_has(ALCdevice *device, const char *extension) {
    return alcIsExtensionPresent(device, extension) == ALC_TRUE;
}

s3d_error s3d_device_reason(ALCdevice *device) {
    const ALCenum error = alcGetError(device);
    return error == ALC_NO_ERROR ? S3D_REFUSED : error;
}

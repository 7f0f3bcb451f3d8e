/* What the files of the shim know of each other. */
#ifndef SPATIAL3D_SHIM_INTERNAL_H
#define SPATIAL3D_SHIM_INTERNAL_H

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <stdatomic.h>

#include "spatial3d_shim.h"

/* AL_SOFTX_map_buffer, which public headers lack. */
enum { S3D_MAP_WRITE_BIT = 0x00000002 };
typedef void (AL_APIENTRY *s3d_buffer_storage_fn)(ALuint, ALenum, const ALvoid *, ALsizei, ALsizei, ALuint);
typedef void *(AL_APIENTRY *s3d_map_buffer_fn)(ALuint, ALsizei, ALsizei, ALuint);
typedef void (AL_APIENTRY *s3d_unmap_buffer_fn)(ALuint);

/* Entry points beyond OpenAL 1.1, looked up at run time. One that the library lacks is NULL. */
typedef struct s3d_api {
    PFNALCSETTHREADCONTEXTPROC set_thread_context;
    PFNALCGETTHREADCONTEXTPROC get_thread_context;
    LPALCLOOPBACKOPENDEVICESOFT loopback_open_device;
    LPALCISRENDERFORMATSUPPORTEDSOFT is_render_format_supported;
    LPALCRENDERSAMPLESSOFT render_samples;
    LPALCGETINTEGER64VSOFT get_integer64;
    LPALDEFERUPDATESSOFT defer_updates;
    LPALPROCESSUPDATESSOFT process_updates;
    PFNALBUFFERDATASTATICPROC buffer_data_static;
    s3d_buffer_storage_fn buffer_storage;
    s3d_map_buffer_fn map_buffer;
    s3d_unmap_buffer_fn unmap_buffer;
} s3d_api;

/* The table of the loaded library, filled at the first call. */
const s3d_api *s3d_library(void);

struct s3d_device {
    ALCdevice *alc;
    s3d_api api; /* the library's table, less what the tests took away */
    s3d_force force;
};

struct s3d_context {
    ALCcontext *alc;
    s3d_device *device;
    const s3d_api *api; /* the device's */
    int32_t channel_count; /* of an offline context; 0 for any other */
    int32_t sample_rate;
    atomic_int creations; /* sources and buffers so far, for failing_creation */
};

/* Whether this creation is the one that a test wants to fail. */
bool s3d_creation_fails(s3d_context *context);

#endif

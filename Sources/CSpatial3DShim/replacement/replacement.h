/* A device of the library that may replace another's, and contexts for all contexts of that device. */
#ifndef SPATIAL3D_SHIM_REPLACEMENT_H
#define SPATIAL3D_SHIM_REPLACEMENT_H

#include "../scope.h"

struct s3d_replacement {
    ALCdevice *alc;
    bool is_placeholder;
    s3d_settings settings;
    uint32_t count;
    struct s3d_replacement_context *contexts;
};

struct s3d_replacement_context {
    ALCcontext *alc;
    s3d_context *of; /* the context that it is for; valid once s3d_device_replace has found it among the device's */
    uint64_t number;
};

/* objects.c: creates all buffers, sources and effect slots of a device on its replacement, under the same names. False
   where the library refuses one of them. The caller holds the lock of objects. */
bool s3d_copy_objects(const s3d_device *device, const s3d_replacement *replacement);

#endif

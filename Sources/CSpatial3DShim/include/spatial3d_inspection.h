/* What the library holds, for tests alone; a part of spatial3d_shim.h. */
#ifndef SPATIAL3D_INSPECTION_H
#define SPATIAL3D_INSPECTION_H

#include "spatial3d_shim.h"

/* Reads back what the library holds, so that tests can compare; `changed` is left alone. */
void s3d_source_read(
    s3d_context *context,
    s3d_source source,
    s3d_source_update *out,
    s3d_source_details *details
);
void s3d_listener_read(s3d_context *context, s3d_listener_update *out);

/* What the library still has, for tests of what is freed. Addresses and numbers may be used again by others. */
uintptr_t s3d_device_address(s3d_device *device);
uintptr_t s3d_context_address(s3d_context *context);
bool s3d_library_has_device(uintptr_t address);
bool s3d_library_has_context(uintptr_t address);
bool s3d_library_has_buffer(s3d_context *context, s3d_buffer buffer);
/* Whether a context is current on the calling thread alone. */
bool s3d_thread_has_context(void);

#endif

/* The library's own values and objects, for tests: the other end of a round trip, and the freed objects. */
#ifndef SPATIAL3D_LIBRARY_READBACK_H
#define SPATIAL3D_LIBRARY_READBACK_H

#include "spatial3d_scene.h"
#include "spatial3d_shim.h"

/* Read the values that the library holds; `changed` stays as it is. */
void s3d_source_read(s3d_context *context, s3d_source source, s3d_source_update *out, s3d_source_details *details);
void s3d_listener_read(s3d_context *context, s3d_listener_update *out);

/* Whether objects of the library still exist, for tests of their release. The library may use an address or a name
   again. */
uintptr_t s3d_device_address(s3d_device *device);
uintptr_t s3d_context_address(s3d_context *context);
bool s3d_library_has_device(uintptr_t address);
bool s3d_library_has_context(uintptr_t address);
bool s3d_library_has_buffer(s3d_context *context, s3d_buffer buffer);
/* Whether a context is current on the calling thread alone. */
bool s3d_thread_has_context(void);

#endif

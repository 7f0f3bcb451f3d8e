/* The mixer's time; a part of spatial3d_shim.h. */
#ifndef SPATIAL3D_CLOCK_H
#define SPATIAL3D_CLOCK_H

#include "spatial3d_shim.h"

/* Stops the mixer, or lets it go on. A loopback device renders silence meanwhile. */
void s3d_device_suspend(s3d_device *device);
void s3d_device_resume(s3d_device *device);
/* Whether a device can be suspended. */
bool s3d_device_can_suspend(s3d_device *device);
/* Nanoseconds that the mixer has mixed; negative where the library cannot say. */
int64_t s3d_context_clock(s3d_context *context);
/* Nanoseconds from the mixer to the ear, as far as the library knows; negative where it cannot say. */
int64_t s3d_context_latency(s3d_context *context);

#endif

/*
 * Replaces a device of the library by another, where an output was lost, came back or is left for another output. A
 * part of spatial3d_shim.h.
 *
 * To their owners a device and its contexts stay the same, and sources, buffers and effect slots keep their names. The
 * shim creates the library's objects anew. The caller restores their state: the settable properties, and the playback
 * of each source.
 */
#ifndef SPATIAL3D_REPLACEMENT_H
#define SPATIAL3D_REPLACEMENT_H

#include "spatial3d_shim.h"

/* A device of the library that may replace another device, with a context for each context of that device. */
typedef struct s3d_replacement s3d_replacement;
/* Opens an output by name, or the default one. May take seconds; the caller needs no lock. */
s3d_error s3d_replacement_open(s3d_device *device, const char *name, s3d_replacement **out);
/* Whether the library can open a placeholder: a loopback device instead of an output. */
bool s3d_device_can_open_placeholder(s3d_device *device);
/* The system's name of an output that is open and not yet in use; free it. */
char *s3d_replacement_copy_name(const s3d_replacement *replacement);
/* Opens a placeholder for an output, and another loopback device for a loopback device. */
s3d_error s3d_replacement_open_loopback(s3d_device *device, s3d_replacement **out);
/* Closes a replacement that was not used, or the device that it replaced. May take seconds. */
void s3d_replacement_close(s3d_replacement *replacement);

/*
 * Replaces a device, in this order:
 *
 * 1. s3d_device_pause_output pauses an output that still plays. A server may take long over it, so the caller holds no
 *    lock.
 * 2. s3d_device_begin_replacement waits for calls in progress, and blocks later calls. From here to the end, the caller
 *    holds the locks of all contexts of the device.
 * 3. s3d_device_replace exchanges the two devices, or changes nothing where it fails. S3D_CHANGED: the contexts are
 *    others than the replacement has, or not as many as `context_count`.
 * 4. The caller restores the state of the contexts. The replacement mixes meanwhile, and its clock goes on:
 *    s3d_device_set_clock_back takes the time away that was mixed before the sources play.
 * 5. s3d_device_resume_after_replacement resumes the output, or with `runs` the placeholder's clock.
 * 6. s3d_device_end_replacement lets other calls go on.
 */
void s3d_device_pause_output(s3d_device *device);
void s3d_device_begin_replacement(s3d_device *device);
s3d_error s3d_device_replace(s3d_device *device, s3d_replacement *replacement, uint32_t context_count);
void s3d_device_set_clock_back(s3d_device *device, int64_t nanoseconds);
void s3d_device_resume_after_replacement(s3d_device *device, bool runs);
void s3d_device_end_replacement(s3d_device *device);

/*
 * Starts or stops the thread that mixes a placeholder; on one thread at a time, and not during a replacement. Time
 * stands still if no thread can be had; the caller may try again.
 */
void s3d_device_run_placeholder_clock(s3d_device *device, bool runs);

bool s3d_device_is_placeholder(s3d_device *device);
/* Takes an output as lost until it is replaced: it stands still, and the library has not reported that. */
void s3d_device_set_stalled(s3d_device *device);
/* Lets the library move a device to another output; S3D_NOT_IN_LIBRARY where that needs a replacement. */
s3d_error s3d_device_reopen(s3d_device *device, const char *name);

/* Whether sources keep their state when the device disconnects. */
bool s3d_context_keeps_sources_on_disconnect(s3d_context *context);
/* Sets a gain beyond the scene's, for a source that is restored without a sound. */
void s3d_source_set_gain(s3d_context *context, s3d_source source, float gain);

#endif

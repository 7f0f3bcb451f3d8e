/*
 * Another device of the library in the place of one: where an output was lost, came back or is left for another. A part of
 * spatial3d_shim.h.
 *
 * A device and its contexts stay what they are to their owners, and sources, buffers and effect slots keep their names; what
 * the library has of them is made anew. What only Swift knows, which is the settable state and what each source was doing,
 * is Swift's to hand over again.
 */
#ifndef SPATIAL3D_REPLACEMENT_H
#define SPATIAL3D_REPLACEMENT_H

#include "spatial3d_shim.h"

/* A device of the library that could take the place of another's, with contexts for all of its contexts. */
typedef struct s3d_replacement s3d_replacement;
/* An output by name, or the default one. May take long; no lock of the caller's is needed. */
s3d_error s3d_replacement_open(s3d_device *device, const char *name, s3d_replacement **out);
/* Whether the library has a device that nobody hears. */
bool s3d_device_can_open_placeholder(s3d_device *device);
/* What the system calls an output that is opened and not in place. */
char *s3d_replacement_copy_name(const s3d_replacement *next);
/* For an output a stand-in, which nobody hears; for a loopback device another. */
s3d_error s3d_replacement_open_loopback(s3d_device *device, s3d_replacement **out);
/* Closes what did not take the place, or what was in it before. May take long. */
void s3d_replacement_close(s3d_replacement *next);

/*
 * First stops time on an output that is still there: a server may take long over it, so without a lock of the caller's. Begin
 * does so for good. From then to the end, the caller keeps all that its locks guard away from every context of the device; what
 * needs no lock waits by itself. After the swap, which changes nothing where it fails, `next` is what was there before. Then
 * sources are handed what they had and did, and time goes on.
 */
void s3d_device_pause_output(s3d_device *device);
void s3d_device_begin_replacement(s3d_device *device);
/* S3D_CHANGED: a context has come or gone since `next` was opened, or there are others than so many. */
s3d_error s3d_device_replace(s3d_device *device, s3d_replacement *next, uint32_t context_count);
/* `keeps_time`: also on a stand-in. */
void s3d_device_resume_after_replacement(s3d_device *device, bool keeps_time);
void s3d_device_end_replacement(s3d_device *device);

/*
 * Lets time go on on a stand-in, or stops it; by one thread at a time, and not while another swaps. Where there is no thread for it
 * time stands still, and is to be tried again.
 */
void s3d_device_run_placeholder_clock(s3d_device *device, bool keeps_time);

bool s3d_device_is_placeholder(s3d_device *device);
/* Goes to another output with everything in place; S3D_NOT_IN_LIBRARY where that needs a swap. */
s3d_error s3d_device_reopen(s3d_device *device, const char *name);

/* Whether sources stay as they are when the device goes, so that they can be read afterwards. */
bool s3d_context_keeps_sources_on_disconnect(s3d_context *context);
/* In 1 / 2^32 of a frame. */
void s3d_source_seek_exactly(s3d_context *context, s3d_source source, int64_t fixed_frame);
/* Past what is settable: for a source that is brought back to a state without being heard. */
void s3d_source_set_gain(s3d_context *context, s3d_source source, float gain);

#endif

/* Input. A part of spatial3d_shim.h. */
#ifndef SPATIAL3D_CAPTURE_H
#define SPATIAL3D_CAPTURE_H

#include "spatial3d_shim.h"

/* A list of names. */
char *s3d_copy_input_names(void);
/* The name of the default input; free it. NULL: no default input. */
char *s3d_copy_default_input_name(void);

/* A NULL name is the default input. Frames are interleaved floats. */
s3d_error s3d_capture_open(
    const char *name,
    int32_t sample_rate,
    s3d_layout layout,
    int32_t frame_capacity,
    s3d_capture **out
);
char *s3d_capture_copy_name(s3d_capture *capture);
void s3d_capture_close(s3d_capture *capture);
void s3d_capture_start(s3d_capture *capture);
void s3d_capture_stop(s3d_capture *capture);
/* How many frames can be read now. */
int32_t s3d_capture_available(s3d_capture *capture);
/* False once an input is gone; true where the library cannot say. */
bool s3d_capture_is_connected(s3d_capture *capture);
/* Takes frames that are available into room for all of them. */
void s3d_capture_read(s3d_capture *capture, float *samples, int32_t frame_count);

#endif

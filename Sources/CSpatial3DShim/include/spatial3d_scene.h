/* The properties of sources, the listener and the whole scene. A part of spatial3d_shim.h. */
#ifndef SPATIAL3D_SCENE_H
#define SPATIAL3D_SCENE_H

#include "spatial3d_shim.h"

enum {
    S3D_SOURCE_GAIN = 1 << 0,
    S3D_SOURCE_PITCH = 1 << 1,
    S3D_SOURCE_LOOPING = 1 << 2,
    S3D_SOURCE_POSITION = 1 << 3,
    S3D_SOURCE_VELOCITY = 1 << 4,
    S3D_SOURCE_RELATIVE = 1 << 5,
    S3D_SOURCE_GAIN_LIMITS = 1 << 6,
    S3D_SOURCE_DOPPLER_FACTOR = 1 << 7,
    S3D_SOURCE_DIRECTION = 1 << 8,
    S3D_SOURCE_CONE = 1 << 9,
    S3D_SOURCE_ATTENUATION = 1 << 10,
    S3D_SOURCE_RADIUS = 1 << 11,
    S3D_SOURCE_AIR_ABSORPTION = 1 << 12,
    S3D_SOURCE_SPATIALIZATION = 1 << 13,
    S3D_SOURCE_DIRECT_CHANNELS = 1 << 14,
    S3D_SOURCE_STEREO_ANGLES = 1 << 15,
    S3D_SOURCE_RESAMPLER = 1 << 16,
    S3D_SOURCE_ROOM_ROLLOFF = 1 << 23,
};

typedef enum s3d_distance_model {
    S3D_NO_DISTANCE,
    S3D_INVERSE,
    S3D_INVERSE_CLAMPED,
    S3D_LINEAR,
    S3D_LINEAR_CLAMPED,
    S3D_EXPONENT,
    S3D_EXPONENT_CLAMPED,
} s3d_distance_model;

typedef enum s3d_spatialization {
    S3D_SPATIALIZATION_AUTOMATIC,
    S3D_SPATIALIZATION_ALWAYS,
    S3D_SPATIALIZATION_NEVER,
} s3d_spatialization;

enum {
    S3D_LISTENER_POSITION = 1 << 0,
    S3D_LISTENER_VELOCITY = 1 << 1,
    S3D_LISTENER_ORIENTATION = 1 << 2,
    S3D_LISTENER_GAIN = 1 << 3,
};

/* The properties of a source that seldom change. */
typedef struct s3d_source_details {
    float direction[3];
    float gain_limits[2];
    float doppler_factor;
    float cone_inner_angle;
    float cone_outer_angle;
    float cone_outer_gain;
    float cone_outer_gain_hf;
    float reference_distance;
    float maximum_distance;
    float rolloff_factor;
    float radius;
    float air_absorption;
    float room_rolloff;
    float stereo_angles[2]; /* left, right; radians, positive to the left */
    s3d_distance_model distance_model;
    s3d_spatialization spatialization;
    bool uses_direct_channels;
    int32_t resampler; /* negative for the library's default */
} s3d_source_details;

/* The values of a source, and which of them changed. Values are finite and in the library's range. */
typedef struct s3d_source_update {
    s3d_source source;
    uint32_t changed;
    float gain;
    float pitch;
    float position[3];
    float velocity[3];
    bool is_looping;
    bool is_relative;
} s3d_source_update;

typedef struct s3d_listener_update {
    uint32_t changed;
    float gain;
    float position[3];
    float velocity[3];
    float orientation[6]; /* forward, then up */
} s3d_listener_update;

/* Set the properties that changed. */
void s3d_listener_apply(s3d_context *context, const s3d_listener_update *update);
/* The details are not NULL if anything beyond S3D_SOURCE_RELATIVE changed. */
void s3d_source_apply(s3d_context *context, const s3d_source_update *update, const s3d_source_details *details);

/*
 * Between begin and end, on one thread, the same by the next two functions: one mix sees either none of the changes or
 * all of them, except for a mix that a restart of the device precedes (restart.c). Nothing else of the shim is called
 * in between.
 */
typedef struct s3d_transaction {
    void *previous;
    bool is_deferred; /* false up to the first mix after a restart of the device */
} s3d_transaction;
s3d_transaction s3d_transaction_begin(s3d_context *context);
void s3d_transaction_listener(const s3d_listener_update *listener);
void s3d_transaction_source(s3d_context *context, const s3d_source_update *update, const s3d_source_details *details);
/* Sets the gain of a source, without a lower limit. */
void s3d_transaction_gain(s3d_source source, float gain);
void s3d_transaction_end(s3d_context *context, s3d_transaction transaction);

/* Sets a property of the whole context, outside of transactions. The factor is 0 or more. */
void s3d_context_set_doppler_factor(s3d_context *context, float factor);

#endif

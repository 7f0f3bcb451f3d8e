/*
 * Effects, filters, and the routing of sources. A part of spatial3d_shim.h.
 *
 * The caller calls the functions for one context from one thread at a time.
 */
#ifndef SPATIAL3D_EFFECTS_H
#define SPATIAL3D_EFFECTS_H

#include "spatial3d_shim.h"

typedef struct { uint32_t id; } s3d_effect_slot;

typedef enum s3d_effect_kind {
    S3D_EFFECT_REVERB,
    S3D_EFFECT_ECHO,
    S3D_EFFECT_CHORUS,
    S3D_EFFECT_FLANGER,
    S3D_EFFECT_DISTORTION,
    S3D_EFFECT_COMPRESSOR,
    S3D_EFFECT_EQUALIZER,
    S3D_EFFECT_PITCH_SHIFTER,
    S3D_EFFECT_FREQUENCY_SHIFTER,
    S3D_EFFECT_RING_MODULATOR,
} s3d_effect_kind;

s3d_error s3d_effect_slot_create(s3d_context *context, s3d_effect_slot *out);
/* No source and no other slot may feed the slot any more. */
void s3d_effect_slot_destroy(s3d_context *context, s3d_effect_slot slot);
/* Puts an effect into a slot: all its parameters, in the library's range and in the order of effect.c. */
void s3d_effect_slot_load(s3d_context *context, s3d_effect_slot slot, s3d_effect_kind kind, const float *values);
/* Takes the effect out of a slot, which is then silent and costs next to nothing. */
void s3d_effect_slot_clear(s3d_context *context, s3d_effect_slot slot);
void s3d_effect_slot_set_gain(s3d_context *context, s3d_effect_slot slot, float gain);
/* Lets a slot feed another, or the mix where that is slot 0; only with AL_SOFT_effect_target. */
void s3d_effect_slot_set_target(s3d_context *context, s3d_effect_slot slot, s3d_effect_slot target);

/* A band-pass filter: linear gains of all frequencies, and of 250 Hz and 5 kHz on top, from 0 to 1. */
typedef struct s3d_filter {
    float gain;
    float gain_lf;
    float gain_hf;
} s3d_filter;
/* Set the filter of a source's direct path, and one of its sends; between s3d_transaction_begin and its end. */
void s3d_transaction_direct(s3d_context *context, s3d_source source, s3d_filter filter);
/* Slot 0 is none. */
void s3d_transaction_send(
    s3d_context *context,
    s3d_source source,
    int32_t index,
    s3d_effect_slot slot,
    s3d_filter filter
);

#endif

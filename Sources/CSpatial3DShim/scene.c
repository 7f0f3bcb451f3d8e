#include <AL/efx.h>

#include "scope.h"

/* The listener. */

void s3d_transaction_listener(const s3d_listener_update *listener) {
    if (listener->changed & S3D_LISTENER_POSITION) alListenerfv(AL_POSITION, listener->position);
    if (listener->changed & S3D_LISTENER_VELOCITY) alListenerfv(AL_VELOCITY, listener->velocity);
    if (listener->changed & S3D_LISTENER_ORIENTATION) alListenerfv(AL_ORIENTATION, listener->orientation);
    if (listener->changed & S3D_LISTENER_GAIN) alListenerf(AL_GAIN, listener->gain);
}

void s3d_listener_apply(s3d_context *context, const s3d_listener_update *update) {
    /* One property reaches one mix without deferral. */
    if ((update->changed & (update->changed - 1)) == 0) {
        S3D_ENTER(context);
        s3d_transaction_listener(update);
    } else {
        const s3d_transaction transaction = s3d_transaction_begin(context);
        s3d_transaction_listener(update);
        s3d_transaction_end(context, transaction);
    }
}

s3d_transaction s3d_transaction_begin(s3d_context *context) {
    const s3d_scope scope = s3d_enter(context);
    const bool is_deferred = s3d_begin_deferral(context->device);
    /* alcSuspendContext defers in OpenAL 1.1. */
    if (is_deferred && context->api->defer_updates) context->api->defer_updates();
    else if (is_deferred) alcSuspendContext(context->alc);
    return (s3d_transaction) { .previous = scope.previous, .is_deferred = is_deferred };
}

void s3d_transaction_end(s3d_context *context, s3d_transaction transaction) {
    if (transaction.is_deferred) {
        {
            S3D_LOCK(s3d_lock_for_updates(context->device));
            if (context->api->defer_updates) context->api->process_updates();
            else alcProcessContext(context->alc);
        }
        s3d_end_deferral(context->device);
    }
    s3d_leave(&(s3d_scope) { .api = context->api, .previous = transaction.previous });
}

/* Sources. */

static const ALenum distance_models[] = {
    [S3D_NO_DISTANCE] = AL_NONE,
    [S3D_INVERSE] = AL_INVERSE_DISTANCE,
    [S3D_INVERSE_CLAMPED] = AL_INVERSE_DISTANCE_CLAMPED,
    [S3D_LINEAR] = AL_LINEAR_DISTANCE,
    [S3D_LINEAR_CLAMPED] = AL_LINEAR_DISTANCE_CLAMPED,
    [S3D_EXPONENT] = AL_EXPONENT_DISTANCE,
    [S3D_EXPONENT_CLAMPED] = AL_EXPONENT_DISTANCE_CLAMPED,
};

static const ALint spatializations[] = {
    [S3D_SPATIALIZATION_AUTOMATIC] = AL_AUTO_SOFT,
    [S3D_SPATIALIZATION_ALWAYS] = AL_TRUE,
    [S3D_SPATIALIZATION_NEVER] = AL_FALSE,
};

static void apply_attenuation(ALuint id, const s3d_source_details *details) {
    alSourcef(id, AL_REFERENCE_DISTANCE, details->reference_distance);
    alSourcef(id, AL_MAX_DISTANCE, details->maximum_distance);
    alSourcef(id, AL_ROLLOFF_FACTOR, details->rolloff_factor);
    /* The first model of a source turns on the models of all sources. */
    if (!alIsEnabled(AL_SOURCE_DISTANCE_MODEL)) alEnable(AL_SOURCE_DISTANCE_MODEL);
    alSourcei(id, AL_DISTANCE_MODEL, distance_models[details->distance_model]);
}

static void apply_cone(ALuint id, const s3d_source_details *details) {
    alSourcef(id, AL_CONE_INNER_ANGLE, details->cone_inner_angle);
    alSourcef(id, AL_CONE_OUTER_ANGLE, details->cone_outer_angle);
    alSourcef(id, AL_CONE_OUTER_GAIN, details->cone_outer_gain);
    alSourcef(id, AL_CONE_OUTER_GAINHF, details->cone_outer_gain_hf);
}

static void apply_resampler(ALuint id, ALint index) {
    alSourcei(id, AL_SOURCE_RESAMPLER_SOFT, index < 0 ? alGetInteger(AL_DEFAULT_RESAMPLER_SOFT) : index);
}

static void apply_details(ALuint id, uint32_t changed, const s3d_source_details *details) {
    if (changed & S3D_SOURCE_GAIN_LIMITS) {
        alSourcef(id, AL_MIN_GAIN, details->gain_limits[0]);
        alSourcef(id, AL_MAX_GAIN, details->gain_limits[1]);
    }
    if (changed & S3D_SOURCE_DOPPLER_FACTOR) alSourcef(id, AL_DOPPLER_FACTOR, details->doppler_factor);
    if (changed & S3D_SOURCE_DIRECTION) alSourcefv(id, AL_DIRECTION, details->direction);
    if (changed & S3D_SOURCE_CONE) apply_cone(id, details);
    if (changed & S3D_SOURCE_ATTENUATION) apply_attenuation(id, details);
    if (changed & S3D_SOURCE_RADIUS) alSourcef(id, AL_SOURCE_RADIUS, details->radius);
    if (changed & S3D_SOURCE_AIR_ABSORPTION) alSourcef(id, AL_AIR_ABSORPTION_FACTOR, details->air_absorption);
    if (changed & S3D_SOURCE_ROOM_ROLLOFF) alSourcef(id, AL_ROOM_ROLLOFF_FACTOR, details->room_rolloff);
    if (changed & S3D_SOURCE_SPATIALIZATION)
        alSourcei(id, AL_SOURCE_SPATIALIZE_SOFT, spatializations[details->spatialization]);
    if (changed & S3D_SOURCE_DIRECT_CHANNELS) alSourcei(id, AL_DIRECT_CHANNELS_SOFT, details->uses_direct_channels);
    if (changed & S3D_SOURCE_STEREO_ANGLES) alSourcefv(id, AL_STEREO_ANGLES, details->stereo_angles);
    if (changed & S3D_SOURCE_RESAMPLER) apply_resampler(id, details->resampler);
}

/* Sets the properties that games change each frame, without a current context. */
static void apply_basics_directly(const s3d_context *context, const s3d_source_update *update) {
    const s3d_api *api = context->api;
    const ALuint id = update->source.id;
    const uint32_t changed = update->changed;
    if (changed & S3D_SOURCE_GAIN) api->source_f_direct(context->alc, id, AL_GAIN, update->gain);
    if (changed & S3D_SOURCE_PITCH) api->source_f_direct(context->alc, id, AL_PITCH, update->pitch);
    if (changed & S3D_SOURCE_LOOPING) api->source_i_direct(context->alc, id, AL_LOOPING, update->is_looping);
    if (changed & S3D_SOURCE_POSITION) api->source_fv_direct(context->alc, id, AL_POSITION, update->position);
    if (changed & S3D_SOURCE_VELOCITY) api->source_fv_direct(context->alc, id, AL_VELOCITY, update->velocity);
    if (changed & S3D_SOURCE_RELATIVE)
        api->source_i_direct(context->alc, id, AL_SOURCE_RELATIVE, update->is_relative);
}

static void apply_basics(const s3d_source_update *update) {
    const ALuint id = update->source.id;
    const uint32_t changed = update->changed;
    if (changed & S3D_SOURCE_GAIN) alSourcef(id, AL_GAIN, update->gain);
    if (changed & S3D_SOURCE_PITCH) alSourcef(id, AL_PITCH, update->pitch);
    if (changed & S3D_SOURCE_LOOPING) alSourcei(id, AL_LOOPING, update->is_looping);
    if (changed & S3D_SOURCE_POSITION) alSourcefv(id, AL_POSITION, update->position);
    if (changed & S3D_SOURCE_VELOCITY) alSourcefv(id, AL_VELOCITY, update->velocity);
    if (changed & S3D_SOURCE_RELATIVE) alSourcei(id, AL_SOURCE_RELATIVE, update->is_relative);
}

void s3d_transaction_source(s3d_context *context, const s3d_source_update *update, const s3d_source_details *details) {
    if (context->api->source_f_direct) apply_basics_directly(context, update);
    else apply_basics(update);
    if (update->changed > S3D_SOURCE_RELATIVE) apply_details(update->source.id, update->changed, details);
}

void s3d_transaction_gain(s3d_source source, float gain) {
    alSourcef(source.id, AL_MIN_GAIN, 0);
    alSourcef(source.id, AL_GAIN, gain);
}

void s3d_source_apply(s3d_context *context, const s3d_source_update *update, const s3d_source_details *details) {
    const uint32_t changed = update->changed;
    const bool is_single = (changed & (changed - 1)) == 0;
    if (is_single && changed <= S3D_SOURCE_RELATIVE) {
        /* One property reaches one mix without deferral. */
        if (context->api->source_f_direct) {
            S3D_LOCK_SHARED(context->device);
            apply_basics_directly(context, update);
        } else {
            S3D_ENTER(context);
            apply_basics(update);
        }
    } else {
        const s3d_transaction transaction = s3d_transaction_begin(context);
        s3d_transaction_source(context, update, details);
        s3d_transaction_end(context, transaction);
    }
}

#include "library_readback.h"

#include "scope.h"

/* Values. */

void s3d_listener_read(s3d_context *context, s3d_listener_update *out) {
    S3D_ENTER(context);
    alGetListenerf(AL_GAIN, &out->gain);
    alGetListenerfv(AL_POSITION, out->position);
    alGetListenerfv(AL_VELOCITY, out->velocity);
    alGetListenerfv(AL_ORIENTATION, out->orientation);
}

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

static int32_t index_of(const ALint *values, int32_t count, ALint value) {
    for (int32_t index = 0; index < count; index += 1)
        if (values[index] == value) return index;
    return -1;
}

void s3d_source_read(s3d_context *context, s3d_source source, s3d_source_update *out, s3d_source_details *details) {
    ALint is_looping = 0, is_relative = 0, model = 0, spatialization = 0, direct = 0, resampler = 0;
    const ALuint id = source.id;
    S3D_ENTER(context);
    alGetSourcef(id, AL_GAIN, &out->gain);
    alGetSourcef(id, AL_PITCH, &out->pitch);
    alGetSourcefv(id, AL_POSITION, out->position);
    alGetSourcefv(id, AL_VELOCITY, out->velocity);
    alGetSourcefv(id, AL_DIRECTION, details->direction);
    alGetSourcef(id, AL_MIN_GAIN, &details->gain_limits[0]);
    alGetSourcef(id, AL_MAX_GAIN, &details->gain_limits[1]);
    alGetSourcef(id, AL_DOPPLER_FACTOR, &details->doppler_factor);
    alGetSourcef(id, AL_CONE_INNER_ANGLE, &details->cone_inner_angle);
    alGetSourcef(id, AL_CONE_OUTER_ANGLE, &details->cone_outer_angle);
    alGetSourcef(id, AL_CONE_OUTER_GAIN, &details->cone_outer_gain);
    alGetSourcef(id, AL_CONE_OUTER_GAINHF, &details->cone_outer_gain_hf);
    alGetSourcef(id, AL_REFERENCE_DISTANCE, &details->reference_distance);
    alGetSourcef(id, AL_MAX_DISTANCE, &details->maximum_distance);
    alGetSourcef(id, AL_ROLLOFF_FACTOR, &details->rolloff_factor);
    alGetSourcef(id, AL_SOURCE_RADIUS, &details->radius);
    alGetSourcef(id, AL_AIR_ABSORPTION_FACTOR, &details->air_absorption);
    alGetSourcef(id, AL_ROOM_ROLLOFF_FACTOR, &details->room_rolloff);
    alGetSourcefv(id, AL_STEREO_ANGLES, details->stereo_angles);
    alGetSourcei(id, AL_LOOPING, &is_looping);
    alGetSourcei(id, AL_SOURCE_RELATIVE, &is_relative);
    alGetSourcei(id, AL_DISTANCE_MODEL, &model);
    alGetSourcei(id, AL_SOURCE_SPATIALIZE_SOFT, &spatialization);
    alGetSourcei(id, AL_DIRECT_CHANNELS_SOFT, &direct);
    alGetSourcei(id, AL_SOURCE_RESAMPLER_SOFT, &resampler);
    details->resampler = resampler == alGetInteger(AL_DEFAULT_RESAMPLER_SOFT) ? -1 : resampler;
    out->source = source;
    out->is_looping = is_looping != 0;
    out->is_relative = is_relative != 0;
    details->distance_model = (s3d_distance_model)index_of(distance_models, 7, model);
    details->spatialization = (s3d_spatialization)index_of(spatializations, 3, spatialization);
    details->uses_direct_channels = direct != 0;
}

/* Objects. */

uintptr_t s3d_device_address(s3d_device *device) {
    return (uintptr_t)device->alc;
}

bool s3d_library_has_device(uintptr_t address) {
    /* OpenAL Soft compares the address with its list before it reads a device. */
    S3D_CALL();
    return s3d_has((ALCdevice *)address, "ALC_EXT_EFX");
}

uintptr_t s3d_context_address(s3d_context *context) {
    return (uintptr_t)context->alc;
}

bool s3d_library_has_context(uintptr_t address) {
    /* OpenAL Soft compares the address with its lists before it reads a context. */
    S3D_CALL();
    return alcGetContextsDevice((ALCcontext *)address) != NULL;
}

bool s3d_thread_has_context(void) {
    const s3d_api *library = s3d_library();
    return library->get_thread_context && library->get_thread_context() != NULL;
}

bool s3d_library_has_buffer(s3d_context *context, s3d_buffer buffer) {
    S3D_ENTER(context);
    return alIsBuffer(buffer.id) == AL_TRUE;
}

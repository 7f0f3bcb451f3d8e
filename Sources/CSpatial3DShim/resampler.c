#include "scope.h"

static ALint read_number(s3d_context *context, ALenum name, ALint otherwise) {
    if (!context->api->get_context_string_at) return otherwise;
    S3D_ENTER(context);
    return alGetInteger(name);
}

int32_t s3d_context_resampler_count(s3d_context *context) {
    return read_number(context, AL_NUM_RESAMPLERS_SOFT, 0);
}

int32_t s3d_context_default_resampler(s3d_context *context) {
    return read_number(context, AL_DEFAULT_RESAMPLER_SOFT, -1);
}

char *s3d_context_copy_resampler_name(s3d_context *context, int32_t index) {
    S3D_ENTER(context);
    return s3d_copy_text(context->api->get_context_string_at(AL_RESAMPLER_NAME_SOFT, index));
}

#include "scope.h"

static ALint read_number(s3d_context *context, ALenum name, ALint otherwise) {
    if (!context->api->get_context_string_at) return otherwise;
    const s3d_scope scope = s3d_enter(context);
    const ALint number = alGetInteger(name);
    s3d_leave(scope);
    return number;
}

int32_t s3d_context_resampler_count(s3d_context *context) {
    return read_number(context, AL_NUM_RESAMPLERS_SOFT, 0);
}

int32_t s3d_context_default_resampler(s3d_context *context) {
    return read_number(context, AL_DEFAULT_RESAMPLER_SOFT, -1);
}

char *s3d_context_copy_resampler_name(s3d_context *context, int32_t index) {
    const s3d_scope scope = s3d_enter(context);
    char *copy = s3d_copy_text(context->api->get_context_string_at(AL_RESAMPLER_NAME_SOFT, index));
    s3d_leave(scope);
    return copy;
}

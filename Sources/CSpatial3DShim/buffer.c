#include "scope.h"

/* Rows are layouts, columns samples. The surround formats are those of AL_EXT_MCFORMATS. */
static const ALenum formats[][2] = {
    [S3D_MONO] = { AL_FORMAT_MONO16, AL_FORMAT_MONO_FLOAT32 },
    [S3D_STEREO] = { AL_FORMAT_STEREO16, AL_FORMAT_STEREO_FLOAT32 },
    [S3D_QUAD] = { AL_FORMAT_QUAD16, AL_FORMAT_QUAD32 },
    [S3D_SURROUND_51] = { AL_FORMAT_51CHN16, AL_FORMAT_51CHN32 },
    [S3D_SURROUND_61] = { AL_FORMAT_61CHN16, AL_FORMAT_61CHN32 },
    [S3D_SURROUND_71] = { AL_FORMAT_71CHN16, AL_FORMAT_71CHN32 },
};

static bool has_format(s3d_layout layout, s3d_sample sample) {
    if (sample == S3D_FLOAT32 && !alIsExtensionPresent("AL_EXT_FLOAT32")) return false;
    return layout <= S3D_STEREO || alIsExtensionPresent("AL_EXT_MCFORMATS");
}

s3d_error s3d_buffer_create(
    s3d_context *context,
    s3d_layout layout,
    s3d_sample sample,
    int32_t sample_rate,
    const void *samples,
    int32_t byte_count,
    s3d_buffer *out
) {
    if (s3d_creation_fails(context)) return AL_OUT_OF_MEMORY;
    s3d_error error = S3D_OK;
    const s3d_scope scope = s3d_enter(context);
    if (!has_format(layout, sample)) {
        error = S3D_NOT_IN_LIBRARY;
    } else {
        ALuint id = 0;
        alGetError();
        alGenBuffers(1, &id);
        if (!id) {
            error = s3d_reason();
        } else {
            alBufferData(id, formats[layout][sample], samples, byte_count, sample_rate);
            /* A buffer that took no data keeps its first rate. */
            ALint size = -1, rate = -1;
            alGetBufferi(id, AL_SIZE, &size);
            alGetBufferi(id, AL_FREQUENCY, &rate);
            if (size == byte_count && rate == sample_rate) {
                out->id = id;
            } else {
                error = s3d_reason();
                alDeleteBuffers(1, &id);
            }
        }
    }
    s3d_leave(scope);
    return error;
}

void s3d_buffer_destroy(s3d_context *context, s3d_buffer buffer) {
    const s3d_scope scope = s3d_enter(context);
    alDeleteBuffers(1, &buffer.id);
    s3d_leave(scope);
}

bool s3d_library_has_buffer(s3d_context *context, s3d_buffer buffer) {
    const s3d_scope scope = s3d_enter(context);
    const bool is_buffer = alIsBuffer(buffer.id) == AL_TRUE;
    s3d_leave(scope);
    return is_buffer;
}

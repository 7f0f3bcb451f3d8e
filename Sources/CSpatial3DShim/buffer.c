#include "scope.h"

/* Rows are layouts, columns samples. The surround formats are those of AL_EXT_MCFORMATS,
   the last two of AL_EXT_BFORMAT, in Furse-Malham order and weights. */
static const ALenum formats[][2] = {
    [S3D_MONO] = { AL_FORMAT_MONO16, AL_FORMAT_MONO_FLOAT32 },
    [S3D_STEREO] = { AL_FORMAT_STEREO16, AL_FORMAT_STEREO_FLOAT32 },
    [S3D_QUAD] = { AL_FORMAT_QUAD16, AL_FORMAT_QUAD32 },
    [S3D_SURROUND_51] = { AL_FORMAT_51CHN16, AL_FORMAT_51CHN32 },
    [S3D_SURROUND_61] = { AL_FORMAT_61CHN16, AL_FORMAT_61CHN32 },
    [S3D_SURROUND_71] = { AL_FORMAT_71CHN16, AL_FORMAT_71CHN32 },
    [S3D_BFORMAT_2D] = { AL_FORMAT_BFORMAT2D_16, AL_FORMAT_BFORMAT2D_FLOAT32 },
    [S3D_BFORMAT_3D] = { AL_FORMAT_BFORMAT3D_16, AL_FORMAT_BFORMAT3D_FLOAT32 },
};

static bool has_format(s3d_layout layout, s3d_sample sample) {
    if (sample == S3D_FLOAT32 && !alIsExtensionPresent("AL_EXT_FLOAT32")) return false;
    if (layout >= S3D_BFORMAT_2D) return alIsExtensionPresent("AL_EXT_BFORMAT");
    return layout <= S3D_STEREO || alIsExtensionPresent("AL_EXT_MCFORMATS");
}

static bool has_all(const s3d_sound *sound) {
    if (sound->has_loop_points && !alIsExtensionPresent("AL_SOFT_loop_points")) return false;
    return has_format(sound->layout, sound->sample);
}

/* Whether the library took the sound: a buffer that took no samples keeps its first rate. */
static bool took(ALuint id, const s3d_sound *sound) {
    ALint size = -1, rate = -1;
    alGetBufferi(id, AL_SIZE, &size);
    alGetBufferi(id, AL_FREQUENCY, &rate);
    if (size != sound->byte_count || rate != sound->sample_rate) return false;
    if (!sound->has_loop_points) return true;
    const ALint wanted[2] = { sound->loop_start, sound->loop_end };
    ALint points[2] = { -1, -1 };
    alBufferiv(id, AL_LOOP_POINTS_SOFT, wanted);
    alGetBufferiv(id, AL_LOOP_POINTS_SOFT, points);
    return points[0] == wanted[0] && points[1] == wanted[1];
}

s3d_error s3d_buffer_create(s3d_context *context, const s3d_sound *sound, const void *samples, s3d_buffer *out) {
    if (s3d_creation_fails(context)) return AL_OUT_OF_MEMORY;
    s3d_error error = S3D_OK;
    const s3d_scope scope = s3d_enter(context);
    if (!has_all(sound)) {
        error = S3D_NOT_IN_LIBRARY;
    } else {
        ALuint id = 0;
        alGetError();
        alGenBuffers(1, &id);
        if (!id) {
            error = s3d_reason();
        } else {
            const ALenum format = formats[sound->layout][sound->sample];
            alBufferData(id, format, samples, sound->byte_count, sound->sample_rate);
            if (took(id, sound)) {
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

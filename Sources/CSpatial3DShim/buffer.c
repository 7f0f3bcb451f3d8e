#include <stdlib.h>
#include <string.h>

#include "scope.h"

/* Small compared with a sound for which memory matters, and large compared with a page. */
enum { BYTES_PER_PIECE = 1 << 20 };

static ALenum format_of(const s3d_sound *sound) {
    return s3d_layouts[sound->layout].buffer_formats[sound->sample];
}

static bool has_format(s3d_layout layout, s3d_sample sample) {
    if (sample == S3D_FLOAT32 && !alIsExtensionPresent("AL_EXT_FLOAT32")) return false;
    if (layout >= S3D_BFORMAT_2D) return alIsExtensionPresent("AL_EXT_BFORMAT");
    return layout <= S3D_STEREO || alIsExtensionPresent("AL_EXT_MCFORMATS");
}

static bool has_all(const s3d_sound *sound) {
    if (sound->has_loop_points && !alIsExtensionPresent("AL_SOFT_loop_points")) return false;
    return has_format(sound->layout, sound->sample);
}

/* Whether the library accepted the sound: a buffer that it refused keeps its size and rate. */
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

/* Whether the library's memory can be mapped, to be written now and read after its device is gone. */
static bool can_map(const s3d_api *api) {
    return api->map_buffer && alIsExtensionPresent("AL_SOFTX_map_buffer");
}

enum { MAPPING = S3D_MAP_READ_BIT | S3D_MAP_WRITE_BIT | S3D_MAP_PERSISTENT_BIT };

bool s3d_refill_buffer(const s3d_api *api, ALuint id, const s3d_buffer_record *kept, const void *samples) {
    const s3d_sound *sound = &kept->sound;
    const ALenum format = format_of(sound);
    const ALsizei size = sound->byte_count;
    if (kept->borrowed) {
        api->buffer_data_static((ALint)id, format, (void *)kept->borrowed, size, sound->sample_rate);
    } else if (kept->copy) {
        alBufferData(id, format, kept->copy, size, sound->sample_rate);
    } else {
        api->buffer_storage(id, format, samples, size, sound->sample_rate, MAPPING);
    }
    return took(id, sound);
}

/* Generates an empty buffer; 0 and the error where the library refuses. */
static ALuint generate(const s3d_sound *sound, s3d_error *error) {
    ALuint id = 0;
    if (!has_all(sound)) {
        *error = S3D_NOT_IN_LIBRARY;
        return 0;
    }
    alGetError();
    alGenBuffers(1, &id);
    if (!id) *error = s3d_reason();
    return id;
}

/* Registers and returns a buffer that the library filled, or deletes a buffer that it refused to fill. */
static s3d_error
finish(s3d_context *context, ALuint id, const s3d_buffer_record *record, bool is_filled, s3d_buffer *out) {
    s3d_error error = S3D_OK;
    if (!is_filled) {
        error = s3d_reason();
        /* OpenAL Soft 1.25 sets no error where memory ends. The checks above exclude every other cause. */
        if (error == S3D_REFUSED) error = AL_OUT_OF_MEMORY;
    } else if (!s3d_register_buffer(context, id, record)) {
        error = AL_OUT_OF_MEMORY;
    }
    if (error == S3D_OK) *out = (s3d_buffer) { .id = id, .borrowed = record->borrowed };
    else alDeleteBuffers(1, &id);
    return error;
}

/* Copies samples that cannot be read back from the library. */
static void *copied(const void *samples, int32_t byte_count) {
    void *copy = malloc(byte_count > 0 ? (size_t)byte_count : 1);
    if (copy) memcpy(copy, samples, (size_t)byte_count);
    return copy;
}

s3d_error s3d_buffer_create(s3d_context *context, const s3d_sound *sound, const void *samples, s3d_buffer *out) {
    if (s3d_creation_fails(context)) return AL_OUT_OF_MEMORY;
    S3D_ENTER(context);
    s3d_error error = S3D_OK;
    const ALuint id = generate(sound, &error);
    if (!id) return error;
    s3d_buffer_record record = { .is_present = true, .sound = *sound };
    const bool is_mapped = can_map(context->api);
    if (!is_mapped) record.copy = copied(samples, sound->byte_count);
    const bool is_filled = (is_mapped || record.copy) && s3d_refill_buffer(context->api, id, &record, samples);
    error = finish(context, id, &record, is_filled, out);
    if (error != S3D_OK) free(record.copy);
    return error;
}

/* Moves samples from their end on, and gives each piece back to the system as soon as it is copied. */
static void *move(char *to, char *samples, size_t byte_count) {
    while (byte_count > 0) {
        const size_t piece = byte_count < BYTES_PER_PIECE ? byte_count : BYTES_PER_PIECE;
        byte_count -= piece;
        memcpy(to + byte_count, samples + byte_count, piece);
        char *rest = byte_count ? realloc(samples, byte_count) : samples;
        if (rest) samples = rest;
    }
    return samples;
}

/*
 * Moves samples into the library's memory where it can be mapped; returns the address of the samples that are left, to
 * be freed.
 */
static void *move_into(s3d_context *context, ALuint id, const s3d_sound *sound, void *samples) {
    const ALenum format = format_of(sound);
    context->api->buffer_storage(id, format, NULL, sound->byte_count, sound->sample_rate, MAPPING);
    void *room = context->api->map_buffer(id, 0, sound->byte_count, S3D_MAP_WRITE_BIT);
    if (room) {
        samples = move(room, samples, (size_t)sound->byte_count);
        context->api->unmap_buffer(id);
    } else {
        context->api->buffer_storage(id, format, samples, sound->byte_count, sound->sample_rate, MAPPING);
    }
    return samples;
}

/* Creates a buffer with samples. On return *samples is the memory that the caller has to free, or NULL. */
static s3d_error create_owning(s3d_context *context, const s3d_sound *sound, void **samples, s3d_buffer *out) {
    if (s3d_creation_fails(context)) return AL_OUT_OF_MEMORY;
    S3D_ENTER(context);
    s3d_error error = S3D_OK;
    const ALuint id = generate(sound, &error);
    if (!id) return error;
    s3d_buffer_record record = { .is_present = true, .sound = *sound };
    const bool is_static = context->api->buffer_data_static && alIsExtensionPresent("AL_EXT_STATIC_BUFFER");
    if (!is_static && can_map(context->api)) {
        *samples = move_into(context, id, sound, *samples);
        return finish(context, id, &record, took(id, sound), out);
    }
    if (is_static) record.borrowed = (uintptr_t)*samples;
    else record.copy = *samples;
    error = finish(context, id, &record, s3d_refill_buffer(context->api, id, &record, NULL), out);
    if (error == S3D_OK) *samples = NULL;
    return error;
}

s3d_error s3d_buffer_create_owning(s3d_context *context, const s3d_sound *sound, void *samples, s3d_buffer *out) {
    const s3d_error error = create_owning(context, sound, &samples, out);
    free(samples);
    return error;
}

/* Copies the samples of a buffer; false where they cannot be read. */
static bool read_back(s3d_context *context, s3d_buffer buffer, char *to, size_t byte_count) {
    /* The scope keeps a replacement away, which maps the buffer too: the library maps a buffer once at a time. */
    S3D_ENTER(context);
    S3D_LOCK(&context->device->mapping_lock);
    if (buffer.borrowed) {
        memcpy(to, (const void *)buffer.borrowed, byte_count);
        return true;
    }
    if (!can_map(context->api)) return false;
    const ALuint access = S3D_MAP_READ_BIT | S3D_MAP_PERSISTENT_BIT;
    const void *samples = context->api->map_buffer(buffer.id, 0, (ALsizei)byte_count, access);
    if (!samples) return false;
    memcpy(to, samples, byte_count);
    context->api->unmap_buffer(buffer.id);
    return true;
}

s3d_error s3d_buffer_create_after_silence(
    s3d_context *context,
    const s3d_sound *sound,
    s3d_context *other,
    s3d_buffer buffer,
    int32_t silent_byte_count,
    s3d_buffer *out
) {
    char *samples = calloc((size_t)sound->byte_count, 1);
    if (!samples) return AL_OUT_OF_MEMORY;
    const size_t byte_count = (size_t)(sound->byte_count - silent_byte_count);
    if (read_back(other, buffer, samples + silent_byte_count, byte_count))
        return s3d_buffer_create_owning(context, sound, samples, out);
    free(samples);
    return S3D_NOT_IN_LIBRARY;
}

void s3d_buffer_destroy(s3d_context *context, s3d_buffer buffer) {
    if (s3d_device_is_inherited(context->device)) return;
    bool is_gone;
    {
        S3D_ENTER(context);
        s3d_unregister_buffer(context, buffer.id);
        alGetError();
        alDeleteBuffers(1, &buffer.id);
        /* A leak is better than a free of memory that the library still reads. */
        is_gone = alGetError() == AL_NO_ERROR || !alIsBuffer(buffer.id);
    }
    if (is_gone) free((void *)buffer.borrowed);
}

#include <stdlib.h>
#include <string.h>

#include "player.h"
#include "scope.h"

/* The largest number of frames that the library asks a callback for at once: a mix, at four times the rate. */
enum { LARGEST_REQUEST = 8192 };

/* OpenAL Soft 1.21 has the function with other parameters, and with the name of an experimental extension. */
static bool has_callback(s3d_context *context) {
    S3D_ENTER(context);
    return context->api->buffer_callback && alIsExtensionPresent("AL_SOFT_callback_buffer");
}

s3d_player *s3d_player_create(
    s3d_context *context,
    s3d_layout layout,
    int32_t sample_rate,
    size_t most_ahead,
    s3d_semaphore *wake
) {
    const bool uses_callback = has_callback(context);
    const size_t channel_count = (size_t)s3d_layouts[layout].channel_count;
    const size_t buffer_count = most_ahead / S3D_PLAYER_BLOCK + 3;
    /* With less room, the writer would wait for a request, and the request for the writer. */
    size_t capacity = 1;
    while (capacity < most_ahead + S3D_PLAYER_BLOCK + LARGEST_REQUEST) capacity *= 2;
    const size_t room = uses_callback
        ? capacity * channel_count * sizeof(float)
        : buffer_count * sizeof(ALuint);
    s3d_player *player = calloc(1, sizeof *player + room);
    if (!player) return NULL;
    player->context = context;
    player->wake = wake;
    player->channel_count = channel_count;
    player->sample_rate = sample_rate;
    player->format = s3d_layouts[layout].buffer_formats[S3D_FLOAT32];
    player->uses_callback = uses_callback;
    player->buffer_count = uses_callback ? 1 : buffer_count;
    player->capacity = capacity;
    /* One allocation, because the device frees one. */
    player->ring = uses_callback ? (float *)(player + 1) : NULL;
    player->buffers = uses_callback ? NULL : (ALuint *)(player + 1);
    s3d_keep_until_close(context->device, &player->kept);
    return player;
}

bool s3d_player_uses_callback(const s3d_player *player) {
    return player->uses_callback;
}

/* The caller has the shared lock of the device, without which a replacement may happen. */
static bool is_on_present_device(const s3d_player *player) {
    return player->source != 0 && player->source_generation == atomic_load(&player->context->device->replacements);
}

bool s3d_player_is_started(s3d_player *player) {
    S3D_LOCK_SHARED(player->context->device);
    return is_on_present_device(player);
}

/* Starting and stopping. The caller has entered the context. */

/* The mix has its own attenuation and its own Doppler effect, and a mono source would get these of the output. */
static ALuint make_source(void) {
    ALuint source = 0;
    alGenSources(1, &source);
    if (source == 0) return 0;
    /* The output may lack channels of the mix: without the extension, the library drops them. */
    const bool remixes = alIsExtensionPresent("AL_SOFT_direct_channels_remix");
    alSourcei(source, AL_DIRECT_CHANNELS_SOFT, remixes ? S3D_REMIX_UNMATCHED : AL_TRUE);
    if (alIsExtensionPresent("AL_SOFT_source_spatialize")) alSourcei(source, AL_SOURCE_SPATIALIZE_SOFT, AL_FALSE);
    alSourcef(source, AL_ROLLOFF_FACTOR, 0);
    alSourcef(source, AL_DOPPLER_FACTOR, 0);
    return source;
}

static bool start_callback(s3d_player *player) {
    ALuint buffer = 0;
    alGenBuffers(1, &buffer);
    if (buffer == 0) return false;
    s3d_permit *permit = calloc(1, sizeof *permit);
    if (!permit) {
        alDeleteBuffers(1, &buffer);
        return false;
    }
    permit->player = player;
    atomic_store(&permit->is_open, true);
    s3d_keep_until_close(player->context->device, &permit->kept);
    player->permit = permit;
    player->context->api->buffer_callback(buffer, player->format, player->sample_rate, s3d_player_pull, permit);
    alSourcei(player->source, AL_BUFFER, (ALint)buffer);
    /* The source keeps the buffer, and the stop of the player reads its name from it. */
    alSourcePlay(player->source);
    return true;
}

static bool start_queue(s3d_player *player) {
    memset(player->buffers, 0, player->buffer_count * sizeof *player->buffers);
    alGenBuffers((ALsizei)player->buffer_count, player->buffers);
    player->free_count = player->buffer_count;
    return player->buffers[0] != 0;
}

/* Deletes the source, and its buffers. */
static void end_source(s3d_player *player) {
    alSourceStop(player->source);
    ALint buffer = 0;
    if (player->uses_callback) alGetSourcei(player->source, AL_BUFFER, &buffer);
    alSourcei(player->source, AL_BUFFER, 0);
    alDeleteSources(1, &player->source);
    player->source = 0;
    if (player->uses_callback) alDeleteBuffers(buffer != 0, &(ALuint) { (ALuint)buffer });
    else alDeleteBuffers((ALsizei)player->buffer_count, player->buffers);
    /* What fails here fails with the device, which is gone. */
    alGetError();
}

/* Lets no callback of an earlier source read the player, and discards the frames of the ring. */
static void close_permit(s3d_player *player) {
    if (player->permit) s3d_permit_close(player->permit);
    player->permit = NULL;
    atomic_store(&player->taken, atomic_load(&player->written));
    atomic_store(&player->has_begun, false);
    atomic_store(&player->is_dry, false);
}

bool s3d_player_start(s3d_player *player) {
    close_permit(player);
    S3D_ENTER(player->context);
    alGetError();
    player->source = make_source();
    player->source_generation = atomic_load(&player->context->device->replacements);
    if (player->source == 0) return false;
    const bool is_started = player->uses_callback ? start_callback(player) : start_queue(player);
    if (is_started && alGetError() == AL_NO_ERROR) return true;
    end_source(player);
    return false;
}

void s3d_player_stop(s3d_player *player) {
    if (s3d_device_is_inherited(player->context->device)) return;
    close_permit(player);
    S3D_ENTER(player->context);
    if (is_on_present_device(player)) end_source(player);
    player->source = 0;
}

/* Playing. */

void s3d_player_set_ahead(s3d_player *player, size_t frame_count) {
    atomic_store_explicit(&player->ahead, frame_count, memory_order_relaxed);
}

/* Takes the played buffers out of the queue; returns the number of queued buffers. */
static size_t unqueue(s3d_player *player) {
    ALint processed = 0;
    alGetSourcei(player->source, AL_BUFFERS_PROCESSED, &processed);
    const size_t queued = player->buffer_count - player->free_count;
    const size_t played = processed > 0 && (size_t)processed <= queued ? (size_t)processed : 0;
    if (played > 0) alSourceUnqueueBuffers(player->source, (ALsizei)played, player->buffers + player->free_count);
    player->free_count += played;
    return queued - played;
}

static size_t queued_frames(s3d_player *player) {
    const size_t frames = unqueue(player) * S3D_PLAYER_BLOCK;
    ALint offset = 0;
    alGetSourcei(player->source, AL_SAMPLE_OFFSET, &offset);
    return offset > 0 && (size_t)offset < frames ? frames - (size_t)offset : frames;
}

size_t s3d_player_queued(s3d_player *player) {
    if (player->uses_callback) return atomic_load(&player->written) - atomic_load(&player->taken);
    S3D_ENTER(player->context);
    return is_on_present_device(player) ? queued_frames(player) : 0;
}

static bool write_to_ring(s3d_player *player, const float *samples) {
    const size_t written = atomic_load_explicit(&player->written, memory_order_relaxed);
    const size_t queued = written - atomic_load_explicit(&player->taken, memory_order_acquire);
    if (player->capacity - queued < S3D_PLAYER_BLOCK) return false;
    /* The capacity is a multiple of the block: a block does not wrap. */
    const size_t start = (written & (player->capacity - 1)) * player->channel_count;
    memcpy(player->ring + start, samples, S3D_PLAYER_BLOCK * player->channel_count * sizeof *samples);
    atomic_store_explicit(&player->written, written + S3D_PLAYER_BLOCK, memory_order_release);
    return true;
}

/* The library copies the samples. */
static bool write_to_queue(s3d_player *player, const float *samples) {
    S3D_ENTER(player->context);
    if (!is_on_present_device(player)) return false;
    size_t queued = unqueue(player);
    if (player->free_count == 0) return false;
    const ALuint buffer = player->buffers[player->free_count - 1];
    const size_t size = S3D_PLAYER_BLOCK * player->channel_count * sizeof *samples;
    alBufferData(buffer, player->format, samples, (ALsizei)size, player->sample_rate);
    alSourceQueueBuffers(player->source, 1, &buffer);
    player->free_count -= 1;
    ALint state = AL_INITIAL;
    alGetSourcei(player->source, AL_SOURCE_STATE, &state);
    if (state == AL_PLAYING) return true;
    if (state == AL_STOPPED) {
        if (atomic_exchange(&player->has_begun, false)) {
            atomic_fetch_add(&player->missed, S3D_PLAYER_BLOCK);
            atomic_fetch_add(&player->underruns, 1);
        }
        /* A source that stopped has played the older buffers, and a rewind would play them again. */
        if (queued > 0) alSourceUnqueueBuffers(player->source, (ALsizei)queued, player->buffers + player->free_count);
        player->free_count += queued;
        queued = 0;
        /* It counts all of its buffers as played: the queue has to be full before it plays. */
        alSourceRewind(player->source);
    }
    if ((queued + 1) * S3D_PLAYER_BLOCK < atomic_load_explicit(&player->ahead, memory_order_relaxed)) return true;
    alSourcePlay(player->source);
    atomic_store(&player->has_begun, true);
    return true;
}

bool s3d_player_write(s3d_player *player, const float *samples) {
    return player->uses_callback ? write_to_ring(player, samples) : write_to_queue(player, samples);
}

int64_t s3d_player_missed(const s3d_player *player) {
    return atomic_load_explicit(&player->missed, memory_order_relaxed);
}

int64_t s3d_player_underruns(const s3d_player *player) {
    return atomic_load_explicit(&player->underruns, memory_order_relaxed);
}

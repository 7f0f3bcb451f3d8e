#include <sched.h>
#include <string.h>

#include "player.h"

/*
 * The callback runs on the library's mixing thread, which has a time limit: it copies, and signals a semaphore. It
 * calls neither the library nor anything that waits. A ring with fewer frames than the callback is asked for gives what
 * it has, and silence.
 */

static void copy(const s3d_player *player, size_t begin, size_t count, float *samples) {
    const size_t start = begin & (player->capacity - 1);
    const size_t until_end = player->capacity - start;
    const size_t first = count < until_end ? count : until_end;
    const size_t frame_size = player->channel_count * sizeof *samples;
    memcpy(samples, player->ring + start * player->channel_count, first * frame_size);
    memcpy(samples + first * player->channel_count, player->ring, (count - first) * frame_size);
}

/* Counts the frames that a request lacks at its end; a request without any frame continues the gap before it. */
static void count_missed(s3d_player *player, size_t missed, bool has_frames) {
    const bool was_dry = atomic_load_explicit(&player->is_dry, memory_order_relaxed);
    atomic_store_explicit(&player->is_dry, missed > 0, memory_order_relaxed);
    if (missed == 0) return;
    atomic_fetch_add_explicit(&player->missed, (long long)missed, memory_order_relaxed);
    if (has_frames || !was_dry) atomic_fetch_add_explicit(&player->underruns, 1, memory_order_relaxed);
}

/* Returns the number of frames that it wrote. */
static size_t take(s3d_player *player, size_t wanted, float *samples) {
    const size_t taken = atomic_load_explicit(&player->taken, memory_order_relaxed);
    const size_t there = atomic_load_explicit(&player->written, memory_order_acquire) - taken;
    /* A ring that begins before it is filled would have a gap at the beginning of the sound. */
    const bool has_begun = atomic_load_explicit(&player->has_begun, memory_order_relaxed)
        || there >= atomic_load_explicit(&player->ahead, memory_order_relaxed);
    const size_t count = !has_begun ? 0 : wanted < there ? wanted : there;
    copy(player, taken, count, samples);
    /* The writer reuses the room. */
    atomic_store_explicit(&player->taken, taken + count, memory_order_release);
    atomic_store_explicit(&player->has_begun, has_begun, memory_order_relaxed);
    count_missed(player, has_begun ? wanted - count : 0, count > 0);
    s3d_semaphore_signal(player->wake);
    return count;
}

ALsizei AL_APIENTRY s3d_player_pull(ALvoid *user, ALvoid *samples, ALsizei byte_count) {
    s3d_permit *permit = user;
    size_t filled = 0;
    atomic_store(&permit->is_reading, true);
    if (atomic_load(&permit->is_open)) {
        s3d_player *player = permit->player;
        const size_t frame_size = player->channel_count * sizeof(float);
        filled = take(player, (size_t)byte_count / frame_size, samples) * frame_size;
    }
    atomic_store(&permit->is_reading, false);
    memset((char *)samples + filled, 0, (size_t)byte_count - filled);
    /* Fewer bytes would end the source. */
    return byte_count;
}

void s3d_permit_close(s3d_permit *permit) {
    atomic_store(&permit->is_open, false);
    while (atomic_load(&permit->is_reading)) sched_yield();
}

/* The player of a mix on an output. A part of spatial3d_shim.h. */
#ifndef SPATIAL3D_PLAYER_H
#define SPATIAL3D_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spatial3d_events.h"

/*
 * A source of an output that plays blocks of a mix: its channels reach the loudspeakers as they are.
 *
 * Where the library has AL_SOFT_callback_buffer, the source reads a ring of frames. Elsewhere it plays a queue of
 * buffers, of one block each. One thread at a time calls the functions below; any thread calls s3d_player_missed
 * and s3d_player_underruns. The device of the output owns the memory of a player, and frees it when it closes: a
 * callback may run until then.
 */
typedef struct s3d_player s3d_player;

/* The number of frames of a block. */
enum { S3D_PLAYER_BLOCK = 512 };

/*
 * A player of frames of a layout and a rate, with room for some frames ahead of the output. The callback signals the
 * semaphore, which outlives the player's last s3d_player_stop. NULL: there is no memory.
 */
s3d_player *s3d_player_create(
    s3d_context *context,
    s3d_layout layout,
    int32_t sample_rate,
    size_t most_ahead,
    s3d_semaphore *wake
);
bool s3d_player_uses_callback(const s3d_player *player);
/* Whether the source plays on the present device of the library: a replacement of the device loses the source. */
bool s3d_player_is_started(s3d_player *player);
/* Makes the source, which plays from the next block on. Returns false where the library refuses. */
bool s3d_player_start(s3d_player *player);
/* Ends the source, and discards all frames that were not played. No callback reads the player afterwards. */
void s3d_player_stop(s3d_player *player);
/* The number of frames of a queue from which on it plays. */
void s3d_player_set_ahead(s3d_player *player, size_t frame_count);
/* The number of frames that the output has not taken yet. */
size_t s3d_player_queued(s3d_player *player);
/* Appends a block; returns false, and drops it, where there is no room. */
bool s3d_player_write(s3d_player *player, const float *samples);
/* How many frames the output has asked for and played as silence, because there were none. */
int64_t s3d_player_missed(const s3d_player *player);
/* How many runs of such frames there were, each of which is a gap in the sound. */
int64_t s3d_player_underruns(const s3d_player *player);

#endif

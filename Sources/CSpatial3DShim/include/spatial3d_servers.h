/*
 * The sound servers of this machine. A part of spatial3d_shim.h.
 *
 * A call of the library that opens, closes, lists or pauses an output waits for a server that hangs, and most other
 * calls of the library wait for that call. A question to a server goes through a connection of its own, and takes as
 * long as the caller allows.
 */
#ifndef SPATIAL3D_SERVERS_H
#define SPATIAL3D_SERVERS_H

#include <stdint.h>

typedef enum s3d_server_answer {
    S3D_SERVER_UNKNOWN, /* no socket on this machine: no server, or a remote one */
    S3D_SERVER_GONE,    /* a socket that no process listens on */
    S3D_SERVER_ANSWERS,
    S3D_SERVER_HANGS, /* a process listens, and has not answered in time */
} s3d_server_answer;

/*
 * Asks PulseAudio and PipeWire for a sign of life, and waits for at most some nanoseconds. A server that hangs has
 * precedence over a server that answers, and both have precedence over a server that is gone. Calls nothing of the
 * library, and takes no lock.
 */
s3d_server_answer s3d_ask_servers(int64_t nanoseconds);

#endif

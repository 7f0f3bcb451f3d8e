#ifndef SPATIAL3D_DESKTOP_INTERNAL_H
#define SPATIAL3D_DESKTOP_INTERNAL_H

#include <pulse/pulseaudio.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

#include "desktop.h"

typedef struct entry {
    struct entry *next;
    s3d_desktop_event event;
} entry;

/* The next attempt to connect, after a pause that doubles. */
typedef struct {
    /* In microseconds of the monotonic clock; 0 for none. */
    uint64_t due;
    uint64_t pause;
} attempt;

struct s3d_desktop {
    char *name, *server, *bus_address;
    pa_mainloop *loop;
    int wake_file;
    atomic_bool is_lowering, is_woken;

    /* The events that wait, in order. */
    entry *first, *last;

    /* The sound server. */
    pa_context *context;
    attempt next_server;
    /* The stream that lowers others. */
    pa_stream *phone;
    bool may_reopen;
    /* The lists that the server still has to send before it counts as ready; -1 while it is away. */
    int open_lists;
    bool was_lost;

    /* The login manager. */
    sd_bus *bus;
    attempt next_login;
    pa_io_event *bus_io;
    sd_bus_slot *slots[2];
    char session_path[S3D_DESKTOP_TEXT];
    bool is_login_ready, was_login_lost;
    /* The time by which the bus has to be processed, in microseconds; 0 for none. */
    uint64_t bus_limit;
    /* The file that delays a sleep while it is open; -1 for none. */
    int inhibitor;
    bool is_sleeping;
    /* The number of the last sleep, and of the last permitted sleep. */
    uint32_t sleep_count;
    atomic_uint permitted_sleep;
    /* The end of the delay, permitted or not; 0 for none. */
    uint64_t sleep_limit;
};

/* Appends an event; without memory it is lost. */
s3d_desktop_event *s3d_desktop_post(s3d_desktop *desktop, s3d_desktop_kind kind);
/* Removes the first event, and returns whether there was one. */
bool s3d_desktop_take(s3d_desktop *desktop, s3d_desktop_event *event);
/* Copies a text, or its beginning, into a field of an event; NULL is an empty text. */
void s3d_desktop_copy(char *to, const char *from);

/* The monotonic time in microseconds. */
uint64_t s3d_desktop_now(void);
/* Sets the time of the next attempt; the pauses grow up to the longest one. */
void s3d_desktop_try_later(attempt *next, uint64_t longest_pause);
/* Whether the time of an attempt has come; the time is then cleared. */
bool s3d_desktop_is_due(attempt *next, uint64_t now);

void s3d_pulse_open(s3d_desktop *desktop);
void s3d_pulse_close(s3d_desktop *desktop);
/* Starts or ends the stream that lowers others, as was last asked for, and opens it again if it has failed. */
void s3d_pulse_update_phone(s3d_desktop *desktop);

void s3d_login_open(s3d_desktop *desktop);
void s3d_login_close(s3d_desktop *desktop);
/* Takes the messages of the bus, before each poll. */
void s3d_login_process(s3d_desktop *desktop);
/* Ends the delay of a sleep that is permitted, or has lasted for too long. */
void s3d_login_update_sleep(s3d_desktop *desktop);

#endif

#ifndef SPATIAL3D_DESKTOP_INTERNAL_H
#define SPATIAL3D_DESKTOP_INTERNAL_H

#include <pulse/pulseaudio.h>
#include <stdatomic.h>
#include <systemd/sd-bus.h>

#include "desktop.h"

typedef struct entry {
  struct entry *next;
  s3d_desktop_event event;
} entry;

struct s3d_desktop {
  char *name, *server, *bus_address;
  pa_mainloop *loop;
  bool is_open;
  int wake_file;
  atomic_bool is_lowering, is_woken;

  // The events that wait, in order.
  entry *first, *last;

  // The sound server.
  pa_context *context;
  pa_stream *companion, *phone;
  bool may_reopen;
  pa_time_event *retry;
  // The pause before the next connection, in microseconds.
  uint64_t retry_delay;
  // The lists that the server still has to send before it counts as ready; -1 while it is away.
  int open_lists;
  bool was_lost;

  // The login manager.
  sd_bus *bus;
  pa_io_event *bus_io;
  sd_bus_slot *slots[4];
  char session_path[S3D_DESKTOP_TEXT];
  // The file that delays a sleep while it is open; -1 for none.
  int inhibitor;
  bool must_release_inhibitor, is_sleeping;
};

// Adds an event; without memory it is lost.
s3d_desktop_event *s3d_desktop_post(s3d_desktop *desktop, s3d_desktop_kind kind);
void s3d_desktop_copy(char *to, const char *from);

void s3d_pulse_open(s3d_desktop *desktop);
void s3d_pulse_close(s3d_desktop *desktop);
// Opens streams again that have failed, and starts or ends the one that lowers others, as was last asked for.
void s3d_pulse_update_streams(s3d_desktop *desktop);

void s3d_login_open(s3d_desktop *desktop);
void s3d_login_close(s3d_desktop *desktop);
// Permits a sleep that the last event announced.
void s3d_login_release(s3d_desktop *desktop);

#endif

// For strnlen and getpid.
#define _POSIX_C_SOURCE 200809L

#ifdef DESKTOP_SESSION

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

// The login manager's names.
static const char service[] = "org.freedesktop.login1";
static const char manager_path[] = "/org/freedesktop/login1";
static const char manager[] = "org.freedesktop.login1.Manager";
static const char session[] = "org.freedesktop.login1.Session";

static void post_flag(s3d_desktop *desktop, s3d_desktop_kind kind, bool is_on) {
  s3d_desktop_post(desktop, kind)->is_on = is_on;
}

static void process(pa_mainloop_api *api, pa_io_event *io, int file, pa_io_event_flags_t flags, void *argument);

// MARK: - Sleep

static void delay_sleep(s3d_desktop *desktop) {
  if (desktop->inhibitor >= 0) return;
  sd_bus_message *reply = NULL;
  int file = -1;
  int result = sd_bus_call_method(
    desktop->bus, service, manager_path, manager, "Inhibit", NULL, &reply, "ssss", "sleep", desktop->name,
    "The sound fades out.", "delay"
  );
  // The message owns its file.
  if (result >= 0 && sd_bus_message_read(reply, "h", &file) >= 0) desktop->inhibitor = fcntl(file, F_DUPFD_CLOEXEC, 0);
  sd_bus_message_unref(reply);
}

void s3d_login_release(s3d_desktop *desktop) {
  desktop->must_release_inhibitor = false;
  if (desktop->inhibitor >= 0) close(desktop->inhibitor);
  desktop->inhibitor = -1;
  // The system may have woken before the caller handled the announcement.
  if (!desktop->bus || desktop->is_sleeping) return;
  delay_sleep(desktop);
  // A signal may have come with the reply, and the file shows nothing then.
  process(pa_mainloop_get_api(desktop->loop), desktop->bus_io, 0, 0, desktop);
}

static int note_sleep(sd_bus_message *message, void *argument, sd_bus_error *error) {
  s3d_desktop *desktop = argument;
  int begins = 0;
  if (sd_bus_message_read(message, "b", &begins) < 0) return 0;
  desktop->is_sleeping = begins;
  s3d_desktop_post(desktop, begins ? S3D_DESKTOP_SLEEP : S3D_DESKTOP_WAKE);
  if (!begins) delay_sleep(desktop);
  return 0;
}

// MARK: - The screen and the session in front

static int note_lock(sd_bus_message *message, void *argument, sd_bus_error *error) {
  post_flag(argument, S3D_DESKTOP_SCREEN, true);
  return 0;
}

static int note_unlock(sd_bus_message *message, void *argument, sd_bus_error *error) {
  post_flag(argument, S3D_DESKTOP_SCREEN, false);
  return 0;
}

static void read_flag(s3d_desktop *desktop, const char *property, s3d_desktop_kind kind) {
  int is_on = 0;
  if (sd_bus_get_property_trivial(desktop->bus, service, desktop->session_path, session, property, NULL, 'b', &is_on) >= 0)
    post_flag(desktop, kind, is_on);
}

static int note_properties(sd_bus_message *message, void *argument, sd_bus_error *error) {
  // Read anew: the message may name a property without its value.
  read_flag(argument, "LockedHint", S3D_DESKTOP_SCREEN);
  read_flag(argument, "Active", S3D_DESKTOP_FRONT);
  return 0;
}

static void match(s3d_desktop *desktop, int slot, const char *interface, const char *name, sd_bus_message_handler_t handler) {
  const char *path = slot == 0 ? manager_path : desktop->session_path;
  sd_bus_match_signal(desktop->bus, &desktop->slots[slot], service, path, interface, name, handler, desktop);
}

// The session of the program, by its environment or its process.
static bool find_session(s3d_desktop *desktop) {
  sd_bus_message *reply = NULL;
  const char *path = NULL, *name = getenv("XDG_SESSION_ID");
  int result = name && *name
    ? sd_bus_call_method(desktop->bus, service, manager_path, manager, "GetSession", NULL, &reply, "s", name)
    : sd_bus_call_method(
        desktop->bus, service, manager_path, manager, "GetSessionByPID", NULL, &reply, "u", (uint32_t)getpid()
      );
  if (result >= 0 && sd_bus_message_read(reply, "o", &path) >= 0) s3d_desktop_copy(desktop->session_path, path);
  sd_bus_message_unref(reply);
  return *desktop->session_path;
}

// MARK: - The connection

static void fail(s3d_desktop *desktop, int result) {
  s3d_login_close(desktop);
  s3d_desktop_copy(s3d_desktop_post(desktop, S3D_DESKTOP_NO_LOGIN)->text, strerror(-result));
}

static void process(pa_mainloop_api *api, pa_io_event *io, int file, pa_io_event_flags_t flags, void *argument) {
  s3d_desktop *desktop = argument;
  int result;
  do result = sd_bus_process(desktop->bus, NULL);
  while (result > 0);
  if (result < 0) fail(desktop, result);
}

static int open_bus(s3d_desktop *desktop) {
  if (!desktop->bus_address) return sd_bus_open_system(&desktop->bus);
  int result = sd_bus_new(&desktop->bus);
  if (result >= 0) result = sd_bus_set_address(desktop->bus, desktop->bus_address);
  if (result >= 0) result = sd_bus_set_bus_client(desktop->bus, true);
  if (result >= 0) result = sd_bus_start(desktop->bus);
  return result;
}

void s3d_login_open(s3d_desktop *desktop) {
  int result = open_bus(desktop);
  if (result < 0) return fail(desktop, result);
  // A call waits for two seconds at most.
  sd_bus_set_method_call_timeout(desktop->bus, 2000000);
  int can_delay = 0;
  result = sd_bus_get_property_trivial(desktop->bus, service, manager_path, manager, "PreparingForSleep", NULL, 'b', &can_delay);
  if (result < 0) return fail(desktop, result);
  match(desktop, 0, manager, "PrepareForSleep", note_sleep);
  delay_sleep(desktop);
  if (find_session(desktop)) {
    match(desktop, 1, session, "Lock", note_lock);
    match(desktop, 2, session, "Unlock", note_unlock);
    match(desktop, 3, "org.freedesktop.DBus.Properties", "PropertiesChanged", note_properties);
    note_properties(NULL, desktop, NULL);
  }
  s3d_desktop_post(desktop, S3D_DESKTOP_LOGIN_READY);
  pa_mainloop_api *api = pa_mainloop_get_api(desktop->loop);
  desktop->bus_io = api->io_new(api, sd_bus_get_fd(desktop->bus), PA_IO_EVENT_INPUT, process, desktop);
  // A signal may have come with a reply: the file shows nothing then.
  process(api, desktop->bus_io, 0, 0, desktop);
}

void s3d_login_close(s3d_desktop *desktop) {
  if (desktop->bus_io) pa_mainloop_get_api(desktop->loop)->io_free(desktop->bus_io);
  desktop->bus_io = NULL;
  for (int slot = 0; slot < 4; slot += 1) desktop->slots[slot] = sd_bus_slot_unref(desktop->slots[slot]);
  desktop->bus = sd_bus_flush_close_unref(desktop->bus);
  s3d_login_release(desktop);
}

#endif

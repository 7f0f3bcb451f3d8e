/*
 * The sound server and the login manager of a Linux desktop, as a sequence of events. Built only with the package's
 * trait DesktopSession. It has no policy: it reports all streams, outputs and signals, and the caller draws the
 * conclusions.
 */
#ifndef SPATIAL3D_DESKTOP_H
#define SPATIAL3D_DESKTOP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct s3d_desktop s3d_desktop;

typedef enum {
    /* The caller woke the connection, or a wait was interrupted. */
    S3D_DESKTOP_NOTHING,
    /* The sound server answers, and every client, stream, output and module that it has was reported. */
    S3D_DESKTOP_SERVER_READY,
    /*
     * There is no sound server, or no longer; the connection tries again by itself. All reports of the server are void.
     */
    S3D_DESKTOP_SERVER_LOST,
    /*
     * A client (a connection of a program) is new or changed, or is gone: index. A new or changed client also has its
     * process, the program's file as name, the host as text and the machine as port. The flag marks this connection.
     */
    S3D_DESKTOP_CLIENT,
    S3D_DESKTOP_CLIENT_GONE,
    /* A stream is new or changed, or is gone: index, and of a stream that is there role, client and flags. */
    S3D_DESKTOP_STREAM,
    S3D_DESKTOP_STREAM_GONE,
    /* An output is new or changed, or is gone: index, and of an output that is there its name, text and port. */
    S3D_DESKTOP_OUTPUT,
    S3D_DESKTOP_OUTPUT_GONE,
    /* The name of the default output, and the server's own name as text. */
    S3D_DESKTOP_DEFAULT_OUTPUT,
    /* A module is there, or is gone: index, and of a module that is there its name and, as text, its arguments. */
    S3D_DESKTOP_MODULE,
    S3D_DESKTOP_MODULE_GONE,
    /* The login manager answers, or does not, for a reason in text; the connection tries again by itself. */
    S3D_DESKTOP_LOGIN_READY,
    S3D_DESKTOP_NO_LOGIN,
    /* The login manager has no session for this process, for a reason in text. */
    S3D_DESKTOP_NO_USER_SESSION,
    /*
     * The system is about to sleep, and waits for s3d_desktop_permit_sleep with this index, a few seconds at most. Or
     * it woke.
     */
    S3D_DESKTOP_SLEEP,
    S3D_DESKTOP_WAKE,
    /* Flags: whether the screen is locked, and whether the session is in front. */
    S3D_DESKTOP_SCREEN,
    S3D_DESKTOP_FRONT,
} s3d_desktop_kind;

enum { S3D_DESKTOP_TEXT = 256 };

typedef struct {
    s3d_desktop_kind kind;
    uint32_t index;
    /* The client of a stream; UINT32_MAX where it has none. */
    uint32_t client;
    /* The process of a client; 0 where it names none. */
    uint32_t process;
    /*
     * Whether a stream pauses, whether it is muted, whether the event is about this connection, a locked screen or a
     * session in front.
     */
    bool is_paused, is_muted, is_on;
    /* The role of a stream, or the name of an output, a module, the default output or a program's file. */
    char name[S3D_DESKTOP_TEXT];
    /* The description of an output, the arguments of a module, the name of the server, a host, or a reason. */
    char text[S3D_DESKTOP_TEXT];
    /*
     * The active port of an output, and the ports into which nothing is plugged, each with a line break behind it. Or a
     * machine.
     */
    char port[S3D_DESKTOP_TEXT];
    char empty_ports[S3D_DESKTOP_TEXT];
} s3d_desktop_event;

/*
 * A connection that opens at the first wait, named after the program. NULL for the server and the bus of the user.
 * Returns NULL without memory.
 */
s3d_desktop *s3d_desktop_create(const char *name, const char *server, const char *bus);

/* Only after the last wait has returned. */
void s3d_desktop_destroy(s3d_desktop *desktop);

/* Waits for the next event, on one thread; the thread sleeps in between. */
void s3d_desktop_wait(s3d_desktop *desktop, s3d_desktop_event *event);

/* Lets the waiting thread return at once. Any thread may call these. */
void s3d_desktop_wake(s3d_desktop *desktop);
/* Whether a silent stream of the role phone lowers others. */
void s3d_desktop_set_lowering(s3d_desktop *desktop, bool is_lowering);
/* Ends the delay of the sleep with this index; without effect after the wake. */
void s3d_desktop_permit_sleep(s3d_desktop *desktop, uint32_t index);

#endif

#define _GNU_SOURCE
#include "spatial3d_servers.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "spatial3d_support.h"

enum { SERVER_COUNT = 2, NANOSECONDS_PER_MILLISECOND = 1000000 };

/* A question to a server: the connection, and what is known. */
typedef struct question {
    int socket; /* -1 once the answer is known */
    s3d_server_answer answer;
} question;

/*
 * The first message of a client to PulseAudio, and to pipewire-pulse: PA_COMMAND_AUTH of protocol version 32, with an
 * empty cookie. The system adds the user, by whom the server admits the client. A refusal is an answer, too.
 */
enum { PULSE_HEAD = 20, PULSE_BODY = 20, PULSE_COOKIE = 256 };
static const unsigned char pulse_hello[PULSE_HEAD + PULSE_BODY + PULSE_COOKIE] = {
    /* The length, the channel of commands, and an offset and flags of 0; numbers are big endian. */
    0, 0, (PULSE_BODY + PULSE_COOKIE) >> 8, (PULSE_BODY + PULSE_COOKIE) & 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    /* The command, its tag, the version, and the length of the cookie. */
    'L', 0, 0, 0, 8, 'L', 0, 0, 0, 0, 'L', 0, 0, 0, 32, 'x', 0, 0, PULSE_COOKIE >> 8, PULSE_COOKIE & 255,
};

/* The first message of a client to PipeWire: Core::Hello of protocol version 3, in the byte order of the machine. */
static const uint32_t pipewire_hello[] = {
    0, 1u << 24 | 24, 0, 0, /* the core; the method and the length; the sequence; no descriptors */
    16, 14, 4, 4, 3, 0,     /* a structure of 16 bytes, with a number of 4 bytes */
};

static const char *setting(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Writes a path; false where it is too long for a socket. */
static bool write_path(struct sockaddr_un *address, const char *folder, const char *name) {
    const char *between = *name ? "/" : "";
    const int length = snprintf(address->sun_path, sizeof address->sun_path, "%s%s%s", folder, between, name);
    return length > 0 && (size_t)length < sizeof address->sun_path;
}

/* The socket of PulseAudio, where libpulse looks for it; false for a remote server, and for a list of servers. */
static bool find_pulse(struct sockaddr_un *address) {
    const char *server = setting("PULSE_SERVER");
    if (server) {
        if (strncmp(server, "unix:", 5) == 0) server += 5;
        return *server == '/' && !strchr(server, ' ') && write_path(address, server, "");
    }
    const char *folder = setting("PULSE_RUNTIME_PATH");
    if (folder) return write_path(address, folder, "native");
    folder = setting("XDG_RUNTIME_DIR");
    return folder && write_path(address, folder, "pulse/native");
}

/* The socket of PipeWire, where libpipewire looks for it. */
static bool find_pipewire(struct sockaddr_un *address) {
    const char *name = setting("PIPEWIRE_REMOTE");
    if (!name) name = "pipewire-0";
    if (*name == '/') return write_path(address, name, "");
    const char *folder = setting("PIPEWIRE_RUNTIME_DIR");
    if (!folder) folder = setting("XDG_RUNTIME_DIR");
    return folder && write_path(address, folder, name);
}

static void end(question *question, s3d_server_answer answer) {
    if (question->socket >= 0) close(question->socket);
    *question = (struct question) { .socket = -1, .answer = answer };
}

/* Connects without a wait, and sends the first message. */
static question ask(const struct sockaddr_un *address, const void *hello, size_t size) {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    question question = { .socket = descriptor, .answer = S3D_SERVER_HANGS };
    if (descriptor < 0) {
        end(&question, S3D_SERVER_UNKNOWN);
    } else if (connect(descriptor, (const struct sockaddr *)address, sizeof *address) != 0) {
        /* A server that does not accept connections has a full queue of them. */
        end(&question, errno == EAGAIN ? S3D_SERVER_HANGS : errno == ECONNREFUSED ? S3D_SERVER_GONE : S3D_SERVER_UNKNOWN);
    } else if (send(descriptor, hello, size, MSG_NOSIGNAL) != (ssize_t)size) {
        end(&question, S3D_SERVER_GONE);
    }
    return question;
}

/* Waits for the answers; any byte is one, and so is the end of the connection. */
static void wait_for_answers(question *questions, int64_t nanoseconds) {
    const int64_t limit = s3d_monotonic_time() + nanoseconds;
    for (;;) {
        /* A negative descriptor does not count. */
        struct pollfd polled[SERVER_COUNT];
        bool is_waiting = false;
        for (int index = 0; index < SERVER_COUNT; index += 1) {
            polled[index] = (struct pollfd) { .fd = questions[index].socket, .events = POLLIN };
            if (questions[index].socket >= 0) is_waiting = true;
        }
        const int64_t left = limit - s3d_monotonic_time();
        if (!is_waiting) return;
        const int64_t milliseconds = left > 0 ? (left + NANOSECONDS_PER_MILLISECOND - 1) / NANOSECONDS_PER_MILLISECOND : 0;
        const int count = poll(polled, SERVER_COUNT, (int)milliseconds);
        for (int index = 0; index < SERVER_COUNT && count > 0; index += 1)
            if (polled[index].revents) end(&questions[index], S3D_SERVER_ANSWERS);
        if (count <= 0 && left <= 0) break;
    }
    for (int index = 0; index < SERVER_COUNT; index += 1) end(&questions[index], questions[index].answer);
}

s3d_server_answer s3d_ask_servers(int64_t nanoseconds) {
    question questions[SERVER_COUNT] = { { .socket = -1 }, { .socket = -1 } };
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (find_pulse(&address)) questions[0] = ask(&address, pulse_hello, sizeof pulse_hello);
    if (find_pipewire(&address)) questions[1] = ask(&address, pipewire_hello, sizeof pipewire_hello);
    wait_for_answers(questions, nanoseconds);
    s3d_server_answer answer = S3D_SERVER_UNKNOWN;
    for (int index = 0; index < SERVER_COUNT; index += 1)
        if (questions[index].answer > answer) answer = questions[index].answer;
    return answer;
}

/* For strnlen. */
#define _POSIX_C_SOURCE 200809L

#ifdef DESKTOP_SESSION

#include <stdlib.h>
#include <string.h>

#include "internal.h"

s3d_desktop_event *s3d_desktop_post(s3d_desktop *desktop, s3d_desktop_kind kind) {
    static _Thread_local s3d_desktop_event lost;
    entry *added = calloc(1, sizeof *added);
    if (!added) return &lost;
    added->event.kind = kind;
    if (desktop->last) desktop->last->next = added;
    else desktop->first = added;
    desktop->last = added;
    return &added->event;
}

bool s3d_desktop_take(s3d_desktop *desktop, s3d_desktop_event *event) {
    entry *taken = desktop->first;
    if (!taken) return false;
    desktop->first = taken->next;
    if (!desktop->first) desktop->last = NULL;
    *event = taken->event;
    free(taken);
    return true;
}

void s3d_desktop_copy(char *to, const char *from) {
    size_t length = from ? strnlen(from, S3D_DESKTOP_TEXT - 1) : 0;
    if (length) memcpy(to, from, length);
    to[length] = 0;
}

#endif

#include <stdio.h>

#include "spatial3d_support.h"

void s3d_log(const char *line) {
    fprintf(stderr, "%s\n", line);
}

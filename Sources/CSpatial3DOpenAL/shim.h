// Debian's OpenAL Soft 1.19.1 headers are the oldest that the shim builds against.
#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>

internal import Glibc

/// A number that no other living thread has.
@inline(__always)
func currentThread() -> UInt { UInt(pthread_self()) }

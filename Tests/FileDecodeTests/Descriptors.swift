import Foundation
import Glibc

/// The descriptor of this process for an open file whose path satisfies a condition.
func descriptor(ofFileWhere isWanted: (String) -> Bool) throws -> Int32? {
  for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
    // Other tests may close descriptors meanwhile.
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name) else {
      continue
    }
    if isWanted(path) { return Int32(name) }
  }
  return nil
}

/// Redirects a descriptor to another file, as if the disk had failed, or came back.
func replace(_ descriptor: Int32, withFileAt path: String, flags: Int32) {
  let other = unsafe open(path, flags)
  dup2(other, descriptor)
  close(other)
}

/// A change in a folder, as inotify reports it.
struct FileEvent: Hashable, Sendable {
  /// The number of the folder.
  let descriptor: Int32
  let mask: UInt32
  /// The name in the folder; empty for the folder itself.
  let name: String

  /// The events in bytes from the system: four numbers of 32 bits each, the last one the length of the name, and the
  /// name.
  static func all(in bytes: ArraySlice<UInt8>) -> [FileEvent] {
    var events: [FileEvent] = []
    var rest = bytes
    while rest.count >= 16 {
      func number(_ index: Int) -> UInt32 {
        rest.dropFirst(4 * index).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      let length = Int(number(3))
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      events.append(
        FileEvent(
          descriptor: Int32(bitPattern: UInt32(littleEndian: number(0).littleEndian)),
          mask: number(1),
          name: String(decoding: name, as: UTF8.self)
        )
      )
      rest = rest.dropFirst(16 + length)
    }
    return events
  }
}

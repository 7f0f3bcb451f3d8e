/// A place in a sound that its file gives a name.
public struct AudioMarker: Hashable, Sendable {
  /// The frame, counted from the first of the sound.
  public internal(set) var frame: Int

  /// What the place is called; `nil` where it has no name.
  public let name: String?

  init(frame: Int, name: String? = nil) {
    self.frame = frame
    self.name = name
  }
}

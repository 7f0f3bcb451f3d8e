/// A marked position in a sound.
public struct AudioMarker: Hashable, Sendable {
  /// The frame, counted from the first of the sound.
  public internal(set) var frame: Int

  /// The marker's name; `nil` if it has none.
  public let name: String?

  init(frame: Int, name: String? = nil) {
    self.frame = frame
    self.name = name
  }
}

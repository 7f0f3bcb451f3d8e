/// The compressed sound of a page, in memory.
///
/// A ``PageSoundWriter`` makes it from the pieces of a mix.
public struct PageSound: Sendable {
  /// The duration of the sound, in seconds.
  public let seconds: Double

  /// The bytes of the compressed file.
  let bytes: [UInt8]
}

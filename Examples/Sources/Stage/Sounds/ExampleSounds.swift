import Foundation

/// The sounds of the examples: mono loops in three formats at three sample rates.
public enum ExampleSounds {
  /// Water over stones, as 16-bit WAVE at 22.05 kHz.
  public static var brook: String { path(of: "brook.wav") }

  /// A slow chime, as FLAC at 44.1 kHz.
  public static var bell: String { path(of: "bell.flac") }

  /// A summer meadow, as Ogg Vorbis at 48 kHz.
  public static var crickets: String { path(of: "crickets.ogg") }

  /// The paths of all three sounds.
  public static var all: [String] { [brook, bell, crickets] }

  private static func path(of name: String) -> String {
    Bundle.module.bundleURL.appending(components: "Resources", name).path
  }
}

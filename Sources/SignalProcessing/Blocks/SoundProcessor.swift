/// A processor of sound, which changes interleaved frames in place.
///
/// A processor is a value with one owner: a copy would copy all of its memory on the thread that mixes. Each processor
/// begins with its settings, a number of channels and a sample rate. It allocates in `init` alone.
///
/// A processor returns the same samples however the sound is cut into blocks.
package protocol SoundProcessor: ~Copyable, Sendable {
  associatedtype Settings: Hashable, Sendable

  /// The settings that the processor has, or glides to.
  var settings: Settings { get }

  /// Whether ``set(_:over:)`` can reach the settings.
  ///
  /// For other settings the owner makes a new processor and crossfades to it.
  func canGlide(to settings: Settings) -> Bool

  /// Moves to settings over a number of frames; 0 frames change them at once.
  ///
  /// It does nothing for settings that ``canGlide(to:)`` refuses.
  mutating func set(_ settings: Settings, over frameCount: Int)

  /// Processes whole frames by as many frames of a key, one behind the other; without a key by their own level.
  ///
  /// It leaves samples behind the last whole frame. A sample that is not finite, or beyond ±1e25, counts as 0. A
  /// processor without a key ignores the key.
  mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?)

  /// Whether ``skipSilence(_:)`` equals `process`, after so many silent frames of the sound and the key.
  ///
  /// When `tail` becomes shorter, the owner begins to count silent frames at the end of the former tail.
  func isAtRest(afterSilence frameCount: Int) -> Bool

  /// Lets silent frames pass: the processor then equals a processor that has processed them, to the bit.
  ///
  /// It costs next to nothing. The owner calls it only while ``isAtRest(afterSilence:)`` holds.
  mutating func skipSilence(_ frameCount: Int)

  /// Forgets the sound: the processor then equals a new one with the same settings.
  ///
  /// The owner calls it before it processes again after a pause in which it did not process.
  mutating func reset()

  /// The number of frames by which sound leaves later than it enters; constant while the processor lives.
  var latency: Int { get }

  /// The number of silent frames after which the output is exactly 0, until sound enters again.
  var tail: Int { get }

  /// Whether the processor still uses objects of former settings.
  ///
  /// The owner holds these settings meanwhile: nothing is then freed on the thread that mixes.
  var holdsFormerSettings: Bool { get }

  /// The present change of the gain by dynamics, in decibels.
  var gainChange: Double { get }
}

extension SoundProcessor where Self: ~Copyable {
  package func canGlide(to settings: Settings) -> Bool { true }
  package mutating func process(_ samples: inout MutableSpan<Float>) { process(&samples, key: nil) }
  package var latency: Int { 0 }
  package var tail: Int { 0 }
  package var holdsFormerSettings: Bool { false }
  package var gainChange: Double { 0 }
}

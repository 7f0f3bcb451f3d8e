internal import FileDecode
public import PCM
public import Spatial3D
internal import Synchronization

/// The description of a sound: its samples, and the way emitters play it.
///
/// A sound is loaded once for a world, however many emitters play it and its copies. An emitter with a place plays it in
/// mono: a sound of several channels is mixed down, and `AudioContext.onDiagnostic` reports that once.
///
/// ```swift
/// var step = Sound(noise)
/// step.limit = PlaybackLimit(4, spacing: .milliseconds(40))
/// step.loudnessOfMany = .compensated
/// world.playOnce(step, at: [38, 0, 40])
/// ```
public struct Sound: Sendable {
  let content: SoundContent

  /// The fading of the sound with distance.
  public var attenuation = DistanceAttenuation()

  /// The distance, in metres, from which on the sound is silent and needs no voice; `nil`, the default, for none.
  ///
  /// The gain falls to zero over the last tenth of the distance. A value that is not above 0 has no effect.
  public var silentBeyond: Float?

  /// The frames that repeat; `nil`, the default, stands for those that the file names, or else the whole sound.
  ///
  /// The frames before them play once, as an introduction, and those after them after the last repetition. A range
  /// outside the sound is cut to it.
  public var loopRange: Range<Int>?

  /// The largest number of emitters that play the sound; `nil`, the default, for none.
  ///
  /// The copies of a sound count together.
  public var limit: PlaybackLimit?

  /// The loudness of several copies that begin together.
  public var loudnessOfMany = LoudnessOfMany.added

  /// The loudness of several copies of a sound that begin within 50 ms.
  public enum LoudnessOfMany: String, Hashable, Sendable, CaseIterable, Codable {
    /// Each copy has its own gain: ten copies are up to 20 dB louder than one.
    case added
    /// Each of `n` copies is lowered by `10 · lg n` decibels: the power of unrelated copies is that of one.
    case compensated
  }

  /// The sound of a file.
  ///
  /// - Parameters:
  ///   - path: The path of a file in a format that `AudioFile` reads. The file is opened when an emitter is made for it.
  ///   - streamed: Whether each emitter with a voice reads the file while it plays, instead of keeping it in memory: for
  ///     music and long speech. An emitter without a voice keeps no file open.
  public init(_ path: String, streamed: Bool = false) {
    content = SoundContent(name: path, source: streamed ? .stream(.file(path)) : .file(path))
  }

  /// The sound of samples in memory.
  public init(_ pcm: PCMBuffer<Float>) {
    content = SoundContent(name: "A sound in memory", source: .samples(pcm))
  }

  /// The sound of a reader, which each emitter with a voice opens anew.
  ///
  /// - Parameters:
  ///   - name: The name of the sound in diagnostics.
  ///   - open: Returns a reader at its beginning. It is called on a thread of this package, offline on the one that
  ///     renders, also at the return of a virtual emitter: the reader has to seek.
  public init<Reader: PCMReader & Sendable & ~Copyable>(
    streaming name: String,
    _ open: @escaping @Sendable () throws -> Reader
  ) {
    content = SoundContent(name: name, source: .stream(.reader(open)))
  }
}

/// The identity of a sound, shared by its copies.
final class SoundContent: Sendable {
  /// The samples, or the way to them.
  enum Source: Sendable {
    case file(String)
    case samples(PCMBuffer<Float>)
    case stream(StreamSource)
  }

  let name: String
  let source: Source
  /// Whether the sound still exists, for those who must not hold it.
  let life = Life()

  /// The existence of a sound.
  final class Life: Sendable {
    private let isEnded = Atomic(false)

    var isOver: Bool { isEnded.load(ordering: .acquiring) }

    fileprivate func end() { isEnded.store(true, ordering: .releasing) }
  }

  init(name: String, source: Source) {
    (self.name, self.source) = (name, source)
  }

  deinit { life.end() }
}

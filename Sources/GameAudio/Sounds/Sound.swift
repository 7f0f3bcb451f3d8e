internal import FileDecode
public import PCM
public import Spatial3D
internal import Synchronization

/// A sound of the game: its files or samples, and the settings with which emitters play it.
///
/// A sound is loaded once for a world, however many emitters play it and its copies. An emitter with a position plays
/// it in mono: a sound of several channels is mixed down, and `AudioContext.onDiagnostic` reports that once.
///
/// ```swift
/// var step = Sound(anyOf: ["step1.ogg", "step2.ogg", "step3.ogg"])
/// step.choice = .random(avoidingLast: 2)
/// step.pitchVariation = -1...1
/// step.limit = PlaybackLimit(4, spacing: .milliseconds(40))
/// ```
///
/// A sound keeps each value that is set. An emitter plays the nearest value in the range, and
/// `AudioContext.onDiagnostic` reports that once for each property of a sound.
///
/// Choices and variations are drawn at each play that the limits admit, from the random numbers of the world: see
/// ``AudioWorld/seed``.
///
/// A sound of files is `Codable`, as an object such as `{"path": "bell.ogg", "silentBeyond": 40}`.
public struct Sound: Sendable {
  /// The files or samples, of which a play takes one; at least one.
  var variations: [SoundContent]
  /// The number that the copies of a sound share, and no other sound has.
  var identity = SoundContent.nextIdentity()
  /// Whether the clock of an emitter runs while the sound is being loaded.
  var runsWhileLoading = false
  /// The key of the sound in a bank.
  var key: SoundKey?

  /// The method that chooses one of several files or samples.
  ///
  /// Default: by chance, and never twice in a row. All emitters that play the sound or a copy share its history.
  public var choice = Choice.random(avoidingLast: 1)

  /// The method that chooses one of several files or samples.
  public enum Choice: Hashable, Sendable {
    /// By chance, but not one of the last choices.
    ///
    /// Range: 0 to one less than there are to choose from, clamped. With one variation, a number above the range is not
    /// reported.
    case random(avoidingLast: Int)
    /// One after the other, over and over.
    case sequence
    /// By chance, each with the probability of its weight over the sum of all weights.
    ///
    /// Range: 0 and up, clamped; a weight that is not finite counts as 0. A missing weight counts as 1, and a weight
    /// without a variation has no effect. Weights that are all 0 are equally likely.
    case weighted([Float])
  }

  /// The range, in semitones, from which each play draws a change of the pitch, equally likely everywhere.
  ///
  /// Range: ends of -48 to 48 semitones, clamped. Default: none. A range of Swift has its ends in order: bring two
  /// numbers from a file in order with `min` and `max`.
  public var pitchVariation: ClosedRange<Float> = 0...0

  /// The range from which each play draws a change of the level, equally likely everywhere.
  ///
  /// Range: ends of -96 to 24 dB, clamped; silence is -96 dB. Default: none. NaN as an end counts as the other end.
  public var levelVariation: ClosedRange<Decibels> = 0...0

  /// The fading of the sound with distance, unless there is a ``rolloffCurve``.
  ///
  /// Range: the ranges of `DistanceAttenuation`, clamped. NaN counts as the default of the number.
  public var attenuation = DistanceAttenuation()

  /// The fading of the sound with distance by the points of a curve; `nil`, the default, for ``attenuation``.
  ///
  /// The gain follows the curve from tick to tick, each 512 frames.
  public var rolloffCurve: RolloffCurve?

  /// The distance, in metres, from which on the sound is silent and needs no voice; `nil`, the default, for none.
  ///
  /// The gain falls to zero over the last tenth of the distance. Range: above 0. Another value has no effect, and is
  /// reported.
  public var silentBeyond: Float?

  /// The frames that repeat; `nil`, the default, stands for those that the file names, or else the whole sound.
  ///
  /// The frames before them play once, as an introduction, and those after them after the last repetition. A range
  /// outside the sound is cut to it, and reported once. The range counts the frames of the file. A ``SoundPlayer``
  /// refuses a range without a frame of the sound.
  public var loopRange: Range<Int>?

  /// The largest number of emitters that play the sound; `nil`, the default, for none.
  ///
  /// The copies of a sound count together. Range: the ranges of ``PlaybackLimit``, clamped.
  public var limit: PlaybackLimit?

  /// The loudness of several copies that begin together.
  public var loudnessOfMany = LoudnessOfMany.added

  /// The loudness of several copies of a sound that begin within 50 ms.
  public enum LoudnessOfMany: String, Hashable, Sendable, CaseIterable, Codable {
    /// Each copy has its own gain: ten copies are up to 20 dB louder than one.
    case added
    /// Each of `n` copies is lowered by `10 · lg n` decibels: the power of unrelated copies is the power of one copy.
    case compensated
  }

  /// The sound of a file.
  ///
  /// - Parameters:
  ///   - path: The path of a file in a format that `AudioFile` reads. The file is opened when an emitter is made for
  ///     it.
  ///   - streamed: Whether each emitter with a voice reads the file while it plays, instead of keeping it in memory:
  ///     for music and long speech. An emitter without a voice keeps no file open.
  public init(_ path: String, streamed: Bool = false) { self.init(anyOf: [path], streamed: streamed) }

  /// The sound of several files, of which each play takes one by the ``choice``.
  ///
  /// - Parameters:
  ///   - paths: The paths of files in formats that `AudioFile` reads. An empty list is reported to
  ///     `AudioContext.onDiagnostic`, and its emitters end with the reason ``EmitterEvent/Reason/failed``.
  ///   - streamed: Whether each emitter with a voice reads the file while it plays.
  public init(anyOf paths: [String], streamed: Bool = false) {
    self.init(paths.map { SoundContent(name: $0, source: streamed ? .stream(.file($0)) : .file($0)) })
  }

  /// The sound of samples in memory.
  public init(_ pcm: PCMBuffer<Float>) { self.init(anyOfSamples: [pcm]) }

  /// The sound of several pieces in memory, of which each play takes one by the ``choice``.
  ///
  /// An empty list counts like an empty list of files.
  public init(anyOfSamples pieces: [PCMBuffer<Float>]) {
    self.init(pieces.map { SoundContent(name: "A sound in memory", source: .samples($0)) })
  }

  /// The sound of a reader, which each emitter with a voice opens anew.
  ///
  /// A negative number of frames of the reader counts as 0. A loop range of the reader is cut to its frames, and an
  /// emitter reports that once.
  ///
  /// - Parameters:
  ///   - name: The name of the sound in diagnostics.
  ///   - open: Returns a reader at its beginning. It is called on a thread of this package, offline on the thread that
  ///     renders, also at the return of a virtual emitter: the reader has to seek. It may block, and so may a read: no
  ///     other sound waits, as long as at most 16 readers of the world are being opened. The next stream waits for one
  ///     of them, and after five seconds `AudioContext.onDiagnostic` reports that once. Offline the renderer waits.
  public init<Reader: PCMReader & Sendable & ~Copyable>(
    streaming name: String,
    _ open: @escaping @Sendable () throws -> Reader
  ) {
    self.init([SoundContent(name: name, source: .stream(.reader(name, open)))])
  }

  /// The sound of contents that another sound has had.
  init(contents: [SoundContent]) { self.init(contents) }

  private init(_ variations: [SoundContent]) {
    self.variations = variations.isEmpty ? [SoundContent(name: "A sound of no file", source: .nothing)] : variations
  }
}

extension Sound: ExpressibleByStringInterpolation {
  /// The sound of a file, by its path: `world.playOnce("shot.ogg")`.
  public init(stringLiteral path: String) { self.init(path) }
}

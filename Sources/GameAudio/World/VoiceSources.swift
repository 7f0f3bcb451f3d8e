internal import Spatial3D

/// The sources of the voices: one of the pool for each voice in each stem, or the source of a stream.
struct VoiceSources: Sendable {
  private struct Present: Sendable {
    var source: SoundSource
    var stem = StemIndex.main
    var isStream = false
  }

  /// The sources of each stem, by the indices of the voices.
  private(set) var pools: [[SoundSource]]
  private var present: [Present]

  init(_ pool: [SoundSource]) {
    pools = [pool]
    present = pool.map { Present(source: $0) }
  }

  var count: Int { present.count }

  /// The source that plays a voice.
  subscript(voice: VoiceIndex) -> SoundSource { present[voice.position].source }

  /// The sources of the pools.
  var all: some Sequence<SoundSource> { pools.lazy.joined() }

  /// The sources of the streams.
  var streams: [SoundSource] { present.filter(\.isStream).map(\.source) }

  /// Adds the sources of the next stem, one for each voice.
  mutating func add(_ pool: [SoundSource]) { pools.append(pool) }

  /// The source of the pool that a voice has in its stem.
  func pooled(_ voice: VoiceIndex) -> SoundSource { pools[present[voice.position].stem.position][voice.position] }

  /// Gives a voice its source in a stem; a stream has its own.
  ///
  /// Returns the source of another stem that the voice had before.
  mutating func begin(_ voice: VoiceIndex, in stem: StemIndex) -> (source: SoundSource, former: SoundSource?) {
    let old = present[voice.position]
    if old.isStream { return (old.source, nil) }
    guard old.stem != stem else { return (old.source, nil) }
    present[voice.position] = Present(source: pools[stem.position][voice.position], stem: stem)
    return (present[voice.position].source, old.source)
  }

  /// Gives a voice the source of a stream.
  mutating func beginStream(_ source: SoundSource, of voice: VoiceIndex) {
    present[voice.position].source = source
    present[voice.position].isStream = true
  }

  /// Takes the source of a stream from a voice; `nil` for a voice without a stream.
  mutating func endStream(of voice: VoiceIndex) -> SoundSource? {
    guard present[voice.position].isStream else { return nil }
    let gone = present[voice.position].source
    present[voice.position].source = pooled(voice)
    present[voice.position].isStream = false
    return gone
  }
}

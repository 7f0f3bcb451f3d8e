import Spatial3D

/// Silent sources that are observed, on an output that mixes by the clock, and the scene of a C program beside it.
final class LiveScene {
  let told = Told()
  private let context: AudioContext
  private let sources: [SoundSource]
  private let tokens: [NotificationToken]
  private let reference: ReferenceScene

  static let count = 256

  /// Sources whose sounds last a minute, so that none of them loops, or that loop every second, each at another time.
  init(isLoopingEachSecond: Bool) throws {
    let (context, told) = (try AudioContext(), told)
    let samples = [Int16](repeating: 0, count: (isLoopingEachSecond ? 1 : 60) * 48_000)
    let buffer = try SoundBuffer(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)), in: context)
    sources = try (0..<Self.count).map { index in
      let source = try SoundSource(playing: buffer, in: context)
      source.isLooping = true
      if isLoopingEachSecond { source.playbackFrame = index * samples.count / Self.count }
      return source
    }
    tokens = sources.map { $0.observe { _ in told.count() } }
    reference = try ReferenceScene(sourceCount: Self.count, isLive: true)
    self.context = context
    context.play(sources)
  }

  func stop() { context.stop(sources) }

  /// A second, in which all sources are asked 60 times whether they play, here and in C.
  func second() throws -> Watch { try Watch.second(polling: sources, reference) }
}

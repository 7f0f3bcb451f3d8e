import Spatial3D

/// Silent, observed sources on an output that mixes in real time, and the same scene of a C program.
final class LiveScene {
  let notifications = NotificationCounter()
  private let context: AudioContext
  private let sources: [SoundSource]
  private let tokens: [NotificationToken]
  private let reference: ReferenceScene

  static let count = 256

  /// Creates looping sources with sounds of a minute, which do not start over while measured, or of a second.
  ///
  /// The sounds of a second start at evenly spaced frames.
  init(isLoopingEachSecond: Bool) throws {
    let (context, notifications) = (try AudioContext(), notifications)
    let samples = [Int16](repeating: 0, count: (isLoopingEachSecond ? 1 : 60) * 48_000)
    let buffer = try SoundBuffer(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)), in: context)
    sources = try (0..<Self.count).map { index in
      let source = try SoundSource(playing: buffer, in: context)
      source.isLooping = true
      if isLoopingEachSecond { source.playbackFrame = index * samples.count / Self.count }
      return source
    }
    tokens = sources.map { $0.observe { _ in notifications.count() } }
    reference = try ReferenceScene(sourceCount: Self.count, isLive: true)
    self.context = context
    context.play(sources)
  }

  func stop() { context.stop(sources) }

  /// Measures a second in which the states of all sources are polled 60 times, here and in C.
  func second() throws -> Watch { try Watch.second(polling: sources, reference) }
}

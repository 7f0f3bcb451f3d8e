import Foundation
import Spatial3D
import Synchronization

/// What it costs to be told, and how soon one is, on an output that mixes by the clock.
enum LiveNotifications {
  static func comparisons() throws -> [Comparison] {
    let context = try AudioContext()
    let buffer = try silence(60, in: context)
    let sources = try (0..<count).map { _ in try SoundSource(playing: buffer, in: context) }
    let tokens = sources.map { $0.observe { _ in } }
    for source in sources { source.isLooping = true }
    let polled = try ReferenceScene(sourceCount: count, isLive: true)

    /// Lets all play for some seconds, a round each.
    func watchPlaying(_ effort: Effort, _ ratio: (Watch) -> Double) throws -> [Double] {
      context.play(sources)
      defer { context.stop(sources) }
      return try withExtendedLifetime(tokens) {
        // Until what comes of the start is over.
        Thread.sleep(forTimeInterval: 0.3)
        return try (0..<effort(full: 9, brief: 2)).map { _ in
          let watch = Watch.second(polling: sources, polled)
          guard watch.seconds > 0, watch.wakeUps > 0 else { throw Uncounted() }
          return ratio(watch)
        }
      }
    }
    return [
      Comparison("threads woken up in a second in which none plays", atMost: 0) { effort in
        withExtendedLifetime(tokens) {
          // What was to be done for the last row.
          Thread.sleep(forTimeInterval: 0.5)
          return (0..<effort(full: 3, brief: 1)).map { _ in Double(Watch.second().wakeUps) }
        }
      },
      Comparison("threads woken up while 256 play, against polling", atMost: 0.5) { effort in
        try watchPlaying(effort) { Double($0.wakeUps) / Double(Watch.pollsPerSecond) }
      },
      Comparison("processor time while 256 play, against polling", atMost: 1) { effort in
        try watchPlaying(effort) { $0.seconds / $0.pollingSeconds }
      },
      Comparison("the same, against polling in C", atMost: 5, brief: 10) { effort in
        try watchPlaying(effort) { $0.seconds / $0.pollingSecondsInC }
      },
      Comparison("an end is told late, against the length of a mix", atMost: 0.23, brief: 1) { effort in
        try delays(effort(full: 50, brief: 15))
      },
    ]
  }

  private static let count = 256

  private static func silence(_ seconds: Double, in context: AudioContext) throws -> SoundBuffer {
    let samples = [Int16](repeating: 0, count: Int(seconds * 48_000))
    return try SoundBuffer(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)), in: context)
  }

  /// How long after the library says that a sound has ended the handler is called, in mixes of the device.
  private static func delays(_ ends: Int) throws -> [Double] {
    let context = try AudioContext()
    let source = try SoundSource(playing: try silence(0.01, in: context), in: context)
    let mixesPerSecond = Double(context.output.refreshRate ?? 50)
    let told = Atomic<UInt64>(0)
    let token = source.observe(.state) { notification in
      if notification.state == .stopped { told.store(now(), ordering: .releasing) }
    }
    return withExtendedLifetime(token) {
      (0..<ends).map { _ in
        told.store(0, ordering: .releasing)
        source.play()
        while source.state == .playing {}
        let ended = now()
        while told.load(ordering: .acquiring) == 0 { Thread.sleep(forTimeInterval: 0.000_05) }
        let delay = Double(told.load(ordering: .acquiring)) - Double(ended)
        return max(delay, 0) / 1e9 * mixesPerSecond
      }
    }
  }

  struct Uncounted: Error, CustomStringConvertible {
    let description = "The kernel does not count what threads do: no schedstat or status in /proc/self/task."
  }

  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

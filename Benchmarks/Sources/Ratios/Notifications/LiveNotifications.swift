import Foundation
import Spatial3D
import Synchronization

/// The cost and the delay of notifications, on an output that mixes in real time.
///
/// Each row creates its own scene and releases it at its end, so that nothing is mixed beside another row.
enum LiveNotifications {
  static func comparisons() -> [Comparison] {
    [
      Comparison("threads woken up in a second in which none plays", atMost: 0) { effort in
        let scene = try LiveScene(isLoopingEachSecond: false)
        Thread.sleep(forTimeInterval: 0.3)
        scene.stop()
        return try withExtendedLifetime(scene) {
          // Waits until the library has processed the stop.
          Thread.sleep(forTimeInterval: 0.5)
          return try (0..<effort(full: 3, brief: 1)).map { _ in Double(try Watch.second().wakeUps) }
        }
      },
      Comparison("threads woken up while 256 play, against polling", atMost: 0.5) { effort in
        try watchPlaying(effort) { Double($0.wakeUps) / Double(Watch.pollsPerSecond) }
      },
      Comparison("processor time while 256 play, against polling", atMost: 1, brief: 2.5) { effort in
        try watchPlaying(effort) { $0.seconds / $0.pollingSeconds }
      },
      Comparison("the same, against polling in C", atMost: Limit(4, direct: 1.6), brief: Limit(6, direct: 4)) {
        effort in
        try watchPlaying(effort) { $0.seconds / $0.pollingSecondsInC }
      },
      // The cost of waking a thread differs by the half between machines, and polling wakes none.
      Comparison("processor time to notify of 256 loops in a second, against polling", atMost: 9, brief: 18) { effort in
        try watchPlaying(effort, isLoopingEachSecond: true) { $0.seconds / $0.pollingSeconds }
      },
      Comparison("delay of nine of ten end notifications, against 5 ms", atMost: 1, brief: 4) { effort in
        try delays(rounds: effort(full: 9, brief: 3))
      },
    ]
  }

  /// Plays all sources for some seconds, one for each round.
  private static func watchPlaying(
    _ effort: Effort,
    isLoopingEachSecond: Bool = false,
    _ ratio: (Watch) -> Double
  ) throws -> [Double] {
    let scene = try LiveScene(isLoopingEachSecond: isLoopingEachSecond)
    // Waits until the notifications of the start have passed.
    Thread.sleep(forTimeInterval: 0.3)
    // Some notifications may fall into the neighbouring seconds.
    let expected = isLoopingEachSecond ? LiveScene.count * 3 / 4 : 0
    return try (0..<effort(full: 9, brief: 2)).map { _ in
      let watch = try scene.notifications.check(atLeast: expected) { try scene.second() }
      guard watch.seconds > 0, watch.wakeUps > 0 else { throw Uncounted() }
      return ratio(watch)
    }
  }

  /// The delays from the end of a sound, as `state` reports it, to the call of the handler, in units of 5 ms.
  ///
  /// Each round measures ten ends, and its result is the second longest delay.
  private static func delays(rounds: Int) throws -> [Double] {
    let context = try AudioContext()
    let samples = [Int16](repeating: 0, count: 480)
    let buffer = try SoundBuffer(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)), in: context)
    let source = try SoundSource(playing: buffer, in: context)
    let notified = Atomic<UInt64>(0)
    let token = source.observe(.state) { notification in
      if notification.state == .stopped { notified.store(now(), ordering: .releasing) }
    }
    func delay() -> Double {
      notified.store(0, ordering: .releasing)
      source.play()
      while source.state == .playing {}
      let ended = now()
      while notified.load(ordering: .acquiring) == 0 { Thread.sleep(forTimeInterval: 0.000_05) }
      return max(Double(notified.load(ordering: .acquiring)) - Double(ended), 0) / 5e6
    }
    return withExtendedLifetime(token) {
      (0..<rounds).map { _ in (0..<10).map { _ in delay() }.sorted()[8] }
    }
  }

  struct Uncounted: Error, CustomStringConvertible {
    let description = "The kernel does not count what threads do: no schedstat or status in /proc/self/task."
  }

  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

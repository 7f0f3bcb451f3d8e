import Foundation
import Spatial3D
import Synchronization

/// Measures what it costs to be told, and how soon one is, on an output that mixes by the clock.
@main
struct Notifications {
  static let sourceCount = 256

  static func main() async throws {
    let context = try AudioContext()
    let rate = 48_000
    func silence(_ seconds: Double) throws -> SoundBuffer {
      let samples = [Int16](repeating: 0, count: Int(seconds * Double(rate)))
      return try SoundBuffer(PCMBuffer(samples: samples, format: .mono(sampleRate: rate)), in: context)
    }

    let hour = try silence(60)
    let sources = try (0..<sourceCount).map { _ in try SoundSource(playing: hour, in: context) }
    let heard = Atomic<Int>(0)
    let tokens = sources.map { $0.observe(.all) { _ in heard.add(1, ordering: .relaxed) } }
    for source in sources { source.isLooping = true }

    let idle = try await watch(for: 3)
    print("\(sourceCount) sources observed, none plays: \(idle)")

    context.play(sources)
    try await Task.sleep(for: .seconds(1))
    let playing = try await watch(for: 5)
    print("\(sourceCount) sources observed, all play:  \(playing)")

    let polling = poll(sources, seconds: 3)
    print("the same states polled at 60 Hz:     \(Work(seconds: 1, cpu: polling, wakeUps: 60))")
    print(String(format: "told, against polled: %.2f of the time", playing.perSecond / polling))
    context.stop(sources)

    var delays: [Double] = []
    let short = try silence(0.03)
    let source = try SoundSource(playing: short, in: context)
    for _ in 0..<100 {
      let told = Atomic<UInt64>(0)
      let token = source.observe(.state) { notification in
        if notification.state == .stopped { told.store(now(), ordering: .releasing) }
      }
      source.play()
      while source.state == .playing {}
      let seen = now()
      while told.load(ordering: .acquiring) == 0 { try await Task.sleep(for: .microseconds(50)) }
      delays.append((Double(told.load(ordering: .acquiring)) - Double(seen)) / 1e6)
      token.cancel()
    }
    delays.sort()
    print(
      String(
        format: "an end is told after the library says so, in ms: median %.3f, 9 of 10 within %.3f, all within %.3f",
        delays[50],
        delays[90],
        delays[99]
      )
    )
    withExtendedLifetime(tokens) {}
  }

  static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The time of a core in a second that it takes to read all states 60 times.
  static func poll(_ sources: [SoundSource], seconds: Int) -> Double {
    var begin = timespec()
    var playing = 0
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin)
    for _ in 0..<60 * seconds {
      for source in sources where source.state == .playing { playing += 1 }
    }
    var end = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    precondition(playing > 0)
    return (Double(end.tv_sec - begin.tv_sec) + Double(end.tv_nsec - begin.tv_nsec) / 1e9) / Double(seconds)
  }

  /// What the library's threads do for some seconds.
  static func watch(for seconds: Int) async throws -> Work {
    let before = Work.ofThreads
    try await Task.sleep(for: .seconds(seconds))
    let after = Work.ofThreads
    return Work(seconds: Double(seconds), cpu: after.cpu - before.cpu, wakeUps: after.wakeUps - before.wakeUps)
  }
}

/// What threads did in a while.
struct Work: CustomStringConvertible {
  var seconds: Double
  /// Seconds of a core.
  var cpu: Double
  var wakeUps: Int

  var perSecond: Double { cpu / seconds }

  var description: String {
    String(format: "%6.1f wake-ups a second, %7.1f µs of a core a second", Double(wakeUps) / seconds, perSecond * 1e6)
  }

  /// Of all threads of the library so far, which the kernel knows by name.
  static var ofThreads: Work {
    let tasks = "/proc/self/task"
    var all = Work(seconds: 0, cpu: 0, wakeUps: 0)
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      func read(_ name: String) -> String {
        (try? String(contentsOfFile: "\(tasks)/\(task)/\(name)", encoding: .utf8)) ?? ""
      }
      guard read("comm").hasPrefix("Spatial3D") else { continue }
      all.cpu += (read("schedstat").split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
      for line in read("status").split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches") {
        all.wakeUps += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
    return all
  }
}

import Foundation
import SoundServer
import Spatial3D
import Spatial3DTesting

/// Opens, plays, loses and closes devices for minutes, and fails if memory, threads or open files grow.
///
///     Soak [emitters] [minutes, 10 without]
///
/// With `emitters` it plays thousands of emitters on one output instead; see ``EmitterSoak``.
@main
struct Soak {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let duration = Duration.seconds(60 * (arguments.last.flatMap(Double.init) ?? 10))
    do {
      let isFlat =
        try await arguments.first == "emitters" ? EmitterSoak(duration: duration).run() : run(for: duration)
      exit(isFlat ? 0 : 1)
    } catch {
      print("Failed: \(error)")
      exit(2)
    }
  }

  /// Runs rounds for a duration, and returns whether nothing grew.
  static func run(for duration: Duration) async throws -> Bool {
    let server = try SoundServer.installed.first.map { try SoundServer($0) }
    try server?.lendToThisProcess()
    print(
      server == nil
        ? "Silent and offline: pulseaudio and pipewire are missing." : "On a server of its own, silent and offline."
    )
    let start = ContinuousClock.now
    let interval = duration / 20
    var next = start + interval
    var counts = Counts()
    var log = Log()
    print("seconds  rounds  losses  memory (kB)  threads  open files")
    while ContinuousClock.now < start + duration {
      try await Round(server: server, counts.rounds).play(&counts)
      counts.rounds += 1
      guard ContinuousClock.now >= next else { continue }
      next += interval
      let usage = try Usage()
      let seconds = Int((ContinuousClock.now - start).components.seconds)
      print(seconds, counts.rounds, counts.losses, usage.memory, usage.threads, usage.files, separator: "\t")
      fflush(nil)
      log.add(usage)
    }
    let verdict = log.verdict
    print(verdict.sentence)
    return verdict.isFlat
  }
}

/// The number of occurrences of each event.
struct Counts {
  var rounds = 0
  var losses = 0
}

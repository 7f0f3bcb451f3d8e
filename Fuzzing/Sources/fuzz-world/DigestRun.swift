import Foundation
import FuzzSupport

/// Plays scenes one after the other, and prints a line with the digests of each.
///
/// A change of the code that changes no behavior changes no line.
struct DigestRun {
  /// The root mean square of a mix from which on its scene counts as audible.
  private static let leastLoudness = 0.001

  private let options: DigestOptions
  private let run: Run

  init(_ options: DigestOptions) {
    self.options = options
    run = Run(options.options)
  }

  func perform() throws {
    Watchdog.watch(run)
    if let folder = options.transcripts {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let files = try SoundFiles(.noises)
    var counts: [String: Int] = [:]
    var faults: [String] = []
    for seed in options.seeds {
      let result = try DigestScene(seed: seed, files: files, run: run).play()
      run.show(result.description)
      if result.loudness < Self.leastLoudness { faults.append("seed \(seed) is silent") }
      if !result.isFinite { faults.append("the mix of seed \(seed) is not finite") }
      counts.merge(result.counts, uniquingKeysWith: +)
      let file = options.transcripts?.appending(path: "\(seed).txt")
      if let file { try result.transcript.write(to: file, atomically: false, encoding: .utf8) }
    }
    if options.showsCoverage {
      for operation in Operation.digested { counts[operation.name, default: 0] += 0 }
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        run.show("\(name): \(count)")
        if count == 0 { faults.append("\(name) was never applied") }
      }
    }
    for fault in faults { run.show("FAULT: \(fault)") }
    if !faults.isEmpty { exit(1) }
  }
}

/// The result of a scene.
struct DigestResult: Sendable, CustomStringConvertible {
  let seed: UInt64
  let frameCount: Int
  let mix: Digest
  let report: Digest
  let transcript: String
  /// The root mean square of the mix.
  let loudness: Double
  let isFinite: Bool
  /// How often each operation was applied.
  let counts: [String: Int]

  /// The line of the scene: equal lines are equal behavior.
  var description: String {
    let level = (loudness * 100_000).rounded() / 100_000
    return "\(seed) mix \(mix) transcript \(report) frames \(frameCount) rms \(level)"
  }
}

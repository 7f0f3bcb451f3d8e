import Foundation
import SoundServer
import Spatial3D
import Spatial3DTesting
import Synchronization

/// The clicks in the recording of a sink, found on a thread of its own.
///
/// The mix has no frequency above 1 kHz, and its difference from frame to frame neither: a voice that is cut is a
/// peak of the difference, however many others play. A click beside a silence is a gap of the server or of a machine
/// that is too busy, and counts as that.
final class MonitorWatch: Sendable {
  fileprivate struct Findings {
    /// The server whose sink is to be recorded.
    var server: SoundServer?
    var isEnded = false
    var seconds = 0
    var gaps = 0
    var clicks: [String] = []
  }

  private static let tail = 4_800
  private let findings = Mutex(Findings())
  private let work = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)

  init() {
    // One thread for all recordings: Foundation keeps open files for each thread that starts a process.
    Thread { [self] in
      repeat { work.wait() } while examineNext()
    }.start()
  }

  /// The seconds of sound that were examined, the gaps and the clicks.
  var summary: (seconds: Int, gaps: Int, clicks: [String]) {
    findings.withLock { ($0.seconds, $0.gaps, $0.clicks) }
  }

  /// Examines what the sink of a server plays, from a second after its first sound on.
  func begin(_ server: SoundServer) {
    findings.withLock { ($0.server, $0.isEnded) = (server, false) }
    work.signal()
  }

  /// Ends the examination at once: the rest of the recording does not count.
  func end() {
    findings.withLock { $0.isEnded = true }
    isDone.wait()
  }

  /// Ends the thread.
  func close() { work.signal() }

  /// Examines a sink until the end; returns `false` without a server.
  private func examineNext() -> Bool {
    let server = findings.withLock { findings in
      defer { findings.server = nil }
      return findings.server
    }
    guard let server else { return false }
    if let recording = try? server.recording() { examine(recording) }
    isDone.signal()
    return true
  }

  private func examine(_ recording: Recording) {
    guard (try? recording.untilSound()) != nil, (try? recording.seconds(1)) != nil else { return }
    var last: [Float] = []
    while let second = try? recording.seconds(1) {
      let samples = last + second.samples
      last = samples.suffix(2 * Self.tail)
      let isOver = findings.withLock { findings in
        guard !findings.isEnded else { return true }
        findings.note(samples, tail: Self.tail)
        return false
      }
      if isOver { return }
    }
  }
}

extension MonitorWatch.Findings {
  fileprivate mutating func note(_ samples: [Float], tail: Int) {
    seconds += 1
    let frames = samples.count / 2
    let differences = samples.indices.map { $0 < 2 ? 0 : samples[$0] - samples[$0 - 2] }
    guard let difference = try? PCMBuffer(samples: differences, format: Recording.format) else { return }
    for click in difference.clicks(highestFrequency: 3_000) {
      // The first and the last half of a tail belong to the neighboring pieces.
      guard (tail / 2..<frames - tail / 2).contains(click.frame) else { continue }
      let near = samples[2 * max(click.frame - tail, 0)..<2 * min(click.frame + tail, frames)]
      if near.hasSilence(ofSamples: 64) { gaps += 1 } else { clicks.append("second \(seconds): \(click)") }
    }
  }
}

extension Sequence<Float> {
  /// Whether a number of samples in a row are zero.
  fileprivate func hasSilence(ofSamples count: Int) -> Bool {
    var zeros = 0
    for sample in self {
      zeros = sample == 0 ? zeros + 1 : 0
      if zeros == count { return true }
    }
    return false
  }
}

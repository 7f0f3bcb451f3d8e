import Foundation
import Spatial3D
import Synchronization

/// Beasts that growl in turns: the end of one growl starts the next.
///
/// No loop polls for silence: each source notifies.
final class Conversation: Sendable {
  /// The notifications as lines; ends with the last growl.
  let lines: AsyncStream<String>

  private let sources: [SoundSource]
  private let turns: Int
  private let rate: Double
  private let taken = Mutex(0)
  private let tokens = Mutex<[NotificationToken]>([])
  private let report: AsyncStream<String>.Continuation

  init(of beasts: [Beast], turns: Int, in context: AudioContext) throws(AudioError) {
    var sources: [SoundSource] = []
    for beast in beasts {
      let source = try SoundSource(playing: SoundBuffer(beast.growl, in: context), in: context)
      source.position = beast.place
      sources.append(source)
    }
    self.sources = sources
    self.turns = turns
    rate = Double(context.sampleRate)
    (lines, report) = AsyncStream.makeStream()
    let tokens = zip(beasts, sources).map { beast, source in
      source.observe(.state) { [weak self] notification in self?.heard(beast, notification) }
    }
    self.tokens.withLock { $0 = tokens }
  }

  /// Starts the first beast; the notifications start the others.
  func begin() { next() }

  private func heard(_ beast: Beast, _ notification: SourceNotification) {
    let time = String(format: "%5.2f", Double(notification.framePosition) / rate)
    switch notification.state {
    case .playing: report.yield("\(time) s  \(beast.name) growls")
    case .stopped:
      report.yield("\(time) s  \(beast.name) is silent")
      next()
    case .initial, .paused: break
    }
  }

  /// Starts the next beast, if there is one.
  private func next() {
    let turn = taken.withLock { taken in
      defer { taken += 1 }
      return taken
    }
    guard turn < turns else { return report.finish() }
    sources[turn % sources.count].play()
  }
}

import Foundation
import GameAudio
import Stage
import Synchronization

/// Two players, and the keys that are pressed in half-second steps.
final class Evening: Sendable {
  static let step: Duration = .milliseconds(500)
  static let steps = 21
  static let heading = "time   theme            waltz"

  let theme: SoundPlayer
  let waltz: SoundPlayer
  private let log = Log()
  private let token: NotificationToken

  init(in context: AudioContext) throws {
    let world = AudioWorld(in: context)
    theme = try SoundPlayer(playing: Sound(try Tune.theme.pcm()), in: world)
    waltz = try SoundPlayer(playing: Sound(try Tune.waltz.pcm()), in: world)
    // One second of introduction, and then two that repeat.
    theme.loopRange = Tune.theme.frames(1..<3)
    theme.repeats = .forever
    waltz.repeats = .forever
    token = theme.observe { [log] event in log.append("\(event)") }
  }

  /// Presses the keys of a step.
  func begin(_ step: Int) {
    guard let jingle = try? Tune.jingle.pcm(), let organ = try? Tune.organ.pcm() else { return }
    switch step {
    case 0: theme.play()
    // The loop ends half a second later, and the jingle follows without a gap.
    case 9: theme.schedule(Sound(jingle), .atLoopEnd)
    // At another sample rate: the organ begins on the frame after the jingle.
    case 10: theme.schedule(Sound(organ), repeats: .forever)
    case 13: theme.pan = -0.5
    case 15: theme.crossfade(to: waltz, Fade(.seconds(2), .equalPower))
    default: break
    }
  }

  /// The playback positions of both players at a step.
  func line(of step: Int) -> String {
    let time = String(format: "%4.1f s", Evening.step * step / .seconds(1))
    return "\(time) \(place(of: theme)) \(place(of: waltz))"
  }

  private func place(of player: SoundPlayer) -> String {
    guard player.isPlaying else { return "  –              " }
    let (place, length) = (player.playbackTime / .seconds(1), (player.duration ?? .zero) / .seconds(1))
    return String(format: "  %4.2f of %4.2f s ", place, length)
  }

  /// The events of the theme's player.
  var report: String { "\nEvents of the first player: " + log.all.joined(separator: ", ") }

  /// The events that a handler collects.
  private final class Log: Sendable {
    private let events = Mutex<[String]>([])

    var all: [String] { events.withLock { $0 } }

    func append(_ event: String) { events.withLock { $0.append(event) } }
  }
}

import Foundation
import GameAudio

/// A programme of a studio, an interview by telephone and a concert, whose levels are far apart.
final class Programme: Sendable {
  static let step: Duration = .seconds(2)
  static let steps = 15
  static let heading = "time    on air     momentary  short term  integrated  true peak  compressor"

  let world: AudioWorld
  private let meter: BusMeter
  private let spectrum: Spectrum
  private let tap: NotificationToken
  private let speaker: SoundPlayer
  private let caller: SoundPlayer
  private let concert: SoundPlayer

  init(in context: AudioContext) throws {
    world = AudioWorld(in: context)
    let mixer = world.mixer
    mixer.main.inserts = [
      .highPass(60),
      .compressor(threshold: -28, ratio: 2),
    ]
    mixer.loudnessTarget = Insert.Leveler(target: -23)
    mixer.loudnessTarget?.speed = 3
    mixer.loudnessTarget?.range = 15
    mixer.limiter = Insert.Limiter(ceiling: -1)
    meter = mixer.main.meter()
    spectrum = Spectrum()
    tap = mixer.main.tap { [spectrum] chunk in spectrum.append(chunk) }

    speaker = try SoundPlayer(playing: Sound(try Voices.speaker()), in: world)
    caller = try SoundPlayer(playing: Sound(try Voices.caller()), in: world)
    concert = try SoundPlayer(playing: Sound(try Voices.concert()), in: world)
    for player in [speaker, caller, concert] { player.repeats = .forever }
  }

  /// The sound that a step has on air.
  private func player(at step: Int) -> (name: String, player: SoundPlayer) {
    switch step {
    case 0..<4: ("studio", speaker)
    case 4..<8: ("telephone", caller)
    default: ("concert", concert)
    }
  }

  /// Puts the sound of a step on air.
  func begin(_ step: Int) {
    let next = player(at: step).player
    guard !next.isPlaying else { return }
    guard let last = [speaker, caller, concert].first(where: \.isPlaying) else { return next.play() }
    last.crossfade(to: next, Fade(.milliseconds(50)))
  }

  /// The loudness at the end of a step.
  func line(of step: Int) -> String {
    let reading = meter.loudness
    let time = String(format: "%4.0f s", Self.step * (step + 1) / .seconds(1))
    let name = player(at: step).name.padding(toLength: 9, withPad: " ", startingAt: 0)
    return "\(time)  \(name)  \(loudness(reading.momentary))  \(loudness(reading.shortTerm)) "
      + " \(loudness(reading.integrated))  \(level(reading.truePeak))  \(level(meter.reductions[1]))"
  }

  private func loudness(_ value: Decibels?) -> String {
    value.map { String(format: "%5.1f LUFS", $0.rawValue) } ?? "         –"
  }

  private func level(_ value: Decibels) -> String { String(format: "%6.1f dB", value.rawValue) }

  /// What the tap has received, and the loudness of the whole programme.
  var report: String {
    let reading = meter.loudness
    return """

      The tap received \(spectrum.frameCount / 48_000) s of the mix, and lost \(spectrum.lostFrames) frames.
      Its share below 500 Hz: \(spectrum.lowShare) %. The range of the loudness: \
      \(String(format: "%.1f", reading.range?.rawValue ?? 0)) LU.
      """
  }
}

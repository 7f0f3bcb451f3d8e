import FileDecode
import Foundation
import Spatial3D
import Spatial3DReports
import Spatial3DTesting
import Stage

/// The levels of the direct sound and of the room all along the story.
///
/// The story is rendered twice, once with silent rooms, which gives the dry sound. The difference of the two mixes is
/// the room.
struct Levels {
  static let format = PCMFormat.stereo(sampleRate: 48_000)

  /// The mean square of each update.
  private var dry: [Double] = []
  private var wet: [Double] = []
  /// The mean square above ``highFrequency`` of each update.
  private var dryHighs: [Double] = []
  private var wetHighs: [Double] = []

  /// The levels of the whole mix at each ear.
  private(set) var ears = EarLevels(step: 1 / Double(Story.updateRate))

  /// The loops of the monster's voice.
  let laps: [NotificationTimeline.Entry]

  /// The cutoff of the high-pass filter, in hertz.
  static let highFrequency = 2_000.0

  /// The mix for a page, if the page was asked for.
  let sound: PageSound?

  /// Renders the story, and writes the mix to a sound file and for a page if they are asked for.
  init(of voice: PCMBuffer<Float>, recordingTo recording: OutputFile?, forPage: Bool = false) throws {
    var whole = try OfflineRenderer(format: Self.format)
    var bare = try OfflineRenderer(format: Self.format)
    let theatres = (try Theatre(of: voice, in: whole.context), try Theatre(of: voice, in: bare.context, isDry: true))
    let timeline = NotificationTimeline()
    timeline.observe(theatres.0.monster, as: "monster", .loop)
    var file = try recording.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var sound = forPage ? try PageSoundWriter(format: Self.format) : nil
    let frameCount = Self.format.sampleRate / Story.updateRate
    var filters = (dry: HighPass(), wet: HighPass())
    for update in 0..<Story.updateCount {
      theatres.0.update(to: Story.time(ofUpdate: update))
      theatres.1.update(to: Story.time(ofUpdate: update))
      let (mix, direct) = (whole.render(frameCount: frameCount), bare.render(frameCount: frameCount))
      try file?.write(mix)
      try sound?.write(mix)
      ears.append(left: mix.level(ofChannel: 0), right: mix.level(ofChannel: 1))
      let room = zip(mix.samples, direct.samples).map { $0 - $1 }
      dry.append(Self.meanSquare(direct.samples))
      wet.append(Self.meanSquare(room))
      dryHighs.append(Self.meanSquare(filters.dry.filter(direct.samples)))
      wetHighs.append(Self.meanSquare(filters.wet.filter(room)))
    }
    try file?.close()
    self.sound = try sound?.finish()
    laps = timeline.entries
  }

  private static func meanSquare(_ samples: [Float]) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
  }

  /// The levels of a range of seconds, in decibels relative to full scale.
  func levels(from start: Double, to end: Double) -> (dry: Double, wet: Double) {
    (Self.level(of: dry, from: start, to: end), Self.level(of: wet, from: start, to: end))
  }

  /// The levels above ``highFrequency`` of a range of seconds, in decibels relative to full scale.
  func highLevels(from start: Double, to end: Double) -> (dry: Double, wet: Double) {
    (Self.level(of: dryHighs, from: start, to: end), Self.level(of: wetHighs, from: start, to: end))
  }

  private static func level(of squares: [Double], from start: Double, to end: Double) -> Double {
    let first = max(Int(start * Double(Story.updateRate)), 0)
    let last = min(Int(end * Double(Story.updateRate)) + 1, squares.count)
    guard first < last else { return -.infinity }
    return 10 * log10(squares[first..<last].reduce(0, +) / Double(last - first))
  }
}

/// A second-order high-pass filter of interleaved stereo.
private struct HighPass {
  private var states = [SIMD2<Double>](repeating: .zero, count: 4)

  mutating func filter(_ samples: [Float]) -> [Float] {
    let w = 2 * Double.pi * Levels.highFrequency / Double(Levels.format.sampleRate)
    let alpha = sin(w) / 2 * 2.0.squareRoot()
    let (b, a1, a2) = ((1 + cos(w)) / 2 / (1 + alpha), -2 * cos(w) / (1 + alpha), (1 - alpha) / (1 + alpha))
    var filtered: [Float] = []
    filtered.reserveCapacity(samples.count)
    // Filters a frame at a time: both channels side by side.
    for index in stride(from: 0, to: samples.count - 1, by: 2) {
      let x = SIMD2(Double(samples[index]), Double(samples[index + 1]))
      let y = b * (x - 2 * states[0] + states[1]) - a1 * states[2] - a2 * states[3]
      states = [x, states[0], y, states[2]]
      filtered += [Float(y.x), Float(y.y)]
    }
    return filtered
  }
}

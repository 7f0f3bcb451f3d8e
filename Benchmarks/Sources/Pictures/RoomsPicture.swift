@_spi(Drawing) import Spatial3DReports
import Foundation
import Spatial3D
import Spatial3DTesting

/// The decay of three rooms, and the level of each frequency behind an obstacle.
struct RoomsPicture {
  private static let presets: [(RoomPreset, String)] = [
    (.smallRoom, "series2"), (.mediumHall, "series1"), (.cathedral, "accent"),
  ]
  private static let window = 960
  private static let frequencies = (0...40).map { 50 * pow(320, Double($0) / 40) }
  private static let occlusions: [Decibels] = [-6, -18, -40]

  private let decays: [[Double]]
  private let muffled: [[Double]]

  init() throws {
    decays = try Self.presets.map { try Self.decay(of: $0.0) }
    muffled = try Self.occlusions.map(Self.levels)
  }

  /// The level of each 20 ms of a room after a short noise, relative to its loudest.
  private static func decay(of preset: RoomPreset) throws -> [Double] {
    var renderer = try OfflineRenderer(format: Measured.mono)
    renderer.context.reverb = Reverb(preset)
    let clap = TestSignal.noise(duration: .milliseconds(20), format: Measured.mono)
    let source = try SoundSource(playing: SoundBuffer(clap, in: renderer.context), in: renderer.context)
    source.reverbBlend = 1
    _ = renderer.render(.milliseconds(250))
    source.play()
    let levels = renderer.render(.seconds(5)).levels(ofChannel: 0, windowFrames: window).map { Double($0.rawValue) }
    let loudest = levels.max() ?? 0
    return levels.map { $0 - loudest }
  }

  /// The level of each frequency behind an occlusion, in decibels.
  private static func levels(behind occlusion: Decibels) throws -> [Double] {
    try frequencies.map { frequency in
      let tone = TestSignal.sine(frequency: frequency, duration: .seconds(1), format: Measured.mono)
      let mixes = try Measured.mixes(of: tone, for: [0, occlusion]) { $0.occlusion = $2 }
      return Double((mixes[1].level(at: frequency) - mixes[0].level(at: frequency)).rawValue)
    }
  }

  var picture: Picture {
    Picture(
      name: "rooms",
      title: "Rooms, and occlusion",
      summary: """
        A small room falls by 60 dB within a second, a medium hall takes about one and a half, and a cathedral is still ringing after four. \
        Occlusion takes away high frequencies: -6, -18 and -40 dB at 5 kHz, and less of the low ones.
        """,
      height: 612,
      elements: decayPanel + occlusionPanel
    )
  }

  private var decayPanel: [SVGElement] {
    let chart = Chart(x: 0...5, y: -60...0, top: 62, bottom: 262)
    let curves = zip(Self.presets, decays).map { preset, levels in
      let points = levels.enumerated().map { (x: Double($0.offset) * 0.02, y: $0.element) }.prefix {
        $0.y > -60 || $0.x < 0.1
      }
      return chart.curve(Array(points), preset.1)
    }
    return [.heading("Rooms", note: "level after a clap, in dB", at: SVGPoint(28, 36))]
      + chart.rows([(-60, "−60"), (-40, "−40"), (-20, "−20"), (0, "0")])
      + chart.columns([(0, "0"), (1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5 s")])
      + curves
      + [
        chart.label("smallRoom", x: 0.46, y: -56, "series2"),
        chart.label("mediumHall", x: 1.4, y: -46, "series1"),
        chart.label("cathedral", x: 2.8, y: -22, "accent"),
      ]
  }

  private var occlusionPanel: [SVGElement] {
    let chart = Chart(x: log10(50)...log10(16_000), y: -60...0, top: 372, bottom: 572)
    let styles = ["series2", "series1", "accent"]
    let curves = zip(muffled, styles).map { levels, style in
      chart.curve(zip(Self.frequencies, levels).map { (log10($0), $1) }, style)
    }
    let marks = zip(Self.occlusions, styles).map { level, style in
      SVGElement.circle(
        at: SVGPoint(chart.x(log10(5_000)), chart.y(Double(level.rawValue))),
        radius: 4.5,
        "\(style) fill"
      )
    }
    return [.heading("Occlusion", note: "−6, −18 and −40 dB: level of each frequency, in dB", at: SVGPoint(28, 346))]
      + chart.rows([(-60, "−60"), (-40, "−40"), (-20, "−20"), (0, "0")])
      + chart.columns(
        [(50, "50"), (200, "200"), (1_000, "1k"), (5_000, "5k"), (16_000, "16k Hz")].map { (log10($0.0), $0.1) }
      )
      + curves + marks
  }
}

import Foundation
import Spatial3D

/// Measures the effect of rooms, occlusion and obstruction, and prints it as a section of Docs/Measurements.md.
///
/// With `--images FOLDER` it also writes drawings.
@main
struct Rooms {
  static func main() throws {
    let version = try Self.version
    let rooms = try RoomDecay.all()
    let folder = CommandLine.arguments.firstIndex(of: "--images").map { CommandLine.arguments[$0 + 1] }
    if let folder {
      let decays = DecayPlot(rooms: rooms, library: "OpenAL Soft \(version)").markup
      let muffling = MufflingPlot(responses: [
        try MufflingResponse(title: "Occlusion", note: "direct sound") { $0.occlusion = $1 },
        try MufflingResponse(title: "Obstruction", note: "direct sound") { $0.obstruction = $1 },
      ]).markup
      try Data(decays.utf8).write(to: URL(filePath: folder).appending(path: "rooms-\(version).svg"))
      try Data(muffling.utf8).write(to: URL(filePath: folder).appending(path: "muffling-\(version).svg"))
    }
    print("## Rooms, OpenAL Soft \(version)\n")
    print("Written by `Scripts/measure-rooms`. Offline, mono, 48 kHz.\n")
    print("![The decay of thirteen rooms](Images/rooms-\(version).svg)\n")
    print("![Occlusion and obstruction](Images/muffling-\(version).svg)\n")
    try printMuffling()
    try printClicks()
    printDecays(rooms)
    try printLevels()
    try printEqualizer()
  }

  private static var version: String {
    get throws {
      let renderer = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      return renderer.context.library.version.split(separator: " ").last.map(String.init) ?? "?"
    }
  }

  private static func printMuffling() throws {
    print("Attenuation at 5 kHz, -100 to 0 dB in steps of 2, largest error:\n")
    print("| | direct sound | room |\n|---|---|---|")
    typealias Change = (SoundSource, Decibels) -> (direct: Double, wet: Double)
    let rows: [(String, Change)] = [
      (
        "occlusion",
        { source, level in
          source.occlusion = level
          return (Double(level.rawValue), Double(level.rawValue))
        }
      ),
      (
        "obstruction",
        { source, level in
          source.obstruction = level
          return (Double(level.rawValue), 0)
        }
      ),
      (
        "half of each",
        { source, level in
          let half = Decibels(level.rawValue / 2)
          (source.occlusion, source.obstruction) = (half, half)
          return (Double(level.rawValue), Double(half.rawValue))
        }
      ),
    ]
    for (name, change) in rows {
      let direct = try MufflingResponse.largestError(isWet: false) { change($0, $1).direct }
      let wet = try MufflingResponse.largestError(isWet: true) { change($0, $1).wet }
      print(String(format: "| %@ | %.3f dB | %.3f dB |", name, direct, wet))
    }
    print()
  }

  private static func printClicks() throws {
    print("Obstruction to -40 dB in a tone of 200 Hz, a step each 800 frames, largest difference of two samples:\n")
    print("| step | tone by itself | while it changes |\n|---|---|---|")
    for step in [0.25, 0.5, 1, 2, 5, 40] {
      let (own, changing) = try Measure.largestSteps(whileObstructedBy: step)
      print(String(format: "| %.2f dB | %.4f | %.4f |", step, own, changing))
    }
    print()
  }

  private static func printDecays(_ rooms: [RoomDecay]) {
    print(
      "Time to fall by 60 dB (T30, mean of the octaves of 500 and 1,000 Hz), and the energy of the response to an impulse:\n"
    )
    print("| room | stated | measured | off by | energy |\n|---|---|---|---|---|")
    for room in rooms {
      let error = (room.measured / room.stated - 1) * 100
      print(
        String(
          format: "| %@ | %.1f s | %.2f s | %+.1f %% | %.1f dB |",
          "\(room.preset)",
          room.stated,
          room.measured,
          error,
          room.energy
        )
      )
    }
    print()
  }

  private static func printLevels() throws {
    print("Level of `mediumHall` against its level at 0 dB:\n")
    print("| requested | reached, as reported | measured |\n|---|---|---|")
    let reference = Measure.energy(of: try Measure.response(of: Reverb(.mediumHall), seconds: 2).samples)
    for level in [Float(-40), -20, -6, 6, 20, 40] {
      let reverb = Reverb(.mediumHall, level: Decibels(level))
      let (samples, resolution) = try Measure.response(of: reverb, seconds: 2)
      let measured = Measure.energy(of: samples) - reference
      print(String(format: "| %.0f dB | %.2f dB | %.2f dB |", level, resolution?.level.rawValue ?? .nan, measured))
    }
    print()
  }

  private static func printEqualizer() throws {
    print("Equaliser behind `mediumRoom`, at its centre:\n")
    print("| frequency | bandwidth | gain | measured | as reported |\n|---|---|---|---|---|")
    let flat = try Measure.response(of: Reverb(.mediumRoom), seconds: 1.5).samples
    for (frequency, bandwidth, gain) in [
      (200, 1, 18), (1_000, 1, 12), (1_000, 1, -12), (1_200, 1.5, -3), (1_000, 2, 12), (3_500, 0.3, -18),
      (8_000, 0.5, 6),
      (100, 2, 9), (12_000, 1, 9),
    ] as [(Float, Float, Float)] {
      let band = ParametricEqualizer(frequency: frequency, bandwidth: bandwidth, level: Decibels(gain))
      let (samples, resolution) = try Measure.response(of: Reverb(.mediumRoom, equalizer: band), seconds: 1.5)
      let center = Double(frequency)
      let measured = Measure.level(at: center, of: samples) - Measure.level(at: center, of: flat)
      let reported =
        switch resolution?.equalizer {
        case .exact: "exact"
        case .approximate(let error): String(format: "approximate, within %.1f dB", error.rawValue)
        case .clamped(let error): String(format: "out of reach, within %.1f dB", error.rawValue)
        case nil: "none"
        }
      print(
        String(
          format: "| %.0f Hz | %.1f octaves | %+.0f dB | %+.2f dB | %@ |",
          frequency,
          bandwidth,
          gain,
          measured,
          reported
        )
      )
    }
    print()
  }
}

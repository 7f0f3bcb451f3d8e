import Foundation
import Testing

@testable import Spatial3D

/// The numbers of the room presets, compared with what others wrote down.
@Suite struct PresetValueTests {
  private static let header = URL(filePath: "/usr/include/AL/efx-presets.h")

  @Test(.enabled(if: FileManager.default.fileExists(atPath: header.path), "efx-presets.h is not in /usr/include"))
  func `The presets of Creative Labs have the numbers of OpenAL's header`() throws {
    let text = try String(contentsOf: Self.header, encoding: .utf8)
    let rows = text.matches(of: /#define EFX_REVERB_PRESET_(\w+)\s*\\\s*\n\s*(\{.*\})/).map { match in
      let numbers = match.2.split { "{}, ".contains($0) }.map { number in
        number.hasPrefix("0x") ? Float(Int(number.dropFirst(2), radix: 16) ?? -1) : Float(number.dropLast()) ?? .nan
      }
      return (name: String(match.1.filter { $0 != "_" }).lowercased(), numbers: numbers)
    }
    #expect(rows.count == 113 && rows.count == EFXPreset.allCases.count)
    for (row, preset) in zip(rows, EFXPreset.allCases) {
      #expect(row.name == preset.rawValue.lowercased())
      let values = RoomAcoustics(preset).parameters
      #expect(values.count == row.numbers.count)
      #expect(zip(values, row.numbers).allSatisfy { abs($0 - $1) < 1e-4 }, "\(preset): \(values), \(row.numbers)")
    }
  }

  /// The decay in milliseconds and its ratio at high frequencies, the level and the delay of the reflections and of the
  /// late reverb, and the other values that differ from the default.
  private static let rooms:
    [(RoomPreset, Int, Float, Float, Int, Float, Int, @Sendable (inout RoomAcoustics) -> Void)] = [
      (.smallRoom, 400, 0.83, 0.15, 2, 1.06, 3, { _ in }), (.mediumRoom, 800, 0.83, 0.2, 5, 1.1, 6, { _ in }),
      (.largeRoom, 1_300, 0.8, 0.25, 10, 1.2, 12, { _ in }), (.mediumHall, 1_700, 0.7, 0.22, 15, 1.2, 20, { _ in }),
      (.largeHall, 2_600, 0.7, 0.24, 20, 1.26, 29, { _ in }),
      (.plate, 1_600, 1.1, 0, 0, 1.4, 0, { ($0.highFrequencyGain, $0.limitsHighFrequencyDecay) = (1, false) }),
      (.mediumChamber, 1_200, 0.64, 0.44, 8, 1.1, 10, { _ in }),
      (.largeChamber, 2_200, 0.64, 0.5, 16, 1.2, 20, { ($0.echoTime, $0.echoDepth) = (.milliseconds(200), 0.1) }),
      (.cathedral, 5_500, 0.6, 0.18, 30, 1.26, 40, { $0.diffusion = 0.9 }),
      (.largeRoom2, 1_500, 0.6, 0.25, 12, 1.2, 14, { $0.highFrequencyGain = 0.5 }),
      (.mediumHall2, 1_900, 0.55, 0.25, 14, 1.2, 18, { $0.highFrequencyGain = 0.4 }),
      (.mediumHall3, 2_100, 1, 0.22, 16, 1.2, 20, { $0.highFrequencyGain = 1 }),
      (.largeHall2, 3_200, 0.7, 0.24, 24, 1.26, 30, { _ in }),
    ]

  @Test func `The thirteen rooms keep their numbers`() {
    #expect(Self.rooms.map(\.0) == RoomPreset.allCases)
    for (preset, decay, ratio, early, earlyDelay, late, lateDelay, change) in Self.rooms {
      var room = RoomAcoustics()
      (room.decayTime, room.highFrequencyDecayRatio) = (.milliseconds(decay), ratio)
      (room.reflectionsGain, room.reflectionsDelay) = (Gain(early), .milliseconds(earlyDelay))
      (room.lateGain, room.lateDelay) = (Gain(late), .milliseconds(lateDelay))
      change(&room)
      #expect(RoomAcoustics(preset) == room, "\(preset)")
    }
  }
}

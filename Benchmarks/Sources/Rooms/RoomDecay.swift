import Foundation
import Spatial3D

/// The decay of one of Apple's rooms.
struct RoomDecay {
  let preset: RoomPreset
  let stated: Double
  let measured: Double
  /// The energy of the room's response, in decibels.
  let energy: Double
  /// The decay of the octave around 1,000 Hz, with a hundred points a second.
  let curve: [Double]

  static func all() throws -> [RoomDecay] { try RoomPreset.allCases.map(Self.init) }

  private init(of preset: RoomPreset) throws {
    self.preset = preset
    stated = RoomAcoustics(preset).decayTime / .seconds(1)
    let response = try Measure.response(of: Reverb(preset), seconds: 1.4 * stated + 0.3).samples
    measured = try Measure.decayTime(of: response)
    energy = Measure.energy(of: response)
    let decay = Measure.decay(of: response, octaveAbout: 1_000)
    curve = stride(from: 0, to: decay.count, by: Measure.rate / 100).map { decay[$0] }
  }
}

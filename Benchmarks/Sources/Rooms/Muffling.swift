import Foundation
import Spatial3D

/// The effect of occlusion or obstruction on each frequency, relative to a source without.
struct MufflingResponse {
  let title: String
  let note: String
  /// The requested levels, in decibels.
  let asked: [Double]
  /// The measured levels at each frequency, in decibels, for each requested level.
  let curves: [[Double]]

  static let frequencies = (0...90).map { 20 * pow(1_000, Double($0) / 90) }
  static let levels = [-3.0, -6, -12, -18, -24, -36, -48, -60, -80, -100]

  /// Measures the effect of a change of a source on its direct path, or on its room.
  init(
    title: String,
    note: String,
    isWet: Bool = false,
    levels asked: [Double] = levels,
    _ change: (SoundSource, Decibels) -> Void
  ) throws {
    (self.title, self.note, self.asked) = (title, note, asked)
    var room = RoomAcoustics()
    (room.lateGain, room.decayTime) = (0, .milliseconds(100))
    let reverb = isWet ? Reverb(room: room) : nil
    let open = try Measure.response(of: reverb, seconds: 0.1).samples
    curves = try asked.map { level in
      let closed = try Measure.response(of: reverb, seconds: 0.1) { change($0, Decibels(Float(level))) }
      return Self.frequencies.map { Measure.level(at: $0, of: closed.samples) - Measure.level(at: $0, of: open) }
    }
  }

  /// The largest error at 5 kHz relative to the requested level, over the whole range.
  static func largestError(isWet: Bool, _ change: (SoundSource, Decibels) -> Double) throws -> Double {
    var room = RoomAcoustics()
    (room.lateGain, room.decayTime) = (0, .milliseconds(100))
    let reverb = isWet ? Reverb(room: room) : nil
    let open = try Measure.level(ofTone: 5_000, through: reverb)
    return try stride(from: -100.0, through: 0, by: 2).map { level in
      var wanted = 0.0
      let closed = try Measure.level(ofTone: 5_000, through: reverb) { source in
        wanted = change(source, Decibels(Float(level)))
      }
      return abs(closed - open - wanted)
    }.max() ?? 0
  }
}

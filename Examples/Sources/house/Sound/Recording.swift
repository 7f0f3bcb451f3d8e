import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Stage

/// The walk, rendered offline: the acoustic path, the occlusion and the level of each monster.
struct Recording {
  static let format = PCMFormat.stereo(sampleRate: 48_000)
  /// The moments of a second in ``moments``.
  static let rate = 10

  /// A tenth of a second of the walk.
  struct Moment {
    let time: Double
    let place: SIMD2<Double>
    let openness: [Float]
    let monsters: [SIMD2<Double>]
    let hearings: [Hearing]
  }

  /// The stop of a leg.
  struct Stop {
    /// The positions of the listener and of the monsters at the end.
    let moment: Moment
    /// The hearing of each monster, as a mean over a loop of the sounds.
    let hearings: [Hearing]
  }

  /// The mean level of each monster's loop, re full scale: a hearing's gain and this are the level at the listener.
  let loudness: [Decibels]
  private(set) var moments: [Moment] = []
  private(set) var stops: [Stop] = []
  /// The calls and snapshots of the world.
  let world: WorldRecording

  init(to output: OutputFile?) throws {
    var renderer = try OfflineRenderer(format: Self.format)
    let house = try HauntedHouse(in: renderer.context)
    loudness = try Monster.all.map { try MonsterSounds.loop(of: $0).level }
    var file = try output.map { try AudioFileWriter(creating: $0.path, format: Self.format) }
    var progress = ProgressLine()
    var mix = PCMBuffer<Float>(format: Self.format)
    let first = Route.step(at: 0)
    house.begin(at: first.place, facing: first.direction)
    world = house.world.record(snapshotsEach: .milliseconds(100))
    var recent: [[Hearing]] = []
    let count = Int(Route.seconds * Double(Route.updateRate))
    for update in 0..<count {
      let time = Double(update) / Double(Route.updateRate)
      let leg = Route.leg(at: time)
      house.advance(toRouteAt: time)
      renderer.render(into: &mix, frameCount: Self.format.sampleRate / Route.updateRate)
      try file?.write(mix)
      recent.append(house.hearings)
      let isEndOfLeg = update + 1 == count || Route.leg(at: Double(update + 1) / Double(Route.updateRate)) != leg
      guard isEndOfLeg || update % (Route.updateRate / Self.rate) == 0 else { continue }
      let moment = Moment(
        time: time,
        place: Route.step(at: time).place,
        openness: house.openness,
        monsters: Monster.all.map { $0.place(at: time) },
        hearings: house.hearings
      )
      moments.append(moment)
      if isEndOfLeg {
        stops.append(Stop(moment: moment, hearings: Self.mean(recent.suffix(Int(Route.listening) * Route.updateRate))))
        progress.show("Rendering", done: time / Route.seconds)
      }
    }
    try file?.close()
    world.stop()
  }

  /// The last hearing of each monster, with the means of `gain`, `muffling` and `distance`; decibels are averaged by
  /// their power.
  private static func mean(_ hearings: ArraySlice<[Hearing]>) -> [Hearing] {
    func level(_ levels: [Decibels]) -> Decibels {
      let power = levels.reduce(0) { $0 + pow(Gain.decibels($1).rawValue, 2) } / Float(max(levels.count, 1))
      return Gain(power.squareRoot()).decibels
    }
    return Monster.all.indices.compactMap { monster in
      let own = hearings.map { $0[monster] }
      guard var hearing = own.last else { return nil }
      hearing.gain = level(own.map(\.gain))
      hearing.muffling = level(own.map(\.muffling))
      hearing.distance = own.reduce(0) { $0 + $1.distance } / Float(own.count)
      return hearing
    }
  }
}

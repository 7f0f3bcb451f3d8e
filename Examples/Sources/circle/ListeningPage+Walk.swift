import Foundation
import Spatial3DReports
import Spatial3DTesting
import Stage

extension ListeningPage {
  /// The page of a walk.
  init(of measurement: Measurement, in scene: Scene, with sound: PageSound) {
    let reach = Scene.radius * 1.6
    let count = scene.placed.count
    self.init(
      title: count == 1 ? "A walk around one sound" : "A walk among \(count) sounds",
      summary: """
        You walk \(Int(scene.walk.path.length.rounded())) metres in \(Int(scene.walk.seconds.rounded())) seconds, and look \
        where you walk. Best heard with headphones.
        """,
      sound: sound,
      map: Area(x: -1.25 * reach...1.25 * reach, z: -reach...reach)
    )
    let listeners = moments.map(scene.walk.listener(at:))
    var turn = 0.0
    let turns = listeners.map { listener in
      let forward = listener.orientation.forward
      let heading = atan2(Double(forward.x), Double(-forward.z)) * 180 / .pi
      turn += (heading - turn).remainder(dividingBy: 360)
      return turn
    }
    listener = Placement(
      x: listeners.map { Double($0.position.x) },
      z: listeners.map { Double($0.position.z) },
      turn: turns
    )
    sources = zip(scene.placed, measurement.solos).map { placed, levels in
      Source(
        name: placed.sound.name,
        x: [Double(placed.place.x)],
        z: [Double(placed.place.z)],
        level: moments.map { levels.bothEars(at: $0, window: Self.window) }
      )
    }
    let levels = moments.map { measurement.whole.levels(at: $0, window: Self.window) }
    ears = Ears(left: levels.map(\.left), right: levels.map(\.right))
    events = measurement.laps.compactMap { entry in
      guard let source = Int(entry.label), scene.placed.indices.contains(source) else { return nil }
      let time = Double(entry.framePosition) / Double(Measurement.format.sampleRate)
      guard time < seconds else { return nil }
      return Event(at: time, source: source, text: "\(scene.placed[source].sound.name) starts over")
    }
  }

  /// The window of a level, in seconds, slow enough for the eye.
  private static let window = 0.12
}

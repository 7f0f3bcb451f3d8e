import Foundation
import Spatial3D
import Spatial3DReports
import Spatial3DTesting
import Stage

extension ListeningPage {
  /// The page of the story.
  init(of levels: Levels, with sound: PageSound) {
    self.init(
      title: "A monster, heard from nearer and farther away",
      summary: """
        Thirty seconds in six chapters: rooms that change, a door that slams, a pillar that passes, a way up the stairs. \
        Best heard with headphones.
        """,
      sound: sound,
      map: Area(x: -10...10, z: -6.5...9.5)
    )
    let places = moments.map(Story.listener(at:))
    listener = Placement(x: places.map { Double($0.x) }, z: places.map { Double($0.z) })
    let monsters = moments.map(Story.monster(at:))
    sources = [
      Source(
        name: "monster",
        x: monsters.map { Double($0.x) },
        z: monsters.map { Double($0.z) },
        level: moments.map { levels.levels(from: $0 - Self.window / 2, to: $0 + Self.window / 2).dry }
      )
    ]
    things = rooms + [stairs, door, pillar]
    let heard = moments.map { levels.ears.levels(at: $0, window: Self.window) }
    ears = Ears(left: heard.map(\.left), right: heard.map(\.right))
    readings = [
      Reading("Reverb send", unit: "%", values: moments.map { Double(Story.chapter(at: $0).send) * 100 }),
      Reading("Occlusion", unit: "dB", values: moments.map { Double(Story.occlusion(at: $0).rawValue) }),
      Reading("Obstruction", unit: "dB", values: moments.map { Double(Story.obstruction(at: $0).rawValue) }),
    ]
    chapters = Story.chapters.map { Chapter(at: $0.start, title: $0.title, text: $0.caption) }
    events = levels.laps.map { entry in
      let time = Double(entry.framePosition) / Double(Levels.format.sampleRate)
      return Event(at: time, source: 0, text: "The monster's voice starts over")
    }
  }

  /// The window of a level, in seconds, slow enough for the eye.
  private static let window = 0.12

  /// The wall with the door, and the rooms around the monster: each is visible in its chapters.
  private var rooms: [Thing] {
    let wall = 1.5
    func room(halfWidth: Double, depth: Double, _ isThere: (String) -> Bool) -> Thing {
      Thing(
        through: [
          [-0.55, wall], [-halfWidth, wall], [-halfWidth, -depth],
          [halfWidth, -depth], [halfWidth, wall], [0.55, wall],
        ],
        width: 2,
        opacity: moments.map { isThere(Story.chapter(at: $0).title) ? 1 : 0 }
      )
    }
    return [
      room(halfWidth: 3.6, depth: 5) { $0 == "chamber" },
      room(halfWidth: 8, depth: 6) { $0 != "dry" && $0 != "chamber" },
    ]
  }

  /// The door, which closes with the occlusion.
  private var door: Thing {
    Thing(
      through: [[0, 0], [1.1, 0]],
      color: "ink",
      width: 4,
      at: Placement(
        x: [-0.55],
        z: [1.5],
        turn: moments.map { -80 * max(1 + Double(Story.occlusion(at: $0).rawValue) / 28, 0) }
      ),
      opacity: moments.map { Story.chapter(at: $0).room == nil ? 0 : 1 }
    )
  }

  /// The pillar, which moves in between with the obstruction.
  private var pillar: Thing {
    let obstruction = moments.map { 1 + Double(Story.obstruction(at: $0).rawValue) / 24 }
    let places = zip(moments, obstruction).map { $0 < 20.9 ? -4 * $1 : 4 * $1 }
    return Thing(
      radius: 0.55,
      width: 1.5,
      at: Placement(x: places, z: [0]),
      opacity: moments.map { (19.4...22.4).contains($0) ? 1 : 0 }
    )
  }

  /// The stairs, which the listener climbs at the end.
  private var stairs: Thing {
    // One line to and fro, so that all steps are one thing.
    let steps = stride(from: 4.0, to: 9, by: 0.5).flatMap { z -> [SIMD2<Double>] in
      [[-0.8, z], [0.8, z], [-0.8, z], [-0.8, z + 0.5]]
    }
    let opacity = moments.map { $0 < 15 ? 0 : $0 < 23 ? 0.5 : 1 }
    return Thing(through: [[0.8, 9], [0.8, 4]] + steps, width: 1, opacity: opacity)
  }
}

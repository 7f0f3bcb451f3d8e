import Foundation
import Spatial3D

/// The events of the story over time; the story itself plays no sound.
///
/// The scene comes from Apple's demonstration in 2011: a monster, nearer and farther away.
struct Story {
  /// The number of updates of listener and monster a second, as in a game.
  static let updateRate = 60

  /// The duration of the story, in seconds.
  static let seconds = 30.0

  /// A part of the story.
  struct Chapter {
    let start: Double
    let title: String
    let caption: String
    let room: Reverb?
    /// The reverb send level of the monster.
    let send: Float
  }

  static let basement = Reverb(.largeChamber, level: 4, equalizer: .init(frequency: 300, bandwidth: 1, level: 4))

  static let chapters = [
    Chapter(start: 0, title: "dry", caption: "It growls, somewhere ahead", room: nil, send: 0),
    Chapter(start: 4, title: "chamber", caption: "In a chamber of stone", room: Reverb(.mediumChamber), send: 0.35),
    Chapter(start: 9, title: "basement", caption: "In a huge basement", room: basement, send: 0.5),
    Chapter(start: 15, title: "door", caption: "Out, and the door slams", room: basement, send: 0.5),
    Chapter(start: 19, title: "pillar", caption: "A pillar passes between", room: basement, send: 0.5),
    Chapter(start: 23, title: "stairs", caption: "Up the stairs", room: basement, send: 0.5),
  ]

  static var updateCount: Int { Int(seconds) * updateRate }

  /// The time of an update, in seconds.
  static func time(ofUpdate update: Int) -> Double { Double(update) / Double(updateRate) }

  static func chapter(at time: Double) -> Chapter { chapters.last { $0.start <= time } ?? chapters[0] }

  /// The end of a chapter, in seconds.
  static func end(ofChapter index: Int) -> Double {
    index + 1 < chapters.count ? chapters[index + 1].start : seconds
  }
}

extension Story {
  /// The position of the listener after a number of seconds: they step back out of the door, and later climb.
  static func listener(at time: Double) -> SIMD3<Float> {
    let back = 3 * rise(time, from: 14, to: 15.2)
    let climb = rise(time, from: 23, to: 30)
    return [0, 1.7 + Float(5 * climb), Float(back + 6 * climb)]
  }

  /// The position of the monster, which paces to and fro.
  static func monster(at time: Double) -> SIMD3<Float> {
    [Float(2 * sin(time * 0.9)), 1.2, -3]
  }

  /// The occlusion: the door shuts in a tenth of a second, and later more floors come between.
  static func occlusion(at time: Double) -> Decibels {
    Decibels(Float(0 - 28 * rise(time, from: 15.2, to: 15.3) - 17 * rise(time, from: 23, to: 30)))
  }

  /// The obstruction by the pillar, which comes and goes.
  static func obstruction(at time: Double) -> Decibels {
    Decibels(Float(0 - 24 * rise(time, from: 19.4, to: 20.4) * (1 - rise(time, from: 21.4, to: 22.4))))
  }

  /// A smooth rise from 0 to 1 between two times.
  private static func rise(_ time: Double, from start: Double, to end: Double) -> Double {
    let part = min(max((time - start) / (end - start), 0), 1)
    return part * part * (3 - 2 * part)
  }
}

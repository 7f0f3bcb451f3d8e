import Foundation
import Spatial3D

/// What happens when: everything about the example that makes no sound.
///
/// The scene is the one with which Apple showed these things in 2011: a monster, heard from nearer and farther away.
struct Story {
  /// The listener and the monster move so many times a second, as in a game.
  static let updateRate = 60

  /// How long it takes, in seconds.
  static let seconds = 30.0

  /// A part of the story.
  struct Chapter {
    let start: Double
    let title: String
    let caption: String
    let room: Reverb?
    /// How much of the monster is heard in the room.
    let send: Float
  }

  static let basement = Reverb(.largeChamber, level: 4, equalizer: .init(frequency: 300, bandwidth: 1, gain: 4))

  static let chapters = [
    Chapter(start: 0, title: "dry", caption: "It growls, somewhere ahead", room: nil, send: 0),
    Chapter(start: 4, title: "chamber", caption: "In a chamber of stone", room: Reverb(.mediumChamber), send: 0.35),
    Chapter(start: 9, title: "basement", caption: "In a huge basement", room: basement, send: 0.5),
    Chapter(start: 15, title: "door", caption: "Out, and the door slams", room: basement, send: 0.5),
    Chapter(start: 19, title: "pillar", caption: "A pillar passes between", room: basement, send: 0.5),
    Chapter(start: 23, title: "stairs", caption: "Up the stairs", room: basement, send: 0.5),
  ]

  static var updateCount: Int { Int(seconds) * updateRate }

  /// When an update is due, in seconds.
  static func time(ofUpdate update: Int) -> Double { Double(update) / Double(updateRate) }

  static func chapter(at time: Double) -> Chapter { chapters.last { $0.start <= time } ?? chapters[0] }

  /// The end of a chapter, in seconds.
  static func end(ofChapter index: Int) -> Double {
    index + 1 < chapters.count ? chapters[index + 1].start : seconds
  }
}

extension Story {
  /// Where the listener is after a number of seconds: they step back out of the door, and later climb.
  static func listener(at time: Double) -> SIMD3<Float> {
    let back = 3 * rise(time, from: 14, to: 15.2)
    let climb = rise(time, from: 23, to: 30)
    return [0, 1.7 + Float(5 * climb), Float(back + 6 * climb)]
  }

  /// Where the monster is: it paces up and down.
  static func monster(at time: Double) -> SIMD3<Float> {
    [Float(2 * sin(time * 0.9)), 1.2, -3]
  }

  /// The door: shut in a tenth of a second, and more floors in between the higher they climb.
  static func occlusion(at time: Double) -> Decibels {
    Decibels(Float(0 - 28 * rise(time, from: 15.2, to: 15.3) - 17 * rise(time, from: 23, to: 30)))
  }

  /// The pillar: it comes and goes.
  static func obstruction(at time: Double) -> Decibels {
    Decibels(Float(0 - 24 * rise(time, from: 19.4, to: 20.4) * (1 - rise(time, from: 21.4, to: 22.4))))
  }

  /// From 0 to 1 and smoothly, between two moments.
  private static func rise(_ time: Double, from start: Double, to end: Double) -> Double {
    let part = min(max((time - start) / (end - start), 0), 1)
    return part * part * (3 - 2 * part)
  }
}

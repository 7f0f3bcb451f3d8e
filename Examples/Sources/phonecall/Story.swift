import GameAudio

/// The things that happen on the system while the game runs.
enum Story {
  static let seconds = 30

  /// One thing, with the report of it to the session.
  struct Happening {
    let second: Int
    let name: String
    /// `nil` for a thing that the game does by itself.
    let input: SessionInput?
  }

  /// In the order of their times; the first one is the start of the game.
  static let happenings: [Happening] = [
    Happening(second: 0, name: "the game begins, with headphones", input: .outputPlugged("headphones")),
    Happening(second: 5, name: "the phone rings", input: .phoneCallBegan),
    Happening(second: 9, name: "the call is over", input: .phoneCallEnded(shouldResume: true)),
    Happening(second: 13, name: "another program plays music", input: .otherAudio(isPlaying: true)),
    Happening(second: 17, name: "the other program stops", input: .otherAudio(isPlaying: false)),
    Happening(second: 20, name: "the headphones are pulled out", input: .outputUnplugged),
    Happening(second: 22, name: "the game plays its music again", input: nil),
    Happening(second: 25, name: "the screen is locked", input: .screenLocked),
    Happening(second: 27, name: "the screen is unlocked", input: .screenUnlocked),
  ]

  /// The times at which a thing holds the game back, for the picture.
  static let spans: [(name: String, seconds: Range<Int>)] = [
    ("a call", 5..<9), ("music elsewhere", 13..<17), ("headphones out", 20..<22), ("screen locked", 25..<27),
  ]

  /// The things that happen in a second.
  static func happenings(in second: Int) -> [Happening] { happenings.filter { $0.second == second } }
}

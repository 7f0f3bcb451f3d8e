import GameAudio

/// The actions of the player, and the seconds at which they are.
enum Script {
  static let seconds = 32
  /// The updates of a second, as in a game.
  static let updateRate = 60

  enum Action {
    case shoot, speak, openMenu, click, closeMenu
    case setMusic(Gain)
  }

  static let actions: [(second: Int, name: String, action: Action)] = [
    (2, "ten shots", .shoot),
    (6, "speech", .speak),
    (12, "menu opens", .openMenu),
    (13, "click", .click),
    (14, "music to -9 dB", .setMusic(.decibels(-9))),
    (15, "menu closes", .closeMenu),
    (21, "ten shots", .shoot),
    (24, "speech", .speak),
    (29, "music to 0 dB", .setMusic(.unity)),
  ]

  static let menu = 12..<15
  static let speeches = [6..<9, 24..<27]

  /// The metres that the listener has walked; the world stands while the menu is open.
  static func distance(at time: Double) -> Double {
    let stand = min(max(time - Double(menu.lowerBound), 0), Double(menu.count))
    return (time - stand) * 28 / Double(seconds - menu.count)
  }
}

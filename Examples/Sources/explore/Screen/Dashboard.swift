import Foundation
import GameAudio
import Stage

/// The whole screen: title, plan, levels, notifications, and the keys.
struct Dashboard {
  /// The size that the smallest drawing needs.
  static let smallest = Screen.Size(columns: Plan.house.columns + 2 + LevelPanel.width, rows: 22)

  /// The state to draw.
  let world: World

  /// The meters and the notifications.
  let readings: Readings

  /// The words about the output, such as the name of a device.
  let output: String

  /// Whether the output plays nothing.
  let isSilent: Bool

  let glyphs: Glyphs

  /// The state of the audio world, which the screen shows instead of the plan; `nil` for the plan.
  var snapshot: WorldSnapshot?

  /// The screen of a size; if the size is too small, the screen shows the size that is needed.
  func screen(_ size: Screen.Size) -> Screen {
    var screen = Screen(size)
    let (columns, rows) = (Self.smallest.columns, Self.smallest.rows)
    guard size.columns >= columns, size.rows >= rows else {
      // As many rows as it takes: a window may be narrower than the sentence.
      let width = max(size.columns, 1)
      var sentence = "Needs \(columns) x \(rows) characters, has \(size.columns) x \(size.rows). Q quits."
      for row in 0..<max(size.rows, 0) where !sentence.isEmpty {
        screen.write(String(sentence.prefix(width)), at: 0, row, .alarm)
        sentence = String(sentence.dropFirst(width))
      }
      return screen
    }
    drawTitle(on: &screen)
    drawKeys(on: &screen)
    if let snapshot {
      let row = WorldView(snapshot: snapshot, glyphs: glyphs).draw(on: &screen, row: 2)
      drawNotices(on: &screen, from: row + 1, width: size.columns)
      return screen
    }
    let plan = world.plan
    // The largest whole multiple of the plan that leaves room for the panel and some notifications.
    let scale = max(min((size.columns - 2 - LevelPanel.width) / plan.columns, (size.rows - 7) / plan.rows), 1)
    PlanView(world: world, scale: scale, glyphs: glyphs).draw(on: &screen, row: 1)
    let left = plan.columns * scale + 2
    LevelPanel(world: world, readings: readings, glyphs: glyphs)
      .draw(on: &screen, column: left, row: 1, width: min(size.columns - left, 2 * LevelPanel.width))
    drawNotices(on: &screen, from: 1 + plan.rows * scale, width: left - 2)
    return screen
  }

  private func drawTitle(on screen: inout Screen) {
    let room = world.isInHall ? "in the hall" : "in the garden"
    let title = ["explore", String(format: "%.1f s", world.time), room].joined(separator: glyphs.separator)
    screen.write(title, at: 0, 0, .strong)
    screen.write(glyphs.separator + output, at: title.count, 0, isSilent ? .alarm : .plain)
  }

  /// The last notifications, the newest at the bottom.
  private func drawNotices(on screen: inout Screen, from row: Int, width: Int) {
    screen.write("Notifications", at: 0, row, .strong)
    let count = screen.size.rows - 3 - row
    for (offset, notice) in readings.notices.suffix(max(count, 0)).enumerated() {
      let time = String(format: "%7.2f s  ", notice.time)
      screen.write(time, at: 0, row + 1 + offset, .faint, width: width)
      let style = notice.soundIndex.map { Screen.Style.series($0) } ?? .alarm
      screen.write(notice.words, at: time.count, row + 1 + offset, style, width: width - time.count)
    }
  }

  private func drawKeys(on screen: inout Screen) {
    let mute = world.sounds.count == 1 ? "1" : "1-\(world.sounds.count)"
    let view = snapshot == nil ? "world" : "plan"
    let (walk, turn) = glyphs.arrowKeys
    let keys = "\(walk) W S walk   \(turn) A D turn   \(mute) mute   V \(view)   Q quit"
    screen.write(keys, at: 0, screen.size.rows - 1, .faint)
  }
}

/// The measured and calculated values beside the world.
struct Readings: Sendable {
  /// A notification of a source, or an event of the output.
  struct Notice: Hashable, Sendable {
    /// The time in seconds of the mix.
    let time: Double

    /// The sound; `nil` for the output.
    let soundIndex: Int?

    let words: String
  }

  /// The notifications that are kept at most.
  static let mostNotices = 200

  /// The calculated level of each sound.
  var sounds: [LevelMeter]

  /// The measured level of each ear.
  var ears = (left: LevelMeter(), right: LevelMeter())

  /// The heading of the ear levels, which states the measured mix.
  let earsHeading: String

  /// The notifications, the newest at the end.
  private(set) var notices: [Notice] = []

  /// Silent meters of a number of sounds.
  init(soundCount: Int, earsHeading: String) {
    sounds = Array(repeating: LevelMeter(), count: soundCount)
    self.earsHeading = earsHeading
  }

  /// Adds notifications at the end, and drops the oldest beyond ``mostNotices``.
  mutating func append(_ further: [Notice]) {
    notices += further
    notices.removeFirst(max(notices.count - Self.mostNotices, 0))
  }
}

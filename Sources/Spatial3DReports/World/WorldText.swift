public import GameAudio

/// The state of a world in a few lines of text for a terminal: voices, buses with meters, and loud and silent emitters.
///
/// Control characters in names are replaced.
///
/// ```text
/// voices 2 of 2 real, 1 virtual
/// main            █████████···········  −31.7 dB
///   hall          █████████···········  −34.1 dB
///   garden        ████████············  −35.5 dB
/// zones           hall 0.0 dB
/// loudest
///      1 brook.wav             −34.1 dB  has a voice, in zone hall
///      2 bell.flac             −35.5 dB  has a voice
/// silent
///      3 crickets.ogg          −49.1 dB  needs 3.9 dB more for a voice
/// ```
public struct WorldText: Sendable, CustomStringConvertible {
  /// The snapshot.
  public let snapshot: WorldSnapshot
  /// The number of emitters in each of the two lists.
  public let count: Int

  /// The text of a snapshot, with lists of a length.
  public init(_ snapshot: WorldSnapshot, listing count: Int = 5) {
    (self.snapshot, self.count) = (snapshot, max(count, 0))
  }

  /// A sound of either kind.
  private struct Line {
    let id: Int
    let name: String
    let level: Float
    let silence: SilenceReason?
    var space: [String] = []
  }

  /// The lines; each ends in a line feed.
  public var description: String {
    let emitters = snapshot.emitters.map { emitter in
      Line(
        id: emitter.id,
        name: emitter.key ?? emitter.sound,
        level: emitter.level.rawValue,
        silence: emitter.silence,
        space: emitter.spaceWords(in: snapshot)
      )
    }
    let lines =
      emitters
      + snapshot.players.map { Line(id: $0.id, name: $0.sound, level: $0.level.rawValue, silence: $0.silence) }
    let sounding = lines.filter { $0.silence != .notPlaying }
    let loudest = sounding.filter { $0.silence == nil }.sorted { ($1.level, $0.id) < ($0.level, $1.id) }
    // The emitters that a listener might miss come first.
    let silent = sounding.filter { $0.silence != nil }.sorted { ($1.level, $0.id) < ($0.level, $1.id) }
    var text = "voices \(snapshot.realCount) of \(snapshot.voiceLimit) real, \(snapshot.virtualCount) virtual\n"
    for (bus, depth) in snapshot.buses.tree { text += Self.line(of: bus, depth: depth) + "\n" }
    text += spaceLines
    if !loudest.isEmpty { text += "loudest\n" + loudest.prefix(count).map { Self.line(of: $0) }.joined() }
    if !silent.isEmpty { text += "silent\n" + silent.prefix(count).map { Self.line(of: $0) }.joined() }
    return text
  }

  /// The lines of the zones, the portals and the listeners; empty in a world without zones and with one listener.
  private var spaceLines: String {
    var text = ""
    func add(_ title: String, _ words: [String]) {
      if !words.isEmpty { text += title + Self.padding(title, to: 16) + words.joined(separator: ", ").printable + "\n" }
    }
    add(
      "zones",
      snapshot.zones.indices.map { index in
        snapshot.name(ofZone: index) + (snapshot.zones[index].level.map { " \($0.words)" } ?? "")
      }
    )
    add(
      "portals",
      snapshot.portals.indices.map { index in
        let portal = snapshot.portals[index]
        let percent = Double(min(max(portal.openness, 0), 1) * 100).text(decimals: 0)
        return "\(portal.name) \(percent) % open"
      }
    )
    if snapshot.listeners.count > 1 { add("listeners", ["\(snapshot.listeners.count)"]) }
    return text
  }

  private static func line(of bus: WorldSnapshot.Bus, depth: Int) -> String {
    let level = bus.level.rawValue
    let filled = level > -60 ? Int((min(level + 60, 60) / 3).rounded()) : 0
    let meter = String(repeating: "█", count: filled) + String(repeating: "·", count: 20 - filled)
    let name = (String(repeating: "  ", count: min(depth, 4)) + bus.name.printable).shortened(to: 14)
    let words = bus.settingWords
    return name + padding(name, to: 15) + " \(meter)  \(bus.level.words)" + (words.isEmpty ? "" : "  " + words)
  }

  private static func line(of line: Line) -> String {
    let name = String((line.name.split(separator: "/").last ?? "").suffix(20)).printable
    let number = "\(line.id)"
    let reason = ([line.silence?.description ?? "has a voice"] + line.space).joined(separator: ", ").printable
    return String(repeating: " ", count: max(6 - number.count, 0)) + number + " \(name)" + padding(name, to: 20)
      + "  \(Decibels(line.level).words)  \(reason)\n"
  }

  private static func padding(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(width - text.columnCount, 0))
  }
}

extension String {
  /// The text with U+FFFD instead of each character that moves the cursor or controls a terminal.
  fileprivate var printable: String {
    let replaced = unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(replaced))
  }
}

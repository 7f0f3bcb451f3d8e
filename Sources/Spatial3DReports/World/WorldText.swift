public import GameAudio

/// The state of a world as a few lines of text, for a terminal: voices, buses with meters, and what is loud or silent.
///
/// ```text
/// voices 64 of 64 real, 136 virtual
/// main            ████████████████····  -18.3 dB
/// music           ██████████··········  -31.0 dB  ducked by -12.0 dB
/// loudest
///   12 torch.ogg      -24.1 dB  has a voice
/// silent
///   31 torch.ogg      -61.0 dB  2.1 dB louder, it would have a voice
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
    let silence: WorldSnapshot.Silence?
  }

  /// The lines; each ends in a line feed.
  public var description: String {
    let lines =
      snapshot.emitters.map { Line(id: $0.id, name: $0.key ?? $0.sound, level: $0.level.rawValue, silence: $0.silence) }
      + snapshot.players.map { Line(id: $0.id, name: $0.sound, level: $0.level.rawValue, silence: $0.silence) }
    let sounding = lines.filter { $0.silence?.cause != .notPlaying }
    let loudest = sounding.filter { $0.silence == nil }.sorted { ($1.level, $0.id) < ($0.level, $1.id) }
    // Those that a listener might miss first.
    let silent = sounding.filter { $0.silence != nil }.sorted { ($1.level, $0.id) < ($0.level, $1.id) }
    var text = "voices \(snapshot.realCount) of \(snapshot.voiceLimit) real, \(snapshot.virtualCount) virtual\n"
    for bus in snapshot.buses { text += Self.line(of: bus) + "\n" }
    if !loudest.isEmpty { text += "loudest\n" + loudest.prefix(count).map { Self.line(of: $0) }.joined() }
    if !silent.isEmpty { text += "silent\n" + silent.prefix(count).map { Self.line(of: $0) }.joined() }
    return text
  }

  private static func line(of bus: WorldSnapshot.Bus) -> String {
    let level = bus.level.rawValue
    let filled = min(max(Int(((level + 60) / 3).rounded()), 0), 20)
    let meter = String(repeating: "█", count: filled) + String(repeating: "·", count: 20 - filled)
    var notes: [String] = []
    if let duck = bus.duck { notes.append("ducked by \(Double(duck.rawValue).text(decimals: 1)) dB") }
    if bus.isMuted == true { notes.append("muted") }
    if bus.isPaused == true { notes.append("paused") }
    let name = bus.name.shortened(to: 14)
    let end = notes.isEmpty ? "" : "  " + notes.joined(separator: ", ")
    return name + padding(name, to: 15) + " \(meter)  \(Double(level).text(decimals: 1)) dB" + end
  }

  private static func line(of line: Line) -> String {
    let name = String((line.name.split(separator: "/").last ?? "").suffix(20))
    let number = "\(line.id)"
    let reason = line.silence?.description ?? "has a voice"
    return String(repeating: " ", count: max(6 - number.count, 0)) + number + " \(name)" + padding(name, to: 20)
      + "  \(Double(line.level).text(decimals: 1)) dB  \(reason)\n"
  }

  private static func padding(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(width - text.columnCount, 0))
  }
}

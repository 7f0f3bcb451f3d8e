public import GameAudio

/// A page about a recorded world: the map, the voices and buses over time, the events, and the reasons for silence.
///
/// ```swift
/// let recording = world.record()
/// torches[0].fade(to: .decibels(-20), Fade(.milliseconds(300)))
/// offline.render(.seconds(1))
/// recording.stop()
/// try WorldPage(recording, title: "Four torches").write(to: "torches.html")
/// ```
///
/// ``markup`` is one HTML file without sound, which needs no network. A snapshot takes about 24 bytes of it for each
/// emitter. The map shows positions from above, like the map of a ``ListeningPage``: emitters, all listeners, the
/// outlines of zones, and portals with the fraction that is open. An event names its sound even if no snapshot has its
/// emitter.
public struct WorldPage: Sendable {
  /// The title of the page.
  public let title: String
  /// The snapshots, the oldest one first.
  public let snapshots: [WorldSnapshot]
  /// The events, by their times since the first snapshot.
  public let events: [WorldRecording.Event]

  /// A page of a recording, as far as it has come.
  public init(_ recording: WorldRecording, title: String) {
    self.init(title: title, snapshots: recording.snapshots, events: recording.events)
  }

  /// A page of snapshots that were taken or stored by the program.
  public init(title: String, snapshots: [WorldSnapshot], events: [WorldRecording.Event] = []) {
    self.title = title
    self.snapshots = snapshots.sorted { $0.time < $1.time }
    self.events = events
  }

  /// The page as the text of one HTML file, without any dependency.
  public var markup: String {
    PageFrame(
      title: title,
      summary: summary,
      body: String(resource: PackageResources.world_html),
      style: String(resource: PackageResources.world_css),
      // The functions of the map and of the lists exist before the first statement runs.
      script: [PackageResources.world_js, PackageResources.worldlists_js, PackageResources.worldmap_js]
        .map { String(resource: $0) }.joined(separator: "\n"),
      scene: WorldPageScene(self).json
    ).markup
  }

  /// Writes the page as a file, completely or not at all; replaces an older file.
  ///
  /// - Throws: ``ReportError`` with the code `writeFailed`.
  public func write(to path: String) throws(ReportError) { try writeReport(markup, to: path) }

  /// The contents in a sentence.
  private var summary: String {
    let emitters = Set(snapshots.lazy.flatMap { $0.emitters.map(\.id) }).count
    let players = Set(snapshots.lazy.flatMap { $0.players.map(\.id) }).count
    let most = snapshots.map(\.emitters.count).max() ?? 0
    let seconds = (snapshots.last?.time ?? 0) - (snapshots.first?.time ?? 0)
    var words = ["\(emitters == 1 ? "1 emitter" : "\(emitters) emitters")"]
    if most < emitters { words[0] += ", at most \(most) at a time" }
    if players > 0 { words.append(players == 1 ? "1 player" : "\(players) players") }
    words.append("\(snapshots.first?.voiceLimit ?? 0) voices")
    words.append(
      "\(seconds.text(decimals: 1)) s in \(snapshots.count == 1 ? "1 snapshot" : "\(snapshots.count) snapshots")"
    )
    return words.joined(separator: "; ") + "."
  }
}

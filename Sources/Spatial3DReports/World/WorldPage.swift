public import GameAudio

/// A page about a recorded world: a map of its emitters, zones and portals, its voices and buses over time, what happened, and the reason why
/// something is silent.
///
/// ```swift
/// let recording = world.record()
/// torches[0].fade(to: -20, Fade(.milliseconds(300)))
/// offline.render(.seconds(1))
/// recording.stop()
/// try WorldPage(recording, title: "Four torches").write(to: "torches.html")
/// ```
///
/// ``markup`` is one HTML file without sound, which needs no network. A snapshot takes about 22 bytes of it for each
/// emitter. The map shows places from above, like that of a ``ListeningPage``: emitters, all listeners, the outlines of zones,
/// and portals with the fraction that is open.
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
    PageTemplate(String(resource: PackageResources.world_html)).filled(with: [
      "title": title.escapedForXML,
      "summary": summary.escapedForXML,
      "style": Theme.customProperties + "\n" + String(resource: PackageResources.world_css),
      // The functions of the map exist before the first statement runs.
      "script": String(resource: PackageResources.world_js) + "\n" + String(resource: PackageResources.worldmap_js),
      "scene": WorldPageScene(self).json.markup,
    ])
  }

  /// Writes the page as a file, completely or not at all, in place of an older file.
  ///
  /// - Throws: ``ReportError`` with the code `writeFailed`.
  public func write(to path: String) throws(ReportError) { try writeReport(markup, to: path) }

  /// The contents in a sentence.
  private var summary: String {
    let numbers = Set(snapshots.flatMap { $0.emitters.map(\.id) }).count
    let seconds = (snapshots.last?.time ?? 0) - (snapshots.first?.time ?? 0)
    let voices = snapshots.first?.voiceLimit ?? 0
    return "\(numbers) emitters on \(voices) voices, \(seconds.text(decimals: 1)) s in \(snapshots.count) snapshots."
  }
}

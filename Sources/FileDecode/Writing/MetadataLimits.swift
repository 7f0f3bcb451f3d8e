/// The loops, markers and texts that a kind of file holds, as far as this library reads them back.
struct MetadataLimits {
  var directions: Set<AudioLoop.Direction> = [.forward]
  var loopCount = 1
  /// The numbers of plays that the kind has a field for.
  var playCounts: ClosedRange<Int>?
  var markerCount = 0
  /// The most bytes of a marker's name.
  var nameSize = 1 << 16
  /// The most bytes of a text with its name.
  var tagSize = 60_000
  /// Whether the kind of file has a field for a text.
  var holdsTag: (String) -> Bool

  /// The most bytes of all texts, and of all names of markers, with the fields around each.
  ///
  /// The reader takes a part of a file of up to a megabyte.
  static let partLimit = Annotations.partLimit * 3 / 4

  /// The limits of a kind of file.
  init(_ container: OutputContainer) {
    switch container {
    case .wav:
      holdsTag = { Annotations.waveNames.id(of: $0) != nil }
      directions = [.forward, .backward, .alternating]
      loopCount = Annotations.listLimit
      playCounts = 1...0xFFFF_FFFF
      markerCount = Annotations.listLimit
    case .aiff:
      holdsTag = { Annotations.aiffNames.id(of: $0) != nil }
      directions = [.forward, .alternating]
      loopCount = 2
      // The ends of the loops are markers too.
      markerCount = Annotations.listLimit - 4
      nameSize = 255
      // libsndfile opens no file with a longer one.
      tagSize = 8_000
    case .caf:
      holdsTag = { _ in true }
      directions = [.forward, .backward, .alternating]
      loopCount = Annotations.listLimit
      markerCount = Annotations.listLimit
    // The characters of a name, after the specification of Vorbis comments.
    case .flac, .ogg, .opus:
      holdsTag = { $0.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") } }
    case .mp3: holdsTag = { _ in true }
    }
  }
}

extension Annotations {
  /// The part of the metadata that a kind of file holds, and the rest.
  func divided(_ limits: MetadataLimits, frameCount: Int) -> (kept: Annotations, omissions: [MetadataOmission]) {
    var kept = Annotations()
    var omissions: [MetadataOmission] = []
    for var loop in loops {
      let ends = loop.range.lowerBound...loop.range.upperBound
      guard limits.directions.contains(loop.direction), kept.loops.count < limits.loopCount, !loop.range.isEmpty,
        ends.lowerBound >= 0, ends.upperBound <= frameCount
      else {
        omissions.append(.loop(loop))
        continue
      }
      if let count = loop.playCount, limits.playCounts?.contains(count) != true {
        omissions.append(.playCount(loop))
        loop.playCount = nil
      }
      kept.loops.append(loop)
    }
    var room = MetadataLimits.partLimit
    for var marker in markers {
      guard kept.markers.count < limits.markerCount, (0...frameCount).contains(marker.frame) else {
        omissions.append(.marker(marker))
        continue
      }
      if let name = marker.name {
        // A name is read as a text is.
        let text = AudioTags.text(name.utf8)
        let size = text.utf8.count + MetadataLimits.fieldSize
        if size <= min(room, limits.nameSize + MetadataLimits.fieldSize), text == name, !text.isEmpty {
          room -= size
        } else {
          omissions.append(.markerName(marker))
          marker.name = nil
        }
      }
      kept.markers.append(marker)
    }
    room = MetadataLimits.partLimit
    for (name, text) in tags.entries.sorted(by: { $0.key < $1.key }) {
      let size = name.utf8.count + text.utf8.count
      // A reader would take a text of this name for a loop.
      guard !Annotations.loopTexts.contains(name), limits.holdsTag(name), size <= min(limits.tagSize, room),
        kept.tags.entries.count < AudioTags.limit - 2
      else {
        omissions.append(.tag(name))
        continue
      }
      room -= size + MetadataLimits.fieldSize
      kept.tags[name] = text
    }
    return (kept, omissions)
  }
}

extension MetadataLimits {
  /// The most bytes around a text: a marker's number, or the flags of a frame.
  fileprivate static let fieldSize = 32
}

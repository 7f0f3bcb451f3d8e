/// The metadata of a file: loops, markers and texts.
struct Annotations: Hashable, Sendable {
  var loops: [AudioLoop] = []
  var markers: [AudioMarker] = []
  var tags = AudioTags()

  /// The most bytes of one part of a file that the parser reads; a larger part is a picture.
  static let partLimit = 1 << 20

  /// The largest number of loops or markers.
  static let listLimit = 10_000

  init() {}

  /// The frames of the first forward loop.
  var forwardLoop: Range<Int>? { loops.first { $0.direction == .forward }?.range }

  /// Reads the metadata with a function that reads bytes at an offset, fewer at the end of the file.
  init<Failure>(_ signature: FileSignature, fileSize: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    switch signature.container {
    case .wav, .rf64, .w64: try readWave(signature.container, bytes)
    case .aiff: try readAIFF(bytes)
    case .caf: try readCAF(bytes)
    case .flac: try readFLAC(from: signature.offset, bytes)
    case .ogg: try readOgg(from: signature.offset, bytes)
    case .mp4: try readMPEG4(fileSize, bytes)
    case .mpeg, .adts, .au: break
    }
    if signature.container != .ogg, signature.container != .mp4 {
      try readID3(signature, fileSize, bytes)
      try readAPE(fileSize, bytes)
    }
    addLoopOfTags()
  }

  /// The names of the texts with the loop, which are no texts about the sound.
  static let loopTexts: Set = ["LOOPSTART", "LOOPLENGTH", "LOOPEND"]

  /// Turns the texts that game programs write into a loop.
  private mutating func addLoopOfTags() {
    guard !tags.entries.isEmpty, let loop = loopOfTags else { return }
    loops.append(AudioLoop(range: loop))
    for name in Annotations.loopTexts { tags[name] = nil }
  }

  /// The loop of the texts, up to `Int.max` for the end of the sound; `nil` if they are none.
  private var loopOfTags: Range<Int>? {
    guard let start = tags["LOOPSTART"].flatMap({ Int($0) }), start >= 0 else { return nil }
    if let length = tags["LOOPLENGTH"].flatMap({ Int($0) }), length > 0, length < Int.max - start {
      return start..<start + length
    }
    if let end = tags["LOOPEND"].flatMap({ Int($0) }), end > start { return start..<end }
    return tags["LOOPLENGTH"] == nil && tags["LOOPEND"] == nil && start < Int.max ? start..<Int.max : nil
  }

  /// The rate at which the texts of an Opus file count, whatever rate its sound had: all decoders return it.
  static let opusRate = 48_000

  /// The same metadata with the loops at another rate, to the nearest frame.
  func scaled(from rate: Int, to newRate: Int) -> Annotations {
    guard rate != newRate, rate > 0 else { return self }
    func frame(_ frame: Int) -> Int {
      let (product, isTooLarge) = frame.multipliedReportingOverflow(by: newRate)
      return isTooLarge ? .max : (product + rate / 2) / rate
    }
    var scaled = self
    for index in loops.indices {
      let range = loops[index].range
      let start = frame(range.lowerBound)
      scaled.loops[index].range = start..<max(frame(range.upperBound), start)
    }
    return scaled
  }

  /// The same metadata with positions moved by `shift`, without loops and markers outside of the sound.
  func fitted(frameCount: Int?, movedBy shift: Int) -> Annotations {
    var fitted = self
    let end = frameCount ?? Int.max
    fitted.loops = loops.compactMap { loop in
      let last = loop.range.upperBound == Int.max ? end - shift : loop.range.upperBound
      guard loop.range.lowerBound < last, last < Int.max - shift, last + shift <= end else { return nil }
      var loop = loop
      loop.range = loop.range.lowerBound + shift..<last + shift
      return loop
    }
    fitted.markers = markers.compactMap { marker in
      guard marker.frame >= 0, marker.frame <= Int.max - shift, marker.frame + shift <= end else { return nil }
      return AudioMarker(frame: marker.frame + shift, name: marker.name)
    }
    fitted.markers.sort { $0.frame < $1.frame }
    return fitted
  }
}

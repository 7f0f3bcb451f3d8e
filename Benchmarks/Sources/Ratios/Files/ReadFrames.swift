/// The check that both sides of a row read the same frames.
enum ReadFrames {
  /// Throws unless both sides read the same number of frames, and all frames of the files.
  static func check(_ what: String, _ own: Int, _ other: Int, ofAtLeast count: Int) throws {
    guard own == other, own >= count else { throw Different(what: what, own: own, other: other, count: count) }
  }

  struct Different: Error, CustomStringConvertible {
    let what: String
    let own: Int
    let other: Int
    let count: Int

    var description: String {
      "\(what): \(own) frames were read and \(other) in C, where there are \(count) or some more."
    }
  }
}

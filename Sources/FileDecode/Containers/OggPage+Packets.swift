extension OggPage {
  var version: UInt8 { bytes[4] }

  /// Whether the page begins with the rest of a packet.
  var isContinuation: Bool { bytes[5] & 1 != 0 }

  /// Whether the page is the first of its stream.
  var startsStream: Bool { bytes[5] & 2 != 0 }

  /// The number of the page in its stream.
  var number: Int { Int(bytes: bytes[18..<22], isBigEndian: false) }

  /// Calls a closure with each packet that ends on the page, and with the number of segments before the packet's first.
  ///
  /// The first packet begins with bytes from the pages before. Afterwards they are the part of a packet that continues
  /// on the next page. Returns `false` after the first call that returned `false`.
  func forEachPacket(behind open: inout [UInt8], _ body: (ArraySlice<UInt8>, _ firstSegment: Int) -> Bool) -> Bool {
    let count = Int(bytes[26])
    var start = 27 + count
    var end = start
    var firstSegment = 0
    for segment in 0..<count {
      let length = Int(bytes[27 + segment])
      end += length
      guard length < 255 else { continue }
      if open.isEmpty {
        guard body(bytes[start..<end], firstSegment) else { return false }
      } else {
        open += bytes[start..<end]
        guard body(open[...], firstSegment) else { return false }
        open.removeAll()
      }
      start = end
      firstSegment = segment + 1
    }
    open += bytes[start..<end]
    return true
  }

  /// The page without a number of segments at its start.
  func suffix(fromSegment skipped: Int) -> [UInt8] {
    let lengths = bytes[27...].prefix(Int(bytes[26])).dropFirst(skipped)
    let size = lengths.reduce(0) { $0 + Int($1) }
    var page = bytes[..<26] + [UInt8(lengths.count)] + lengths + bytes.suffix(size)
    if skipped > 0 { page[5] &= ~1 }
    var shorter = Array(page)
    OggPage.sign(&shorter)
    return shorter
  }
}

import TestSupport

/// Changes a page of an Ogg file, or all of its bytes, in one of many manners, and returns whether packets changed.
func mutatedOgg(
  _ original: [UInt8],
  using generator: inout SplitMix64
) -> (bytes: [UInt8], changesPackets: Bool) {
  var bytes = original
  let pages = oggPageRanges(bytes)
  let page = pages[Int.random(in: 0..<pages.count, using: &generator)]
  let other = pages[Int.random(in: 0..<pages.count, using: &generator)]
  func any(_ range: ClosedRange<UInt8> = 0...255) -> UInt8 { UInt8.random(in: range, using: &generator) }
  let manner = Int.random(in: 0..<12, using: &generator)
  switch manner {
  case 0: bytes[page.lowerBound + 5] = any(0...7)
  case 1:
    let positions: [UInt64] = [.max, 0, 1, 1 << 63, .max >> 1, 48_000, UInt64(any()) << 8]
    let position = positions[Int.random(in: 0..<positions.count, using: &generator)]
    bytes.replaceSubrange(page.lowerBound + 6..<page.lowerBound + 14, with: little(position, 8))
  case 2:
    // A position that equals another, or is behind it.
    let source = other.lowerBound + 6..<other.lowerBound + 14
    bytes.replaceSubrange(page.lowerBound + 6..<page.lowerBound + 14, with: bytes[source])
  case 3: bytes[page.lowerBound + 14] ^= 1
  case 4: bytes[page.lowerBound + 18] &+= any(1...3)
  case 5: bytes.removeSubrange(page)
  case 6: bytes.insert(contentsOf: bytes[page], at: other.lowerBound)
  case 7: bytes.insert(contentsOf: (0...any()).map { _ in any() }, at: page.lowerBound)
  case 8:
    // The first bytes of a packet decide how long it is.
    let first = page.lowerBound + 27 + Int(bytes[page.lowerBound + 26])
    bytes[min(first + Int(any(0...3)), bytes.count - 1)] = any()
  case 9: bytes.removeSubrange(Int.random(in: 1..<bytes.count, using: &generator)...)
  case 10: bytes += original
  default:
    for _ in 0...any(0...5) { bytes[Int.random(in: 0..<bytes.count, using: &generator)] = any() }
  }
  // A decoder drops a page with a wrong checksum, so most files get right checksums.
  if any() > 60 { repairOggChecksums(&bytes) }
  return (bytes, manner == 8 || manner == 11)
}

/// The bytes of each page of a well-formed file.
func oggPageRanges(_ bytes: [UInt8]) -> [Range<Int>] {
  var ranges: [Range<Int>] = []
  var start = 0
  while start + 27 <= bytes.count {
    let count = Int(bytes[start + 26])
    let size = bytes[start + 27..<start + 27 + count].reduce(27 + count) { $0 + Int($1) }
    ranges.append(start..<start + size)
    start += size
  }
  return ranges
}

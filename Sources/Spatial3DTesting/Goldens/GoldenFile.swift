import PCM

/// A WAV file of 32-bit floating point with a comment.
///
/// Chunks `fmt `, `fact`, `LIST` (`INFO` with `ISFT` and `ICMT`) and `data`, as in "Multimedia Programming Interface
/// and Data Specifications 1.0" (IBM and Microsoft, 1991) and its "New Multimedia Data Types" (1994).
struct GoldenFile {
  let mix: PCMBuffer<Float>
  let comment: String

  /// The bytes of the file; `nil` for a mix or a sample rate that is too large for a WAV file.
  var bytes: [UInt8]? {
    let blockSize = 4 * mix.format.channelCount
    let dataSize = 4 * mix.samples.count
    guard dataSize < Int(UInt32.max) - 65_536, let rate = UInt32(exactly: mix.format.sampleRate) else { return nil }

    let byteRate = UInt32(truncatingIfNeeded: mix.format.sampleRate * blockSize)
    let format =
      littleEndian(UInt16(3)) + littleEndian(UInt16(mix.format.channelCount)) + littleEndian(rate)
      + littleEndian(byteRate) + littleEndian(UInt16(blockSize)) + littleEndian(UInt16(32)) + littleEndian(UInt16(0))
    let fact = littleEndian(UInt32(mix.frameCount))
    let words = Array("INFO".utf8) + chunk("ISFT", Array("Spatial3DTesting\0".utf8)) + chunk("ICMT", comment.utf8 + [0])

    let head = Array("WAVE".utf8) + chunk("fmt ", format) + chunk("fact", fact) + chunk("LIST", words)
    var file = Array("RIFF".utf8)
    file.reserveCapacity(head.count + 16 + dataSize)
    file += littleEndian(UInt32(head.count + 8 + dataSize)) + head
    file += Array("data".utf8) + littleEndian(UInt32(dataSize))
    file.append(littleEndianSamples: mix.samples)
    return file
  }
}

extension GoldenFile {
  /// Parses a file; `nil` for a file that is incomplete, or no WAV of 32-bit floating point.
  init?(bytes: [UInt8]) {
    guard bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WAVE".utf8)) else {
      return nil
    }
    var format: PCMFormat?
    var comment = ""
    var position = 12
    while let (name, body) = chunk(in: bytes, at: position) {
      switch name {
      case "fmt ": format = floatFormat(bytes, body)
      case "LIST": comment = infoComment(bytes, body) ?? comment
      case "data":
        guard let format, let mix = try? PCMBuffer(samples: littleEndianSamples(bytes[body]), format: format) else {
          return nil
        }
        self.init(mix: mix, comment: comment)
        return
      default: break
      }
      position = body.upperBound + body.count % 2
    }
    return nil
  }
}

/// A chunk with its header, padded to an even length.
private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
  name.utf8 + littleEndian(UInt32(body.count)) + body + (body.count.isMultiple(of: 2) ? [] : [0])
}

/// The name and the body of the chunk at a position; `nil` if the bytes do not hold all of it.
private func chunk(in bytes: [UInt8], at position: Int) -> (name: String, body: Range<Int>)? {
  guard position >= 0, position <= bytes.count - 8 else { return nil }
  let size = Int(bytes.integer(at: position + 4, as: UInt32.self))
  let start = position + 8
  guard size <= bytes.count - start else { return nil }
  return (String(decoding: bytes[position..<(position + 4)], as: UTF8.self), start..<(start + size))
}

/// The format of a `fmt ` chunk; `nil` unless it is 32-bit floating point.
private func floatFormat(_ bytes: [UInt8], _ body: Range<Int>) -> PCMFormat? {
  guard body.count >= 16, bytes.integer(at: body.lowerBound, as: UInt16.self) == 3,
    bytes.integer(at: body.lowerBound + 14, as: UInt16.self) == 32
  else { return nil }
  let channelCount = Int(bytes.integer(at: body.lowerBound + 2, as: UInt16.self))
  let rate = Int(bytes.integer(at: body.lowerBound + 4, as: UInt32.self))
  guard (1...1_024).contains(channelCount), rate > 0 else { return nil }
  return PCMFormat(sampleRate: rate, layout: .usual(channelCount: channelCount))
}

/// The comment in a `LIST` chunk of the type `INFO`.
private func infoComment(_ bytes: [UInt8], _ body: Range<Int>) -> String? {
  guard body.count >= 4, bytes[body].starts(with: Array("INFO".utf8)) else { return nil }
  var position = body.lowerBound + 4
  while position < body.upperBound, let (name, words) = chunk(in: bytes, at: position) {
    if name == "ICMT" { return String(decoding: bytes[words].prefix { $0 != 0 }, as: UTF8.self) }
    position = words.upperBound + words.count % 2
  }
  return nil
}

private func littleEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
  (0..<(Value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

extension [UInt8] {
  /// The integer at an index; all of its bytes must exist.
  fileprivate func integer<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) -> Value {
    (0..<(Value.bitWidth / 8)).reduce(0) { $0 | Value(truncatingIfNeeded: self[index + $1]) << (8 * $1) }
  }

  fileprivate mutating func append(littleEndianSamples samples: [Float]) {
    let bits = samples.map(\.bitPattern.littleEndian)
    // Integers have no padding.
    unsafe bits.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

/// Decodes samples from bytes; leaves out the bytes of an incomplete last sample.
private func littleEndianSamples(_ bytes: ArraySlice<UInt8>) -> [Float] {
  // Each index has four bytes, and any four bytes are a valid number.
  unsafe bytes.withUnsafeBytes { bytes in
    (0..<(bytes.count / 4)).map { index in
      Float(bitPattern: UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
    }
  }
}

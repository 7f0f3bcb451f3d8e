import FuzzSupport

/// A file in which one or more numbers say something else than is there.
func resized(_ original: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
  var bytes = original
  for _ in 0..<Int.random(in: 1...3, using: &generator) {
    guard let field = SizeField.all(in: bytes).randomElement(using: &generator) else { return bytes }
    // A box of MPEG-4 may have its size behind its name, in eight bytes.
    if case .big(bytes: 4) = field.form, bytes.dropFirst(4).starts(with: "ftyp".utf8),
      Int.random(in: 0..<8, using: &generator) == 0
    {
      let size = field.value(in: bytes) + 8
      field.store(1, in: &bytes)
      bytes.insert(contentsOf: [UInt8](repeating: 0, count: 8), at: min(field.offset + 8, bytes.count))
      let long = SizeField(offset: field.offset + 8, form: .big(bytes: 8))
      guard long.offset + 8 <= bytes.count else { continue }
      long.store(claim(instead: size, of: bytes.count, using: &generator), in: &bytes)
    } else {
      let claim = claim(instead: field.value(in: bytes), of: bytes.count, using: &generator)
      field.store(claim, in: &bytes)
    }
  }
  // A file that is cut besides.
  if Int.random(in: 0..<6, using: &generator) == 0 {
    bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
  }
  return bytes
}

/// A number to claim instead of a value, in a file of a size.
private func claim(instead value: UInt64, of fileSize: Int, using generator: inout SplitMix64) -> UInt64 {
  switch Int.random(in: 0..<10, using: &generator) {
  case 0: 0
  case 1: .max
  case 2: value &+ 1
  case 3: value &- 1
  case 4: value &* 2
  case 5: value &+ 8
  case 6: UInt64(fileSize) &+ UInt64(truncatingIfNeeded: Int.random(in: -12...12, using: &generator))
  case 7: UInt64.random(in: 0..<UInt64(fileSize + 1), using: &generator)
  case 8: 1 << UInt64.random(in: 0..<64, using: &generator)
  default: limits.randomElement(using: &generator) ?? 0
  }
}

/// The numbers of lines that have changed from one snapshot to the next.
///
/// A list of numbers of 32 bits. A number whose highest bit is set stands for lines that are the same: its other bits
/// count them. Any other number stands for one line that has changed: its bit `n` is set if the number `n` of the line
/// has changed. The new values follow it, from the lowest set bit to the highest. The lines behind the last line that
/// stands in the list are the same.
struct LineDifference: Sendable {
  /// The number of lines; lines beyond the earlier ones begin with zeros.
  private let lineCount: Int
  private let numbers: [UInt32]

  private static let sameLines: UInt32 = 1 << 31

  /// The bytes of the numbers.
  var byteCount: Int { numbers.count * MemoryLayout<UInt32>.stride }

  init(lineCount: Int, numbers: [UInt32]) { (self.lineCount, self.numbers) = (lineCount, numbers) }

  /// The difference between earlier lines and new lines, which are at least as many.
  ///
  /// The buffer is memory for the numbers, which the next difference uses again.
  init(from old: [EmitterLine], to new: [EmitterLine], _ buffer: inout [UInt32]) {
    buffer.removeAll(keepingCapacity: true)
    let zeros = EmitterLine()
    var same: UInt32 = 0
    for index in new.indices {
      let mask = new[index].difference(from: index < old.count ? old[index] : zeros)
      guard mask != 0 else {
        same += 1
        continue
      }
      if same > 0 { buffer.append(Self.sameLines | same) }
      same = 0
      buffer.append(mask)
      var rest = mask
      while rest != 0 {
        buffer.append(new[index][rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    lineCount = new.count
    // An array of the same length, without the room of the buffer.
    numbers = Array(buffer[...])
  }

  /// Turns the earlier lines into the new lines.
  ///
  /// Returns `false` if the numbers are not a valid difference. The lines ahead of the first fault have changed then.
  func apply(to lines: inout [EmitterLine]) -> Bool {
    while lines.count < lineCount { lines.append(EmitterLine()) }
    var (index, line) = (0, 0)
    while index < numbers.count {
      let number = numbers[index]
      index += 1
      if number & Self.sameLines != 0 {
        line += Int(number & ~Self.sameLines)
        continue
      }
      let end = index + number.nonzeroBitCount
      guard line < lines.count, end <= numbers.count, number >> UInt32(EmitterLine.count) == 0 else { return false }
      var rest = number
      while index < end {
        lines[line][rest.trailingZeroBitCount] = numbers[index]
        rest &= rest - 1
        index += 1
      }
      line += 1
    }
    return line <= lines.count
  }
}

/// The numbers of lines that have changed from one snapshot to the next.
///
/// A list of numbers of 32 bits. A number whose highest bit is set stands for lines that are the same: its other bits
/// count them. Any other number is a line that has changed: a set bit for each number of the line that has changed, the
/// lowest for the first, and behind it the new values in their order. Lines at the end that are not named are the same.
struct LineDifference: Sendable {
  /// The number of lines; lines beyond the earlier ones begin with zeros.
  private let lineCount: Int
  private let numbers: [UInt32]

  private static let sameLines: UInt32 = 1 << 31

  /// The bytes of the numbers.
  var byteCount: Int { numbers.count * MemoryLayout<UInt32>.stride }

  init(lineCount: Int, numbers: [UInt32]) { (self.lineCount, self.numbers) = (lineCount, numbers) }

  /// The difference of lines from earlier ones, of which there are not more; the buffer keeps its memory.
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

  /// Changes the earlier lines into the later ones; returns `false` for numbers that are no difference.
  ///
  /// The lines ahead of the fault are changed then.
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

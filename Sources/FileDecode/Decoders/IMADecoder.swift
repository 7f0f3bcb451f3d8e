/// IMA ADPCM of WAV files, decoded with the arithmetic of libsndfile but without its passes over each block.
///
/// A block begins with a sample and a step index for each channel. Then each channel in turn has four bytes, which are
/// eight steps from sample to sample.
struct IMADecoder: FrameSource {
  /// The report of libsndfile; it holds the number of frames.
  let header: SoundHandle.Header
  var report: SoundHandle.Header? { header }
  var hasDecodingError: Bool { false }
  var holdsInt16: Bool { true }

  /// The error of the system that made a read short, if there was one.
  private(set) var systemError: SystemError?

  private let blocks: IMABlocks
  private let view: SplicedBytes
  private var position = 0
  private var bytes: [UInt8]
  /// The interleaved samples of a block.
  private var samples: [Int16]
  /// The block in `samples`.
  private var decodedBlock: Int?

  init(_ blocks: IMABlocks, _ view: SplicedBytes, _ header: SoundHandle.Header) {
    self.blocks = blocks
    self.view = view
    self.header = header
    bytes = [UInt8](repeating: 0, count: blocks.byteCount)
    samples = [Int16](repeating: 0, count: blocks.frameCount * header.channelCount)
  }

  /// Seeks to a frame; this always works.
  mutating func seek(toFrame frame: Int) -> Bool {
    position = max(0, min(frame, header.frames))
    return true
  }

  /// Reads frames without conversion into uninitialised memory and returns their number.
  mutating func read(_ wanted: Int, into output: inout OutputSpan<Int16>) -> Int {
    readParts(wanted, room: output.freeCapacity) { part in for sample in part { output.append(sample) } }
  }

  /// Decodes frames into uninitialised memory and returns their number.
  mutating func read(_ wanted: Int, into output: inout OutputSpan<Float>) -> Int {
    readParts(wanted, room: output.freeCapacity) { part in
      for sample in part { output.append(Float(sample) * (1 / 32_768)) }
    }
  }

  /// Passes frames on, at most a block at a time, and returns their number.
  @inline(__always)
  private mutating func readParts(_ wanted: Int, room: Int, _ append: (ArraySlice<Int16>) -> Void) -> Int {
    let channelCount = header.channelCount
    let count = min(wanted, header.frames - position, room / channelCount)
    var arrived = 0
    while arrived < count {
      guard decode(position / blocks.frameCount) else { break }
      let start = position % blocks.frameCount
      let step = min(count - arrived, blocks.frameCount - start)
      append(samples[start * channelCount..<(start + step) * channelCount])
      position += step
      arrived += step
    }
    return arrived
  }

  /// Decodes a block unless it is decoded, and returns whether its bytes arrived.
  private mutating func decode(_ block: Int) -> Bool {
    if block == decodedBlock { return true }
    decodedBlock = nil
    let offset = blocks.offset + block * blocks.byteCount
    let count = min(blocks.byteCount, max(view.byteCount - offset, 0))
    do throws(SystemError) {
      guard try fill(0..<count, from: offset) else { return false }
      // In the rest of a cut block, libsndfile leaves the bytes of the block before it: zeros if there is no such
      // block.
      if block > 0 {
        guard try fill(count..<blocks.byteCount, from: offset - blocks.byteCount + count) else { return false }
      } else {
        for index in count..<blocks.byteCount { bytes[index] = 0 }
      }
    } catch {
      systemError = error
      return false
    }
    if header.channelCount == 2 { decodeStereo() } else { decodeMono() }
    decodedBlock = block
    return true
  }

  /// Reads bytes of the view into a part of the block; returns `false` if a caller's reader returned fewer.
  private mutating func fill(_ range: Range<Int>, from offset: Int) throws(SystemError) -> Bool {
    let view = view
    var span = bytes.mutableSpan
    let arrived = unsafe try span.withUnsafeMutableBytes { (memory) throws(SystemError) in
      // The range is in bounds: it is a part of a block, and the array has the size of a block.
      unsafe try view.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: memory[range]))
    }
    return arrived == range.count
  }

  private mutating func decodeMono() {
    let steps = IMAChannel.steps.span
    var channel = IMAChannel(header: bytes[0..<4])
    samples[0] = channel.firstSample
    var index = 1
    for byte in bytes[4...] {
      samples[index] = channel.next(byte & 15, steps)
      samples[index + 1] = channel.next(byte >> 4, steps)
      index += 2
    }
  }

  private mutating func decodeStereo() {
    let steps = IMAChannel.steps.span
    var left = IMAChannel(header: bytes[0..<4])
    var right = IMAChannel(header: bytes[4..<8])
    samples[0] = left.firstSample
    samples[1] = right.firstSample
    var index = 2
    for start in stride(from: 8, to: bytes.count, by: 8) {
      // The steps of the channels do not depend on each other, so the processor computes them at the same time.
      for offset in start..<start + 4 {
        let (first, second) = (bytes[offset], bytes[offset + 4])
        samples[index] = left.next(first & 15, steps)
        samples[index + 1] = right.next(second & 15, steps)
        samples[index + 2] = left.next(first >> 4, steps)
        samples[index + 3] = right.next(second >> 4, steps)
        index += 4
      }
    }
  }
}

/// The blocks of IMA ADPCM in a WAV file.
struct IMABlocks: Hashable, Sendable {
  /// The offset of the first block in the view of the file.
  let offset: Int

  /// The number of bytes in a block.
  let byteCount: Int

  /// The number of frames in a block.
  let frameCount: Int

  /// Blocks of whole steps in one or two channels; `nil` for others, which libsndfile decodes or refuses.
  init?(offset: Int, byteCount: Int, _ header: SoundHandle.Header) {
    let channelCount = header.channelCount
    let group = 4 * channelCount
    guard (1...2).contains(channelCount), byteCount >= group, byteCount.isMultiple(of: group) else { return nil }
    self.offset = offset
    self.byteCount = byteCount
    frameCount = (byteCount - group) * 2 / channelCount + 1
    guard header.frames >= 0, header.frames.isMultiple(of: frameCount) else { return nil }
  }
}

extension IMABlocks {
  /// The blocks of a file that libsndfile has opened; `nil` if it has another codec, or blocks of another kind.
  init?(_ plan: DecodePlan, _ header: SoundHandle.Header) {
    guard SubFormat(libsndfile: header.format, in: plan.decodedContainer)?.codec == .imaADPCM,
      let size = plan.wave?.imaBlockSize, let samples = plan.plain
    else { return nil }
    self.init(offset: samples.offset - plan.signature.offset, byteCount: size, header)
  }
}

/// The state of one channel within a block.
struct IMAChannel {
  private var sample: Int32
  private var stepIndex: Int

  /// The state at the start of a block.
  init(header: ArraySlice<UInt8>) {
    let bytes = Array(header)
    sample = Int32(Int16(truncatingIfNeeded: Int(bytes[0]) | Int(bytes[1]) << 8))
    stepIndex = min(Int(bytes[2]), IMAChannel.sizes.count - 1)
  }

  /// The sample at the start of the block, before the first step.
  var firstSample: Int16 { Int16(truncatingIfNeeded: sample) }

  /// Goes a step of four bits, and returns the new sample.
  ///
  /// Has no branches that depend on the sound: a processor predicts them badly.
  @inline(__always)
  mutating func next(_ code: UInt8, _ steps: Span<Int32>) -> Int16 {
    let step = steps[stepIndex << 4 | Int(code)]
    stepIndex = Int(step & 0xFF)
    let sum = sample &+ (step >> 8)
    // Clamps by arithmetic: the compiler makes a branch of a minimum.
    let above = sum &- 32_767
    let below = sum &+ 32_768
    sample = sum &- (above & ~(above >> 31)) &- (below & (below >> 31))
    return Int16(truncatingIfNeeded: sample)
  }

  /// For each step index and each code, the difference to the next sample, times 256, plus the next step index.
  static let steps: [Int32] = sizes.indices.flatMap { index in
    (0..<16).map { code in
      // Each part is rounded down, as in the specification.
      let size = sizes[index]
      var difference = size >> 3
      if code & 1 != 0 { difference += size >> 2 }
      if code & 2 != 0 { difference += size >> 1 }
      if code & 4 != 0 { difference += size }
      let next = min(max(index + changes[code & 7], 0), sizes.count - 1)
      return (code & 8 == 0 ? difference : -difference) << 8 | Int32(next)
    }
  }

  private static let changes = [-1, -1, -1, -1, 2, 4, 6, 8]

  private static let sizes: [Int32] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107,
    118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963,
    1_060, 1_166, 1_282, 1_411, 1_552, 1_707, 1_878, 2_066, 2_272, 2_499, 2_749, 3_024, 3_327, 3_660, 4_026, 4_428,
    4_871, 5_358, 5_894, 6_484, 7_132, 7_845, 8_630, 9_493, 10_442, 11_487, 12_635, 13_899, 15_289, 16_818, 18_500,
    20_350, 22_385, 24_623, 27_086, 29_794, 32_767,
  ]
}

/// Samples without compression, of 16 bits or floating-point, read without libsndfile.
///
/// libsndfile reads them in pieces of a few kilobytes, and cannot write them directly to their destination.
struct PlainDecoder: FrameSource {
  /// The type of a stored sample.
  enum Encoding: Hashable, Sendable {
    case int16, float32, float64

    /// The type of a codec's samples; `nil` for the other codecs.
    init?(_ codec: AudioCodec) {
      switch codec {
      case .int16: self = .int16
      case .float32: self = .float32
      case .float64: self = .float64
      default: return nil
      }
    }

    fileprivate var byteCount: Int {
      switch self {
      case .int16: MemoryLayout<Int16>.size
      case .float32: MemoryLayout<Float>.size
      case .float64: MemoryLayout<Double>.size
      }
    }
  }

  /// The report of libsndfile; it holds the number of frames.
  let header: SoundHandle.Header
  var report: SoundHandle.Header? { header }
  var hasDecodingError: Bool { false }
  var holdsInt16: Bool { encoding == .int16 }

  /// The error of the system that made a read short, if there was one.
  private(set) var systemError: SystemError?

  private let samples: PlainSamples
  private let encoding: Encoding
  private let source: ByteSource
  private var position = 0
  private var block: [Int16] = []
  private var wideBlock: [UInt64] = []

  /// A decoder of the samples; `nil` if they lie beyond the end of the file.
  init?(_ samples: PlainSamples, _ encoding: Encoding, _ source: ByteSource, _ header: SoundHandle.Header) {
    let (size, overflow) = header.frames.multipliedReportingOverflow(by: encoding.byteCount * header.channelCount)
    guard header.frames >= 0, !overflow, samples.offset <= source.size, size <= source.size - samples.offset else {
      return nil
    }
    self.samples = samples
    self.encoding = encoding
    self.source = source
    self.header = header
  }

  private var channelCount: Int { header.channelCount }

  /// Reads frames as they are stored into uninitialised memory and returns their number.
  private mutating func readStored<Sample: BitwiseCopyable>(_ wanted: Int, into output: inout OutputSpan<Sample>) -> Int
  {
    let size = MemoryLayout<Sample>.size
    let count = min(wanted, header.frames - position, output.freeCapacity / channelCount)
    // The span has room for `count` frames behind its initialised samples: `count` is at most its free capacity.
    let arrived = unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
      let target = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(memory)[(size * initialized)...].prefix(size * count * channelCount)
      )
      do throws(SystemError) {
        let offset = samples.offset + size * position * channelCount
        // A source writes at most as many bytes as the target has. A cut frame does not count.
        let frames = unsafe try source.read(at: offset, into: target) / (size * channelCount)
        initialized += frames * channelCount
        return frames
      } catch {
        systemError = error
        return 0
      }
    }
    position += arrived
    return arrived
  }

  /// Reads 16-bit frames without conversion into uninitialised memory and returns their number.
  mutating func read(_ wanted: Int, into output: inout OutputSpan<Int16>) -> Int {
    let arrived = readStored(wanted, into: &output)
    if samples.isBigEndian {
      var span = output.mutableSpan
      for index in span.count - arrived * channelCount..<span.count { span[index] = span[index].byteSwapped }
    }
    return arrived
  }

  /// Reads frames as floats into uninitialised memory and returns their number.
  mutating func read(_ wanted: Int, into output: inout OutputSpan<Float>) -> Int {
    let count = min(wanted, output.freeCapacity / channelCount, SampleConversion.blockSize)
    guard count > 0 else { return 0 }
    switch encoding {
    case .int16: return readInt16(count, into: &output)
    case .float64: return readFloat64(count, into: &output)
    case .float32:
      let arrived = readStored(count, into: &output)
      if samples.isBigEndian {
        var span = output.mutableSpan
        for index in span.count - arrived * channelCount..<span.count {
          span[index] = Float(bitPattern: span[index].bitPattern.byteSwapped)
        }
      }
      return arrived
    }
  }

  private mutating func readInt16(_ count: Int, into output: inout OutputSpan<Float>) -> Int {
    var samples: [Int16] = []
    swap(&samples, &block)
    samples.removeAll(keepingCapacity: true)
    samples.append(addingCapacity: count * channelCount) { _ = read(count, into: &$0) }
    SampleConversion.append(samples.span, to: &output)
    let arrived = samples.count / channelCount
    swap(&samples, &block)
    return arrived
  }

  private mutating func readFloat64(_ count: Int, into output: inout OutputSpan<Float>) -> Int {
    var stored: [UInt64] = []
    swap(&stored, &wideBlock)
    stored.removeAll(keepingCapacity: true)
    stored.append(addingCapacity: count * channelCount) { _ = readStored(count, into: &$0) }
    if samples.isBigEndian {
      for bits in stored { output.append(Float(Double(bitPattern: bits.byteSwapped))) }
    } else {
      for bits in stored { output.append(Float(Double(bitPattern: bits))) }
    }
    let arrived = stored.count / channelCount
    swap(&stored, &wideBlock)
    return arrived
  }

  /// Seeks to a frame; this always works.
  mutating func seek(toFrame frame: Int) -> Bool {
    position = max(0, min(frame, header.frames))
    return true
  }
}

/// Samples of 16 bits without compression, read without libsndfile.
///
/// libsndfile reads them in pieces of a few kilobytes, and cannot write them directly to their destination.
struct PlainDecoder: FrameSource {
  /// The report of libsndfile; it holds the number of frames.
  let header: SoundHandle.Header
  var report: SoundHandle.Header? { header }
  var hasDecodingError: Bool { false }
  var holdsInt16: Bool { true }

  /// The error of the system that made a read short, if there was one.
  private(set) var systemError: SystemError?

  private let samples: PlainSamples
  private let source: ByteSource
  private var position = 0
  private var block: [Int16] = []

  /// A decoder of the samples; `nil` if they lie beyond the end of the file.
  init?(_ samples: PlainSamples, _ source: ByteSource, _ header: SoundHandle.Header) {
    let (size, overflow) = header.frames.multipliedReportingOverflow(by: 2 * header.channelCount)
    guard header.frames >= 0, !overflow, samples.offset <= source.size, size <= source.size - samples.offset else {
      return nil
    }
    self.samples = samples
    self.source = source
    self.header = header
  }

  private var channelCount: Int { header.channelCount }

  /// Reads frames without conversion into uninitialised memory and returns their number.
  mutating func read(_ wanted: Int, into output: inout OutputSpan<Int16>) -> Int {
    let count = min(wanted, header.frames - position, output.freeCapacity / channelCount)
    let arrived = unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
      let target = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(memory)[(2 * initialized)...].prefix(2 * count * channelCount)
      )
      do throws(SystemError) {
        let offset = samples.offset + 2 * position * channelCount
        let frames = unsafe try source.read(at: offset, into: target) / (2 * channelCount)
        initialized += frames * channelCount
        return frames
      } catch {
        systemError = error
        return 0
      }
    }
    position += arrived
    if samples.isBigEndian {
      var span = output.mutableSpan
      for index in span.count - arrived * channelCount..<span.count { span[index] = span[index].byteSwapped }
    }
    return arrived
  }

  /// Reads frames as floats into uninitialised memory and returns their number.
  mutating func read(_ wanted: Int, into output: inout OutputSpan<Float>) -> Int {
    let count = min(wanted, output.freeCapacity / channelCount, SampleConversion.blockSize)
    var samples: [Int16] = []
    swap(&samples, &block)
    samples.removeAll(keepingCapacity: true)
    guard count > 0 else { return 0 }
    samples.append(addingCapacity: count * channelCount) { _ = read(count, into: &$0) }
    SampleConversion.append(samples.span, to: &output)
    let arrived = samples.count / channelCount
    swap(&samples, &block)
    return arrived
  }

  /// Seeks to a frame; this always works.
  mutating func seek(toFrame frame: Int) -> Bool {
    position = max(0, min(frame, header.frames))
    return true
  }
}

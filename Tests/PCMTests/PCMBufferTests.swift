import PCM
import TestSupport
import Testing

@Suite struct PCMBufferTests {
  @Test(arguments: 1...9)
  func `A channel's samples are every n-th of the interleaved ones`(channelCount: Int) throws {
    let format = PCMFormat(sampleRate: 8_000, layout: .usual(channelCount: channelCount))
    let samples = (0..<(channelCount * 100)).map { Int16($0) }
    let buffer = try PCMBuffer(samples: samples, format: format)

    #expect(buffer.frameCount == 100)
    for channel in 0..<channelCount {
      #expect(buffer.channel(channel) == (0..<100).map { Int16($0 * channelCount + channel) })
    }
    #expect(buffer.channel(-1).isEmpty)
    #expect(buffer.channel(channelCount).isEmpty)
  }

  @Test(arguments: 2...9, 1...8)
  func `A sample count that leaves a ragged frame is refused with both numbers`(channelCount: Int, extra: Int) {
    let isRagged = !extra.isMultiple(of: channelCount)
    let format = PCMFormat(sampleRate: 8_000, layout: .usual(channelCount: channelCount))
    let samples = [Float](repeating: 0, count: 10 * channelCount + extra)
    do throws(PCMError) {
      _ = try PCMBuffer(samples: samples, format: format)
      #expect(!isRagged)
    } catch {
      #expect(isRagged)
      #expect(error.code == .raggedSampleCount && error.code.description == "raggedSampleCount")
      #expect(error.description == error.message)
      #expect(error.description.contains("\(samples.count) samples"))
      #expect(error.description.contains("\(channelCount) channels"))
    }
  }

  @Test func `A buffer lasts as long as its frames at its rate`() throws {
    let format = PCMFormat.stereo(sampleRate: 8_000)
    #expect(try PCMBuffer(samples: [Float](repeating: 0, count: 6), format: format).duration == .microseconds(375))
    #expect(PCMBuffer<Int16>(format: format).duration == .zero)
  }

  @Test func `Reading the samples copies nothing`() throws {
    let buffer = try PCMBuffer(samples: [Float](repeating: 0.5, count: 1_000), format: .mono(sampleRate: 8_000))
    #expect(address(of: buffer.samples) == address(of: buffer.samples))
  }

  @Test func `A buffer that is refilled keeps its memory and takes on the new format`() {
    var buffer = PCMBuffer<Float>(format: .mono(sampleRate: 8_000))
    buffer.reserveCapacity(frames: 64)
    let memory = address(of: buffer.samples)
    for pass in 1...10 {
      buffer.removeAll(adopting: .stereo(sampleRate: 44_100))
      let written = buffer.append(frames: 32) { span in
        for _ in 0..<(2 * pass) { span.append(Float(pass)) }
      }
      #expect(written == pass)
      #expect(buffer.samples == [Float](repeating: Float(pass), count: 2 * pass))
      #expect(buffer.format == .stereo(sampleRate: 44_100))
      #expect(address(of: buffer.samples) == memory)
    }
  }

  @Test func `A conversion to 16 bits rounds to the nearest step and clips at full scale`() throws {
    let steps: [Float] = [0, 0.49, 0.51, -0.49, -0.51, 32_767, 32_767.6, 40_000, -32_768, -40_000, .infinity, .nan]
    let samples = steps.map { $0 / 32_768 }
    let short = PCMBuffer<Int16>(converting: try PCMBuffer(samples: samples, format: .stereo(sampleRate: 8_000)))
    #expect(short.samples == [0, 0, 1, 0, -1, 32_767, 32_767, 32_767, -32_768, -32_768, 32_767, 0])
    #expect(short.format == .stereo(sampleRate: 8_000))
  }

  @Test func `Each 16-bit sample is the same after a conversion to Float and back`() throws {
    let all = try PCMBuffer(samples: Array(Int16.min...Int16.max), format: .stereo(sampleRate: 8_000))
    let signal = PCMBuffer<Float>(converting: all)
    #expect(signal.samples == all.samples.map(\.signal))
    #expect(PCMBuffer<Int16>(converting: signal) == all)
    #expect(PCMBuffer<Float>(converting: signal) == signal)
  }

  @Test func `An unfinished last frame is dropped when appending`() {
    var buffer = PCMBuffer<Int16>(format: .stereo(sampleRate: 8_000))
    let written = buffer.append(frames: 4) { span in
      for sample in 1...5 { span.append(Int16(sample)) }
    }
    #expect(written == 2)
    #expect(buffer.samples == [1, 2, 3, 4])
  }

  @Test func `The whole frames in front of an error stay`() {
    struct Stop: Error {}
    var buffer = PCMBuffer<Int16>(format: .stereo(sampleRate: 8_000))
    #expect(throws: Stop.self) {
      try buffer.append(frames: 4) { span throws(Stop) in
        for sample in 1...3 { span.append(Int16(sample)) }
        throw Stop()
      }
    }
    #expect(buffer.samples == [1, 2])
  }

  @Test func `A count no memory could hold reserves nothing and does not trap`() {
    var buffer = PCMBuffer<Float>(format: .stereo(sampleRate: 8_000))
    buffer.reserveCapacity(frames: .max)
    buffer.reserveCapacity(frames: .min)
    #expect(buffer.frameCount == 0)
  }
}

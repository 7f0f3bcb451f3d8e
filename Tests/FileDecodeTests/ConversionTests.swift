import PCM
import TestSupport
import Testing

@testable import FileDecode

@Suite struct ConversionTests {
  @Test(arguments: [
    (3, ["L", "C", "R"], ["L", "R", "C"]),
    (5, ["L", "C", "R", "BL", "BR"], ["L", "R", "C", "BL", "BR"]),
    (6, ["L", "C", "R", "BL", "BR", "LFE"], ["L", "R", "C", "LFE", "BL", "BR"]),
    (7, ["L", "C", "R", "SL", "SR", "BC", "LFE"], ["L", "R", "C", "LFE", "BC", "SL", "SR"]),
    (8, ["L", "C", "R", "SL", "SR", "BL", "BR", "LFE"], ["L", "R", "C", "LFE", "BL", "BR", "SL", "SR"]),
  ])
  func `The order of Vorbis becomes that of WAVE`(channelCount: Int, vorbis: [String], wave: [String]) throws {
    let order = try #require(ChannelOrder.waveFromVorbis(channelCount: channelCount))
    #expect(order.sources.map { vorbis[$0] } == wave)
    #expect(order.inverse.sources.map { wave[$0] } == vorbis)
  }

  @Test func `Only three and five to eight channels have a Vorbis channel order`() {
    for channelCount in [-1, 0, 1, 2, 4, 9, 32, 255] {
      #expect(ChannelOrder.waveFromVorbis(channelCount: channelCount) == nil)
    }
  }

  @Test func `Frames are reordered in place, and back again`() throws {
    for channelCount in [3, 5, 6, 7, 8] {
      let order = try #require(ChannelOrder.waveFromVorbis(channelCount: channelCount))
      // The count is one sample more than whole frames.
      let original = (0..<100 * channelCount + 1).map(Float.init)
      var samples = original
      var span = samples.mutableSpan
      order.apply(to: &span)
      for frame in 0..<100 {
        for channel in 0..<channelCount {
          #expect(samples[frame * channelCount + channel] == Float(frame * channelCount + order.sources[channel]))
        }
      }
      var changed = samples.mutableSpan
      order.inverse.apply(to: &changed)
      #expect(samples == original)
    }
  }

  @Test func `Only non-finite samples become silence`() {
    var generator = SplitMix64(seed: 5)
    let values =
      (0..<10_000).map { _ in Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator)) }
      + [.nan, .signalingNaN, .infinity, -.infinity, 0, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    var samples = values
    var span = samples.mutableSpan
    SampleConversion.silenceNonFinite(&span)
    for (value, sample) in zip(values, samples) {
      #expect(sample.bitPattern == (value.isFinite ? value.bitPattern : 0))
    }
  }

  @Test func `A sample that is not finite becomes silence at any index among quiet samples`() {
    for count in [1, 3, 4, 5, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 3_000] {
      let quiet = (0..<count).map { Float($0) / 4_096 }
      for index in Set([0, 1, count / 2, 1_023, 1_024, 2_047, 2_048, count - 1]) where index < count {
        for value: Float in [.nan, .infinity, -.infinity, -3] {
          var samples = quiet
          samples[index] = value
          var span = samples.mutableSpan
          SampleConversion.silenceNonFinite(&span)
          var expected = quiet
          expected[index] = value.isFinite ? value : 0
          #expect(samples == expected, "\(value) at \(index) of \(count)")
        }
      }
    }
    var empty: [Float] = []
    var span = empty.mutableSpan
    SampleConversion.silenceNonFinite(&span)
    #expect(empty.isEmpty)
  }

  @Test func `Every integer step converts exactly, and signals beyond full scale are clipped`() {
    for bits in [16, 24, 32] {
      let scale = Float(Int64(1) << (bits - 1))
      for step in stride(from: -Int64(1) << (bits - 1), to: Int64(1) << (bits - 1), by: 1 << (bits - 12)) {
        #expect(SampleConversion.integer(signal: Float(step) / scale, bits: bits) == Int32(step) << (32 - bits))
      }
      let top = Int32((Int64(1) << (bits - 1)) - 1) << (32 - bits)
      for value: Float in [1, 1.5, 1e30, .infinity] {
        #expect(SampleConversion.integer(signal: value, bits: bits) == top)
        #expect(SampleConversion.integer(signal: -value, bits: bits) == Int32.min)
      }
      #expect(SampleConversion.integer(signal: .nan, bits: bits) == 0)
    }
  }
}

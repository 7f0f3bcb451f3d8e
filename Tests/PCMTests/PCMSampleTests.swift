import PCM
import Testing

@Suite struct PCMSampleTests {
  @Test func `Every 16-bit sample survives the way through Float`() {
    for sample in Int16.min...Int16.max {
      #expect(Int16(signal: sample.signal) == sample)
    }
  }

  @Test func `A signal beyond full scale is clipped and never wraps`() {
    #expect(Int16(signal: 1) == 32_767)
    #expect(Int16(signal: 1.5) == 32_767)
    #expect(Int16(signal: .infinity) == 32_767)
    #expect(Int16(signal: -1) == -32_768)
    #expect(Int16(signal: -1.5) == -32_768)
    #expect(Int16(signal: -.infinity) == -32_768)
    #expect(Int16(signal: .greatestFiniteMagnitude) == 32_767)
  }

  @Test func `A value that is not a number is silence in 16 bits`() {
    #expect(Int16(signal: .nan) == 0)
  }

  @Test func `A Float is its own signal`() {
    for value: Float in [0, -1, 1.5, .infinity, -0.000_1] {
      #expect(Float(signal: value) == value)
      #expect(value.signal == value)
    }
  }
}

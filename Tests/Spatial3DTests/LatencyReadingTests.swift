import Spatial3DTesting
import Testing

@testable import Spatial3D

/// The latency of a frame that was read before the latency of the output.
@Suite struct LatencyReadingTests {
  @Test func `The latency of a frame is less by the time between the two readings, and never negative`() {
    for frameClock: Int64 in [0, 5_000_000, 1 << 50] {
      for latency: Int64 in [0, 1, 21_333_333, 500_000_000] {
        for passed: Int64 in [0, 1, 10_666_666, 21_333_333, 600_000_000] {
          let reading = LatencyReading(
            frameClock: frameClock,
            latencyClock: frameClock + passed,
            latency: latency
          )
          #expect(reading.latencyOfFrame == (passed < latency ? latency - passed : 0))
        }
      }
    }
  }

  @Test func `A library without an estimate has no latency`() {
    #expect(LatencyReading(frameClock: 0, latencyClock: 0, latency: 0).latencyOfFrame == 0)
  }

  @Test func `A frame is audible at the same moment, whenever the latency is read`() {
    // The output plays its stored mixes while its clock advances.
    let audibleAt: Int64 = 90_000_000
    for clock in stride(from: Int64(70_000_000), through: audibleAt, by: 1_000_000) {
      let reading = LatencyReading(frameClock: 70_000_000, latencyClock: clock, latency: 20_000_000)
      #expect(reading.latencyOfFrame == audibleAt - clock)
    }
  }
}

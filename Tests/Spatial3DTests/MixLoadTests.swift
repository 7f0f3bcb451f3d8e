import AudioSupport
import Synchronization
import TestSupport
import Testing

@testable import Spatial3D

/// The statistics of a processed device.
@Suite(.hangLimit) struct MixLoadTests {
  @Test func `The average of the first second is the plain average`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let blocks = Int.random(in: 1...400, using: &random)
      var (average, sum) = (LoadAverage(blocksPerSecond: blocks), 0.0)
      for count in 1...Int.random(in: 1...blocks, using: &random) {
        let duration = Int64.random(in: 0...100_000_000, using: &random)
        average.add(duration)
        sum += Double(duration)
        let difference = abs(average.mean - sum / Double(count))
        if difference > 0.001 { Issue.record("\(difference) ns off after \(count) blocks of \(blocks)") }
      }
    }
  }

  @Test func `An average is never outside of the times that it averages`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<2_000 {
      var average = LoadAverage(blocksPerSecond: Int.random(in: 0...400, using: &random))
      let (a, b) = (Int64.random(in: 0...1_000_000_000, using: &random), Int64.random(in: 0...10_000, using: &random))
      for _ in 0..<Int.random(in: 1...1_000, using: &random) {
        average.add(Int64.random(in: min(a, b)...max(a, b), using: &random))
        let mean = average.mean
        if mean < Double(min(a, b)) - 0.001 || mean > Double(max(a, b)) + 0.001 { Issue.record("\(mean) ns") }
      }
    }
  }

  @Test func `A new load is 63 percent of the average after a second and 95 percent after three`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<1_000 {
      let blocks = Int.random(in: 15...400, using: &random)
      let old = Int64.random(in: 0...1_000_000, using: &random)
      let new = Int64.random(in: 0...1_000_000, using: &random)
      var average = LoadAverage(blocksPerSecond: blocks)
      for _ in 0..<2 * blocks { average.add(old) }
      for (second, share) in [(1, 0.632), (2, 0.865), (3, 0.950)] {
        for _ in 0..<blocks { average.add(new) }
        let expected = Double(old) + share * Double(new - old)
        let tolerance = 0.025 * Double(abs(new - old)) + 1
        if abs(average.mean - expected) > tolerance { Issue.record("after \(second) s of \(blocks) blocks") }
      }
    }
  }

  @Test func `A peak lasts until a reading, which keeps the last block`() {
    // A block of a millisecond.
    let record = LoadRecord(rate: 512_000, block: 512)
    #expect(record.read() == (0, 0))
    for duration in [100_000, 2_500_000, 300_000] as [Int64] { record.add(duration) }
    #expect(record.read().peak == 2.5)
    #expect(record.read().peak == 0.3)
    #expect(record.read().peak == 0.3)
    record.add(200_000)
    #expect(record.read().peak == 0.3)
    #expect(record.read().peak == 0.2)
    #expect(abs(record.read().mean - 0.775) < 1e-6)
  }

  @Test func `Readings of other threads miss no peak`() async {
    let record = LoadRecord(rate: 512_000, block: 512)
    let isOver = Flag()
    let largest = await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          var largest = 0.0
          while !isOver.isRaised {
            largest = max(largest, record.read().peak)
            await Task.yield()
          }
          return max(largest, record.read().peak)
        }
      }
      for index in 1...100_000 as ClosedRange<Int64> { record.add(index == 70_000 ? 9_000_000 : index) }
      isOver.raise()
      return await group.reduce(0) { max($0, $1) }
    }
    #expect(largest == 9)
  }

  @Test func `A slow tick is a peak and a part of the mean`() async throws {
    let context = try AudioContext(device: .processed)
    let device = context.device
    #expect(try AudioContext(device: .silent).device.takeMixLoad() == nil)
    try await eventually("blocks are rendered") { context.mixedFrames > 20 * 512 }
    _ = device.takeMixLoad()
    let isSlow = Flag()
    let ticks = context.onTick(every: 512) { _ in
      guard !isSlow.isRaised else { return }
      let end = monotonicTime() + 30_000_000
      while monotonicTime() < end {}
      isSlow.raise()
    }
    try await eventually("the tick has run") { isSlow.isRaised }
    let frame = context.mixedFrames
    try await eventually("the block of the tick has ended") { context.mixedFrames > frame + 2 * 512 }
    let load = try #require(device.takeMixLoad())
    // The time of a block is between 10 and 12 ms at the usual rates.
    let blocks = 0.03 * Double(context.sampleRate) / 512
    #expect(load.peak >= blocks)
    #expect(load.mean > 0 && load.mean < load.peak)
    withExtendedLifetime(ticks) {}
  }

  @Test func `A mix that is late by a second has one gap`() async throws {
    let device = try AudioDevice.processed
    let context = try AudioContext(device: device)
    try await eventually("blocks are played") { context.mixedFrames > context.sampleRate / 4 }
    let before = try #require(device.takeMixLoad())
    let isSlow = Flag()
    let ticks = context.onTick(every: 512) { _ in
      guard !isSlow.isRaised else { return }
      let end = monotonicTime() + 1_000_000_000
      while monotonicTime() < end {}
      isSlow.raise()
    }
    try await eventually("the tick has run") { isSlow.isRaised }
    // A queue notices a gap when it has its next block.
    try await eventually("the gap is counted") { device.takeMixLoad()?.missedFrames != before.missedFrames }
    let after = try #require(device.takeMixLoad())
    #expect(after.underruns > before.underruns)
    // A gap has one count, however often the output asks meanwhile. A late machine may have some of its own.
    #expect(after.underruns - before.underruns < 10)
    withExtendedLifetime(ticks) {}
  }
}

import TestSupport
import Testing

@testable import Spatial3D

@Suite struct CapacityGrowthTests {
  /// The capacities of a sound while it is read block by block; `nil` if it does not fit.
  private func rooms(for frameCount: Int, _ room: CapacityGrowth) -> [Int]? {
    var rooms = [room.initial]
    var read = 0
    while read < frameCount {
      let block = min(CapacityGrowth.blockSize, frameCount - read)
      if read + block > rooms[rooms.count - 1] {
        guard let next = room.next(after: read, arriving: block) else { return nil }
        rooms.append(next)
      }
      read += block
    }
    return rooms
  }

  @Test func `The capacity fits a sound of any length and any claim without much excess`() {
    var generator = SplitMix64(seed: 1)
    var failures = 0
    for _ in 0..<5_000 {
      let frameCount = Int.random(in: 0...1 << Int.random(in: 0...22, using: &generator), using: &generator)
      let limit = Int.random(in: 1...1 << Int.random(in: 0...23, using: &generator), using: &generator)
      let claims = [nil, frameCount, frameCount + 1, frameCount / 2, 0, -1, .min, .max, limit, limit + 1]
      for claim in claims {
        let rooms = rooms(for: frameCount, CapacityGrowth(claim: claim, limit: limit))
        if (rooms == nil) != (frameCount > limit) { failures += 1 }
        guard let rooms else { continue }
        let last = rooms[rooms.count - 1]
        let isRight =
          last >= frameCount && zip(rooms, rooms.dropFirst()).allSatisfy { $0 < $1 } && last <= limit
          // Beyond the trusted count, the capacity is four times the read frames.
          && last <= max(1 << 20, 4 * frameCount) && rooms.count <= 20
        if !isRight { failures += 1 }
      }
    }
    #expect(failures == 0)
  }

  @Test func `The final capacity for a reader with a length is exactly that length`() {
    for frameCount in [1, 4_095, 4_096, 4_097, 1 << 20, (1 << 20) + 1, 5_000_000, 50_000_000] {
      let rooms = rooms(for: frameCount, CapacityGrowth(claim: frameCount, limit: 1 << 29))
      #expect(rooms?.last == max(frameCount, CapacityGrowth.blockSize))
      #expect(rooms.map { $0.count <= 6 } == true)
    }
  }

  @Test func `A capacity beyond the largest integer is nil`() {
    let room = CapacityGrowth(claim: .max, limit: .max)
    #expect(room.next(after: .max, arriving: 1) == nil)
    #expect(room.next(after: .max - 5, arriving: 5) == .max)
    #expect(CapacityGrowth(claim: nil, limit: .max).next(after: .max / 2, arriving: 2) == .max)
  }
}

import Testing

@testable import GameAudio

/// The order, the budget, the targets and the mean of rays, without a mix.
@Suite struct RayTests {
  @Test func `The budget is never exceeded, and each emitter with a voice is answered in time`() {
    var random = RandomSequence(seed: 7)
    for _ in 0..<400 {
      let count = Int.random(in: 1...96, using: &random)
      let limit = Int.random(in: 1...96, using: &random)
      let rays = (0..<count).map { _ in Bool.random(using: &random) ? 1 : min(5, limit) }
      // At most four rays of a call are left over, as the next emitter needs five.
      let whole = max(limit - 4, 1)
      let most = (rays.reduce(0, +) + whole - 1) / whole
      let exact = rays.allSatisfy { $0 == 1 } ? (count + limit - 1) / limit : most
      var last = [Int](repeating: -1, count: count)
      for call in 1...3 * exact {
        var queue = RayQueue(limit: limit)
        for slot in 0..<count {
          queue.add(real: EmitterSlot(slot), age: last[slot] < 0 ? .max : UInt32(call - last[slot]), rays: rays[slot])
        }
        queue.makeRoomForOldest()
        queue.add(candidate: 1_000, age: .max, rays: 1)
        let chosen = queue.requests.prefix(queue.fittingCount)
        #expect(chosen.reduce(0) { $0 + $1.rays } <= limit)
        #expect(!chosen.isEmpty)
        for slot in chosen.map(\.slot.position) where slot < count {
          #expect(last[slot] < 0 || call - last[slot] <= exact)
          last[slot] = call
        }
        if chosen.contains(where: { $0.slot == 1_000 }) { #expect(chosen.count == count + 1) }
      }
      #expect(last.allSatisfy { $0 > 0 })
    }
  }

  @Test func `Sixty-four rays answer each of 64 voices in each call, and with five rays each in every sixth`() {
    for (rays, calls) in [(1, 1), (5, 6)] {
      var last = [Int](repeating: 0, count: 64)
      for call in 1...60 {
        var queue = RayQueue(limit: 64)
        for slot in 0..<64 { queue.add(real: EmitterSlot(slot), age: UInt32(call - last[slot]), rays: rays) }
        for request in queue.requests.prefix(queue.fittingCount) {
          #expect(call - last[request.slot.position] <= calls)
          last[request.slot.position] = call
        }
      }
    }
  }

  @Test func `New emitters in each call leave room for those that wait for longer than a round`() {
    let limit = 8
    var last: [EmitterSlot: Int] = [:]
    var (oldest, newcomers) = (0, 0)
    for call in 1...400 {
      var queue = RayQueue(limit: limit)
      // Sixteen torches, and eight shots a call that last for four calls.
      let shots = 100 + 8 * max(call - 3, 1)..<108 + 8 * call
      for slot in (Array(0..<16) + shots).map({ EmitterSlot($0) }) {
        queue.add(real: slot, age: last[slot].map { UInt32(call - $0) } ?? .max, rays: 1)
      }
      queue.makeRoomForOldest()
      #expect(Set(queue.requests.map(\.slot)).count == 16 + shots.count)
      for request in queue.requests.prefix(queue.fittingCount) {
        if last[request.slot] == nil { newcomers += 1 }
        last[request.slot] = call
      }
      for torch in 0..<16 { oldest = max(oldest, call - (last[EmitterSlot(torch)] ?? 0)) }
    }
    // A round of 48 rays takes six calls; then half of each call is for torches.
    #expect(oldest <= 6 + 4 + 1, "A torch was not asked about for \(oldest) calls.")
    #expect(newcomers > 400 * limit / 2)
  }

  @Test func `The order is by age, but for the oldest that were asked about, which come before half of the new ones`() {
    var random = RandomSequence(seed: 8)
    var moves = 0
    for _ in 0..<3_000 {
      let limit = Int.random(in: 1...24, using: &random)
      var (queue, all) = (RayQueue(limit: limit), [RayQueue.Request]())
      for position in 0..<Int.random(in: 0...40, using: &random) {
        let slot = EmitterSlot(position)
        let age = Bool.random(using: &random) ? UInt32.max : .random(in: 1...12, using: &random)
        let rays = Bool.random(using: &random) ? 1 : 5
        queue.add(real: slot, age: age, rays: rays)
        all.append(RayQueue.Request(slot: slot, age: age, rays: min(rays, limit)))
      }
      // Among requests of the same age, the first stays first.
      var order = all.enumerated().sorted { ($1.element.age, $0.offset) < ($0.element.age, $1.offset) }.map(\.element)
      #expect(queue.requests == order)
      queue.makeRoomForOldest()
      let new = order.prefix { $0.age == .max }
      let whole = max(limit - (all.map(\.rays).max() ?? 0) + 1, 1)
      let round = (all.reduce(0) { $0 + $1.rays } + whole - 1) / whole
      let old = order.dropFirst(new.count).prefix { $0.age > round }
      var (left, kept) = (limit / 2, new.prefix(0))
      if !old.isEmpty {
        while kept.count < new.count, new[kept.count].rays <= left {
          left -= new[kept.count].rays
          kept = new.prefix(kept.count + 1)
        }
        order = Array(kept + old + new.dropFirst(kept.count) + order.dropFirst(new.count + old.count))
        if kept.count < new.count, old.count > 1 { moves += 1 }
      }
      #expect(queue.requests == order && queue.rayCount == all.reduce(0) { $0 + $1.rays })
      for (slot, age) in [(100, 3), (101, 9), (102, 3)] as [(EmitterSlot, UInt32)] {
        queue.add(candidate: slot, age: age, rays: 1)
      }
      #expect(queue.requests.map(\.slot) == order.map(\.slot) + [101, 100, 102])
      var sum = 0
      let fitting = queue.requests.prefix { request in
        sum += request.rays
        return sum <= limit
      }
      #expect(queue.fittingCount == fitting.count)
    }
    #expect(moves > 200)
  }

  @Test func `A budget of 0 or below, and no emitters, ask nothing`() {
    for limit in [0, -1, .min] {
      var queue = RayQueue(limit: limit)
      queue.add(real: 0, age: 1, rays: 1)
      #expect(queue.requests.prefix(queue.fittingCount).reduce(0) { $0 + $1.rays } == 0)
    }
    #expect(RayQueue(limit: 4).fittingCount == 0)
    // The memory of the last call serves the next one.
    var queue = RayQueue(limit: 90)
    for slot in 0..<90 { queue.add(real: EmitterSlot(slot), age: 1, rays: 1) }
    queue.begin(limit: 4)
    #expect(queue.requests.isEmpty && queue.requests.capacity >= 90)
  }

  @Test func `A budget without a limit asks all emitters, the oldest first`() {
    for limit in [Int.max, .max - 1, 1 << 40] {
      var queue = RayQueue(limit: limit)
      queue.add(real: 0, age: 1, rays: 5)
      queue.add(real: 1, age: 90, rays: 1)
      queue.add(candidate: 2, age: 3, rays: 5)
      queue.makeRoomForOldest()
      #expect(queue.requests.map(\.slot) == [1, 0, 2] && queue.fittingCount == 3)
    }
  }

  @Test func `The mean is that of the powers`() {
    var half = RayMean()
    half.add(.clear)
    half.add(.wall(.silence))
    #expect(abs(half.levels.occlusion + 3.0103) < 1e-3 && half.levels.obstruction == 0)
    var five = RayMean()
    for level in [0, -6, -12, -18, -24] as [Decibels] { five.add(.obstacle(level)) }
    #expect(abs(five.levels.obstruction + 5.738) < 0.01)
    var same = RayMean()
    for _ in 0..<5 { same.add(.wall(-18)) }
    #expect(abs(same.levels.occlusion + 18) < 1e-4)
  }

  @Test func `Four rays end on the disc that faces the listener, at its radius`() {
    var random = RandomSequence(seed: 9)
    for _ in 0..<2_000 {
      func number() -> Float { .random(in: -50...50, using: &random) }
      let (origin, center) = (SIMD3(number(), number(), number()), SIMD3(number(), number(), number()))
      let radius = Float.random(in: 0.1...5, using: &random)
      let targets = (0..<5).map { RayDisc.target($0, of: center, radius: radius, from: origin) }
      #expect(targets[0] == center)
      for index in 1..<5 {
        let offset = targets[index] - center
        #expect(abs(offset.length - radius) < 1e-3 * radius + 1e-4)
        #expect(abs((offset * (center - origin)).sum()) < 1e-3 * radius * (center - origin).length + 1e-3)
      }
      #expect(
        (targets[1] + targets[3] - center * 2).length < 1e-3 && (targets[2] + targets[4] - center * 2).length < 1e-3
      )
      #expect(abs(((targets[1] - center) * (targets[2] - center)).sum()) < 1e-2 * radius * radius)
    }
    // Straight above, the rays go along the axes, as they do ahead.
    for origin in [SIMD3<Float>(0, 9, 0), [0, -9, 0], [0, 0, 9], [0, 9, 0.1]] {
      for index in 1..<5 {
        let target = RayDisc.target(index, of: .zero, radius: 2, from: origin)
        #expect(abs(max(abs(target.x), abs(target.y), abs(target.z)) - 2) < 1e-3, "\(origin): \(target)")
      }
    }
    // Straight above, and on the spot.
    for origin in [SIMD3<Float>(0, 9, 0), .zero] {
      #expect(abs(RayDisc.target(1, of: .zero, radius: 2, from: origin).length - 2) < 1e-5)
    }
  }

  @Test func `An answer moves with a time constant of 80 ms, and a first one is there at once`() {
    var answer = RayAnswer()
    answer.take(occlusion: -6, obstruction: 0, at: 1, isHeard: true)
    #expect(answer.occlusion == -6 && !answer.isMoving)
    answer.take(occlusion: -26, obstruction: -10, at: 2, isHeard: true)
    for _ in 0..<80 { answer.step(seconds: 0.001) }
    #expect(abs(answer.occlusion - (-26 + 20 * 0.36788)) < 0.01 && abs(answer.obstruction + 6.3212) < 0.01)
    for _ in 0..<2_000 { answer.step(seconds: 0.001) }
    #expect(answer.occlusion == -26 && answer.obstruction == -10)
    answer.take(occlusion: 0, obstruction: 0, at: 3, isHeard: false)
    #expect(answer.occlusion == 0)
    #expect(answer.age(at: 10) == 7)
    answer.begin()
    #expect(answer.age(at: 10) == .max && answer.isFirst && answer.occlusion == 0)
  }

  @Test func `The rays to a disc go up and to the side, and to the front where the way is steep`() {
    func crossed(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
      [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
    }
    var random = RandomSequence(seed: 10)
    for height in [-0.999, -0.95, -0.91, -0.89, -0.5, 0, 0.3, 0.89, 0.91, 0.95, 0.999] as [Float] {
      let angle = Float.random(in: 0...6, using: &random)
      let flat = SIMD3<Float>(cosine(angle), 0, cosine(angle - .pi / 2)) * (1 - height * height).squareRoot()
      let ahead = flat + SIMD3(0, height, 0)
      let axis: SIMD3<Float> = abs(height) < 0.9 ? [0, 1, 0] : [1, 0, 0]
      let across = crossed(ahead, axis)
      let side = across / across.length
      let up = crossed(side, ahead)
      let origin = SIMD3<Float>(3, -4, 5)
      let center = origin + ahead * 10
      for (index, offset) in [.zero, side, up, -side, -up].enumerated() {
        let target = RayDisc.target(index, of: center, radius: 2, from: origin)
        #expect((target - center - offset * 2).length < 1e-4, "\(index) at \(height)")
      }
    }
    #expect(RayDisc.count(radius: 0) == 1 && RayDisc.count(radius: 0.001) == 5 && RayDisc.count(radius: -1) == 1)
    #expect((0..<5).allSatisfy { RayDisc.target($0, of: [1, 2, 3], radius: 0, from: .zero) == [1, 2, 3] })
  }

  private func cosine(_ angle: Float) -> Float { SIMD3<Float>(0, 0, 1).turned(by: angle * 180 / .pi).z }

  @Test func `An answer is usable if neither level is above 0`() {
    let levels: [Float] = [-.infinity, -3, 0, 0.001, .infinity, .nan]
    for occlusion in levels {
      for obstruction in levels {
        let result = OcclusionResult(occlusion: Decibels(occlusion), obstruction: Decibels(obstruction))
        #expect(result.isUsable == (occlusion <= 0 && obstruction <= 0), "\(result)")
      }
    }
  }

  @Test func `An answer moves while one of its levels does, and is settled without a voice`() {
    for (occlusion, obstruction) in [(-6, 0), (0, -6), (-6, -6)] as [(Float, Float)] {
      var answer = RayAnswer()
      #expect(!answer.isMoving && answer.isFirst && answer.age(at: 3) == .max && RayAnswer.smoothing == 0.08)
      answer.take(occlusion: 0, obstruction: 0, at: 2, isHeard: true)
      #expect(!answer.isMoving && !answer.isFirst && answer.age(at: 3) == 1 && answer.call == 2)
      answer.take(occlusion: occlusion, obstruction: obstruction, at: 3, isHeard: true)
      #expect(answer.isMoving && answer.occlusion == 0 && answer.obstruction == 0)
      #expect(answer.nextOcclusion == occlusion && answer.nextObstruction == obstruction)
      var settled = answer
      settled.settle()
      #expect(!settled.isMoving && settled.occlusion == occlusion && settled.obstruction == obstruction)
      var begun = answer
      begun.begin()
      #expect(begun.isFirst && !begun.isMoving && begun.age(at: 9) == .max && begun.occlusion == occlusion)
      var skipped = answer
      skipped.skip(at: 8)
      #expect(skipped.age(at: 9) == 1 && skipped.isMoving && skipped.occlusion == 0)
      answer.take(occlusion: -1, obstruction: -2, at: 4, isHeard: false)
      #expect(!answer.isMoving && answer.occlusion == -1 && answer.obstruction == -2)
      // The last hundredth of a decibel is no glide.
      answer.take(occlusion: -1.0099, obstruction: -2.011, at: 5, isHeard: true)
      answer.step(seconds: 0.001)
      #expect(answer.occlusion == -1.0099 && answer.obstruction > -2.001 && answer.obstruction < -2)
    }
  }
}

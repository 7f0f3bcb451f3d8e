import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The snapshots of a recording, of which only the differences are kept.
@Suite struct SnapshotSeriesTests {
  private static let noise = Sound(
    TestSignal.noise(duration: .milliseconds(500), format: .mono(sampleRate: 48_000))
  )

  @Test(arguments: 0..<4) func `The snapshots of random worlds are equal to whole ones`(batch: UInt64) throws {
    var (silent, differing) = (Set<String>(), 0)
    for seed in batch * 12..<batch * 12 + 12 {
      var scene = try RandomScene(seed: 700 + seed)
      try scene.prepare()
      var series = SnapshotSeries()
      var whole: [WorldSnapshot] = []
      for _ in 0..<24 {
        _ = try scene.play(frames: 1)
        let physics = scene.world.context.physics
        var state = scene.world.inspector.state
        state.adopt(physics)
        let copy = WorldCopy(state)
        series.append(copy)
        whole.append(WorldSnapshot(copy))
        #expect(whole.last == scene.world.snapshot(), "seed \(seed)")
      }
      #expect(series.snapshots == whole, "seed \(seed)")
      #expect(series.count == 24 && series.byteCount > 0)
      silent.formUnion(whole.flatMap(\.emitters).compactMap { $0.silence?.kindInWords })
      differing += zip(whole, whole.dropFirst()).count { $0.emitters != $1.emitters }
    }
    #expect(silent.count >= 4 && differing > 100, "\(silent), \(differing)")
  }

  @Test func `The rank of an emitter in random worlds is its position in the order of all scores`() throws {
    var rankCount = 0
    for seed: UInt64 in 0..<30 {
      var scene = try RandomScene(seed: 900 + seed)
      try scene.prepare()
      for _ in 0..<8 {
        _ = try scene.play(frames: 1)
        let copy = WorldCopy(scene.world.inspector.state)
        let playing = copy.scene.emitters.indices.filter {
          copy.scene.emitters[$0].isUsed && copy.scene.emitters[$0].isSounding
        }
        let order = playing.sorted {
          (copy.score(of: $0), -copy.scene.emitters.order(of: $0))
            > (copy.score(of: $1), -copy.scene.emitters.order(of: $1))
        }
        for (index, slot) in order.enumerated() {
          #expect(Explanation(of: slot, in: copy).rank == index + 1, "seed \(seed)")
          rankCount += 1
        }
      }
    }
    #expect(rankCount > 500, "\(rankCount)")
  }

  @Test func `The rank among many steady sounds needs no score of each`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 8)
    var random = SplitMix64(seed: 3)
    let sounds = [
      Self.noise, Sound(TestSignal.sine(frequency: 300, duration: .seconds(1), format: .mono(sampleRate: 48_000))),
    ]
    let emitters = (0..<400).map { index in
      let emitter = Emitter(playing: sounds[index % 2], in: world)
      emitter.position = [Float.random(in: 1...60, using: &random), 0, Float.random(in: -60...60, using: &random)]
      (emitter.gain, emitter.repeats) = (Gain(Float.random(in: 0.1...1, using: &random)), .forever)
      emitter.play()
      return emitter
    }
    offline.render(.milliseconds(300))
    let copy = WorldCopy(world.inspector.state)
    var bounds = ScoreBounds(copy)
    var certainCount = 0
    for emitter in emitters {
      let score = copy.score(of: emitter.slot)
      let (lower, upper) = (bounds.lower(of: emitter.slot), bounds.upper(of: emitter.slot))
      guard let upper else { continue }
      #expect(lower <= score && score <= upper, "\(lower) \(score) \(upper)")
      if lower > upper * 0.8 { certainCount += 1 }
    }
    #expect(certainCount > 150, "\(certainCount)")
    let ranks = emitters.compactMap { world.explain($0).rank }
    #expect(ranks.sorted() == Array(1...400))
  }

  @Test func `An emitter that moves takes few bytes of a snapshot, and an emitter that rests takes none`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    let emitters = (0..<200).map { _ in Emitter(playing: Self.noise, in: world) }
    for (index, emitter) in emitters.enumerated() { emitter.position = [Float(index + 1), 0, 0] }
    for emitter in emitters.prefix(100) { (emitter.repeats, _) = (.forever, emitter.play()) }
    offline.render(.milliseconds(100))
    var series = SnapshotSeries()
    func append() -> Int {
      let before = series.byteCount
      series.append(WorldCopy(world.inspector.state))
      return series.byteCount - before
    }
    let first = append()
    let same = append()
    for emitter in emitters.prefix(100) { emitter.position.z += 1 }
    offline.render(.milliseconds(100))
    let moved = append()
    #expect(first > 200 * 20 && same == 0, "\(first), \(same)")
    #expect(moved > 100 * 16 && moved <= 100 * 36 + 8, "\(moved)")
    for emitter in emitters { emitter.stop(.none) }
  }

  @Test func `Settings that move with each snapshot take few bytes, and are not all looked up`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let (moving, resting) = (Emitter(playing: Self.noise, in: world), Emitter(playing: Self.noise, in: world))
    (moving.radius, resting.radius) = (1, 7)
    var series = SnapshotSeries()
    series.append(WorldCopy(world.inspector.state))
    let before = series.byteCount
    for step in 1...500 {
      moving.obstruction = Decibels(-Float(step) / 16)
      series.append(WorldCopy(world.inspector.state))
    }
    #expect(series.byteCount == before + 500 * 8)
    var known = series.names.rareValues
    #expect(known.number(of: known[1]) == 1 && known.number(of: known[2]) == 2)
    for step in 1...500 {
      moving.radius = Float(step)
      series.append(WorldCopy(world.inspector.state))
    }
    #expect(series.byteCount == before + 1_000 * 8 - 8)
    // The first settings of the emitter that moves are forgotten, and get another number.
    known = series.names.rareValues
    #expect(known[1] != nil && known.number(of: known[1]) > 490 && known.number(of: known[2]) == 2)
    #expect(series.snapshots.dropFirst(501).map { $0.emitters.map(\.radius) } == (1...500).map { [Float($0), 7] })
    #expect(series.snapshots.last?.emitters == world.snapshot().emitters)
  }

  @Test func `An emitter in the slot of another begins its line anew`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    var series = SnapshotSeries()
    func append() { series.append(WorldCopy(world.inspector.state)) }
    var emitter: Emitter? = Emitter(playing: Self.noise, in: world)
    emitter?.direction = [0, 0, 1]
    emitter?.cone = Cone(innerAngle: 30, outerAngle: 90)
    emitter?.occlusion = -6
    append()
    emitter = nil
    append()
    emitter = Emitter(playing: Self.noise, in: world)
    append()
    let lines = series.snapshots.map(\.emitters)
    #expect(lines.map { $0.map(\.id) } == [[1], [], [2]])
    #expect(lines[0].first?.occlusion == -6 && lines[0].first?.cone?.innerAngle == 30)
    #expect(lines[2].first?.direction == nil && lines[2].first?.cone == nil && lines[2].first?.occlusion == nil)
    #expect(lines[2] == world.snapshot().emitters)
    withExtendedLifetime(emitter) {}
  }

  @Test func `Moves keep their order, and share the emitters of the call before`() {
    let keys = (1...6).map { EmitterKey(slot: EmitterSlot($0), number: UInt32($0)) }
    var random = SplitMix64(seed: 21)
    var last: [EmitterKey] = []
    for _ in 0..<2_000 {
      let next = (0..<Int.random(in: 0...6, using: &random)).map { index in
        Int.random(in: 0..<8, using: &random) == 0 ? keys[Int.random(in: 0..<6, using: &random)] : keys[index]
      }
      let places = next.indices.map { SIMD3<Float>(Float($0), Float.random(in: -1...1, using: &random), 3) }
      var list = MoveList(capacity: Int.random(in: 0...20, using: &random), likely: last)
      for (key, place) in zip(next, places) { list.append(key, at: place) }
      let moved = list.finish()
      #expect(moved.emitters == next && moved.isEmpty == next.isEmpty)
      #expect(moved.moves.map(\.0) == next && moved.moves.map(\.1) == places)
      last = moved.emitters
    }
  }

  @Test func `A call that moves few of many emitters takes memory for the few`() {
    let keys = (0..<10_000).map { EmitterKey(slot: EmitterSlot($0), number: 1) }
    for earlier in [keys, [], Array(keys.dropFirst())] {
      var list = MoveList(capacity: keys.count, likely: earlier)
      for key in keys.prefix(10) { list.append(key, at: .zero) }
      #expect(list.finish().emitters.capacity < 100)
    }
  }
}

import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The totals of buses, without a mix.
@Suite struct BusTreeTests {
  /// A tree of main, a group, a bus inside it, and a sibling of the group.
  private static func tree() -> BusTree { tree(ofParents: [0, 1, 0]) }

  /// A tree of main and of other buses, by their parents.
  private static func tree(ofParents parents: [Int]) -> BusTree {
    var tree = BusTree()
    for (index, parent) in parents.enumerated() {
      _ = tree.makeBus("\(index + 1)", in: BusIndex(parent), isDirect: false)
    }
    return tree
  }

  /// Computes the totals of a bus and of those inside it.
  private static func update(_ tree: inout BusTree, inside top: BusIndex = .main) -> BusChange {
    let change = tree.updateTotals(inside: top)
    for index in tree.indices where tree.isBus(index, inside: top) {
      #expect(tree.bounds[index.position] == tree[index].totals.bound)
    }
    return change
  }

  @Test func `Mute, solo and pause follow their rules in all states of three levels`() {
    for state in 0..<(1 << 9) {
      var tree = Self.tree()
      for bus in tree.indices.prefix(3) {
        tree[bus].isMuted = state & 1 << bus.position != 0
        tree[bus].isSoloed = state & 8 << bus.position != 0
        tree[bus].isHalted = state & 64 << bus.position != 0
      }
      _ = Self.update(&tree)
      let isAnySoloed = tree.records.contains { $0.isSoloed }
      for (bus, path) in [(0, [0]), (1, [0, 1]), (2, [0, 1, 2]), (3, [0, 3])] as [(BusIndex, [BusIndex])] {
        let isMuted = path.contains { tree[$0].isMuted }
        let isLeftOut = isAnySoloed && !path.contains { tree[$0].isSoloed }
        #expect(tree[bus].totals.gain == (isMuted || isLeftOut ? 0 : 1), "bus \(bus) in state \(state)")
        #expect(tree[bus].totals.isPaused == path.contains { tree[$0].isHalted }, "bus \(bus) in state \(state)")
        // The choice may leave out no emitter that is audible.
        #expect(tree[bus].totals.bound >= (tree[bus].totals.isPaused ? 0 : tree[bus].totals.gain))
      }
    }
  }

  @Test func `Gains and pitches multiply, and filters add up to 60 dB at most`() {
    var random = SplitMix64(seed: 84)
    for _ in 0..<1_000 {
      var tree = Self.tree()
      for bus in tree.indices {
        tree[bus].gain = .random(in: 0...4, using: &random)
        tree[bus].pitch = .random(in: 0.25...4, using: &random)
        tree[bus].duck = .random(in: -20...0, using: &random)
        let low = Decibels(.random(in: -60...0, using: &random))
        tree[bus].filter = ToneFilter(low: low, high: Decibels(.random(in: -60...0, using: &random)))
      }
      #expect(Self.update(&tree) == .pitch)
      let path = [tree[0], tree[1], tree[2]]
      let gain = path.reduce(Float(1)) { $0 * $1.gain * Decibels($1.duck).factor }
      #expect(abs(tree[2].totals.gain - gain) <= 1e-5 * gain)
      #expect(abs(tree[2].totals.pitch - path.reduce(1) { $0 * $1.pitch }) < 1e-3)
      let low = path.reduce(Float(0)) { $0 + $1.filter.low.rawValue }
      #expect(abs(tree[2].totals.filter.low.rawValue - max(low, -60)) < 1e-4)
      #expect(Self.update(&tree) == [])
    }
  }

  @Test func `Totals inside a changed bus are those of the whole tree`() {
    var random = SplitMix64(seed: 5)
    var tree = Self.tree(ofParents: (1..<20).map { Int.random(in: 0..<$0, using: &random) })
    for _ in 0..<200 {
      let bus = BusIndex(.random(in: 0..<20, using: &random))
      tree[bus].gain = .random(in: 0...2, using: &random)
      if Bool.random(using: &random) { tree[bus].pitch = .random(in: 0.5...2, using: &random) }
      if Bool.random(using: &random) { tree[bus].isHalted.toggle() }
      var whole = tree
      #expect(Self.update(&tree, inside: bus) == Self.update(&whole))
      for bus in tree.indices {
        let (own, other) = (tree[bus].totals, whole[bus].totals)
        #expect(own.gain == other.gain && own.pitch == other.pitch)
        #expect(tree.isPitchChanged(of: bus) == whole.isPitchChanged(of: bus))
        #expect(tree.isPauseChanged(of: bus) == whole.isPauseChanged(of: bus))
      }
      #expect(Self.update(&tree) == [])
      #expect(!tree.indices.contains { tree.isPitchChanged(of: $0) || tree.isPauseChanged(of: $0) })
    }
  }

  @Test func `A ducker that depends on its own effect is found in a random tree`() {
    var random = SplitMix64(seed: 32)
    for _ in 0..<2_000 {
      let count = Int.random(in: 2...8, using: &random)
      let tree = Self.tree(ofParents: (1..<count).map { Int.random(in: 0..<$0, using: &random) })
      var duckers: [Ducker] = []
      for _ in 0..<6 {
        let target = BusIndex(.random(in: 0..<count, using: &random))
        let trigger = BusIndex(.random(in: 0..<count, using: &random))
        let isCycle = tree.isCycle(target, under: trigger, beside: duckers)
        #expect(isCycle == Self.reaches(target, trigger, tree, duckers))
        if !isCycle { duckers.append(Ducker(target, under: trigger, Ducking(by: -6))) }
      }
    }
  }

  /// Whether a change of the level on one bus changes that on another, by the sounds that both or a ducker contain.
  private static func reaches(_ target: BusIndex, _ trigger: BusIndex, _ tree: BusTree, _ duckers: [Ducker]) -> Bool {
    func sounds(of bus: BusIndex) -> Set<BusIndex> { Set(tree.indices.filter { tree.path(from: $0).contains(bus) }) }
    var changed = sounds(of: target)
    for _ in duckers.indices {
      for ducker in duckers where !changed.isDisjoint(with: sounds(of: ducker.trigger)) {
        changed.formUnion(sounds(of: ducker.target))
      }
    }
    return !changed.isDisjoint(with: sounds(of: trigger))
  }

  @Test func `There are 65,536 buses at most, and another name is that of its parent`() {
    var tree = BusTree()
    let indices = (1..<(1 << 16) + 2).map { tree.makeBus("bus \($0)", in: BusIndex($0 % 3), isDirect: false).position }
    #expect(Array(indices.dropLast(2)) == Array(1..<1 << 16))
    // These two have no room.
    #expect(Array(indices.suffix(2)) == [(1 << 16) % 3, ((1 << 16) + 1) % 3])
    #expect(tree.makeBus("bus 65535", in: .main, isDirect: false).position == 65_535)
  }

  @Test
  func `Of the sends of an emitter and of its bus the strongest comes first, and the own one replaces that of the bus`()
    throws
  {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let units = try (0..<3).map { _ in try EffectUnit(.reverb(Reverb(.smallRoom)), in: offline.context) }
    let bus = world.mixer.makeBus("wet")
    let emitter = Emitter(playing: Sound(PCMBuffer<Float>(format: .mono(sampleRate: 48_000))), in: world, on: bus)
    func sends() -> [Int: Float] {
      let sends = emitter.inspector.sends
      #expect(zip(sends, sends.dropFirst()).allSatisfy { $0.gain >= $1.gain })
      let power = sends.reduce(0) { $0 + $1.gain * $1.gain }
      #expect(abs(emitter.inspector.sendPower - power) < 1e-6)
      let pairs = sends.map { send in
        (units.firstIndex { $0 === send.unit } ?? -1, Decibels(factor: send.gain).rawValue.rounded())
      }
      return Dictionary(uniqueKeysWithValues: pairs)
    }
    #expect(sends() == [:])
    emitter.send(to: units[0], gain: .decibels(-20))
    #expect(sends() == [0: -20])
    bus.send(to: units[1], gain: .decibels(-3))
    #expect(sends() == [0: -20, 1: -3])
    emitter.send(to: units[1], gain: .decibels(-9))
    #expect(sends() == [0: -20, 1: -9])
    bus.send(to: units[2], gain: .decibels(-1))
    world.mixer.main.send(to: units[2], gain: .unity)
    #expect(sends() == [0: -20, 1: -9, 2: 0])
    emitter.send(to: units[0], gain: nil)
    emitter.send(to: units[1], gain: nil)
    #expect(sends() == [1: -3, 2: 0])
  }
}

import TestSupport
import Testing

@testable import GameAudio

/// The table of emitters, compared with a list of all emitters after each of many random changes.
@Suite struct EmitterTableTests {
  /// An emitter of the model, with the values that the table derives others from.
  private struct Model {
    let id: EmitterKey
    var status = EmitterRecord.Status.idle
    var voice: VoiceIndex?
    var behavior = VirtualBehavior.elapsedTime
    var end: Int?
    var isLimited = false
    var gain: Float = 1
    var isBusPaused = false

    var isActive: Bool { [.loading, .playing, .stopping, .pausing].contains(status) }
    var isSounding: Bool { [.playing, .stopping, .pausing].contains(status) }
    var isRunning: Bool { isSounding && (voice != nil || [.elapsedTime, .stop].contains(behavior)) }
    var expectedEnd: Int { isRunning ? end ?? .max : .max }
    var expectedWeight: Float {
      status == .playing && voice == nil && !isLimited ? gain * 3 * Priority.normal.factor : 0
    }
    var counts: Bool { [.loading, .playing].contains(status) && !isLimited && !isBusPaused }
  }

  private static let statuses: [EmitterRecord.Status] = [
    .idle, .loading, .playing, .paused, .pausedBeforeStart, .stopping, .pausing,
  ]
  private static let peak = SoundPeak(curve: 1.5, envelope: 2, isBounded: true)

  private var random = SplitMix64(seed: 7)
  private var table = EmitterTable()
  private var models: [Model] = []
  private var removed: [EmitterKey] = []
  private var counted = 0

  private mutating func add() {
    let id = table.add(hasPosition: Bool.random(using: &random), bus: .main, isDirect: Bool.random(using: &random))
    models.append(Model(id: id))
  }

  /// Changes an emitter as the scene does: the record, then the weight, then the counts of the limits.
  private mutating func change(_ index: Int, to status: EmitterRecord.Status) {
    let frame = Int.random(in: 0..<5_000, using: &random)
    let length = Int.random(in: 1..<5_000, using: &random)
    let isEndless = Int.random(in: 0..<4, using: &random) == 0
    models[index].status = status
    models[index].voice = Bool.random(using: &random) ? nil : VoiceIndex(Int.random(in: 0..<8, using: &random))
    models[index].end = isEndless ? nil : frame + length
    models[index].gain = Float.random(in: 0...2, using: &random)
    models[index].isBusPaused = Int.random(in: 0..<5, using: &random) == 0
    let model = models[index]
    table.modify(model.id.slot) {
      ($0.status, $0.voice, $0.gain) = (model.status, model.voice, model.gain)
      let course = LogicalClock.Course(frameCount: length, repeats: isEndless ? .forever : .times(0))
      $0.clock = LogicalClock(course, at: frame, step: 1)
    }
    update(index)
  }

  private mutating func setLimited(_ isLimited: Bool, _ index: Int) {
    models[index].isLimited = isLimited
    table.modify(models[index].id.slot) { $0.isLimited = isLimited }
    update(index)
  }

  private mutating func update(_ index: Int) {
    table.updateWeight(of: models[index].id.slot, Self.peak)
    counted += table.updateCount(of: models[index].id.slot, isBusPaused: models[index].isBusPaused)
  }

  private mutating func remove(_ index: Int) {
    change(index, to: .idle)
    table.remove(models[index].id.slot)
    removed.append(models.remove(at: index).id)
  }

  private func check() {
    #expect(table.activeCount == models.count(where: \.isActive))
    #expect(table.stoppingCount == models.count { $0.behavior == .stop })
    #expect(counted == models.count(where: \.counts))
    #expect(table.freeSlots.count + models.count == table.count)
    #expect(models.allSatisfy { table.has($0.id) && table[$0.id.slot].isUsed })
    #expect(table.nextEnd <= models.map(\.expectedEnd).min() ?? .max)
    for model in models {
      let (slot, record) = (model.id.slot, table[model.id.slot])
      #expect(table.id(of: slot) == model.id && table.end(of: slot) == model.expectedEnd)
      #expect(abs(table.weight(of: slot) - model.expectedWeight) <= 1e-5)
      #expect(record.isCounted == model.counts && record.isLimited == model.isLimited)
      #expect(record.isRunning == model.isRunning && record.isActive == model.isActive)
    }
  }

  @Test mutating func `Ends, weights and counts follow from the emitters after each change`() {
    for _ in 0..<5_000 {
      let index = models.isEmpty ? 0 : Int.random(in: 0..<models.count, using: &random)
      switch models.isEmpty ? 0 : Int.random(in: 0..<14, using: &random) {
      case 0 where models.count < 40: add()
      case 1: remove(index)
      case 2:
        models[index].behavior = VirtualBehavior.allCases.randomElement(using: &random) ?? .stop
        table.setBehavior(models[index].behavior, of: models[index].id.slot)
      // A limit keeps only an emitter virtual that does not count yet.
      case 3: if !models[index].counts { setLimited(true, index) }
      case 4: setLimited(false, index)
      case 5:
        let frame = Int.random(in: 0..<10_000, using: &random)
        table.updateNextEnd(after: frame)
        #expect(table.nextEnd == models.map(\.expectedEnd).filter { $0 > frame }.min() ?? .max)
        table.updateNextEnd(after: -1)
      case 6...7:
        models[index].gain = Bool.random(using: &random) ? 0 : Float.random(in: 0...2, using: &random)
        table.setGain(models[index].gain, of: models[index].id.slot)
      default: change(index, to: Self.statuses.randomElement(using: &random) ?? .idle)
      }
      check()
    }
    #expect(removed.count > 100 && removed.allSatisfy { !table.has($0) })
    while !models.isEmpty { remove(models.count - 1) }
    check()
    #expect(table.activeCount == 0 && table.stoppingCount == 0 && counted == 0 && table.count <= 40)
  }

  @Test mutating func `An emitter whose law has no largest gain has the largest weight, unless it is silent`() {
    add()
    let slot = models[0].id.slot
    table.modify(slot) { $0.status = .playing }
    table.updateWeight(of: slot, SoundPeak(curve: 1, envelope: 1, isBounded: false))
    for gain in [0, 1e-30, 0, 1, 16] as [Float] {
      table.setGain(gain, of: slot)
      #expect(table.weight(of: slot) == (gain > 0 ? .greatestFiniteMagnitude : 0))
    }
    table.updateWeight(of: slot, SoundPeak(curve: 1, envelope: 0, isBounded: false))
    #expect(table.weight(of: slot) == 0)
    table.updateWeight(of: slot, SoundPeak(curve: 1e38, envelope: 100, isBounded: true))
    #expect(table.weight(of: slot) == .greatestFiniteMagnitude)
  }

  @Test mutating func `The newest beginning has the order 0, also where the numbers wrap around`() {
    for _ in 0..<3 { add() }
    let slots = models.map(\.id.slot)
    table.lastOrder = .max - 1
    for slot in slots { table.setNewest(slot) }
    #expect(slots.map { table.order(of: $0) } == [-2, -1, 0] && table.lastOrder == 1)
    table.setNewest(slots[0])
    #expect(slots.map { table.order(of: $0) } == [0, -2, -1])
  }

  @Test mutating func `A bus of the kind direct takes the placement, and another bus returns it`() {
    for hasPosition in [true, false] {
      for isDirect in [true, false] {
        let slot = table.add(hasPosition: hasPosition, bus: .main, isDirect: isDirect).slot
        #expect(table[slot].hasPosition == hasPosition && table[slot].isPlaced == (hasPosition && !isDirect))
        table.setBus(BusIndex(1), isDirect: !isDirect, of: slot)
        #expect(table[slot].hasPosition == hasPosition && table[slot].isPlaced == (hasPosition && isDirect))
        #expect(table.bus(of: slot) == BusIndex(1))
      }
    }
  }

  @Test func `The record of an emitter takes no more than 168 bytes, and an enum of it one`() {
    #expect(MemoryLayout<EmitterRecord>.stride <= 168)
    #expect(MemoryLayout<EmitterRecord.Status>.size == 1 && MemoryLayout<EmitterRecord.Placement>.size == 1)
    #expect(MemoryLayout<EmitterRecord.LimitState>.size == 1 && MemoryLayout<SoundIndex>.size == 4)
  }
}

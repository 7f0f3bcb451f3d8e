import Spatial3DTesting
import Testing

@testable import GameAudio

/// The sounds of a world, their users and the loads that they need, without emitters.
@Suite struct SoundUserTests {
  private static let pcm = TestSignal.silence(duration: .milliseconds(2), format: .mono(sampleRate: 48_000))
  private let context: AudioContext

  init() throws { context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context }

  private func load(_ job: SoundTable.Job) throws -> LoadedSound {
    try LoadedSound(job.content, job.key, convertsRate: true, in: context)
  }

  @Test func `A sound is loaded once for all of its laws, and once for each form`() throws {
    var table = SoundTable()
    var (sound, far) = (Sound(Self.pcm), Sound(Self.pcm))
    far = sound
    far.attenuation.rolloffFactor = 0.3
    let first = table.add(sound, isPlaced: true)
    #expect(first.jobs.count == 1 && first.use.family == nil)
    let second = table.add(far, isPlaced: true)
    #expect(second.jobs.isEmpty && second.use.index != first.use.index)
    let flat = table.add(sound, isPlaced: false)
    #expect(flat.jobs.count == 1 && flat.jobs[0].key != first.jobs[0].key)
    let again = table.add(sound, isPlaced: true)
    #expect(again.jobs.isEmpty && again.use.index == first.use.index && table[again.use.index].users == 2)
    sound.loopRange = 3..<9
    #expect(table.add(sound, isPlaced: true).jobs.count == 1)
    let loaded = try load(first.jobs[0])
    let changed = table.finish(first.jobs[0].key, loaded, played: [])
    #expect(Set(changed) == [first.use.index, second.use.index])
    for use in [first.use, second.use] {
      #expect(table[use.index].state == .ready && table[use.index].loaded === loaded)
    }
    #expect(table[flat.use.index].state == .loading)
    // A user that comes later shares the samples.
    far.attenuation.rolloffFactor = 0.7
    let late = table.add(far, isPlaced: true)
    #expect(late.jobs.isEmpty && table[late.use.index].state == .ready && table[late.use.index].loaded === loaded)
  }

  @Test func `Samples stay behind their last user, and what is not loaded is loaded again for the next one`() throws {
    var table = SoundTable()
    let sound = Sound(Self.pcm)
    let first = table.add(sound, isPlaced: true)
    table.removeUser(of: first.use)
    #expect(table[first.use.index].users == 0 && table[first.use.index].content == nil)
    #expect(table.finish(first.jobs[0].key, nil, played: []).isEmpty)
    let second = table.add(sound, isPlaced: true)
    #expect(second.use.index == first.use.index && second.jobs.count == 1)
    #expect(
      table.finish(second.jobs[0].key, nil, played: []) == [second.use.index]
        && table[second.use.index].state == .failed
    )
    // While somebody uses it, it stays as it is.
    #expect(table.add(sound, isPlaced: true).jobs.isEmpty && table[second.use.index].state == .failed)
    table.removeUser(of: second.use)
    table.removeUser(of: second.use)
    let third = table.add(sound, isPlaced: true)
    #expect(third.jobs.count == 1 && table[third.use.index].state == .loading)
    let loaded = try load(third.jobs[0])
    _ = table.finish(third.jobs[0].key, loaded, played: [])
    table.removeUser(of: third.use)
    let fourth = table.add(sound, isPlaced: true)
    #expect(fourth.jobs.isEmpty && table[fourth.use.index].state == .ready && table[fourth.use.index].loaded === loaded)
    // Other samples replace the old samples, which go to the release queue.
    _ = table.takeReleased()
    let other = try load(third.jobs[0])
    _ = table.finish(third.jobs[0].key, other, played: [])
    #expect(table[fourth.use.index].loaded === other && table.released.count == 1)
    _ = table.finish(third.jobs[0].key, other, played: [])
    #expect(table.released.count == 1)
  }

  @Test func `A sound in another form leaves the first one`() throws {
    var table = SoundTable()
    let first = table.add(Sound(Self.pcm), isPlaced: true)
    let (use, jobs) = table.change(first.use, isPlaced: false)
    #expect(use.index != first.use.index && jobs.count == 1 && !jobs[0].key.isPlaced)
    #expect(table[first.use.index].users == 0 && table[use.index].users == 1 && !table[use.index].isPlaced)
    let (back, later) = table.change(use, isPlaced: true)
    #expect(back.index == first.use.index && later.count == 1 && table[use.index].users == 0)
    var varied = Sound(anyOfSamples: [Self.pcm, Self.pcm, Self.pcm])
    varied.choice = .sequence
    let family = table.add(varied, isPlaced: true)
    #expect(family.jobs.count == 3)
    let members = table.members(of: try #require(family.use.family))
    #expect(members.count == 3 && members[0] == family.use.index)
    let flat = table.change(family.use, isPlaced: false)
    #expect(flat.jobs.count == 3 && flat.use.family != family.use.family)
    let flatMembers = table.members(of: try #require(flat.use.family))
    #expect(flatMembers.allSatisfy { table[$0].users == 1 && !table[$0].isPlaced })
    #expect(members.allSatisfy { table[$0].users == 0 })
  }

  @Test func `The members of a family have a user for each emitter, and the choices outlive them`() throws {
    var table = SoundTable()
    var varied = Sound(anyOfSamples: [Self.pcm, Self.pcm, Self.pcm])
    varied.choice = .sequence
    table.setRandom(RandomSequence(seed: 1))
    let uses = (0..<3).map { _ in table.add(varied, isPlaced: true).use }
    #expect(Set(uses.map(\.family)).count == 1)
    let family = try #require(uses[0].family)
    let members = table.members(of: family)
    #expect(members.map { table[$0].users } == [3, 3, 3])
    #expect((0..<4).map { _ in table.draw(from: family).index } == members + [members[0]])
    // An emitter that now plays a sound from outside of the family is a user of both sounds.
    let other = table.add(Sound(Self.pcm), isPlaced: true).use
    var mixed = uses[2]
    mixed.index = other.index
    table.removeUser(of: mixed)
    #expect(members.map { table[$0].users } == [2, 2, 2] && table[other.index].users == 0)
    table.removeUser(of: uses[0])
    table.removeUser(of: uses[1])
    #expect(members.map { table[$0].users } == [0, 0, 0])
    let next = table.add(varied, isPlaced: true).use
    #expect(next.family == family && table.draw(from: family).index == members[1])
    table.setSeed(1)
    #expect(table.draw(from: family).index == members[0])
  }

  @Test func `Sounds that are gone leave their places to the next ones`() {
    var table = SoundTable()
    for round in 0..<200 {
      // The sound ends with its scope, and its emitter before it.
      do {
        let sound = Sound(Self.pcm)
        let use = table.add(sound, isPlaced: true).use
        table.removeUser(of: use)
      }
      _ = table.takeReleased()
      table.purge()
      #expect(table.entries.count == 1 && table.plays(of: table[0].identity).entries == 0, "round \(round)")
      #expect(table[0].state == .failed && table[0].loaded == nil)
    }
  }

  @Test func `Keys, banks and waiting emitters are found by what is loaded`() {
    var table = SoundTable()
    let content = SoundContent(name: "step", source: .samples(Self.pcm), bank: 9)
    var (first, second) = (Sound(contents: [content]), Sound(contents: [content]))
    (first.key, second.key) = ("b", "a")
    let uses = [first, second, first].map { table.add($0, isPlaced: true).use }
    let load = table[uses[0].index].loadKey
    #expect(table.keys(of: load) == ["a", "b"] && table.bank(of: load) == 9)
    #expect(table.job(for: uses[0].index)?.key == load && table[uses[1].index].state == .loading)
    table.addWaiting(4, for: uses[0].index)
    table.addWaiting(2, for: uses[1].index)
    table.addWaiting(4, for: uses[1].index)
    #expect(table.takeWaiting(for: [uses[0].index, uses[1].index]) == [2, 4])
    #expect(table.takeWaiting(for: [uses[0].index, uses[1].index]).isEmpty)
    for use in uses { table.removeUser(of: use) }
    #expect(table.bank(of: load) == nil && table.job(for: uses[0].index) == nil)
  }

  @Test func `A sound is described with all that it was made of`() {
    var table = SoundTable()
    for count in [1, 3] {
      var sound = Sound(anyOfSamples: Array(repeating: Self.pcm, count: count))
      sound.attenuation = DistanceAttenuation(referenceDistance: 2, maximumDistance: 30, rolloffFactor: 0.5)
      sound.rolloffCurve = RolloffCurve([.init(1, -3), .init(9, -30)])
      (sound.silentBeyond, sound.loopRange, sound.limit) = (40, 3..<9, PlaybackLimit(2, spacing: .seconds(1)))
      (sound.loudnessOfMany, sound.runsWhileLoading, sound.key) = (.compensated, true, "step")
      if count > 1 { (sound.choice, sound.pitchVariation, sound.levelVariation) = (.sequence, -1...2, -3...0) }
      let use = table.add(sound, isPlaced: true).use
      #expect((use.family != nil) == (count > 1))
      let contents = table.contents(of: use)
      #expect(contents.map(\.identity) == sound.variations.map(\.identity))
      let copy = table.sound(of: use, contents)
      #expect(copy.identity == sound.identity && copy.variations.map(\.identity) == sound.variations.map(\.identity))
      #expect(copy.attenuation == sound.attenuation && copy.rolloffCurve == sound.rolloffCurve)
      #expect(copy.silentBeyond == 40 && copy.loopRange == 3..<9 && copy.limit == sound.limit)
      #expect(copy.loudnessOfMany == .compensated && copy.runsWhileLoading && copy.key == "step")
      #expect(copy.choice == sound.choice && copy.pitchVariation == sound.pitchVariation)
      #expect(copy.levelVariation == sound.levelVariation)
      // The description counts as the same sound.
      let again = table.add(copy, isPlaced: true)
      #expect(again.jobs.isEmpty && again.use.index == use.index && again.use.family == use.family)
    }
  }
}

import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The sounds of a world: the users of their samples, the loads, and the samples that stay.
@Suite struct SoundTableTests {
  private static let format = PCMFormat.mono(sampleRate: 48_000)

  private static func content(_ name: String, bank: Int? = nil) -> SoundContent {
    SoundContent(
      name: name,
      source: .samples(TestSignal.silence(duration: .milliseconds(1), format: format)),
      bank: bank
    )
  }

  private static func loaded(_ content: SoundContent, in context: AudioContext) throws -> LoadedSound {
    try LoadedSound(content, LoadKey(content, isPlaced: true), convertsRate: true, in: context)
  }

  /// One use of a sound by an emitter, and the loads that it needs.
  private struct Life {
    var use: SoundTable.Use
    let contents: [Int]
    var isPlaced: Bool
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `Each entry counts its users, and whoever waits for samples has a job that brings them`(seed: UInt64) throws {
    let context = try OfflineRenderer(format: Self.format).context
    var random = SplitMix64(seed: seed)
    // The samples of a bank are loaded anew for each first user.
    let contents = (0..<4).map { Self.content("\($0)", bank: $0 < 2 ? nil : 1) }
    let samples = try contents.map { try Self.loaded($0, in: context) }
    // Sounds that share samples, two of them with variations.
    let sounds = [[0], [0], [1], [2, 1], [3, 0]].enumerated().map { index, list in
      var sound = Sound(contents: list.map { contents[$0] })
      sound.attenuation.rolloffFactor = Float(index)
      if index == 3 { sound.pitchVariation = -1...1 }
      return (sound, list)
    }
    var table = SoundTable()
    var lives: [Life] = []
    var jobs: [LoadKey: Int] = [:]
    var loads = 0
    for _ in 0..<1_000 {
      switch Int.random(in: 0..<7) {
      case 0, 1:
        guard lives.count < 12, let (sound, list) = sounds.randomElement(using: &random) else { break }
        let isPlaced = Bool.random(using: &random)
        let (use, new) = table.add(sound, isPlaced: isPlaced)
        #expect((use.family != nil) == (list.count > 1))
        for job in new { jobs[job.key, default: 0] += 1 }
        lives.append(Life(use: use, contents: list, isPlaced: isPlaced))
      case 2, 3:
        guard !lives.isEmpty else { break }
        let life = lives.remove(at: Int.random(in: 0..<lives.count))
        table.removeUser(of: life.use)
      case 4:
        guard !lives.isEmpty else { break }
        let index = Int.random(in: 0..<lives.count)
        lives[index].isPlaced.toggle()
        let (use, new) = table.change(lives[index].use, isPlaced: lives[index].isPlaced)
        for job in new { jobs[job.key, default: 0] += 1 }
        lives[index].use = use
      default:
        let waiting = jobs.keys.sorted { ($0.content, $0.isPlaced ? 1 : 0) < ($1.content, $1.isPlaced ? 1 : 0) }
        guard let load = waiting.randomElement(using: &random) else { break }
        jobs[load] = nil
        loads += 1
        let isFailure = Int.random(in: 0..<4) == 0
        let index = contents.firstIndex { $0.identity == load.content } ?? 0
        let found = table.finish(load, isFailure ? nil : samples[index], played: [])
        let expected = table.entries.indices.filter { table.entries[$0].users > 0 && table.entries[$0].loadKey == load }
        #expect(Set(found) == Set(expected.map { SoundIndex($0) }))
        for entry in found {
          #expect(table[entry].loaded === (isFailure ? nil : samples[index]))
          #expect(table[entry].state == (isFailure ? .failed : .ready))
        }
      }
      var counts = Array(repeating: 0, count: table.entries.count)
      for life in lives {
        let members = life.use.family.map { table.members(of: $0) } ?? [life.use.index]
        #expect(members.map { table[$0].content?.identity } == life.contents.map { contents[$0].identity })
        #expect(members.allSatisfy { table[$0].isPlaced == life.isPlaced } && members.contains(life.use.index))
        for member in members { counts[member.position] += 1 }
      }
      #expect(table.entries.map(\.users) == counts)
      for entry in table.entries {
        #expect((entry.content != nil) == (entry.users > 0))
        if entry.users > 0, entry.state == .loading { #expect((jobs[entry.loadKey] ?? 0) > 0) }
        if entry.state == .ready { #expect(entry.loaded != nil) }
      }
    }
    #expect(loads > 30 && table.entries.count <= 14)
  }

  @Test func `Samples are loaded once for all that use them, and stay for the next use`() throws {
    let context = try OfflineRenderer(format: Self.format).context
    let content = Self.content("hum")
    let loaded = try Self.loaded(content, in: context)
    var (first, second) = (Sound(contents: [content]), Sound(contents: [content]))
    second.identity = first.identity
    second.attenuation.rolloffFactor = 3
    (first.key, second.key) = ("hum", "hum")
    var table = SoundTable()
    let (a, jobs) = table.add(first, isPlaced: true)
    let (b, others) = table.add(second, isPlaced: true)
    let (again, none) = table.add(first, isPlaced: true)
    #expect(jobs.count == 1 && others.isEmpty && none.isEmpty && a.index == again.index && a.index != b.index)
    let load = jobs[0].key
    #expect(load.content == content.identity && load.isPlaced && load.loopRange == nil && jobs[0].content === content)
    #expect(table.keys(of: load) == ["hum"] && table.plays(of: first.identity).entries == 2)
    #expect(table.bank(of: load) == nil && table.keys(of: LoadKey(content: 0, isPlaced: true, loopRange: nil)) == [])
    table.addWaiting(4, for: a.index)
    table.addWaiting(2, for: b.index)
    table.addWaiting(4, for: b.index)
    #expect(Set(table.finish(load, loaded, played: [])) == [a.index, b.index])
    #expect(table.takeWaiting(for: [a.index, b.index]) == [2, 4] && table.takeWaiting(for: [a.index, b.index]) == [])
    // Other samples of the same load replace the first samples, which are released later.
    _ = table.takeReleased()
    #expect(table.finish(load, loaded, played: []).count == 2 && table.released.isEmpty)
    for use in [a, again, b] { table.removeUser(of: use) }
    #expect(table.released.count == 2 && table.entries.allSatisfy { $0.users == 0 && $0.loaded === loaded })
    #expect(table.finish(load, nil, played: []).isEmpty)
    let (next, reload) = table.add(first, isPlaced: true)
    #expect(next.index == a.index && reload.isEmpty && table[next.index].content === content)
    // Nobody uses the second one, and the first has its samples.
    table.purge()
    #expect(table.plays(of: first.identity).entries == 1 && table[b.index].loaded == nil)
    let (third, more) = table.add(second, isPlaced: true)
    #expect(third.index == b.index && more.isEmpty && table[third.index].loaded === loaded)
  }

  @Test func `The samples of a bank go with their last user, unless the bank keeps them`() throws {
    let context = try OfflineRenderer(format: Self.format).context
    let content = Self.content("hum", bank: 7)
    let loaded = try Self.loaded(content, in: context)
    let sound = Sound(contents: [content])
    for isKept in [false, true] {
      var table = SoundTable()
      let (use, jobs) = table.add(sound, isPlaced: true)
      #expect(table.bank(of: jobs[0].key) == 7)
      if isKept {
        table.addBank(7)
        _ = table.install(loaded, for: jobs[0].key, of: 7)
      }
      _ = table.finish(jobs[0].key, loaded, played: [])
      table.removeUser(of: use)
      #expect((table[use.index].loaded === loaded) == isKept && table.released.count == (isKept ? 1 : 2))
      #expect(table.bank(of: jobs[0].key) == nil)
      let (next, reload) = table.add(sound, isPlaced: true)
      #expect(next.index == use.index && reload.count == (isKept ? 0 : 1))
      // The bank releases what nobody plays; the next play loads it.
      _ = table.finish(jobs[0].key, loaded, played: [])
      _ = table.takeReleased()
      table.release(loaded, played: [next.index])
      #expect(table.released.count == 1 && table[next.index].loaded === loaded)
      table.release(loaded, played: [])
      #expect(table.released.count == 3 && table[next.index].loaded == nil)
      #expect(table[next.index].state == .released)
      let found = table.job(for: next.index)
      let job = try #require(found)
      #expect(job.key == jobs[0].key && job.content === content)
      #expect(table[next.index].state == .loading)
    }
  }

  @Test func `A sound that is gone leaves no entry, no plays and no choices behind`() throws {
    var table = SoundTable()
    for round in 0..<100 {
      var sound = Sound(contents: [Self.content("\(round)"), Self.content("\(round) b")])
      sound.choice = .sequence
      let (use, _) = table.add(sound, isPlaced: true)
      let family = try #require(use.family)
      table.setRandom(RandomSequence(seed: 1))
      let draws = (0..<3).map { _ in table.draw(from: family).index }
      #expect(draws == [0, 1, 0].map { table.members(of: family)[$0] })
      table.setSeed(1)
      #expect(table.draw(from: family).index == table.members(of: family)[0])
      table.removeUser(of: use)
      _ = table.takeReleased()
      if round == 10 {
        #expect(table.entries.count == 22)
        sound = Sound(contents: [])
        table.purge()
        #expect(table.entries.allSatisfy { $0.users == 0 && $0.content == nil })
      }
    }
    // The table purges itself when it would grow.
    #expect(table.entries.count <= 32, "\(table.entries.count)")
  }

  @Test func `The timeline of a player has an entry of its own, which goes with its user`() throws {
    let context = try OfflineRenderer(format: Self.format).context
    let first = try Self.loaded(Self.content("a"), in: context)
    let second = try Self.loaded(Self.content("b"), in: context)
    var table = SoundTable()
    let (a, b) = (table.addTimeline(first), table.addTimeline(first))
    #expect(a != b && table[a].identity != table[b].identity && table[a].loaded === first && table[a].state == .ready)
    #expect(table[a].content == nil && table.plays(of: table[a].identity).entries == 0 && table[a].limit == nil)
    #expect(table.keys(of: table[a].loadKey) == [])
    let content = try #require(table[a].reportedContent)
    #expect(content.identity == table[a].loadKey.content && content.name == "A sound in memory")
    table.setTimeline(second, of: a)
    #expect(table[a].loaded === second && table[b].loaded === first && table.released.count == 1)
    table.setTimeline(second, of: a)
    table.recount([SoundTable.Use(index: a), SoundTable.Use(index: b)])
    table.purge()
    #expect(table.released.count == 1 && table[a].users == 1 && table[b].users == 1)
    table.removeUser(of: SoundTable.Use(index: a))
    #expect(table[a].loaded == nil && table.released.count == 2 && table.entries.count == 2)
    let (use, jobs) = table.add(Sound(contents: [Self.content("c")]), isPlaced: true)
    #expect(use.index == a && jobs.count == 1 && !table[a].isTimeline && table[b].loaded === first)
  }

  @Test func `Newer samples take the place of old ones for the next play, in each family`() throws {
    let context = try OfflineRenderer(format: Self.format).context
    let (old, other, new) = (Self.content("a", bank: 1), Self.content("b", bank: 1), Self.content("a", bank: 1))
    var (single, family) = (Sound(contents: [old]), Sound(contents: [old, other]))
    (single.attenuation.rolloffFactor, family.attenuation.rolloffFactor) = (2, 3)
    var table = SoundTable()
    let uses = [single, single, family].map { table.add($0, isPlaced: true).use }
    for content in [old, other] {
      let load = LoadKey(content: content.identity, isPlaced: true, loopRange: nil)
      _ = table.finish(load, try Self.loaded(content, in: context), played: [])
    }
    #expect(!table.hasSuccessors)
    table.supersede(old.identity, by: new)
    table.recount(uses)
    #expect(table.hasSuccessors)
    let next = try #require(table[uses[0].index].successor)
    #expect(table[next].content === new && table[next].key.law == table[uses[0].index].key.law)
    let members = table.members(of: try #require(uses[2].family))
    #expect(members.map { table[$0].content === new } == [true, false])
    var moved: [SoundTable.Use] = []
    for use in uses { moved.append(table.moveToSuccessor(use)) }
    #expect(moved[0].index == next && moved[1].index == next && moved[2].index == members[0])
    #expect(!table.hasSuccessors && table[next].users == 2 && table[uses[0].index].users == 0)
    #expect(table.moveToSuccessor(moved[0]).index == next)
    for use in moved { table.removeUser(of: use) }
    #expect(table.entries.allSatisfy { $0.users == 0 && $0.content == nil && $0.successor == nil })
  }
}

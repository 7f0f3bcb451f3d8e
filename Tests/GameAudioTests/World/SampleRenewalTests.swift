import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// Samples in memory that are made anew after a change of the rate of the mix, one step at a time.
@Suite struct SampleRenewalTests {
  /// A state whose mix had 48,000 Hz and now has 44,100 Hz, and whose emitters have sounds of 24,000 Hz.
  private struct Scene {
    let contexts: [Int: AudioContext]
    var commands: CommandState
    let sound: Sound

    init(emitters: Int, _ sound: Sound? = nil, bank: Int? = nil) throws {
      var contexts: [Int: AudioContext] = [:]
      for rate in [44_100, 48_000] {
        contexts[rate] = try OfflineRenderer(format: .mono(sampleRate: rate)).context
      }
      self.contexts = contexts
      let format = PCMFormat.mono(sampleRate: 24_000)
      let tone = TestSignal.sine(frequency: 400, duration: .milliseconds(500), format: format)
      let content = SoundContent(name: "hum", source: .samples(tone), bank: bank)
      self.sound = sound ?? Sound(contents: [content])
      commands = try CommandState(
        Array(repeating: self.sound, count: emitters),
        mixesByFrames: true,
        in: contexts[48_000],
        bank: bank,
        convertsRate: true
      )
    }

    var playback: WorldPlayback {
      get { commands.state.playback }
      set { commands.state.playback = newValue }
    }

    func entry(of slot: EmitterSlot) -> SoundEntry { playback.scene.sounds[playback.scene.emitters[slot].sound] }

    func clock(of slot: EmitterSlot) -> LogicalClock { playback.scene.emitters[slot].clock }

    mutating func changeRate(to rate: Int) {
      var physics = playback.scene.time.physics
      // The frame is at the same time, and the tests change the rate at a whole frame of both.
      physics.frame = physics.frame * rate / physics.sampleRate
      physics.sampleRate = rate
      commands.state.adopt(physics)
    }

    /// Takes the work that the state has left, and returns the samples that it makes.
    mutating func renewals(at rate: Int) throws -> [(old: LoadedSound, new: LoadedSound)] {
      let context = try #require(contexts[rate])
      return try playback.outbox.takeJobs().map { job in
        let old = try #require(job.renewed)
        return (old, try LoadedSound(job.content, job.key, convertsRate: true, in: context))
      }
    }

    /// Makes all samples anew, as the thread that loads does.
    mutating func renew(at rate: Int) throws {
      for (old, new) in try renewals(at: rate) { playback.renew(old, with: new) }
    }
  }

  @Test func `Emitters that do not play have the new samples at once`() throws {
    var scene = try Scene(emitters: 2)
    #expect(scene.entry(of: 0).loaded?.frameCount == 24_000)
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    #expect(scene.entry(of: 0).loaded?.frameCount == 22_050 && !scene.playback.scene.sounds.hasSuccessors)
    #expect(scene.playback.outbox.jobs.isEmpty)
    scene.commands.state.play(0)
    #expect(scene.clock(of: 0).course.frameCount == 22_050 && abs(scene.clock(of: 0).step - 1) < 1e-9)
  }

  @Test func `Samples that no emitter has are made anew too, for the next play`() throws {
    var scene = try Scene(emitters: 1)
    scene.playback.removeSlot(0)
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    let (use, jobs) = scene.playback.scene.sounds.add(scene.sound, isPlaced: true)
    #expect(jobs.isEmpty && scene.playback.scene.sounds[use.index].loaded?.frameCount == 22_050)
  }

  @Test func `A loop keeps its samples until its next lap, and then its time of the lap`() throws {
    var scene = try Scene(emitters: 2)
    scene.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 0)
    scene.commands.state.play(0)
    scene.commands.tick(after: 6_400)
    scene.changeRate(to: 44_100)
    // Work that comes late changes nothing until it is done: the mixer converts the old samples.
    let place = scene.clock(of: 0).place(at: scene.playback.now)
    #expect(abs(place - 6_400) < 1e-6)
    try scene.renew(at: 44_100)
    #expect(scene.entry(of: 0).loaded?.frameCount == 24_000 && scene.playback.scene.sounds.hasSuccessors)
    #expect(scene.clock(of: 0).place(at: scene.playback.now) == place)
    // The idle emitter and a new emitter of the sound have the new samples.
    #expect(scene.entry(of: 1).loaded?.frameCount == 22_050)
    let (use, jobs) = scene.playback.scene.sounds.add(scene.sound, isPlaced: true)
    #expect(jobs.isEmpty && scene.playback.scene.sounds[use.index].loaded?.frameCount == 22_050)
    scene.playback.scene.sounds.removeUser(of: use)
    // 17,600 frames of 48,000 Hz are left of the lap.
    scene.commands.tick(after: 17_600 * 147 / 160 + 441)
    #expect(scene.entry(of: 0).loaded?.frameCount == 22_050 && !scene.playback.scene.sounds.hasSuccessors)
    // The mixer rounds its step: up to 3 frames in 17,600.
    #expect(abs(scene.clock(of: 0).place(at: scene.playback.now) - 441) < 3)
    #expect(scene.clock(of: 0).laps(at: scene.playback.now) == 1)
    scene.playback.scene.sounds.purge()
    #expect(scene.playback.scene.sounds.entries.filter { $0.loaded != nil }.count == 1)
  }

  @Test func `A paused emitter stands at its time, and a virtual emitter goes on in it`() throws {
    var scene = try Scene(emitters: 2)
    for slot in [0, 1] as [EmitterSlot] {
      scene.playback.scene.emitters[stored: slot].clock.setRepeats(.forever, at: 0)
      scene.commands.state.play(slot)
    }
    scene.commands.tick(after: 6_400)
    scene.commands.state.pause(0, .none)
    scene.playback.scene.emitters[stored: 1].gain = 0
    scene.playback.demote(1, isStolen: false)
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    scene.commands.tick(after: 17_600 * 147 / 160 + 441)
    #expect(scene.entry(of: 0).loaded?.frameCount == 24_000)
    #expect(abs(scene.clock(of: 0).place(at: scene.playback.now) - 6_400) < 1e-6)
    #expect(scene.entry(of: 1).loaded?.frameCount == 22_050)
    #expect(abs(scene.clock(of: 1).place(at: scene.playback.now) - 441) < 3)
    scene.commands.state.play(0)
    scene.commands.tick(after: 17_600 * 147 / 160 + 882)
    #expect(scene.entry(of: 0).loaded?.frameCount == 22_050 && !scene.playback.scene.sounds.hasSuccessors)
    #expect(abs(scene.clock(of: 0).place(at: scene.playback.now) - 882) < 3)
  }

  @Test func `A second change before the next lap leaves one successor`() throws {
    var scene = try Scene(emitters: 1)
    scene.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 0)
    scene.commands.state.play(0)
    scene.commands.tick(after: 1_600)
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    scene.changeRate(to: 48_000)
    try scene.renew(at: 48_000)
    let sounds = scene.playback.scene.sounds
    let next = try #require(scene.entry(of: 0).successor)
    #expect(sounds[next].loaded?.frameCount == 24_000 && sounds[next].successor == nil)
    #expect(sounds.entries.filter { $0.successor != nil }.count == 1)
    scene.commands.tick(after: 24_000)
    #expect(!scene.playback.scene.sounds.hasSuccessors && scene.entry(of: 0).loaded?.frameCount == 24_000)
  }

  @Test func `Samples that were made for a rate that is past are made again`() throws {
    var scene = try Scene(emitters: 1)
    scene.changeRate(to: 44_100)
    let late = try scene.renewals(at: 44_100)
    scene.changeRate(to: 48_000)
    // The samples of 48,000 Hz are in use, so that no job is left.
    #expect(scene.playback.outbox.takeJobs().isEmpty)
    for (old, new) in late { scene.playback.renew(old, with: new) }
    try scene.renew(at: 48_000)
    #expect(scene.entry(of: 0).loaded?.frameCount == 24_000 && scene.playback.outbox.jobs.isEmpty)
  }

  @Test func `Samples that arrive after the change are made anew`() throws {
    var scene = try Scene(emitters: 0)
    _ = scene.playback.add(scene.sound, isPlaced: true, bus: 0)
    let job = try #require(scene.playback.outbox.takeJobs().first)
    let context = try #require(scene.contexts[48_000])
    let sound = try LoadedSound(job.content, job.key, convertsRate: true, in: context)
    scene.changeRate(to: 44_100)
    scene.playback.finishLoading(sound, for: job.key)
    try scene.renew(at: 44_100)
    #expect(scene.entry(of: 0).loaded?.frameCount == 22_050)
  }

  @Test func `A bank counts the bytes of the new samples, and keeps to its budget`() throws {
    var scene = try Scene(emitters: 1, bank: 1)
    let load = scene.entry(of: 0).loadKey
    #expect(scene.playback.scene.sounds.kept.byteCount(of: 1) == 24_000 * 4)
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    #expect(scene.playback.scene.sounds.kept.byteCount(of: 1) == 22_050 * 4)
    #expect(scene.playback.scene.sounds.kept[load] === scene.entry(of: 0).loaded)
    scene.playback.scene.sounds.setBudget(23_000 * 4, ofBank: 1)
    scene.changeRate(to: 48_000)
    try scene.renew(at: 48_000)
    // The new samples are spared; the bank is over its budget, as with samples that play.
    #expect(scene.playback.scene.sounds.kept.byteCount(of: 1) == 24_000 * 4)
  }

  @Test func `A world that no longer converts leaves its samples as they are`() throws {
    var scene = try Scene(emitters: 1)
    scene.playback.scene.sounds.convertsRates = false
    scene.changeRate(to: 44_100)
    #expect(scene.playback.outbox.takeJobs().isEmpty)
    let sound = try #require(scene.entry(of: 0).loaded)
    #expect(!scene.playback.scene.sounds.needsRenewal(sound))
  }

  @Test func `Samples that a bank has released meanwhile are not made anew`() throws {
    var scene = try Scene(emitters: 1, bank: 1)
    let (load, sound) = (scene.entry(of: 0).loadKey, try #require(scene.entry(of: 0).loaded))
    scene.changeRate(to: 44_100)
    #expect(scene.playback.scene.sounds.needsRenewal(sound))
    scene.playback.drop([load])
    #expect(!scene.playback.scene.sounds.needsRenewal(sound))
  }

  @Test func `Samples with other frames do not replace the samples that an emitter plays`() throws {
    var scene = try Scene(emitters: 2, bank: 1)
    scene.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 0)
    scene.commands.state.play(0)
    scene.commands.tick(after: 6_400)
    let (load, old) = (scene.entry(of: 0).loadKey, try #require(scene.entry(of: 0).loaded))
    let content = try #require(scene.entry(of: 0).content)
    scene.playback.drop([load])
    #expect(scene.entry(of: 0).loaded === old)
    let context = try #require(scene.contexts[48_000])
    let stored = try LoadedSound(content, load, convertsRate: false, in: context)
    scene.playback.install(stored, for: load, of: 1)
    #expect(scene.entry(of: 0).loaded === old && scene.entry(of: 1).loaded === stored)
    #expect(abs(scene.clock(of: 0).place(at: scene.playback.now) - 6_400) < 1e-6)
    scene.commands.tick(after: 17_600 + 480)
    #expect(scene.entry(of: 0).loaded === stored && !scene.playback.scene.sounds.hasSuccessors)
    #expect(abs(scene.clock(of: 0).place(at: scene.playback.now) - 240) < 3)
  }

  @Test func `The successor of a loop that plays stays in a full bank`() throws {
    var scene = try Scene(emitters: 1, bank: 1)
    scene.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 0)
    scene.commands.state.play(0)
    scene.commands.tick(after: 1_600)
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    scene.playback.scene.sounds.setBudget(1, ofBank: 1)
    scene.playback.trim(1)
    let next = try #require(scene.entry(of: 0).successor)
    #expect(scene.playback.scene.sounds[next].loaded?.frameCount == 22_050)
  }

  @Test func `Samples of a file that was read again meanwhile are not replaced by older ones`() throws {
    var scene = try Scene(emitters: 1, bank: 1)
    scene.changeRate(to: 44_100)
    let late = try scene.renewals(at: 44_100)
    let content = try #require(scene.entry(of: 0).content)
    let new = content.copy(for: 1)
    let key = LoadKey(content: new.identity, isPlaced: true, loopRange: nil)
    let context = try #require(scene.contexts[44_100])
    let sound = try LoadedSound(new, key, convertsRate: true, in: context)
    scene.playback.install(sound, for: key, of: 1)
    scene.playback.supersede(content.identity, by: new)
    scene.playback.drop(scene.playback.scene.sounds.kept.keys(ofContent: content.identity))
    for (old, new) in late { scene.playback.renew(old, with: new) }
    #expect(scene.entry(of: 0).loaded === sound && scene.playback.scene.sounds.kept[key] === sound)
  }

  @Test func `All variations of a sound are made anew, and a loop of one goes over`() throws {
    let format = PCMFormat.mono(sampleRate: 24_000)
    let contents = [400, 600].map { frequency in
      let tone = TestSignal.sine(frequency: frequency, duration: .milliseconds(500), format: format)
      return SoundContent(name: "hum \(frequency)", source: .samples(tone))
    }
    var sound = Sound(contents: contents)
    sound.choice = .sequence
    var scene = try Scene(emitters: 2, sound)
    scene.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 0)
    scene.commands.state.play(0)
    scene.commands.tick(after: 6_400)
    let played = scene.playback.scene.emitters[0].sound
    scene.changeRate(to: 44_100)
    try scene.renew(at: 44_100)
    let family = try #require(scene.playback.scene.emitters.use(of: 0).family)
    let members = scene.playback.scene.sounds.members(of: family)
    #expect(members.count == 2 && !members.contains(played))
    #expect(members.allSatisfy { scene.playback.scene.sounds[$0].loaded?.frameCount == 22_050 })
    #expect(scene.entry(of: 0).loaded?.frameCount == 24_000)
    scene.commands.tick(after: 17_600 * 147 / 160 + 441)
    #expect(scene.entry(of: 0).loaded?.frameCount == 22_050 && !scene.playback.scene.sounds.hasSuccessors)
    #expect(members.contains(scene.playback.scene.emitters[0].sound))
    // Nothing is left of the older samples, and each use ends without a remainder.
    for slot in [0, 1] as [EmitterSlot] { scene.playback.end(slot, .stopped) }
    for slot in [0, 1] as [EmitterSlot] { scene.playback.removeSlot(slot) }
    scene.playback.scene.sounds.purge()
    let entries = scene.playback.scene.sounds.entries
    #expect(entries.allSatisfy { $0.users == 0 && $0.loaded.map { $0.frameCount == 22_050 } ?? true })
  }

  @Test func `Samples that a bank keeps for both forms are made anew for both`() throws {
    var scene = try Scene(emitters: 1, bank: 1)
    let (use, jobs) = scene.playback.scene.sounds.add(scene.sound, isPlaced: false)
    let old = try #require(scene.entry(of: 0).loaded)
    #expect(jobs.isEmpty && scene.playback.scene.sounds[use.index].loaded === old)
    scene.changeRate(to: 44_100)
    let renewals = try scene.renewals(at: 44_100)
    #expect(renewals.count == 1)
    for (old, new) in renewals { scene.playback.renew(old, with: new) }
    #expect(scene.playback.scene.sounds[use.index].loaded === renewals.first?.new)
    #expect(scene.entry(of: 0).loaded === renewals.first?.new)
  }

  @Test func `An entry that a purge removes in the middle gets no samples`() throws {
    let scene = try Scene(emitters: 0)
    var table = SoundTable()
    let content = SoundContent(
      name: "hum",
      source: .samples(TestSignal.silence(duration: .seconds(1), format: .mono(sampleRate: 24_000)))
    )
    let uses = (0..<4).map { index in
      var sound = Sound(contents: [content])
      sound.attenuation.rolloffFactor = Float(index)
      return table.add(sound, isPlaced: true).use
    }
    let key = LoadKey(content, isPlaced: true)
    let sounds = try [48_000, 44_100].map { rate in
      try LoadedSound(content, key, convertsRate: true, in: try #require(scene.contexts[rate]))
    }
    _ = table.finish(key, sounds[0], played: [])
    for use in uses.dropFirst() { table.removeUser(of: use) }
    // A table of 32 entries purges itself before it adds another entry.
    while table.entries.count < 32 {
      _ = table.add(Sound(contents: [SoundContent(name: "", source: .nothing)]), isPlaced: true)
    }
    let found = table.renew(sounds[0], with: sounds[1], played: [uses[0].index])
    #expect(found.isUsed && table[uses[0].index].loaded === sounds[0])
    #expect(table.entries.count == 32)
    let holders = table.allIndices.filter { table[$0].loaded === sounds[1] }
    #expect(holders.count >= 1 && holders.allSatisfy { table.indices[table[$0].key] == $0 })
  }

  @Test func `Samples that a bank alone has count as loaded with another setting`() throws {
    let scene = try Scene(emitters: 0)
    let tone = TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 24_000))
    let content = SoundContent(name: "hum", source: .samples(tone), bank: 1)
    let key = LoadKey(content, isPlaced: true)
    let context = try #require(scene.contexts[48_000])
    var table = SoundTable()
    table.addBank(1)
    #expect(table.areConvertedAlike)
    _ = table.install(try LoadedSound(content, key, convertsRate: false, in: context), for: key, of: 1)
    #expect(!table.areConvertedAlike)
    table.convertsRates = false
    #expect(table.areConvertedAlike)
  }
}

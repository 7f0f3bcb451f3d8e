import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The samples that banks keep, compared with a list in the order of the plays.
@Suite struct KeptSoundsTests {
  private struct Entry {
    let key: LoadKey
    let sound: LoadedSound
    let bank: Int
  }

  @Test func `The samples whose last play is the longest ago go first, but for those in use`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    var random = SplitMix64(seed: 81)
    // Mono and stereo sounds of 1 to 6 ms; both forms of a mono sound are the same samples.
    let loaded = try (0..<6).map { index in
      let format: PCMFormat = index < 3 ? .mono(sampleRate: 48_000) : .stereo(sampleRate: 48_000)
      let samples = TestSignal.noise(duration: .milliseconds(index + 1), format: format)
      let content = SoundContent(name: "\(index)", source: .samples(samples))
      return try [true, false].map { isPlaced in
        try LoadedSound(content, LoadKey(content, isPlaced: isPlaced), convertsRate: true, in: offline.context)
      }
    }
    for _ in 0..<60 {
      var kept = KeptSounds()
      var model: [Entry] = []
      /// The index in the model of a key, or of its other form if the samples are the same.
      func place(_ key: LoadKey) -> Int? {
        if let own = model.firstIndex(where: { $0.key == key }) { return own }
        let other = LoadKey(content: key.content, isPlaced: !key.isPlaced, loopRange: nil)
        return model.firstIndex { $0.key == other && $0.sound.channelCount == 1 && $0.sound.mixedChannels == 1 }
      }
      for _ in 0..<40 {
        let (index, isPlaced) = (Int.random(in: 0..<6, using: &random), Bool.random(using: &random))
        let key = LoadKey(content: index, isPlaced: isPlaced, loopRange: nil)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          #expect(kept.remove(key) === model.first { $0.key == key }?.sound)
          model.removeAll { $0.key == key }
        case 1, 2:
          kept.use(key)
          if let place = place(key) { model.append(model.remove(at: place)) }
        default:
          let bank = Int.random(in: 1...2, using: &random)
          let sound = loaded[index][isPlaced ? 0 : 1]
          kept.keep(sound, for: key, of: bank)
          model.removeAll { $0.key == key }
          model.append(Entry(key: key, sound: sound, bank: bank))
        }
        for index in 0..<6 {
          for isPlaced in [true, false] {
            let key = LoadKey(content: index, isPlaced: isPlaced, loopRange: nil)
            #expect(kept[key] === place(key).map { model[$0].sound })
          }
          #expect(kept.has(index, nil) == model.contains { $0.key.content == index } && !kept.has(index, 0..<3))
        }
        for bank in 1...2 {
          let own = model.filter { $0.bank == bank }
          #expect(kept.byteCount(of: bank) == own.reduce(0) { $0 + $1.sound.byteCount })
          #expect(Set(kept.keys(of: bank)) == Set(own.map(\.key)))
          let total = kept.byteCount(of: bank)
          for budget in [0, total / 2, total - 1, total, total + 1] {
            var (left, expected) = (total - budget, [LoadKey]())
            for entry in own where left > 0 && entry.key.content != 4 {
              expected.append(entry.key)
              left -= entry.sound.byteCount
            }
            #expect(kept.surplus(of: bank, over: budget) { key, _ in key.content == 4 } == expected)
          }
        }
      }
    }
    #expect(KeptSounds().byteCount(of: 1) == 0 && KeptSounds().surplus(of: 1, over: 0) { _, _ in false }.isEmpty)
  }

  @Test func `Samples without bytes are kept whatever the budget is`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let samples = TestSignal.noise(duration: .milliseconds(5), format: .mono(sampleRate: 48_000))
    let stream = Sound(streaming: "noise") { SampleReader(samples) }.variations[0]
    let memory = SoundContent(name: "noise", source: .samples(samples))
    var kept = KeptSounds()
    for (number, content) in [stream, memory].enumerated() {
      let sound = try LoadedSound(content, LoadKey(content, isPlaced: true), convertsRate: true, in: offline.context)
      kept.keep(sound, for: LoadKey(content: number, isPlaced: true, loopRange: nil), of: 1)
    }
    #expect(kept.surplus(of: 1, over: 0) { _, _ in false }.map(\.content) == [1])
  }

  @Test func `A bank reports each fault of a sound once, and a bank that is gone reports none`() {
    var kept = KeptSounds()
    kept.addBank(1)
    kept.addBank(2)
    #expect(kept.bankNumbers == [1, 2])
    #expect(kept.isNew(.mixedDown, of: "a", in: 1) && !kept.isNew(.mixedDown, of: "a", in: 1))
    #expect(kept.isNew(.mixedDown, of: "b", in: 1) && kept.isNew(.resampled, of: "a", in: 1))
    let isNewInOther = kept.isNew(.mixedDown, of: "a", in: 2)
    // A second addition keeps the bank.
    kept.addBank(1)
    let isNewAgain = kept.isNew(.resampled, of: "a", in: 1)
    #expect(isNewInOther && !isNewAgain)
    kept.removeBank(1)
    #expect(!kept.hasBank(1) && !kept.isNew(.resampled, of: "c", in: 1))
  }

  @Test func `An excess that samples in use leave is reported once, until the bank is within its budget`() throws {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    var kept = KeptSounds()
    kept.addBank(1)
    kept.setBudget(1_000, of: 1)
    let samples = TestSignal.noise(duration: .milliseconds(20), format: .mono(sampleRate: 48_000))
    let content = SoundContent(name: "noise", source: .samples(samples))
    let sound = try LoadedSound(content, LoadKey(content, isPlaced: true), convertsRate: true, in: context)
    let key = LoadKey(content: content.identity, isPlaced: true, loopRange: nil)
    kept.keep(sound, for: key, of: 1)
    #expect(kept.isOverBudget(1))
    let excess = KeptSounds.Excess(byteCount: sound.byteCount, budget: 1_000)
    for expected in [excess, nil] {
      let (removed, reported) = kept.trim(1) { _, _ in true }
      #expect(removed.isEmpty && reported == expected)
    }
    let (removed, reported) = kept.trim(1) { _, _ in false }
    #expect(removed.map { $0 === sound } == [true] && reported == nil && kept.byteCount(of: 1) == 0)
    kept.keep(sound, for: key, of: 1)
    #expect(kept.trim(1) { _, _ in true }.excess == excess)
  }
}

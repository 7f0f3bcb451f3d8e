import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The numbers that limits compare, kept up to date at each change of an emitter's state.
@Suite struct LimitCountTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `The counts are those of all emitters after any calls`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 8)
    let outer = world.mixer.makeBus("outer")
    let inner = world.mixer.makeBus("inner", in: outer)
    let buses = [world.mixer.main, outer, inner, world.mixer.makeBus("flat", kind: .direct)]
    outer.limit = PlaybackLimit(6, whenReached: .virtualize)
    var sounds = [Sound.tone(.milliseconds(150)), Sound.tone(.seconds(9)), Sound.tone(.milliseconds(60))]
    sounds[0].limit = PlaybackLimit(4, whenReached: .virtualize)
    sounds[1].limit = PlaybackLimit(5)
    sounds[2].pitchVariation = -1...1
    var emitters: [Emitter] = []
    for _ in 0..<600 {
      let index = Int.random(in: 0..<20, using: &random)
      let bus = buses.randomElement(using: &random) ?? buses[0]
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2 where emitters.count < 20:
        emitters.append(Emitter(playing: sounds.randomElement(using: &random) ?? sounds[0], in: world, on: bus))
        emitters.last?.play()
      case 3 where index < emitters.count: emitters.remove(at: index)
      case 4 where index < emitters.count: emitters[index].play()
      case 5 where index < emitters.count: emitters[index].pause()
      case 6 where index < emitters.count: emitters[index].stop(Fade(.milliseconds(40)))
      case 7 where index < emitters.count: emitters[index].bus = bus
      case 8: if Bool.random(using: &random) { bus.pause() } else { bus.resume() }
      default: offline.render(frameCount: 700)
      }
      #expect(world.inspector.state.wrongCounts.isEmpty)
    }
    // The emitters that were virtual in vain have left the list.
    for bus in buses { while bus.isPaused { bus.resume() } }
    emitters = []
    offline.render(.seconds(1))
    #expect(world.inspector.limitedCount == 0)
  }

  @Test func `Emitters that a limit keeps virtual get their voices in the order of their plays`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound.tone(.seconds(20))
    sound.limit = PlaybackLimit(1, whenReached: .virtualize)
    let emitters = (0..<5).map { _ in Emitter(playing: sound, in: world) }
    for emitter in emitters { emitter.play() }
    emitters[2].stop()
    for (ended, next) in [(0, 1), (1, 3), (3, 4)] {
      emitters[ended].stop()
      offline.render(.milliseconds(100))
      #expect(emitters.indices.filter { emitters[$0].isPlaying && !emitters[$0].isVirtual } == [next])
    }
  }

  @Test func `A pause makes room for an emitter that a limit keeps virtual`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound.tone(.seconds(20))
    sound.limit = PlaybackLimit(1, whenReached: .virtualize)
    let emitters = (0..<2).map { _ in Emitter(playing: sound, in: world) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(50))
    #expect(emitters[1].isVirtual)
    emitters[0].pause()
    offline.render(.milliseconds(50))
    #expect(!emitters[1].isVirtual)
  }

  @Test(arguments: [PlaybackLimit(2), nil])
  func `A higher limit of a bus, or none, makes room for an emitter that it keeps virtual`(limit: PlaybackLimit?) throws
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("steps")
    bus.limit = PlaybackLimit(1, whenReached: .virtualize)
    let emitters = (0..<2).map { _ in Emitter(playing: Sound.tone(.seconds(20)), in: world, on: bus) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(50))
    #expect(emitters[1].isVirtual)
    bus.limit = limit
    offline.render(.milliseconds(50))
    #expect(!emitters[0].isVirtual && !emitters[1].isVirtual)
  }

  @Test func `The order of the beginnings survives the wrap of its number`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.inspector.lastOrder = .max - 2
    var sound = Sound.tone(.seconds(20))
    sound.limit = PlaybackLimit(4, whenReached: .stealOldest)
    let emitters = (0..<8).map { _ in Emitter(playing: sound, in: world) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(50))
    #expect(emitters.indices.filter { emitters[$0].isPlaying } == [4, 5, 6, 7])
  }
}

extension WorldState {
  /// The sounds and the buses whose counts differ from a count of all emitters.
  fileprivate var wrongCounts: [String] {
    let counting = playback.scene.emitters.indices.filter { slot in
      let record = playback.scene.emitters[slot]
      return record.isUsed && record.counts
        && !playback.scene.mixer.buses[playback.scene.emitters.bus(of: slot)].totals.isPaused
    }
    var wrong: [String] = []
    for index in playback.scene.mixer.buses.indices {
      let count = counting.count {
        playback.scene.mixer.buses.isBus(playback.scene.emitters.bus(of: $0), inside: index)
      }
      if playback.scene.mixer.buses[index].counted != count {
        wrong.append(
          "\(playback.scene.mixer.buses[index].name): \(playback.scene.mixer.buses[index].counted), not \(count)"
        )
      }
    }
    for entry in playback.scene.sounds.entries where entry.users > 0 {
      let count = counting.count {
        playback.scene.sounds[playback.scene.emitters[$0].sound].identity == entry.identity
      }
      let counted = playback.scene.sounds.plays(of: entry.identity).counted
      if counted != count { wrong.append("sound \(entry.identity): \(counted), not \(count)") }
    }
    return wrong
  }
}

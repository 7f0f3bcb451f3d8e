import GameAudio
import Spatial3DTesting
import Synchronization

/// A world and all that the threads of a soak share.
final class CrowdScene: Sendable {
  let world: AudioWorld
  let sounds: [Sound]
  let buses: [Bus]
  let ledger = EndLedger()
  /// A tone that plays throughout, so that a silence in the recording is a gap.
  let drone: Emitter
  /// The emitters that threads give away: another thread releases them.
  private let discarded = Mutex<[Emitter]>([])

  init(in context: AudioContext) {
    world = AudioWorld(in: context, voiceLimit: 24)
    world.listener.gain = 0.1
    let effects = world.mixer.makeBus("effects")
    effects.limit = PlaybackLimit(400, whenReached: .stealOldest)
    buses = [world.mixer.main, effects, world.mixer.makeBus("steps", in: effects)]
    sounds = Self.sounds
    drone = Emitter(playing: Sound(Self.tone(550, seconds: 3)), in: world)
    drone.position = [0, 0, -1]
    (drone.repeats, drone.priority) = (.forever, .mustBeHeard)
  }

  func discard(_ emitter: Emitter) { discarded.withLock { $0.append(emitter) } }

  /// Releases what threads have given away.
  func releaseDiscarded() {
    let emitters = discarded.withLock { discarded in
      defer { discarded = [] }
      return discarded
    }
    withExtendedLifetime(emitters) {}
  }

  /// Sines of 400 to 700 Hz, whose ends are faded: no step of their mix is steep.
  private static var sounds: [Sound] {
    var sounds: [Sound] = []
    for (index, seconds) in [0.05, 0.4, 1.1, 2.7, 4].enumerated() {
      let tone = tone(400 + 75 * Double(index), seconds: seconds)
      sounds.append(Sound(tone))
      var looping = Sound(tone)
      // Whole periods: 1,920 frames hold a whole number of them at each frequency.
      if seconds > 1 { looping.loopRange = 9_600..<9_600 + 20 * 1_920 }
      sounds.append(looping)
      let overflows: [PlaybackLimit.Overflow] = PlaybackLimit.Overflow.allCases
      var limited = Sound(tone)
      limited.limit = PlaybackLimit(6, whenReached: overflows[index % overflows.count], spacing: .milliseconds(index))
      limited.loudnessOfMany = index.isMultiple(of: 2) ? .compensated : .added
      limited.silentBeyond = 40
      sounds.append(limited)
      if seconds > 1 { sounds.append(Sound(streaming: "tone") { SampleReader(tone) }) }
    }
    return sounds
  }

  private static func tone(_ frequency: Double, seconds: Double) -> PCMBuffer<Float> {
    TestSignal.sine(
      frequency: frequency,
      duration: .seconds(seconds),
      format: .mono(sampleRate: 48_000),
      fade: .milliseconds(20)
    )
  }
}

import Spatial3DTesting
import Testing

@testable import GameAudio

/// What follows from the state of an emitter, of a voice and of a line of a snapshot alone.
@Suite struct StatusTests {
  private static let statuses: [EmitterRecord.Status] = [
    .idle, .loading, .playing, .paused, .pausedBeforeStart, .stopping, .pausing,
  ]

  @Test func `The questions to an emitter follow from its state`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, voiceLimit: 1)
    let sound = Sound(TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000)))
    let emitter = Emitter(playing: sound, in: world)
    for status in Self.statuses {
      for (voice, isHeld) in [(nil, false), (0, false), (nil, true)] as [(VoiceIndex?, Bool)] {
        var record = emitter.inspector.record
        (record.status, record.voice, record.isLimited) = (status, voice, isHeld)
        emitter.inspector.record = record
        #expect(emitter.isPlaying == ![.idle, .paused, .pausedBeforeStart].contains(status), "\(status)")
        #expect(emitter.isPaused == [.paused, .pausedBeforeStart, .pausing].contains(status), "\(status)")
        #expect(emitter.isVirtual == (status == .playing && voice == nil), "\(status)")
        #expect(record.counts == ((status == .playing || status == .loading) && !isHeld), "\(status)")
        #expect(record.isSounding == [.playing, .stopping, .pausing].contains(status), "\(status)")
      }
    }
    var record = emitter.inspector.record
    (record.status, record.voice, record.isLimited) = (.idle, nil, false)
    emitter.inspector.record = record
  }

  @Test func `A voice is taken while it is opened, sounds or rests`() {
    let states: [(Voice.State, Bool)] = [
      (.free, false), (.opening, true), (.sounding, true), (.resting, true), (.silencing, false),
      (.silenced(turn: 1), false), (.fading(since: 0, steps: 0), false), (.stopped(at: 0), false), (.draining, false),
    ]
    for (state, isTaken) in states { #expect(Voice(state: state).isTaken == isTaken, "\(state)") }
    #expect(VirtualBehavior.allCases.map(\.stopsClock) == [false, true, true, false])
  }

  @Test func `A line of a snapshot is virtual while it sounds, has no voice and does not wait`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, voiceLimit: 1)
    var snapshot = world.snapshot()
    var (real, virtual) = (0, 0)
    for state in WorldSnapshot.State.allCases {
      let isSounding = [.playing, .stopping, .pausing].contains(state)
      #expect(state.isSounding == isSounding)
      for (voice, isWaiting) in [(nil, nil), (nil, true), (nil, false), (3, nil), (3, true)] as [(Int?, Bool?)] {
        var emitter = WorldSnapshot.Emitter(
          id: 1,
          sound: "",
          state: state,
          bus: "main",
          place: 0,
          level: 0,
          gain: .unity
        )
        (emitter.voice, emitter.isWaiting) = (voice, isWaiting)
        var player = WorldSnapshot.Player(id: 2, sound: "", state: state, bus: "main", place: 0, level: 0, volume: 1)
        (player.voice, player.isWaiting) = (voice, isWaiting)
        let isVirtual = isSounding && voice == nil && isWaiting != true
        #expect(emitter.isVirtual == isVirtual && player.isVirtual == isVirtual)
        snapshot.emitters.append(emitter)
        // One player for each second emitter, so that the sums differ from one kind to the other.
        if snapshot.emitters.count.isMultiple(of: 2) { snapshot.players.append(player) }
        let count = snapshot.emitters.count.isMultiple(of: 2) ? 2 : 1
        if voice != nil { real += count }
        if isVirtual { virtual += count }
      }
    }
    #expect(snapshot.realCount == real && snapshot.virtualCount == virtual && virtual > 6)
  }

  @Test func `A moment is the nearest frame of another rate, and the same one without a rate`() {
    let moments: [(frame: Int, rate: Int, other: Int, expected: Int)] = [
      (48_000, 48_000, 44_100, 44_100), (44_100, 44_100, 48_000, 48_000), (1, 48_000, 24_000, 1),
      (3, 48_000, 24_000, 2), (-480, 48_000, 96_000, -960), (7, 48_000, 48_000, 7), (7, 0, 48_000, 7),
      (7, -1, 48_000, 7), (.max, 1, 96_000, .max), (0, 48_000, 44_100, 0),
    ]
    for row in moments {
      #expect(MixMoment(frame: row.frame, sampleRate: row.rate).frame(at: row.other) == row.expected, "\(row)")
    }
  }

  @Test func `A reading of a meter lies between silence and full scale`() {
    let cases: [(Float, Float)] = [(0, -160), (1e-9, -160), (1e-8, -160), (0.01, -40), (0.1, -20), (1, 0), (9, 0)]
    for (gain, level) in cases {
      let (average, peak) = (MeterReading(average: gain, peak: 1), MeterReading(average: 1, peak: gain))
      #expect(abs(average.average.rawValue - level) < 1e-4 && average.peak == 0, "\(gain)")
      #expect(abs(peak.peak.rawValue - level) < 1e-4 && peak.average == 0, "\(gain)")
    }
  }

  @Test func `An emitter and a bus are those of their world and index`() throws {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let (world, other) = (
      AudioWorld(in: offline.context, voiceLimit: 1), AudioWorld(in: offline.context, voiceLimit: 1)
    )
    let music = world.mixer.makeBus("music")
    #expect(music == world.mixer.makeBus("music") && music != world.mixer.main && music != other.mixer.makeBus("music"))
    #expect(world.mixer.main != other.mixer.main)
    #expect(Set([music, world.mixer.makeBus("music"), world.mixer.main, other.mixer.main]).count == 3)
    #expect(music.parent == world.mixer.main && world.mixer.main.parent == nil && music.description == "music")
    #expect(world.mixer.makeBus("in", in: music).parent == music)
    #expect(world.mixer.makeBus("of", in: other.mixer.makeBus("music")).parent == world.mixer.main)
    #expect(world.mixer.buses.map(\.name) == ["main", "music", "in", "of"])
  }
}

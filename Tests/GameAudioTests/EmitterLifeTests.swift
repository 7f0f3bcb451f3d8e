import Foundation
import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The ends of emitters, compared with a model that knows only the calls and the frames.
@Suite struct EmitterLifeTests {
  /// The life of one emitter, in frames of the mix.
  private struct Model {
    var length = 0
    var repeats = 0
    /// The frame at which the sound ends; `nil` while it does not play.
    var end: Int?
    /// The frames that are left of a paused sound.
    var left: Int?
    /// The frame of the tick at which a stop ends its fade.
    var stopped: Int?
    var reasons: [EmitterEvent.Reason] = []
    var began = 0

    mutating func play(at frame: Int) {
      if let left {
        (end, self.left) = (frame + left, nil)
        return
      }
      if end != nil { reasons.append(.stopped) }
      (began, end, stopped) = (frame, frame + length * (repeats + 1), nil)
    }

    mutating func pause(at frame: Int) {
      guard let end, stopped == nil else { return }
      (left, self.end) = (end - frame, nil)
    }

    mutating func stop(at frame: Int, isHeard: Bool) {
      guard end != nil || left != nil else { return }
      if left != nil || !isHeard {
        (end, left, stopped) = (nil, nil, nil)
        reasons.append(.stopped)
      } else {
        // The fade of 480 frames ends with the first tick after it.
        stopped = (frame + 480 + 511) / 512 * 512
      }
    }

    mutating func tick(at frame: Int) {
      if let stopped, stopped <= frame {
        (end, self.stopped) = (nil, nil)
        reasons.append(.stopped)
      }
      if let end, end <= frame {
        (self.end, stopped) = (nil, nil)
        reasons.append(.played)
      }
    }
  }

  /// An emitter, its model, and the reasons that it reported.
  private final class Life {
    let emitter: Emitter
    var model = Model()
    let reasons = Collected<EmitterEvent>()
    let token: NotificationToken

    init(_ emitter: Emitter) {
      self.emitter = emitter
      let reasons = reasons
      token = emitter.observe { reasons.append($0) }
    }

    var ends: [EmitterEvent.Reason] {
      reasons.all.compactMap { if case .ended(let reason) = $0 { reason } else { nil } }
    }
  }

  @Test func `In 600 random lives each end is reported once, with its reason`() throws {
    var random = SplitMix64(seed: 206)
    for _ in 0..<25 {
      var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      let world = AudioWorld(in: offline.context, voiceLimit: 24)
      // Near, or so far away that it has no voice.
      func place() -> SIMD3<Float> { [0, 0, Bool.random(using: &random) ? -1 : -1e6] }
      let lengths = [1_000, 4_801, 20_000, 48_000]
      let sounds = lengths.map {
        Sound(TestSignal.noise(duration: .seconds(Double($0) / 48_000), format: .mono(sampleRate: 48_000)))
      }
      let lives = (0..<24).map { _ in
        let index = Int.random(in: 0..<4, using: &random)
        let life = Life(Emitter(playing: sounds[index], in: world))
        life.model.length = lengths[index]
        life.model.repeats = Int.random(in: 0...2, using: &random)
        life.emitter.repeats = .times(life.model.repeats)
        life.emitter.position = place()
        return life
      }
      var drained: [EmitterNotification] = []
      world.takeEvents(into: &drained)
      var all: [EmitterNotification] = []
      var frame = 0
      for _ in 0..<120 {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          guard let life = lives.randomElement(using: &random) else { continue }
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1:
            life.model.play(at: frame)
            life.emitter.play()
          case 2:
            life.model.pause(at: frame)
            life.emitter.pause(.none)
          case 3:
            let isStopping = life.model.stopped != nil
            if !isStopping { life.model.stop(at: frame, isHeard: !life.emitter.isVirtual) }
            if !isStopping { life.emitter.stop() }
          default:
            // A sound whose first voice comes within 50 ms begins then.
            if frame - life.model.began > 3_000 { life.emitter.position = place() }
          }
        }
        let frames = Int.random(in: 1...4_000, using: &random)
        offline.render(frameCount: frames)
        for tick in stride(from: (frame + 511) / 512 * 512, to: frame + frames, by: 512) {
          for life in lives { life.model.tick(at: tick) }
        }
        frame += frames
        world.takeEvents(into: &drained)
        all += drained
      }
      for life in lives {
        #expect(life.ends == life.model.reasons)
        let taken = all.filter { $0.emitter == life.emitter.id }.map(\.event)
        #expect(taken.filter { if case .ended = $0 { true } else { false } }.count == life.model.reasons.count)
        #expect(life.emitter.isPlaying == (life.model.end != nil))
      }
    }
  }

  @Test(arguments: [1, 3, 7, 80], [0.01, 0.05, 0.3])
  func `A sound that repeats n times is heard n + 1 times, to the sample`(times: Int, seconds: Double) throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let ramp = TestSignal.noise(duration: .seconds(seconds), format: .mono(sampleRate: 48_000))
    let emitter = Emitter(playing: Sound(ramp), in: world)
    (emitter.repeats, emitter.position) = (.times(times), [0, 0, -1])
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    let expected = Array(repeatElement(ramp.samples, count: times + 1).joined())
    let mix = offline.render(frameCount: expected.count + 4_800).samples
    let difference = zip(mix, expected).map { abs($0 - $1) }
    #expect(difference.max() ?? 1 < 1e-5)
    // OpenAL Soft 1.25 holds the last sample until the end of its mix.
    #expect(mix.dropFirst(expected.count + 512).allSatisfy { $0 == 0 })
    let laps = events.all.reduce(0) { if case .looped(let count) = $1 { $0 + count } else { $0 } }
    #expect(laps == times)
    #expect(events.all.last == .ended(.played))
    withExtendedLifetime(token) {}
  }

  @Test func `A released emitter fades out, and one that is played once plays to its end`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: .mono(sampleRate: 48_000)))
    var emitter: Emitter? = Emitter(playing: tone, in: world)
    emitter?.position = [0, 0, -1]
    emitter?.play()
    offline.render(.milliseconds(100))
    emitter = nil
    let end = offline.render(.milliseconds(100))
    #expect(end.clicks(highestFrequency: 500).isEmpty)
    #expect(end.frames(2_048..<4_800).isSilent())
    world.playOnce(tone, at: [0, 0, -1])
    let once = offline.render(.milliseconds(1_100))
    #expect(!once.frames(40_000..<47_900).isSilent())
    #expect(once.frames(48_512..<52_800).isSilent())
    // All slots are free again: the next emitter gets the first.
    #expect(world.inspector.usedSlotCount == 0)
  }

  @Test func `A pause keeps the place to the sample`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    world.convertsSampleRates = false
    let tone = TestSignal.sine(frequency: 441, duration: .seconds(2), format: .mono(sampleRate: 44_100))
    let emitter = Emitter(playing: Sound(tone), in: world)
    emitter.play()
    offline.render(frameCount: 20_000)
    emitter.pause()
    offline.render(frameCount: 30_000)
    #expect(emitter.isPaused && !emitter.isPlaying)
    let place = emitter.playbackTime
    #expect(offline.render(frameCount: 10_000).isSilent())
    #expect(emitter.playbackTime == place)
    emitter.play()
    let mix = offline.render(frameCount: 20_000).samples
    // The mixer's own step: a rounded ratio of the rates.
    let step = offline.context.mixStep(pitch: 1, sampleRate: 44_100) / 44_100
    let sine = mix.indices.map { index in
      Float(0.5 * sin(2 * Double.pi * 441 * (place / .seconds(1) + Double(index) * step)))
    }
    let error = zip(mix, sine).dropFirst(1_024).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 0.01)
  }

  @Test func `A file that is missing ends its emitters, and a diagnostic names it`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let diagnostics = Collected<Diagnostic>()
    offline.context.onDiagnostic = { diagnostics.append($0) }
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound("no such file.ogg"), in: world)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(.milliseconds(20))
    #expect(events.all == [.ended(.failed)])
    #expect(diagnostics.all.map(\.code) == [.soundUnavailable])
    #expect(diagnostics.all.first?.message.contains("no such file.ogg") == true)
    withExtendedLifetime(token) {}
  }

  @Test func `A handler may use the world, and release the emitter that it is called for`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let click = Sound(TestSignal.noise(duration: .milliseconds(30), format: .mono(sampleRate: 48_000)))
    let chain = Collected<Emitter>()
    let tokens = Collected<NotificationToken>()
    @Sendable func next() {
      guard chain.all.count < 10 else { return }
      let emitter = Emitter(playing: click, in: world)
      chain.append(emitter)
      tokens.append(
        emitter.observe { event in
          guard event == .ended(.played) else { return }
          world.update { world.listener.gain = 0.5 }
          next()
        }
      )
      emitter.play()
    }
    next()
    offline.render(.seconds(1))
    #expect(chain.all.count == 10)
    #expect(chain.all.allSatisfy { !$0.isPlaying })
    // The closures hold the list of tokens, which hold the closures.
    tokens.removeAll()
  }
}

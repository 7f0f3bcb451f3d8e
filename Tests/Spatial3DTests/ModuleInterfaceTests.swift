import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The parts of the module that only other modules of this package use.
@Suite struct ModuleInterfaceTests {
  @Test func `The physics of a context are its mix's and its scene's`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 44_100))
    let context = offline.context
    (context.dopplerFactor, context.speedOfSound, context.distanceModel) = (2, 171.65, .linear)
    _ = offline.render(frameCount: 777)
    let physics = context.physics
    #expect(physics.frame == 777 && physics.sampleRate == 44_100 && physics.distanceModel == .linear)
    #expect(physics.doppler.factor == 4 && physics.step == MixStep(version: context.handle.version))
    let version = try #require(context.handle.version)
    #expect(physics.filterStep == (version < LibraryVersion(1, 25, 0) ? 0.25 : 0.5))
    #expect(context.device.mixesByFrames && context.device.mixesOnRequest)
    let silent = try AudioContext(device: .silent)
    #expect(silent.device.mixesByFrames && !silent.device.mixesOnRequest)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `An output mixes by itself`() throws {
    let device = try AudioDevice()
    #expect(!device.mixesByFrames && !device.mixesOnRequest)
  }

  @Test func `Effect units are numbered in the order in which they are made`() throws {
    var offline = try OfflineRenderer(format: Rooms.mono)
    let first = try EffectUnit(.compressor, in: offline.context)
    _ = offline.render(frameCount: 300)
    let second = try EffectUnit(.compressor, in: offline.context)
    #expect(first.number < second.number && EffectUnit.lastNumber >= second.number)
    #expect(first.firstFrame == 0 && second.firstFrame == 300)
  }

  @Test func `A unit's equalizers are as many as its fit has stages`() throws {
    let offline = try OfflineRenderer(format: Rooms.mono)
    let wide = ParametricEqualizer(frequency: 1_000, bandwidth: 3, level: 6)
    let unit = try EffectUnit(.reverb(Reverb(.smallRoom, equalizer: wide)), in: offline.context)
    let count = offline.context.handle.canChainEffects ? 2 : 0
    #expect(unit.slots.withLock { $0.equalizers.count } == count)
    unit.effect = .reverb(Reverb(.smallRoom))
    #expect(unit.slots.withLock { $0.equalizers.count } == count)
    unit.effect = .reverb(Reverb(.plate, equalizer: wide))
    #expect(unit.slots.withLock { $0.equalizers.count } == count)
    // The reverbs of a context's room have as many equalizers.
    let context = offline.context
    func counts() -> [Int] {
      context.state.withLock { $0.scene.room.units.compactMap { $0?.equalizers.count } }
    }
    context.reverb = Reverb(.smallRoom, equalizer: wide)
    #expect(counts() == [count])
    context.reverb = Reverb(.plate, equalizer: wide)
    #expect(counts() == [count])
  }

  @Test func `The end of one send is silent, and leaves the others at their indices`() throws {
    var settings = OutputSettings()
    settings.auxiliarySendLimit = 4
    var offline = try OfflineRenderer(format: Rooms.mono, settings: settings)
    let context = offline.context
    let source = try Scenes.noise(in: context)
    let units = try (0..<3).map { _ in try EffectUnit(.equalizer(.init()), in: context) }
    func level() -> Double {
      _ = offline.render(frameCount: 4_800)
      return energy(of: offline.render(frameCount: 24_000).channel(0))
    }
    let dry = level()
    source.effectSends = units.prefix(2).map { EffectSend(to: $0) }
    let wet = level()
    source.endSend(to: units[2])
    #expect(source.effectSends == units.prefix(2).map { EffectSend(to: $0) })
    source.endSend(to: units[0])
    #expect(source.effectSends == [EffectSend(to: units[1])])
    let sends = context.state.withLock { $0.records[source.key].scene.effectSends.sends.map(\.slot) }
    #expect(sends == [0, units[1].slot])
    let one = level()
    source.endSend(to: units[1])
    // Equal sounds add up.
    #expect(abs(wet - dry - 9.54) < 0.3 && abs(one - dry - 6.02) < 0.3 && abs(level() - dry) < 0.3)
  }

  @Test func `A subscription of a module is delivered by its context`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let found = Lock<[ContextEvent.Kind]>([])
    let subscription = Subscription<ContextEvent>(calling: { event in found.withLock { $0.append(event.kind) } })
    #expect(!subscription.post(ContextEvent(kind: .deviceLost, framePosition: 5), in: offline.context))
    #expect(found.withLock { $0 } == [])
    offline.context.deliverNotifications()
    #expect(found.withLock { $0 } == [.deviceLost])
    subscription.post(ContextEvent(kind: .outputChanged, framePosition: 6), in: offline.context)
    subscription.finish(in: offline.context)
    #expect(!subscription.post(ContextEvent(kind: .deviceLost, framePosition: 7), in: offline.context))
    offline.context.deliverNotifications()
    #expect(found.withLock { $0 } == [.deviceLost, .outputChanged])
  }

  @Test func `A task of a module that waits ends with its subscription`() async throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let subscription = Subscription<ContextEvent>(calling: nil)
    let task = Task { await subscription.next()?.kind }
    subscription.finish(in: context)
    try await eventually("the task has ended") {
      context.deliverNotifications()
      return true
    }
    #expect(await task.value == nil)
  }

  @Test func `A token of a module calls its closure once, at its end or before`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let count = Lock(0)
    func token() -> NotificationToken { .init(in: offline.context) { _ in count.withLock { $0 += 1 } } }
    do {
      let first = token()
      #expect(count.withLock { $0 } == 0)
      first.cancel()
      #expect(count.withLock { $0 } == 1)
      first.cancel()
    }
    #expect(count.withLock { $0 } == 1)
    withExtendedLifetime(token()) {}
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `A notification and an event print what happened, by whom and when`() {
    let kinds: [(SourceNotification.Kind, String)] = [
      (.stateChanged(.stopped), "stopped"), (.buffersProcessed(1), "1 buffer processed"),
      (.buffersProcessed(3), "3 buffers processed"), (.looped(1), "looped"), (.looped(3), "looped 3 times"),
      (.underrun, "underrun"),
    ]
    for (kind, text) in kinds { #expect(kind.description == text) }
    #expect(SourceNotification.Cause.mix.description == "mix")
    let note = SourceNotification(
      kind: .looped(2),
      reference: Weak<SoundSource>(nil),
      state: .playing,
      sequence: 1,
      framePosition: 48_000,
      cause: .mix
    )
    #expect(note.description == "looped 2 times by mix at frame 48000")
    let event = ContextEvent(kind: .deviceLost, framePosition: 7)
    #expect(event.description == "deviceLost at frame 7")
  }

  @Test func `Notifications of one kind are joined, and counts are added`() {
    func note(_ kind: SourceNotification.Kind, _ number: Int) -> SourceNotification {
      let reference = Weak<SoundSource>(nil)
      return .init(
        kind: kind,
        reference: reference,
        state: .paused,
        sequence: UInt64(number),
        framePosition: 10 * number,
        cause: .call
      )
    }
    let kinds: [(SourceNotification.Kind, SourceNotification.Kinds, Bool)] = [
      (.stateChanged(.playing), .state, false), (.buffersProcessed(3), .buffersProcessed, true),
      (.looped(4), .loop, true),
      (.underrun, .underrun, false),
    ]
    #expect(Set(kinds.map(\.1.rawValue)).count == 4 && kinds.allSatisfy { $0.1.rawValue.nonzeroBitCount == 1 })
    for (index, (kind, choice, isCount)) in kinds.enumerated() {
      #expect(kind.choice == choice && SourceNotification.Kinds.all.contains(choice))
      #expect(note(kind, 1).isJoinable && note(kind, 1).isCount == isCount)
      for (other, (later, _, _)) in kinds.enumerated() {
        let joined = note(kind, 1).joined(with: note(later, 2))
        #expect((joined != nil) == (index == other))
        guard let joined else { continue }
        #expect(joined.sequence == 2 && joined.framePosition == 20 && joined.state == .paused && joined.cause == .call)
      }
    }
    #expect(note(.looped(2), 1).joined(with: note(.looped(3), 2))?.kind == .looped(5))
    #expect(note(.buffersProcessed(2), 1).joined(with: note(.buffersProcessed(5), 2))?.kind == .buffersProcessed(7))
    #expect(
      note(.stateChanged(.paused), 1).joined(with: note(.stateChanged(.stopped), 2))?.kind == .stateChanged(.stopped)
    )
    let event = ContextEvent(kind: .deviceLost, framePosition: 1)
    #expect(event.isJoinable && !event.isCount)
    let later: ContextEvent? = event.joined(with: ContextEvent(kind: .deviceLost, framePosition: 2))
    #expect(later?.framePosition == 2)
    #expect(event.joined(with: ContextEvent(kind: .deviceReturned, framePosition: 2)) == nil)
  }
}

import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Settings of a device that change while its contexts play.
@Suite struct ResetTests {
  private static func source(in context: AudioContext) throws -> SoundSource {
    let source = try Scenes.noise(in: context)
    source.position = [2, 0, 0]
    return source
  }

  private func failure(_ body: () throws(AudioError) -> Void) -> AudioError? {
    do throws(AudioError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `An offline mix gets and loses its HRTF, and the sound goes on`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let source = try Self.source(in: context)
    guard context.capabilities.contains(.hrtf), !context.device.hrtfNames.isEmpty else { return }
    #expect(context.output.hrtf == .off)
    for (setting, isOn) in [(OutputSettings.HRTF.on, true), (.off, false), (.named(context.device.hrtfNames[0]), true)]
    {
      let frame = source.playbackFrame
      try context.device.reset(OutputSettings(hrtf: setting))
      #expect(source.state == .playing && source.playbackFrame == frame)
      #expect(context.settings == OutputSettings(hrtf: setting))
      #expect((context.output.hrtf == .off) == !isOn)
      #expect(context.output.sampleRate == 48_000 && context.output.layout == .stereo)
      // A panned sound is silent on the far side, and one for headphones is not.
      let mix = offline.render(.milliseconds(300))
      let levels = (mix.level(ofChannel: 0), mix.level(ofChannel: 1))
      #expect(isOn ? levels.1 - levels.0 < 30 : levels.1 - levels.0 > 40, "\(levels)")
    }
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A reset to the defaults ends an earlier request`() throws {
    let device = try AudioDevice()
    let context = try AudioContext(device: device)
    guard context.capabilities.contains(.hrtf), !device.hrtfNames.isEmpty else { return }
    let before = context.output
    try device.reset(OutputSettings(hrtf: .on, limiter: before.isLimited == true ? .off : .on))
    #expect(context.output.hrtf != before.hrtf)
    try device.reset(OutputSettings())
    #expect(context.output.hrtf == before.hrtf)
    // OpenAL Soft 1.19 keeps the limiter and the rate.
    guard let version = device.libraryVersion, version > LibraryVersion(1, 20, 1) else { return }
    #expect(context.output == before)
    try device.reset(OutputSettings(sampleRate: before.sampleRate == 44_100 ? 48_000 : 44_100))
    #expect(context.output != before)
    try device.reset(OutputSettings())
    #expect(context.output == before)
  }

  @Test func `All contexts of a device are notified of its new settings`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let contexts = [offline.context, try AudioContext(device: offline.context.device)]
    let log = Lock<[Int]>([])
    let tokens = contexts.enumerated().map { index, context in
      context.observe { event in
        // A handler may use the device.
        #expect(event.kind == .outputChanged && context.device.name == "offline")
        log.withLock { $0.append(index) }
      }
    }
    _ = offline.render(frameCount: 100)
    try offline.context.device.reset(OutputSettings(limiter: .on))
    #expect(log.withLock { $0 } == [0, 1])
    #expect(contexts.allSatisfy { $0.settings == OutputSettings(limiter: .on) })
    #expect(contexts.allSatisfy { $0.output.isLimited != false })
    withExtendedLifetime(tokens) {}
  }

  @Test func `Requested settings that cannot be granted throw, and change nothing`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo, settings: OutputSettings(auxiliarySendLimit: 3))
    let context = offline.context
    let source = try Self.source(in: context)
    let refusal = failure { () throws(AudioError) in
      try context.device.reset(OutputSettings(hrtf: .named("No Head")))
    }
    #expect(refusal?.code == .hrtfUnavailable)
    #expect(context.settings.hrtf == .automatic)
    try context.device.reset(OutputSettings(sampleRate: 8_000, layout: .quad, auxiliarySendLimit: 1))
    #expect(context.output.sampleRate == 48_000 && context.output.layout == .stereo)
    #expect(context.output.auxiliarySendLimit == 3)
    #expect(offline.render(frameCount: 1_000).samples.contains { $0 != 0 })
    #expect(source.state == .playing)

    let without = try OfflineRenderer(format: Scenes.stereo, disabling: [.hrtf])
    let missing = failure { () throws(AudioError) in try without.context.device.reset(OutputSettings()) }
    #expect(missing?.code == .notInLibrary)
    #expect("\(missing, default: "")".contains("when you create a context"))
  }

  @Test func `A device without a context has nothing to change`() throws {
    try AudioDevice.silent.reset(OutputSettings(sampleRate: 22_050))
  }

  @Test func `A silent device changes its rate, and its sounds and its clock go on`() async throws {
    let context = try AudioContext(device: .silent)
    let source = try Self.source(in: context)
    var before = context.clock
    for rate in [44_100, 96_000, 11_025, 48_000] {
      try await eventually("the clock goes on") { context.clock > before }
      before = context.clock
      try context.device.reset(OutputSettings(sampleRate: rate, layout: rate == 96_000 ? .quad : .mono))
      #expect(context.sampleRate == rate)
      #expect(context.clock >= before && source.state == .playing)
    }
    try context.device.reset(OutputSettings())
    #expect(context.output.layout == .stereo && context.settings == OutputSettings())
  }

  @Test(
    .enabled(if: (try? AudioDevice()) != nil, "no output device opens here"),
    arguments: [[], [.deviceClock], [.deviceReopening]] as [DisabledFeatures]
  )
  func `An output changes its rate and its HRTF, and keeps them on the next output`(disabled: DisabledFeatures)
    async throws
  {
    let device = AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled))
    let contexts = [try AudioContext(device: device), try AudioContext(device: device)]
    let source = try Self.source(in: contexts[0])
    let unit = try EffectUnit(.echo(Effect.Echo()), in: contexts[1])
    let before = contexts[0].clock
    try await eventually("the clock goes on") { contexts[0].clock > before }
    let settings = OutputSettings(sampleRate: 44_100, hrtf: .on)
    try device.reset(settings)
    #expect(contexts.allSatisfy { $0.sampleRate == 44_100 && $0.settings == settings })
    if !device.hrtfNames.isEmpty { #expect(contexts[1].output.hrtf != .off) }
    #expect(contexts[0].clock >= before && source.state == .playing)
    try device.move(to: nil)
    #expect(contexts[0].sampleRate == 44_100 && source.state == .playing)
    let later = contexts[0].clock
    try await eventually("the clock goes on after the move") { contexts[0].clock > later }
    withExtendedLifetime(unit) {}
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A suspended device stays suspended through a change of its settings`() async throws {
    let context = try AudioContext()
    let source = try Self.source(in: context)
    guard context.capabilities.contains(.suspension) else { return }
    context.suspend(.freeze)
    try context.device.reset(OutputSettings(sampleRate: 44_100))
    let (clock, frame) = (context.clock, source.playbackFrame)
    // A mixer that runs mixes every 20 ms.
    try await Task.sleep(for: .milliseconds(100))
    #expect(context.clock == clock && source.playbackFrame == frame && source.state == .playing)
    context.resume()
    try await eventually("the clock goes on") { context.clock > clock }
    #expect(context.sampleRate == 44_100)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A device without an output refuses new settings`() async throws {
    let device = try AudioDevice()
    let context = try AudioContext(device: device)
    device.keepsTimeWithoutOutput = true
    context.inspector.forceUnplugged(true)
    try await eventually("the placeholder is in place") { device.handle.isPlaceholder || !device.handle.isConnected }
    let refusal = failure { () throws(AudioError) in try device.reset(OutputSettings(hrtf: .on)) }
    #expect(refusal?.code == .deviceUnavailable)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `Threads may reset a device while others play, make and drop contexts`() async throws {
    let device = try AudioDevice()
    let context = try AudioContext(device: device)
    let source = try Self.source(in: context)
    await withTaskGroup(of: Void.self) { group in
      for round in 0..<3 {
        group.addTask {
          for index in 0..<10 { try? device.reset(OutputSettings(sampleRate: index % 2 == 0 ? 44_100 : 48_000)) }
        }
        group.addTask {
          for _ in 0..<10 {
            let other = try? AudioContext(device: device)
            if round == 0 { other?.reverb = Reverb(.cathedral) }
          }
        }
        group.addTask {
          for index in 0..<200 {
            source.play()
            source.playbackFrame = index * 50
            context.withDeferredUpdates { source.gain = Gain(Float(index % 10) / 10) }
          }
        }
      }
    }
    #expect(source.state == .playing)
    #expect([44_100, 48_000].contains(context.sampleRate))
  }
}

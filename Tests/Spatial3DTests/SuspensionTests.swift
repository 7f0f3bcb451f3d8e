import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The clock while it runs, and while it stands still.
@Suite struct SuspensionTests {
  @Test(arguments: [[], [.deviceClock]] as [DisabledFeatures])
  func `The clock counts what was rendered, to the frame`(disabled: DisabledFeatures) throws {
    for sampleRate in [11_025, 44_100, 48_000, 192_000] {
      var offline = try OfflineRenderer(format: .stereo(sampleRate: sampleRate), disabling: disabled)
      #expect(offline.context.clock == .zero)
      var frames = 0
      for count in [1, 10, 1_023, 1_024, 1_025, 4_800, 100_000] {
        _ = offline.render(frameCount: count)
        frames += count
        let clock = offline.context.clock
        let expected = offline.format.duration(ofFrames: frames)
        #expect(abs((clock - expected) / .nanoseconds(1)) <= 1, "\(clock), not \(expected)")
      }
    }
  }

  @Test func `Reasons are equal by their names, which they print`() {
    let reason = SuspensionReason("menu")
    #expect(reason.name == "menu" && reason.description == "menu" && reason == SuspensionReason("menu"))
    #expect(SuspensionReason.userPause.name == "user pause" && SuspensionReason.userPause != reason)
  }

  @Test func `The latency includes the delay of the limiter`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, settings: OutputSettings(limiter: .on))
    let latency = try #require(offline.context.latency)
    #expect(latency > .zero)
    let impulse = TestSignal.impulse(duration: .milliseconds(1), format: Scenes.mono, amplitude: 0.5)
    let source = try SoundSource(playing: SoundBuffer(impulse, in: offline.context), in: offline.context)
    source.play()
    let mix = offline.render(.milliseconds(50)).samples
    #expect(mix.firstIndex { abs($0) > 0.1 } == offline.format.frameCount(in: latency))
  }

  @Test func `A library without a clock reports no latency`() throws {
    #expect(try OfflineRenderer(format: Scenes.mono).context.latency == .zero)
    #expect(try OfflineRenderer(format: Scenes.mono, disabling: [.deviceClock]).context.latency == nil)
  }

  @Test(arguments: [[], [.deviceClock]] as [DisabledFeatures])
  func `A suspended context renders silence and resumes at the same frame`(disabled: DisabledFeatures) throws {
    var whole = try OfflineRenderer(format: Scenes.stereo)
    let wholeSource = try Scenes.noise(in: whole.context, at: [1, 0, -1])
    let expected = whole.render(frameCount: 3_072).samples + whole.render(frameCount: 5_120).samples
    #expect(wholeSource.state == .playing)

    var offline = try OfflineRenderer(format: Scenes.stereo, disabling: disabled)
    let context = offline.context
    let source = try Scenes.noise(in: context, at: [1, 0, -1])
    var mix = offline.render(frameCount: 3_072).samples
    for _ in 1...2 { context.suspend() }
    #expect(context.isSuspended)
    let clock = context.clock
    for frameCount in [1, 1_000, 5_000] {
      let silence = offline.render(frameCount: frameCount)
      #expect(silence.frameCount == frameCount)
      #expect(silence.level == .silence)
    }
    #expect(context.clock == clock)
    #expect(source.state == .playing)
    for _ in 1...2 { context.resume() }
    #expect(!context.isSuspended)
    mix += offline.render(frameCount: 5_120).samples
    #expect(mix == expected)
    #expect(source.state == .playing)
  }

  @Test func `A property set during a suspension applies on resume`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let source = try Scenes.noise(in: offline.context, at: [1, 0, 0])
    offline.context.suspend()
    source.position = [-1, 0, 0]
    #expect(offline.render(frameCount: 1_024).level == .silence)
    offline.context.resume()
    let mix = offline.render(frameCount: 4_096)
    #expect(mix.level(ofChannel: 0) - mix.level(ofChannel: 1) > 30)
  }
}

/// The same tests with a mixer on a thread of its own.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
struct LiveSuspensionTests {
  @Test(arguments: [[], [.deviceClock]] as [DisabledFeatures])
  func `A live clock runs, stops during a suspension and runs again`(disabled: DisabledFeatures) throws {
    let context = try AudioContext(device: AudioDevice(handle: DeviceHandle(opening: nil, disabling: disabled)))
    let now = { context.clock }
    try eventually("the clock runs") { now() > .milliseconds(50) }
    if disabled.capabilities.isEmpty { #expect(try #require(context.latency) >= .zero) }
    let source = try Scenes.noise(in: context)
    source.isLooping = false
    for _ in 1...3 {
      context.suspend()
      let before = now()
      // Another device's clock shows that enough time has passed.
      let other = try AudioContext()
      try eventually("the clock of another device has run") { other.clock > .milliseconds(100) }
      #expect(now() == before)
      #expect(source.state == .playing)
      context.resume()
      try eventually("the clock runs again") { now() > before }
    }
    try eventually("the sound has ended") { source.state == .stopped }
  }

  @Test func `A suspension stops all contexts of a device, including one created later`() throws {
    let first = try AudioContext()
    let second = try AudioContext(device: first.device)
    first.suspend()
    #expect(second.isSuspended)
    let third = try AudioContext(device: first.device)
    let before = first.clock
    let source = try Scenes.noise(in: third)
    let other = try AudioContext()
    try eventually("the clock of another device has run") { other.clock > .milliseconds(100) }
    #expect(first.clock == before)
    third.resume()
    #expect(!first.isSuspended)
    try eventually("the clock runs again") { first.clock > before }
    #expect(source.state == .playing)
  }

  @Test func `A device without suspension support keeps running and reports no suspension`() throws {
    let device = AudioDevice(handle: try DeviceHandle(opening: nil, disabling: [.suspension]))
    let context = try AudioContext(device: device)
    context.suspend()
    #expect(!context.isSuspended)
    let before = context.clock
    try eventually("the clock runs") { context.clock > before }
    context.resume()
  }

  @Test func `Eight threads may suspend and resume one device`() throws {
    let context = try AudioContext()
    let source = try Scenes.noise(in: context)
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for step in 0..<50 {
        if (index + step).isMultiple(of: 2) { context.suspend() } else { context.resume() }
      }
    }
    context.resume()
    let before = context.clock
    try eventually("the clock runs") { context.clock > before }
    #expect(source.state == .playing)
  }
}

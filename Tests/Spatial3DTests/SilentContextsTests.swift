import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Silent devices beside each other and beside outputs, and several contexts on one device.
@Suite(.hangLimit) struct SilentContextsTests {
  private func silentDevice(disabling disabled: DisabledFeatures = []) throws -> AudioDevice {
    AudioDevice(handle: try DeviceHandle(silentDisabling: disabled), mixing: .byClock(ClockDrivenMixer()))
  }

  @Test(arguments: [false, true], [[0], [1], [0, 1], [1, 0]])
  func `Sources of each context of a silent device start at their frames`(lacksDelay: Bool, starting: [Int])
    async throws
  {
    let device = try silentDevice(disabling: lacksDelay ? [.startDelay] : [])
    let contexts = try [AudioContext(device: device), AudioContext(device: device)]
    contexts[0].suspend()
    let now = contexts[0].clock
    var started: [(moment: Duration, source: SoundSource)] = []
    for (step, index) in starting.enumerated() {
      // The sounds loop, because a test may have to wait for its thread.
      let buffer = try Scenes.silence(frames: 480_000, in: contexts[index])
      for frames in [4_801, 5_003] {
        let moment = now + Scenes.mono.duration(ofFrames: frames + 777 * step)
        let source = try SoundSource(playing: buffer, in: contexts[index])
        source.isLooping = true
        contexts[index].play([source], at: moment)
        started.append((moment, source))
      }
    }
    let end = try SoundSource(playing: Scenes.silence(frames: 14_400, in: contexts[0]), in: contexts[0])
    end.play()
    contexts[0].resume()
    await end.waitUntilStopped()
    contexts[0].suspend()
    // One more mix may be in progress.
    var (clock, frames): (Duration, [Int])
    repeat {
      clock = contexts[0].clock
      frames = started.map(\.source.playbackFrame)
    } while contexts[0].clock != clock
    for (start, frame) in zip(started, frames) {
      #expect(frame == Scenes.mono.frameCount(in: clock - start.moment) % 480_000)
    }
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A blocked silent device delays neither an output nor another silent device`() async throws {
    let silent = try AudioContext(device: .silent)
    let (isHeld, isOver) = (Flag(), Flag())
    let holder = Workers(count: 1) { _ in
      silent.inspector.holdLock {
        isHeld.raise()
        let end = ContinuousClock.now + .seconds(900)
        while !isOver.isRaised, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.001) }
      }
    }
    try await eventually("the lock is held") { isHeld.isRaised }
    for context in try [AudioContext(), AudioContext(device: .silent)] {
      let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
      source.play()
      await source.waitUntilStopped()
    }
    #expect(!holder.areDone, "they waited for the silent device")
    isOver.raise()
    try await eventually("the holder has ended") { holder.areDone }
  }

  @Test func `A context with default settings keeps the output of the other contexts`() throws {
    let device = try AudioDevice.silent
    let settings = OutputSettings(sampleRate: 44_100, layout: .stereo, hrtf: .on, limiter: .on, sourceLimit: 300)
    let first = try AudioContext(device: device, settings: settings)
    let before = first.output
    let second = try AudioContext(device: device)
    #expect(first.output == before)
    #expect(second.output.sampleRate == 44_100)
    let quad = try AudioContext(device: device, settings: OutputSettings(layout: .quad))
    #expect(quad.output.layout == .quad)
    #expect(first.output.sampleRate == 44_100)
    let fourth = try AudioContext(device: device, settings: OutputSettings(sampleRate: 22_050, hrtf: .off))
    #expect(fourth.output.layout == .quad)
    #expect(fourth.output.sampleRate == 22_050)
    #expect(try AudioContext(device: device).output.sampleRate == 22_050)
  }

  @Test func `A device resets the requested rate when its last context is released`() throws {
    // A thread that polls an `AudioContext` would keep it alive a little longer.
    let device = try silentDevice()
    for requested in [nil, 11_025, nil, 11_025] {
      let context = try device.makeContext(OutputSettings(sampleRate: requested))
      // An `AudioContext` leaves in its `deinit`.
      defer { device.clockMixer?.leave() }
      let granted = context.sampleRate
      #expect(granted == requested ?? 48_000)
    }
  }

  @Test(arguments: [[], [.deviceClock]] as [DisabledFeatures])
  func `The clock goes on through changes of the rate`(disabled: DisabledFeatures) throws {
    let device = try silentDevice(disabling: disabled)
    var handles: [ContextHandle] = []
    defer { for _ in handles { device.clockMixer?.leave() } }
    var expected = 0.0
    for rate in [48_000, 44_100, 22_050, 192_000, 48_000] {
      let handle = try device.makeContext(OutputSettings(sampleRate: rate))
      handles.append(handle)
      #expect(handle.sampleRate == rate)
      for count in [1, 1_001, 50_000] { expected += Double(device.handle.discard(frameCount: count)) / Double(rate) }
      // Each change of the rate rounds once.
      #expect(abs(Double(handle.clock) - expected * 1e9) <= Double(handles.count))
    }
    #expect(expected > 4)
  }

  @Test func `The clock mixer mixes the rest of an interrupted block after a suspension`() throws {
    // Nothing polls a bare `ContextHandle`, so no other thread mixes.
    let device = try silentDevice()
    let handle = try device.makeContext(OutputSettings())
    let silence = try #require(device.clockMixer)
    func mixedFrames() -> Int { Scenes.mono.frameCount(in: .nanoseconds(handle.clock)) }
    let start = monotonicTime()
    silence.mix(on: device, at: start) { nil }
    silence.mix(on: device, at: start + 20_000_000) {
      device.inspector.stopTime()
      return nil
    }
    #expect(mixedFrames() == 0)
    device.inspector.startTime()
    silence.mix(on: device, at: start + 20_000_000) { nil }
    #expect(mixedFrames() == 960)
    var pieces = [100, 200]
    silence.mix(on: device, at: start + 40_000_000) {
      if pieces.isEmpty { device.inspector.stopTime() }
      return pieces.popLast()
    }
    #expect(mixedFrames() == 1_260)
    device.inspector.startTime()
    for look in 4...10 {
      for _ in 1...2 { silence.mix(on: device, at: start + Int64(look) * 10_000_000) { nil } }
    }
    let mixed = mixedFrames()
    #expect((4_800 - 959...4_800).contains(mixed))
  }
}

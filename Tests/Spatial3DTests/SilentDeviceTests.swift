import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// A device without an audible output.
///
/// `LiveNotificationTests` and `LiveStreamTests` play on one too.
@Suite(.hangLimit) struct SilentDeviceTests {
  @Test func `The clock of a silent device follows the system's`() async throws {
    let context = try AudioContext(device: .silent)
    #expect(context.device.name == "silent")
    let second = try SoundSource(playing: Scenes.silence(frames: 48_000, in: context), in: context)
    let start = ContinuousClock.now
    let before = context.clock
    second.play()
    await second.waitUntilStopped()
    let (clock, elapsed) = (context.clock - before, ContinuousClock.now - start)
    // The clock is never faster than the system's; the delay of the reading depends on the machine.
    #expect(clock >= .seconds(1))
    #expect(elapsed >= clock - .milliseconds(40))
  }

  @Test func `A silent device and an offline one mix by frames, and an output does not`() throws {
    let silent = try AudioContext(device: .silent).device
    #expect(silent.mixesByFrames && !silent.mixesOnRequest)
    let offline = try OfflineRenderer(format: Scenes.mono).context.device
    #expect(offline.mixesByFrames && offline.mixesOnRequest)
    if let output = try? AudioDevice() { #expect(!output.mixesByFrames && !output.mixesOnRequest) }
  }

  @Test func `One-shot sources end and release their sounds`() async throws {
    let context = try AudioContext(device: .silent)
    weak var buffer: SoundBuffer?
    let isOver = try SoundSource(playing: Scenes.silence(frames: 9_600, in: context), in: context)
    try {
      let sound = try Scenes.silence(frames: 480, in: context)
      buffer = sound
      for _ in 0..<10 { try context.playOnce(sound) }
    }()
    isOver.play()
    await isOver.waitUntilStopped()
    try await eventually("the sound is freed") { buffer == nil }
  }

  @Test(arguments: [false, true])
  func `Sources start at their scheduled frames`(lacksDelay: Bool) async throws {
    let handle = try DeviceHandle(silentDisabling: lacksDelay ? [.startDelay] : [])
    let device = AudioDevice(handle: handle, mixing: .byClock(ClockDrivenMixer()))
    let context = try AudioContext(device: device)
    // The sounds loop, because a test may have to wait for its thread.
    let buffer = try Scenes.silence(frames: 480_000, in: context)
    context.suspend()
    let now = context.clock
    let moments = [4_801, 4_801, 5_003, 9_600].map { now + Scenes.mono.duration(ofFrames: $0) }
    let sources = try moments.map { moment in
      let source = try SoundSource(playing: buffer, in: context)
      source.isLooping = true
      context.play([source], at: moment)
      return source
    }
    let end = try SoundSource(playing: Scenes.silence(frames: 14_400, in: context), in: context)
    end.play()
    context.resume()
    await end.waitUntilStopped()
    context.suspend()
    // One more mix may be due or in progress, and move the clock and the sources between two readings.
    try await eventually("each source is at the frame that follows from the clock") {
      let clock = context.clock
      return zip(moments, sources).allSatisfy { moment, source in
        source.playbackFrame == Scenes.mono.frameCount(in: clock - moment) % 480_000
      }
    }
  }

  @Test func `A silent device grants the requested output settings`() throws {
    let plain = try AudioContext(device: .silent).output
    #expect(plain.sampleRate == 48_000)
    #expect(plain.layout == .stereo)
    #expect(plain.refreshRate == 50)
    #expect(plain.hrtf == .off)
    let settings = OutputSettings(sampleRate: 22_050, layout: .surround71, sourceLimit: 300)
    let granted = try AudioContext(device: .silent, settings: settings).output
    #expect(granted.sampleRate == 22_050)
    #expect(granted.layout == .surround71)
    #expect(granted.sourceLimit == 300)
    #expect(throws: AudioError.self) {
      try AudioContext(device: .silent, settings: OutputSettings(layout: .ambisonic(order: 1)))
    }
  }

  @Test func `Two contexts share a silent device and its sounds`() async throws {
    let device = try AudioDevice.silent
    let first = try AudioContext(device: device)
    let buffer = try Scenes.silence(frames: 4_800, in: first)
    let second = try AudioContext(device: device, settings: OutputSettings(sampleRate: 44_100, layout: .mono))
    let sources = try [first, second].map { try SoundSource(playing: buffer, in: $0) }
    for source in sources { source.play() }
    for source in sources { await source.waitUntilStopped() }
    #expect(first.output.sampleRate == 44_100)
  }

  @Test func `A silent device works with each new context after the previous one ended`() async throws {
    let device = try AudioDevice.silent
    for _ in 1...3 {
      let context = try AudioContext(device: device)
      let source = try SoundSource(playing: Scenes.silence(frames: 2_000, in: context), in: context)
      source.play()
      await source.waitUntilStopped()
    }
  }

  /// The test runs in a process of its own, in which nothing else opens and closes devices.
  @Test func `A hundred silent devices leave no thread and no descriptor behind`() async {
    await #expect(processExitsWith: .success) {
      try await recordingErrors {
        func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        func openAndPlay() async throws {
          let context = try AudioContext(device: .silent)
          let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
          source.play()
          await source.waitUntilStopped()
        }
        for _ in 0..<5 { try await openAndPlay() }
        let (files, threads) = (try count("/proc/self/fd"), try count("/proc/self/task"))
        for _ in 0..<100 { try await openAndPlay() }
        #expect(try count("/proc/self/fd") <= files)
        // Each thread ends a moment after its device; some of Dispatch's own threads come and go.
        try await eventually("the threads have ended", every: .milliseconds(10)) {
          try count("/proc/self/task") <= threads + 2
        }
      }
    }
  }

  @Test func `A program may end while a silent device mixes`() async {
    for _ in 1...5 {
      await #expect(processExitsWith: .exitCode(7)) {
        let context = try AudioContext(device: .silent)
        let sources = try (0..<64).map { _ in try Scenes.noise(in: context) }
        let stream = try SoundSource(streaming: SampleReader(frames: 100_000), in: context)
        stream.play()
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...60)))
        withExtendedLifetime((sources, stream)) { exit(7) }
      }
    }
  }

  @Test func `The error about a missing output names the silent device and the offline renderer`() async {
    await #expect(processExitsWith: .success) {
      try await recordingErrors {
        // The variable is set before the first call to the library, which has no driver of this name.
        unsafe setenv("ALSOFT_DRIVERS", "none", 1)
        let error = #expect(throws: AudioError.self) { try AudioContext() }
        #expect(error?.code == .deviceUnavailable)
        let sentence = try #require(error?.description)
        #expect(sentence.contains("AudioDevice.silent"))
        #expect(sentence.contains("OfflineRenderer"))
        let context = try AudioContext(device: .silent)
        let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
        source.play()
        await source.waitUntilStopped()
        var offline = try OfflineRenderer(format: Scenes.mono)
        #expect(offline.render(frameCount: 10).frameCount == 10)
      }
    }
  }
}

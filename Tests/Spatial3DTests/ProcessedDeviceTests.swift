import AudioSupport
import Foundation
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import Spatial3D

/// A processed device on the output of OpenAL Soft's null driver, which the tests run with.
@Suite(.hangLimit) struct ProcessedDeviceTests {
  @Test func `A processed device names its output and forwards its settings`() throws {
    let device = try AudioDevice.processed
    let output = try #require(device.output)
    #expect(device.name == output.name && output.output == nil)
    #expect(device.mixesByFrames && !device.mixesOnRequest && device.isRendered && !device.isMixedByLibrary)
    #expect(try device.playsOnOutput && !AudioDevice.silent.playsOnOutput)
    device.policy = .pauseOnOutputLoss
    device.keepsTimeWithoutOutput = false
    #expect(output.policy == .pauseOnOutputLoss && !output.keepsTimeWithoutOutput)
    output.policy = .stay
    #expect(device.policy == .stay && !device.keepsTimeWithoutOutput)
    #expect(try AudioDevice.silent.output == nil && AudioDevice.silent.addedLatency == .zero)
    let context = try AudioContext(device: .processed)
    #expect(context.output.sampleRate == context.device.output.map { $0.handle.sampleRate })
    #expect(context.output.hrtf == .off && context.output.layout != nil)
    #expect(context.output.refreshRate == context.sampleRate / 512)
  }

  @Test func `An unknown output is refused by name`() {
    let error = #expect(throws: AudioError.self) { try AudioDevice.processed(on: "no such output") }
    #expect(error?.code == .deviceUnavailable)
    #expect(error?.message.contains("no such output") == true)
  }

  @Test func `The time ahead is clamped to two periods and 200 milliseconds`() throws {
    let device = try AudioDevice.processed(ahead: .zero)
    let context = try AudioContext(device: device)
    let isCallback = context.capabilities.contains(.callbackBuffers)
    let half = isCallback ? Duration.zero : .seconds(128.0 / Double(context.sampleRate))
    let period = try #require(device.outputMixer).period
    #expect(device.addedLatency - half >= period * 2 - .microseconds(50))
    let long = try AudioDevice.processed(ahead: .seconds(5))
    #expect(abs((long.addedLatency - half - max(.milliseconds(200), period * 2)) / .milliseconds(1)) < 0.1)
    let plain = try AudioDevice.processed
    #expect(plain.addedLatency - half >= .milliseconds(19.9))
  }

  /// Plays a scene whose calls all happen in ticks, from a frame on; the result keeps it alive.
  private static func play(from first: Int, in context: AudioContext) throws -> [any Sendable] {
    let noise = try SoundBuffer(TestSignal.noise(duration: .milliseconds(700), format: Scenes.mono), in: context)
    let music = try SoundBuffer(TestSignal.noise(duration: .seconds(1), format: Scenes.stereo), in: context)
    let sources = try (0..<12).map { index in
      let source = try SoundSource(playing: index % 4 == 3 ? music : noise, in: context)
      source.isLooping = index % 3 == 0
      source.gain = 0.1
      return source
    }
    let stream = try SoundSource(streaming: SampleReader(frames: 30_000), in: context)
    stream.isLooping = true
    stream.gain = 0.1
    let log = Lock<[NotificationToken]>([])
    let observed = sources.map { $0.observe(.all) { _ in } }
    log.withLock { $0 = observed }
    let weak = Weak(context)
    let ticks = context.onTick(every: 512) { _ in
      guard let context = weak.object else { return }
      let block = (context.mixedFrames - first) / 512
      guard context.mixedFrames >= first else { return }
      for (index, source) in sources.enumerated() {
        let angle = Float(block * (index + 1)) * 0.05
        source.position = [3 * sin(angle), 0.2 * Float(index), 3 * cos(angle)]
        if block == 3 * index { source.play(fadingIn: .milliseconds(index * 7)) }
        if block == 40 + 5 * index { source.gain = 0.02 * Gain(Float(index)) }
        if block == 60 + index, index % 2 == 0 { source.stop(fadingOut: .milliseconds(30)) }
        if block == 90 + index, index % 2 == 0 {
          context.play([source], at: context.clock + .milliseconds(3 + index))
        }
      }
      if block == 10 { stream.play() }
      if block == 50 { stream.pitch = 1.3 }
    }
    return [sources, stream, ticks, observed]
  }

  @Test(arguments: [OutputSettings.HRTF.off, .on])
  func `A live mix equals the offline mix to the bit`(hrtf: OutputSettings.HRTF) async throws {
    let settings = OutputSettings(hrtf: hrtf)
    let device = try AudioDevice.processed
    let mixer = try #require(device.outputMixer)
    let probe = try MixProbe(device)
    let context = try AudioContext(device: device, settings: settings)
    context.suspend()
    let first = (context.mixedFrames / 512 + 8) * 512
    let scene = try Self.play(from: first, in: context)
    context.resume()
    let count = 140
    try await eventually("the scene was rendered") { probe.frameCount >= first + 512 * count }
    device.removeMixStage(probe)
    var offline = try OfflineRenderer(format: mixer.format, settings: settings)
    let other = try Self.play(from: first, in: offline.context)
    #expect(probe.isConsecutive)
    let (live, length) = (probe.samples, 512 * mixer.format.channelCount)
    offline.render(frameCount: first)
    var (differences, energy) = (0, Float(0))
    for index in first / 512..<first / 512 + count {
      let (mix, block) = (offline.render(frameCount: 512), live[index * length..<(index + 1) * length])
      differences += zip(mix.samples, block).count { $0.bitPattern != $1.bitPattern }
      energy += mix.samples.reduce(0) { $0 + abs($1) }
    }
    // A reader that was late for the mixing thread has an underrun, which this machine may cause.
    if mixer.hadSlowStream { try Test.cancel("the reader of the stream was late") }
    #expect(differences == 0)
    #expect(energy > 1_000)
    withExtendedLifetime((scene, other)) {}
  }

  @Test func `Ticks run at each multiple of their interval and nowhere else`() async throws {
    let context = try AudioContext(device: .processed)
    let frames = Lock<[Int]>([])
    let weak = Weak(context)
    let ticks = context.onTick(every: 300) { _ in
      if let frame = weak.object?.mixedFrames { frames.withLock { $0.append(frame) } }
    }
    try await eventually("ticks run") { frames.withLock { $0.count } >= 50 }
    let all = frames.withLock { $0 }
    #expect(all.allSatisfy { $0 % 300 == 0 })
    #expect(zip(all, all.dropFirst()).allSatisfy { $1 - $0 == 300 })
    withExtendedLifetime(ticks) {}
  }

  @Test func `Suspensions by another thread move no tick`() async throws {
    let context = try AudioContext(device: .processed)
    let frames = Lock<[Int]>([])
    let weak = Weak(context)
    let ticks = context.onTick(every: 512) { _ in
      if let frame = weak.object?.mixedFrames { frames.withLock { $0.append(frame) } }
    }
    for count in 1...40 {
      try await eventually("ticks run") { frames.withLock { $0.count } > 2 * count }
      context.suspend()
      let stopped = frames.withLock { $0.count }
      usleep(2_000)
      #expect(frames.withLock { $0.count } == stopped)
      context.resume()
    }
    let all = frames.withLock { $0 }
    #expect(all.allSatisfy { $0 % 512 == 0 })
    #expect(zip(all, all.dropFirst()).allSatisfy { $1 - $0 == 512 })
    withExtendedLifetime(ticks) {}
  }

  @Test func `Sources end at their exact frame and notify in the background`() async throws {
    let context = try AudioContext(device: .processed)
    context.suspend()
    let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    let rate = context.sampleRate
    var events = source.events(.state).makeAsyncIterator()
    let start = context.mixedFrames
    source.play()
    context.resume()
    let (playing, stopped) = (await events.next(), await events.next())
    #expect(playing?.kind == .stateChanged(.playing) && stopped?.kind == .stateChanged(.stopped))
    let length = Int((4_800 * Double(rate) / 48_000).rounded())
    #expect(abs(try #require(stopped).framePosition - start - length) <= 1)
  }

  @Test func `A suspension stops the mix at a frame, and the mix goes on there to the bit`() async throws {
    let device = try AudioDevice.processed
    let mixer = try #require(device.outputMixer)
    let probe = try MixProbe(device)
    let context = try AudioContext(device: device)
    context.suspend()
    let noise = TestSignal.noise(duration: .seconds(3), format: PCMFormat.mono(sampleRate: context.sampleRate))
    let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
    source.isLooping = true
    source.play()
    for _ in 0..<10 {
      context.resume()
      let before = context.mixedFrames
      try await eventually("time goes on") { context.mixedFrames > before + 700 }
      context.suspend()
      let frame = context.mixedFrames
      let clock = context.clock
      usleep(30_000)
      #expect(context.mixedFrames == frame && context.clock == clock && source.state == .playing)
      #expect(device.output?.isSuspended == true)
    }
    context.resume()
    try await eventually("a second was mixed") { context.mixedFrames > context.sampleRate }
    context.suspend()
    var offline = try OfflineRenderer(format: mixer.format)
    let other = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    other.isLooping = true
    other.play()
    let mix = offline.render(frameCount: context.sampleRate).samples
    let live = probe.samples
    // The first frames were rendered before the first suspension.
    let begin = try #require(live.firstIndex { $0 != 0 }) / mixer.format.channelCount * mixer.format.channelCount
    let start = try #require(mix.firstIndex { $0 != 0 }) / mixer.format.channelCount * mixer.format.channelCount
    let common = min(live.count - begin, mix.count - start)
    #expect(common > mixer.format.channelCount * context.sampleRate / 2)
    #expect(zip(live[begin...].prefix(common), mix[start...]).allSatisfy { $0 == $1 })
  }

  @Test func `Contexts and devices that are released while they are suspended leave no thread behind`() async {
    await #expect(processExitsWith: .success) {
      try await recordingErrors {
        func count(_ folder: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        func openAndPlay(suspends: Bool) async throws {
          let context = try AudioContext(device: .processed)
          let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
          source.play()
          if suspends { context.suspend() } else { await source.waitUntilStopped() }
        }
        for index in 0..<4 { try await openAndPlay(suspends: index % 2 == 0) }
        let (files, threads) = (try count("/proc/self/fd"), try count("/proc/self/task"))
        for index in 0..<20 { try await openAndPlay(suspends: index % 2 == 0) }
        try await eventually("the threads have ended", every: .milliseconds(10)) {
          try count("/proc/self/task") <= threads + 2
        }
        #expect(try count("/proc/self/fd") <= files + 2)
      }
    }
  }

  @Test func `A tick may release the last reference to its device, and suspend it before`() async throws {
    for suspends in [false, true] {
      let held = Lock<AudioContext?>(try AudioContext(device: .processed))
      let (weak, isDone) = (Weak(held.withLock { $0 }), Flag())
      let ticks = held.withLock { $0 }?.onTick(every: 512) { _ in
        if suspends { weak.object?.suspend() }
        held.withLock { $0 = nil }
        isDone.raise()
      }
      try await eventually("the tick has run") { isDone.isRaised }
      try await eventually("the context has ended") { weak.object == nil }
      withExtendedLifetime(ticks) {}
    }
  }

  @Test func `Two contexts share a processed device, and either may end`() async throws {
    let device = try AudioDevice.processed
    var first: AudioContext? = try AudioContext(device: device)
    let second = try AudioContext(device: device)
    #expect(first?.sampleRate == second.sampleRate)
    for context in [try #require(first), second] {
      let source = try SoundSource(playing: Scenes.silence(frames: 2_000, in: context), in: context)
      source.play()
      await source.waitUntilStopped()
    }
    first = nil
    let source = try SoundSource(playing: Scenes.silence(frames: 2_000, in: second), in: second)
    source.play()
    await source.waitUntilStopped()
    let third = try AudioContext(device: device)
    let last = try SoundSource(playing: Scenes.silence(frames: 2_000, in: third), in: third)
    last.play()
    await last.waitUntilStopped()
  }

  @Test func `A device works with each new context after the previous one ended`() async throws {
    let device = try AudioDevice.processed
    for _ in 1...3 {
      let context = try AudioContext(device: device)
      let source = try SoundSource(playing: Scenes.silence(frames: 2_000, in: context), in: context)
      source.play()
      await source.waitUntilStopped()
    }
  }

  @Test func `A slow reader has an underrun of its own and holds up nothing else`() async throws {
    let context = try AudioContext(device: .processed)
    var reader = SampleReader(frames: 200_000)
    let gate = Gate()
    reader.gate = gate
    gate.open()
    let stream = try SoundSource(streaming: reader, in: context, ahead: .milliseconds(60))
    gate.close()
    stream.play()
    try await eventually("the stream has an underrun") { stream.underrunCount > 0 }
    let frame = context.mixedFrames
    let source = try SoundSource(playing: Scenes.silence(frames: 24_000, in: context), in: context)
    source.play()
    await source.waitUntilStopped()
    #expect(context.mixedFrames > frame + 20_000 * context.sampleRate / 48_000)
    gate.open()
    let position = stream.playbackFrame
    try await eventually("the stream goes on") { stream.playbackFrame > position + 4_800 }
  }

  @Test func `A processed device is refused another device's sounds`() throws {
    let (first, second) = (try AudioContext(device: .processed), try AudioContext(device: .processed))
    let buffer = try Scenes.silence(frames: 100, in: first)
    let error = #expect(throws: AudioError.self) { try SoundSource(playing: buffer, in: second) }
    #expect(error?.code == .wrongDevice)
  }

  @Test func `A reset changes the HRTF of the mix and keeps its format`() async throws {
    let context = try AudioContext(device: .processed)
    let format = try #require(context.device.outputMixer).format
    try context.device.reset(OutputSettings(sampleRate: 22_050, layout: .mono, hrtf: .on))
    #expect(context.sampleRate == format.sampleRate && context.output.layout == format.layout)
    if context.capabilities.contains(.hrtf), !context.device.hrtfNames.isEmpty { #expect(context.output.hrtf != .off) }
    let source = try SoundSource(playing: Scenes.silence(frames: 2_000, in: context), in: context)
    source.play()
    await source.waitUntilStopped()
  }

  @Test(arguments: [false, true]) func `A scene goes on by the clock after its output is lost`(keepsTime: Bool)
    async throws
  {
    let device = try AudioDevice.processed
    device.keepsTimeWithoutOutput = keepsTime
    let probe = try MixProbe(device)
    let context = try AudioContext(device: device)
    var events = context.events().makeAsyncIterator()
    try await eventually("blocks are played") { probe.playedFrames > 0 }
    let output = try #require(device.output)
    output.livingContexts[0].inspector.forceUnplugged(true)
    output.wakeMonitor()
    #expect(await events.next()?.kind == .deviceLost)
    let (begin, start) = (context.mixedFrames, ContinuousClock.now)
    if keepsTime {
      try await eventually("half a second passed") { context.mixedFrames > begin + context.sampleRate / 2 }
      #expect(ContinuousClock.now - start > .milliseconds(440))
      #expect(probe.discardedFrames > 0)
    } else {
      usleep(200_000)
      #expect(context.mixedFrames <= begin + 512)
      #expect(probe.discardedFrames == 0)
    }
    output.livingContexts[0].inspector.forceUnplugged(false)
    #expect(await events.next()?.kind == .deviceReturned)
    let before = probe.playedFrames
    try await eventually("blocks are played again") { probe.playedFrames > before + 10 * 512 }
  }
}

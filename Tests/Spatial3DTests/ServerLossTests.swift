import SoundServer
import Spatial3DTesting
import Testing

@testable import Spatial3D

/// A sound server that is killed while a scene plays, stays away and comes back.
@Suite(
  .enabled(if: SoundServer.isInstalled, "the package pulseaudio is not installed"),
  .serialized,
  .timeLimit(.minutes(5))
)
struct ServerLossTests {
  @Test func `A scene goes on without its server, and is heard when that is back`() async {
    await #expect(processExitsWith: .success) {
      let server = try SoundServer()
      try server.lendToThisProcess()
      let context = try AudioContext()
      context.listener.gain = 0.8
      context.reverb = Reverb(.plate)
      let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: Scenes.mono)
      let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
      source.isLooping = true
      source.position = [3, 0, 0]
      source.play()
      let music = try SoundSource(streaming: SampleReader(frames: 30 * 48_000), in: context)
      music.gain = 0
      music.play()
      var events = context.events().makeAsyncIterator()
      let first = try server.recording()
      _ = try first.untilSound()

      let start = ContinuousClock.now
      let frame = music.playbackFrame
      func lag() -> Double {
        (ContinuousClock.now - start) / .seconds(1) - Double(music.playbackFrame - frame) / 48_000
      }
      try server.kill()
      #expect(await events.next()?.kind == .deviceLost)
      #expect(source.state == .playing)
      #expect(music.state == .playing)
      // New sounds too, and what is set meanwhile.
      let once = try context.playOnce(Scenes.silence(frames: 9_600, in: context))
      await once.waitUntilStopped()
      source.position = [-3, 0, 0]
      #expect(lag() < 0.5)
      try server.start()
      try server.add(sink: "main")
      #expect(await events.next()?.kind == .deviceReturned)
      #expect(lag() < 0.5)
      let second = try server.recording()
      _ = try second.untilSound()
      let mix = try second.seconds(0.5)
      #expect(mix.level(ofChannel: 0) - mix.level(ofChannel: 1) > 6)
      let frequency = try #require(mix.spectrum(ofChannel: 0).strongestFrequency)
      #expect(abs(frequency - 440) < 2)
      #expect(source.state == .playing)
      // A sink of a server that was just started takes a second to play its first stream, whoever's that is.
      #expect(music.state == .playing)
    }
  }

  @Test func `Losses of a server leave no thread and no descriptor behind`() async {
    await #expect(processExitsWith: .success) {
      let server = try SoundServer()
      try server.lendToThisProcess()
      let context = try AudioContext()
      let source = try Scenes.noise(in: context)
      var events = context.events().makeAsyncIterator()
      var counts: [SIMD2<Int>] = []
      for _ in 1...6 {
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        try server.start()
        try server.add(sink: "main")
        #expect(await events.next()?.kind == .deviceReturned)
        let recording = try server.recording()
        _ = try recording.untilSound()
        counts.append([try openFiles(), try threads()])
      }
      // The library may keep some from its first connection on.
      #expect(counts[5].x - counts[1].x <= 3)
      #expect(counts[5].y - counts[1].y <= 3)
      #expect(source.state == .playing)
    }
  }

  @Test(arguments: [false, true])
  func `A scene moves to another output by name, and stays where one would not open`(isRebuilt: Bool) async {
    await #expect(processExitsWith: .success) { [isRebuilt] in
      let server = try SoundServer(sink: "speakers")
      try server.lendToThisProcess()
      try server.add(sink: "headphones")
      let missing = MissingParts(reopening: isRebuilt)
      let device = AudioDevice(handle: try DeviceHandle(opening: "speakers", forcing: missing), openedName: "speakers")
      let context = try AudioContext(device: device)
      var events = context.events().makeAsyncIterator()
      let source = try Scenes.noise(in: context)
      let recordings = try (server.recording(of: "speakers"), server.recording(of: "headphones"))
      _ = try recordings.0.untilSound()
      #expect(device.policy == .stay)
      #expect(throws: AudioError.self) { try device.move(to: "none") }
      #expect(device.name == "speakers")
      try device.move(to: "headphones")
      #expect(device.name == "headphones")
      _ = try recordings.1.untilSound()
      _ = try recordings.0.untilSilence()
      #expect(source.state == .playing)
      #expect(await events.next()?.kind == .outputChanged)
    }
  }

  @Test(arguments: DevicePolicy.allCases)
  func `A device follows the default output, stays, or pauses where its own is pulled out`(policy: DevicePolicy) async {
    await #expect(processExitsWith: .success) { [policy = "\(policy)"] in
      let server = try SoundServer(sink: "headphones")
      try server.lendToThisProcess()
      try server.add(sink: "speakers")
      let context = try AudioContext()
      let device = context.device
      #expect(device.policy == .follow)
      let policy = try #require(DevicePolicy.allCases.first { "\($0)" == policy })
      if policy != .follow { device.policy = policy }
      let source = try Scenes.noise(in: context)
      var notifications = source.notifications(.state).makeAsyncIterator()
      let speakers = try server.recording(of: "speakers")
      _ = try server.recording(of: "headphones").untilSound()
      if policy == .stay {
        // Where it was opened as the default, a server may take what plays along when that changes.
        try device.move(to: "headphones")
        // Another that follows tells when the change was seen.
        let other = try AudioContext()
        var events = other.events().makeAsyncIterator()
        try server.setDefault(sink: "speakers")
        #expect(await events.next()?.kind == .outputChanged)
        #expect(other.device.name == "speakers")
        #expect(device.name == "headphones")
        #expect(source.state == .playing)
        #expect(try speakers.seconds(0.5).level == .silence)
      } else {
        var events = context.events().makeAsyncIterator()
        try server.setDefault(sink: "speakers")
        // A server may have moved what plays before.
        #expect(await events.next()?.kind == .outputChanged)
        #expect(device.name == "speakers")
        _ = try speakers.untilSound()
        #expect(source.state == .playing)
        // The server makes what is left the default.
        try server.remove(sink: "speakers")
        if policy == .pauseOnOutputLoss {
          let paused = await notifications.next()
          #expect(paused?.kind == .stateChanged(.paused))
          #expect(paused?.cause == .device)
          source.play()
        }
        _ = try server.recording(of: "headphones").untilSound()
        #expect(device.name == "headphones")
      }
    }
  }

  @Test(arguments: DevicePolicy.allCases)
  func `Where the server moves what plays to another output, a device does what its policy says`(policy: DevicePolicy)
    async
  {
    await #expect(processExitsWith: .success) { [policy = "\(policy)"] in
      let server = try SoundServer(sink: "speakers")
      try server.lendToThisProcess(allowsMoves: true)
      try server.run("pactl load-module module-rescue-streams")
      try server.add(sink: "headphones")
      let context = try AudioContext()
      let device = context.device
      try device.move(to: "headphones")
      let policy = try #require(DevicePolicy.allCases.first { "\($0)" == policy })
      device.policy = policy
      let source = try Scenes.noise(in: context)
      var notifications = source.notifications(.state).makeAsyncIterator()
      var events = context.events().makeAsyncIterator()
      let speakers = try server.recording(of: "speakers")
      _ = try server.recording(of: "headphones").untilSound()
      // What was never there is not missed.
      while device.outputChoice.withLock({ $0.seen }) != "headphones" { try await Task.sleep(for: .milliseconds(10)) }
      #expect(try speakers.seconds(0.1).level == .silence)

      try server.remove(sink: "headphones")
      switch policy {
      case .follow:
        #expect(await events.next()?.kind == .outputChanged)
        #expect(device.name == "speakers")
        _ = try speakers.untilSound()
        #expect(source.state == .playing)
      case .stay:
        #expect(await events.next()?.kind == .deviceLost)
        #expect(source.state == .playing)
        // Not what was recorded meanwhile, nor what the server has in store.
        let after = try server.recording(of: "speakers")
        _ = try after.seconds(1)
        #expect(try after.seconds(0.2).level == .silence)
        try server.add(sink: "headphones")
        #expect(await events.next()?.kind == .deviceReturned)
        #expect(device.name == "headphones")
        _ = try server.recording(of: "headphones").untilSound()
        #expect(try after.seconds(0.5).level == .silence)
      case .pauseOnOutputLoss:
        let paused = await notifications.next()
        #expect(paused?.kind == .stateChanged(.paused))
        #expect(paused?.cause == .device)
        #expect(await events.next()?.kind == .outputChanged)
        #expect(device.name == "speakers")
        let frame = source.playbackFrame
        let after = try server.recording(of: "speakers")
        _ = try after.seconds(1)
        #expect(try after.seconds(0.5).level == .silence)
        #expect(source.playbackFrame == frame)
        source.play()
        _ = try after.untilSound()
      }
    }
  }

  @Test func `After a server was started anew, another default is followed and an output that goes is missed`()
    async
  {
    await #expect(processExitsWith: .success) {
      let server = try SoundServer(sink: "headphones")
      try server.lendToThisProcess(allowsMoves: true)
      let context = try AudioContext()
      let source = try Scenes.noise(in: context)
      var events = context.events().makeAsyncIterator()
      try server.kill()
      #expect(await events.next()?.kind == .deviceLost)
      try server.start()
      try server.add(sink: "headphones")
      #expect(await events.next()?.kind == .deviceReturned)
      try server.add(sink: "speakers")
      for name in ["speakers", "headphones"] {
        let recording = try server.recording(of: name)
        try server.setDefault(sink: name)
        #expect(await events.next()?.kind == .outputChanged)
        #expect(context.device.name == name)
        _ = try recording.untilSound()
      }
      context.device.policy = .pauseOnOutputLoss
      var notifications = source.notifications(.state).makeAsyncIterator()
      while context.device.outputChoice.withLock({ $0.seen }) != "headphones" {
        try await Task.sleep(for: .milliseconds(10))
      }
      try server.remove(sink: "headphones")
      #expect(await notifications.next()?.kind == .stateChanged(.paused))
      #expect(await events.next()?.kind == .outputChanged)
      let speakers = try server.recording(of: "speakers")
      _ = try speakers.seconds(1)
      #expect(try speakers.seconds(0.2).level == .silence)
      #expect(source.state == .paused)
    }
  }
}

import Spatial3D
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

/// Settings of a device that change while a sound server plays it.
@Suite(.hangLimit)
struct ServerResetTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A tone goes on at its pitch through changes of the rate and of the HRTF`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let recording = try server.recording()
        let context = try AudioContext()
        let device = context.device
        let other = try AudioContext(device: device)
        let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: Scenes.mono)
        let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
        source.isLooping = true
        source.position = [3, 0, 0]
        source.attenuation.rolloffFactor = 0
        source.play()
        for settings in [
          OutputSettings(sampleRate: 44_100), OutputSettings(hrtf: .on), OutputSettings(sampleRate: 48_000, hrtf: .off),
        ] {
          try device.reset(settings)
          _ = try recording.seconds(1)
          let isOn = settings.hrtf == .on && !device.hrtfNames.isEmpty
          #expect((other.output.hrtf == .off) == !isOn && source.state == .playing)
          // A machine that does not run the mixer in time leaves a gap in one recording.
          let isHeard = try (0..<20).contains { _ in
            let mix = try recording.seconds(0.5)
            let frequency = mix.spectrum(ofChannel: 1).strongestFrequency ?? 0
            let difference = mix.level(ofChannel: 1) - mix.level(ofChannel: 0)
            return abs(frequency - 440) < 1 && mix.level > -30 && (isOn ? difference < 30 : difference > 30)
          }
          #expect(isHeard, "\(settings)")
        }
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `An output of 48,000 Hz keeps its rate when HRTF begins and when it ends`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        // The library reports the rate of an output from its first context on.
        let context = try AudioContext(settings: OutputSettings(hrtf: .on))
        let isThere = !context.device.hrtfNames.isEmpty
        #expect(context.sampleRate == 48_000 && context.output.hrtf.isOn == isThere)
        for hrtf in [OutputSettings.HRTF.off, .on, .off, .on, .automatic] {
          try context.device.reset(OutputSettings(hrtf: hrtf))
          #expect(context.sampleRate == 48_000 && context.output.hrtf.isOn == (isThere && hrtf == .on), "\(hrtf)")
        }
      }
    }
  }
}

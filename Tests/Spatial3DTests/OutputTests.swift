import Dispatch
import Spatial3DTesting
import Testing

@testable import Spatial3D

/// Requested and granted settings of an output.
@Suite struct OutputTests {
  private func offline(
    _ settings: OutputSettings,
    format: PCMFormat = Scenes.stereo,
    disabling disabled: DisabledFeatures = []
  ) throws(AudioError) -> OfflineRenderer {
    try OfflineRenderer(format: format, settings: settings, disabling: disabled)
  }

  @Test func `The default offline output has its format, 256 sources, two sends and no processing`() throws {
    for layout in [ChannelLayout.mono, .stereo, .quad, .surround51, .surround61, .surround71] {
      let format = PCMFormat(sampleRate: 44_100, layout: layout)
      let context = try offline(OutputSettings(), format: format).context
      #expect(context.settings == OutputSettings())
      #expect(context.sampleRate == 44_100)
      #expect(
        context.output
          == OutputConfiguration(
            sampleRate: 44_100,
            layout: layout,
            hrtf: .off,
            isLimited: false,
            sourceLimit: 256,
            auxiliarySendLimit: 2,
            refreshRate: nil
          )
      )
    }
  }

  @Test func `The format of an offline mix overrides the rate and the layout of its settings`() throws {
    var settings = OutputSettings(sampleRate: 22_050)
    settings.layout = .quad
    var renderer = try offline(settings)
    #expect(renderer.context.output.sampleRate == 48_000)
    #expect(renderer.context.output.layout == .stereo)
    #expect(renderer.render(frameCount: 10).samples.count == 20)
  }

  @Test(arguments: [1, 100, 256, 257, 1_024, 4_096])
  func `A context has the requested number of sources and at least 256`(limit: Int) throws {
    var renderer = try offline(OutputSettings(sourceLimit: limit))
    let context = renderer.context
    let granted = context.output.sourceLimit
    #expect(granted == max(limit, 256))
    let hum = TestSignal.sine(frequency: 1_000, duration: .milliseconds(100), format: Scenes.mono, amplitude: 1e-3)
    let buffer = try SoundBuffer(hum, in: context)
    let sources = try (0..<granted).map { _ in try SoundSource(playing: buffer, in: context) }
    do throws(AudioError) {
      _ = try SoundSource(playing: buffer, in: context)
      Issue.record("there is one source more than the \(granted) granted")
    } catch {
      #expect(error.code == .sourceLimitReached)
    }
    // All sources are audible: a thousand of them are a thousand times as loud as one.
    sources[0].play()
    let one = renderer.render(frameCount: 1_024).level
    sources[0].rewind()
    _ = renderer.render(frameCount: 1_024)
    for source in sources { source.play() }
    let all = renderer.render(frameCount: 1_024).level
    #expect(abs((all - one - Decibels(factor: Float(granted))).rawValue) < 0.2)
  }

  @Test(arguments: [Int.min, -1, 0, Int.max])
  func `An invalid source or send limit is clamped`(limit: Int) throws {
    let output = try offline(OutputSettings(sourceLimit: limit, auxiliarySendLimit: limit)).context.output
    #expect(output.sourceLimit == (limit > 0 ? 65_536 : 256))
    #expect(limit > 0 ? (6...16).contains(output.auxiliarySendLimit) : output.auxiliarySendLimit == 0)
  }

  @Test(arguments: 0...6)
  func `The output grants the requested number of auxiliary sends`(limit: Int) throws {
    #expect(try offline(OutputSettings(auxiliarySendLimit: limit)).context.output.auxiliarySendLimit == limit)
  }

  @Test(arguments: [OutputSettings.Limiter.automatic, .off, .on])
  func `The limiter keeps a loud mix below full scale, and nothing else does`(limiter: OutputSettings.Limiter) throws {
    var settings = OutputSettings()
    settings.limiter = limiter
    var renderer = try offline(settings)
    #expect(renderer.context.output.isLimited == (limiter == .on))
    let sources = try (0..<16).map { _ in try Scenes.noise(in: renderer.context) }
    let mix = withExtendedLifetime(sources) { renderer.render(.milliseconds(400)) }
    #expect(limiter == .on ? mix.peak <= 0.01 && mix.level > -20 : mix.peak > 6)
  }

  @Test func `The output of a library without a limiter does not state if it limits`() throws {
    let context = try offline(OutputSettings(limiter: .on), disabling: [.outputLimiter]).context
    #expect(context.output.isLimited == nil)
  }
}

/// Contexts with a mixer on a thread of its own.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
struct LiveOutputTests {
  private func device(disabling disabled: DisabledFeatures = []) throws -> AudioDevice {
    AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled))
  }

  @Test func `Each context of a device has 64 effects of its own`() throws {
    let device = try device()
    let (first, second) = (try AudioContext(device: device), try AudioContext(device: device))
    let units = try (0..<64).map { _ in try EffectUnit(.compressor, in: first) }
    #expect(throws: AudioError.self) { _ = try EffectUnit(.compressor, in: first) }
    let others = try (0..<64).map { _ in try EffectUnit(.compressor, in: second) }
    withExtendedLifetime((units, others)) {}
  }

  @Test func `A new context gets at least the sends of the previous one on its device`() throws {
    let device = try device()
    let first = try AudioContext(device: device, settings: OutputSettings(auxiliarySendLimit: 4))
    let diagnostics = DiagnosticLog()
    first.onDiagnostic = { diagnostics.add($0) }
    let source = try Scenes.noise(in: first)
    let units = try (0..<4).map { _ in try EffectUnit(.compressor, in: first) }
    source.effectSends = units.map { EffectSend(to: $0) }
    for settings in [OutputSettings(auxiliarySendLimit: 1), OutputSettings(sampleRate: 22_050), OutputSettings()] {
      #expect(try AudioContext(device: device, settings: settings).output.auxiliarySendLimit == 4)
      #expect(first.output.auxiliarySendLimit == 4 && first.inspector.librarySendLimit == 4)
      source.effectSends = units.reversed().map { EffectSend(to: $0) }
      #expect(source.effectSends.count == 4)
    }
    let last = try AudioContext(device: device, settings: OutputSettings(auxiliarySendLimit: 6))
    #expect(last.output.auxiliarySendLimit == 6 && first.output.auxiliarySendLimit == 4)
    #expect(diagnostics.codes.isEmpty)
  }

  @Test(arguments: [11_025, 22_050, 44_100, 48_000, 96_000, 192_000])
  func `A device mixes at the requested rate`(sampleRate: Int) throws {
    let context = try AudioContext(settings: OutputSettings(sampleRate: sampleRate))
    #expect(context.sampleRate == sampleRate)
    #expect(context.output.sampleRate == sampleRate)
    let refreshRate = try #require(context.output.refreshRate)
    #expect((10...1_000).contains(refreshRate))
  }

  @Test(arguments: [(Int.min, MixRateTests.lowestRate), (0, MixRateTests.lowestRate), (Int.max, 192_000)])
  func `An invalid sample rate is clamped`(requested: Int, granted: Int) throws {
    #expect(try AudioContext(settings: OutputSettings(sampleRate: requested)).sampleRate == granted)
  }

  @Test(arguments: [ChannelLayout.mono, .stereo, .quad, .surround51, .surround61, .surround71])
  func `The output reports a layout only if the library can report it`(layout: ChannelLayout) throws {
    let granted = try AudioContext(settings: OutputSettings(layout: layout)).output.layout
    #expect(granted == nil || granted == layout)
    let old = try AudioContext(
      device: device(disabling: [.outputMode]),
      settings: OutputSettings(layout: layout)
    )
    #expect(old.output.layout == nil)
  }

  @Test(arguments: [ChannelLayout.discrete(3), .discrete(16)])
  func `A layout that no output has is refused by name`(layout: ChannelLayout) {
    do throws(AudioError) {
      _ = try AudioContext(settings: OutputSettings(layout: layout))
      Issue.record("\(layout) was accepted")
    } catch {
      #expect(error.code == .formatUnsupported)
      #expect("\(error)".contains("\(layout)"))
    }
  }

  @Test func `Default settings keep the output that another context requested`() throws {
    let device = try device()
    let first = try AudioContext(device: device, settings: OutputSettings(sampleRate: 32_000, sourceLimit: 500))
    let second = try AudioContext(device: device)
    #expect(first.output == second.output)
    #expect(second.sampleRate == 32_000)
    #expect(second.output.sourceLimit == 500)
    let third = try AudioContext(device: device, settings: OutputSettings(sampleRate: 44_100))
    #expect([first, second, third].map(\.sampleRate) == [44_100, 44_100, 44_100])
  }

  @Test func `Eight threads that change one device read consistent output configurations`() throws {
    let device = try device()
    let names = device.hrtfNames
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do {
        for step in 0..<10 {
          let settings = OutputSettings(hrtf: (index + step).isMultiple(of: 2) ? .on : .off, sourceLimit: 300 + index)
          let output = try AudioContext(device: device, settings: settings).output
          #expect((300..<308).contains(output.sourceLimit))
          if case .on(let name, _) = output.hrtf { #expect(names.contains(name)) }
          #expect(device.hrtfNames == names)
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `HRTF requests at changing rates keep the refresh rate of the device`() throws {
    let device = try AudioDevice()
    // Data for 44.1 and for 48 kHz.
    let named = device.hrtfNames.map { OutputSettings.HRTF.named($0) }
    for round in 0..<24 {
      let hrtf = round % 4 == 3 ? .off : ([.on] + named)[round % (1 + named.count)]
      let settings = OutputSettings(sampleRate: [192_000, 44_100, 48_000, 192_000, 192_000][round % 5], hrtf: hrtf)
      let context = try AudioContext(device: device, settings: settings)
      // OpenAL Soft 1.19.1 mixes at the 44.1 kHz of its HRTF, and made a mix 4.35 times longer at each start.
      let refreshRate = try #require(context.output.refreshRate)
      #expect((5...1_000).contains(refreshRate), "\(round)")
    }
  }

  @Test func `A live mix for headphones is switched on and off by settings`() throws {
    let on = try AudioContext(settings: OutputSettings(sampleRate: 48_000, hrtf: .on))
    #expect(on.output.hrtf.isOn)
    #expect(try AudioContext(settings: OutputSettings(hrtf: .off)).output.hrtf == .off)
    #expect(try AudioContext().output.hrtf == .off)
  }
}

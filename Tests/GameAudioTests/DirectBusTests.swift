import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The levels of sounds without a position: channels of the sound, loudspeakers of the output, kinds of the bus.
@Suite struct DirectBusTests {
  /// The calls that start a sound.
  enum Call: CaseIterable { case emitter, stream, player }

  private static let contents: [ChannelLayout] = [.mono, .stereo, .surround51]
  private static let outputs: [ChannelLayout] = [.mono, .stereo, .quad, .surround51]

  /// A square wave in one channel of a layout, at full scale.
  private static func sound(in channel: Int, of layout: ChannelLayout) throws -> PCMBuffer<Float> {
    try .square(inChannel: channel, of: layout, frames: 24_000)
  }

  /// The mix from 200 to 300 ms after the start of a sound without a position.
  private static func mix(
    of sound: PCMBuffer<Float>,
    by call: Call,
    on kind: Bus.Kind,
    to output: ChannelLayout,
    hrtf: OutputSettings.HRTF = .off
  ) throws -> PCMBuffer<Float> {
    let settings = OutputSettings(hrtf: hrtf)
    var offline = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: output), settings: settings)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("bus", kind: kind)
    var player: SoundPlayer?
    switch call {
    case .emitter: world.playOnce(Sound(sound), on: bus)
    case .stream: world.playOnce(Sound(streaming: "sound") { SampleReader(sound) }, on: bus)
    case .player:
      player = try SoundPlayer(playing: Sound(sound), in: world, on: bus)
      player?.play()
    }
    _ = offline.render(.milliseconds(200))
    return withExtendedLifetime(player) { offline.render(.milliseconds(100)) }
  }

  private static func requireHRTF(in context: AudioContext) throws {
    guard context.capabilities.contains(.hrtf), !context.device.hrtfNames.isEmpty else {
      try Test.cancel("there is no HRTF here")
    }
  }

  @Test(arguments: contents, outputs)
  func `Each channel on a direct bus is as loud as on a spatial one, on every output`(
    content: ChannelLayout,
    output: ChannelLayout
  ) throws {
    let lowFrequencyChannel = content == .surround51 ? 3 : nil
    for channel in 0..<content.channelCount where channel != lowFrequencyChannel {
      let sound = try Self.sound(in: channel, of: content)
      for call in Call.allCases {
        let direct = try Self.mix(of: sound, by: call, on: .direct, to: output)
        let spatial = try Self.mix(of: sound, by: call, on: .spatial, to: output)
        let levels = (direct.level, spatial.level)
        #expect(levels.0 > -40 && abs((levels.0 - levels.1).rawValue) < 3, "\(call) \(channel) \(levels)")
        #expect(direct.samples.allSatisfy { abs($0) < 1.001 }, "\(call) \(channel)")
      }
    }
  }

  @Test(arguments: Bus.Kind.allCases, Call.allCases)
  func `A mono sound without a position has constant power`(kind: Bus.Kind, call: Call) throws {
    let sound = try Self.sound(in: 0, of: .mono)
    let pair = try Self.mix(of: sound, by: call, on: kind, to: .stereo)
    #expect(pair.samples.allSatisfy { abs(abs($0) - 0.7071) < 0.002 })
    let one = try Self.mix(of: sound, by: call, on: kind, to: .mono)
    #expect(one.samples.allSatisfy { abs(abs($0) - 1) < 0.002 })
    for (output, hrtf) in [(.quad, .off), (.surround51, .off), (.stereo, .on)] as [(ChannelLayout, OutputSettings.HRTF)]
    {
      let mix = try Self.mix(of: sound, by: call, on: kind, to: output, hrtf: hrtf)
      let byPlayer = try Self.mix(of: sound, by: .player, on: .spatial, to: output, hrtf: hrtf)
      #expect(abs((mix.level - byPlayer.level).rawValue) < 0.01)
    }
  }

  @Test(arguments: Bus.Kind.allCases, [0, 4_000])
  func `A sound that moves to a bus of another kind has its channels there, without a click`(
    kind: Bus.Kind,
    framesBefore: Int
  ) throws {
    let tones = [300.0, 500].map { frequency in
      TestSignal.sine(frequency: frequency, duration: .seconds(1), format: .mono(sampleRate: 48_000), amplitude: 0.2)
    }
    let samples = zip(tones[0].samples, tones[1].samples).flatMap { [$0, $1] }
    let sound = try PCMBuffer(samples: samples, format: .stereo(sampleRate: 48_000))
    func mix(by call: Call, movingTo other: Bus.Kind?) throws -> PCMBuffer<Float> {
      var offline = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: .quad))
      let world = AudioWorld(in: offline.context)
      let (bus, next) = (world.mixer.makeBus("bus", kind: kind), other.map { world.mixer.makeBus("other", kind: $0) })
      var (emitter, player): (Emitter?, SoundPlayer?)
      if call == .emitter {
        emitter = world.playOnce(Sound(sound), on: bus)
      } else {
        player = try SoundPlayer(playing: Sound(sound), in: world, on: bus)
        player?.play()
      }
      var samples = offline.render(frameCount: framesBefore).samples
      if let next {
        emitter?.bus = next
        player?.bus = next
      }
      samples += offline.render(frameCount: 9_000).samples
      return try PCMBuffer(samples: samples, format: offline.format)
    }
    // Direct channels are in the front alone.
    func rearPeak(_ mix: PCMBuffer<Float>) -> Float {
      (2...3).flatMap { channel in mix.samples.suffix(4 * 4_800).indices.filter { $0 % 4 == channel } }
        .map { abs(mix.samples[$0]) }.max() ?? 0
    }
    let other: Bus.Kind = kind == .direct ? .spatial : .direct
    for call in [Call.emitter, .player] {
      let (moved, unmoved) = (try mix(by: call, movingTo: other), try mix(by: call, movingTo: nil))
      #expect(moved.clicks(highestFrequency: 1_000).isEmpty, "\(call) \(moved.clicks(highestFrequency: 1_000))")
      #expect((rearPeak(moved) == 0) == (other == .direct), "\(call) \(rearPeak(moved))")
      #expect((rearPeak(unmoved) == 0) == (kind == .direct), "\(call) \(rearPeak(unmoved))")
    }
  }

  /// The changes of an output by a program.
  enum Change: CaseIterable { case reset, furtherContext }

  @Test(arguments: Change.allCases)
  func `The power of a mono sound follows an output that gets and loses HRTF`(change: Change) throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let context = offline.context
    try Self.requireHRTF(in: context)
    let world = AudioWorld(in: context)
    let sound = try Self.sound(in: 0, of: .mono)
    let emitter = Emitter(playing: Sound(sound), in: world)
    emitter.repeats = .forever
    emitter.bus = world.mixer.makeBus("music", kind: .direct)
    emitter.play()
    var others: [AudioContext] = []
    func level(with hrtf: OutputSettings.HRTF) throws -> Decibels {
      let settings = OutputSettings(hrtf: hrtf)
      switch change {
      case .reset: try context.device.reset(settings)
      case .furtherContext: others.append(try AudioContext(device: context.device, settings: settings))
      }
      _ = offline.render(.milliseconds(200))
      return offline.render(.milliseconds(100)).level
    }
    for hrtf in [.off, .on, .off] as [OutputSettings.HRTF] {
      let expected = try Self.mix(of: sound, by: .player, on: .direct, to: .stereo, hrtf: hrtf).level
      let level = try level(with: hrtf)
      #expect(abs((level - expected).rawValue) < 0.02, "\(level) \(expected)")
    }
    withExtendedLifetime(others) {}
  }
}

import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Direct channels on outputs that have a loudspeaker for each channel of the sound, and on others.
@Suite struct DirectChannelTests {
  static let layouts: [ChannelLayout] = [.mono, .stereo, .quad, .surround51, .surround61, .surround71]

  private static let decodes61Unevenly =
    (try? OfflineRenderer(format: Scenes.mono).context.device.libraryVersion).map { $0 < LibraryVersion(1, 20, 0) }
    ?? true

  /// The names of the channels that have a direction.
  private static func channels(of layout: ChannelLayout) -> [String?] {
    switch layout {
    case .mono: ["front centre"]
    case .stereo: ["front left", "front right"]
    case .quad: ["front left", "front right", "back left", "back right"]
    case .surround51: ["front left", "front right", "front centre", nil, "side left", "side right"]
    case .surround61: ["front left", "front right", "front centre", nil, "back centre", "side left", "side right"]
    default:
      ["front left", "front right", "front centre", nil, "back left", "back right", "side left", "side right"]
    }
  }

  /// A square wave in one channel of a layout, at full scale.
  private static func sound(in channel: Int, of layout: ChannelLayout) throws -> PCMBuffer<Float> {
    try .square(inChannel: channel, of: layout, frames: 4_800)
  }

  private static func mix(
    of sound: PCMBuffer<Float>,
    to output: ChannelLayout,
    isDirect: Bool,
    _ prepare: (SoundSource) -> Void = { _ in }
  ) throws -> PCMBuffer<Float> {
    var offline = try OfflineRenderer(format: PCMFormat(sampleRate: Scenes.rate, layout: output))
    let source = try SoundSource(playing: SoundBuffer(sound, in: offline.context), in: offline.context)
    source.usesDirectChannels = isDirect
    prepare(source)
    source.play()
    return offline.render(frameCount: 4_800)
  }

  @Test(arguments: layouts, layouts)
  func `Each channel of a sound is audible, on its own loudspeaker or around the listener`(
    content: ChannelLayout,
    output: ChannelLayout
  ) throws {
    let (played, present) = (Self.channels(of: content), Self.channels(of: output))
    let isMatched = content != .mono && played.allSatisfy { $0 == nil || present.contains($0) }
    for (channel, name) in played.enumerated() where name != nil {
      let sound = try Self.sound(in: channel, of: content)
      let direct = try Self.mix(of: sound, to: output, isDirect: true)
      let placed = try Self.mix(of: sound, to: output, isDirect: false)
      let levels = (direct.level, placed.level)
      // OpenAL Soft 1.19 decodes the front of a 6.1 mix 4 to 10 dB too quietly. The direct channels are exact.
      let isComparable = output != .surround61 || !Self.decodes61Unevenly
      #expect(levels.0 > -40 && (!isComparable || abs((levels.0 - levels.1).rawValue) < 3), "\(name ?? "") \(levels)")
      #expect(direct.samples.allSatisfy { abs($0) < 1.001 }, "\(name ?? "")")
      guard isMatched, let own = present.firstIndex(of: name) else {
        #expect(direct.samples == placed.samples, "\(name ?? "")")
        continue
      }
      for index in present.indices {
        let expected = index == own ? sound.channel(channel) : [Float](repeating: 0, count: 4_800)
        #expect(zip(direct.channel(index), expected).allSatisfy { abs($0 - $1) < 1e-4 }, "\(name ?? "") \(index)")
      }
    }
  }

  @Test(arguments: [ChannelLayout.stereo, .mono])
  func `A sound with direct channels has no position, whatever its source asks for`(output: ChannelLayout) throws {
    let sound = try Self.sound(in: 0, of: .stereo)
    let expected = try Self.mix(of: sound, to: output, isDirect: true)
    let orders: [(SoundSource) -> Void] = [
      { ($0.spatialization, $0.position) = (.always, [100, 0, 0]) },
      {
        $0.usesDirectChannels = false
        ($0.spatialization, $0.position) = (.always, [100, 0, 0])
        $0.usesDirectChannels = true
      },
      { source in
        let context = source.context
        source.buffer = nil
        (source.spatialization, source.position) = (.always, [100, 0, 0])
        source.buffer = try? SoundBuffer(sound, in: context)
      },
    ]
    for prepare in orders {
      #expect(try Self.mix(of: sound, to: output, isDirect: true, prepare).samples == expected.samples)
    }
    // Without direct channels the distance counts again.
    let placed = try Self.mix(of: sound, to: output, isDirect: true) { source in
      (source.spatialization, source.position) = (.always, [100, 0, 0])
      source.usesDirectChannels = false
    }
    #expect(placed.level < expected.level - 20)
  }

  @Test func `An ambisonic mix has all channels of a direct sound`() throws {
    for channel in 0..<2 {
      let sound = try Self.sound(in: channel, of: .stereo)
      let direct = try Self.mix(of: sound, to: .ambisonic(order: 1), isDirect: true)
      let placed = try Self.mix(of: sound, to: .ambisonic(order: 1), isDirect: false)
      #expect(direct.samples == placed.samples && direct.level > -20)
    }
  }

  @Test func `Direct channels need the loudspeakers of the present sound`() throws {
    let offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    func buffer(_ layout: ChannelLayout) throws -> SoundBuffer {
      try SoundBuffer(Self.sound(in: 0, of: layout), in: context)
    }
    let source = try SoundSource(in: context)
    source.usesDirectChannels = true
    func isDirect() -> Bool { context.handle.values(source.id).usesDirectChannels }
    source.buffer = try buffer(.surround51)
    #expect(!isDirect() && source.usesDirectChannels)
    source.buffer = try buffer(.stereo)
    #expect(isDirect())
    source.buffer = nil
    try source.queue([buffer(.quad)])
    #expect(!isDirect())
    let stream = try SoundSource(streaming: SampleReader(Self.sound(in: 0, of: .surround71)), in: context)
    stream.usesDirectChannels = true
    #expect(!context.handle.values(stream.id).usesDirectChannels)
  }

  @Test func `Direct channels follow a silent output through resets, further contexts and batches`() throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device)
    let source = try SoundSource(playing: SoundBuffer(Self.sound(in: 0, of: .stereo), in: context), in: context)
    let surround = try SoundSource(playing: SoundBuffer(Self.sound(in: 0, of: .surround51), in: context), in: context)
    context.withDeferredUpdates { (source.usesDirectChannels, surround.usesDirectChannels) = (true, true) }
    func direct() -> [Bool] { [source, surround].map { context.handle.values($0.id).usesDirectChannels } }
    #expect(direct() == [true, false])
    try device.reset(OutputSettings(layout: .mono))
    #expect(direct() == [false, false])
    try device.reset(OutputSettings(layout: .surround51))
    #expect(direct() == [true, true])
    let other = try AudioContext(device: device, settings: OutputSettings(layout: .mono))
    #expect(direct() == [false, false])
    source.usesDirectChannels = false
    try device.reset(OutputSettings())
    #expect(direct() == [false, false])
    source.usesDirectChannels = true
    #expect(direct() == [true, false])
    withExtendedLifetime(other) {}
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `Direct channels follow the layout of an output, as far as the library reports it`() throws {
    let device = try AudioDevice()
    let context = try AudioContext(device: device, settings: OutputSettings(layout: .mono))
    let source = try SoundSource(playing: SoundBuffer(Self.sound(in: 0, of: .stereo), in: context), in: context)
    source.usesDirectChannels = true
    func isDirect() -> Bool { context.handle.values(source.id).usesDirectChannels }
    #expect(isDirect() == (context.output.layout != .mono))
    try device.reset(OutputSettings(layout: .stereo))
    #expect(isDirect())
    try device.reset(OutputSettings(layout: .mono))
    #expect(isDirect() == (context.output.layout != .mono))
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `Direct channels are the same after a loss and a return of the output`() async throws {
    let context = try AudioContext(device: AudioDevice(), settings: OutputSettings(layout: .stereo))
    let music = try SoundSource(playing: SoundBuffer(Self.sound(in: 0, of: .stereo), in: context), in: context)
    let surround = try SoundSource(playing: SoundBuffer(Self.sound(in: 0, of: .surround51), in: context), in: context)
    (music.usesDirectChannels, surround.usesDirectChannels) = (true, true)
    func direct() -> [Bool] { [music, surround].map { context.handle.values($0.id).usesDirectChannels } }
    #expect(direct() == [true, false])
    context.lose()
    try await eventually("the placeholder is in place") { context.device.inspector.isOnPlaceholder }
    context.inspector.forceUnplugged(false)
    try await eventually("the output is back") { context.device.isOnOutput }
    #expect(direct() == [true, false])
  }
}

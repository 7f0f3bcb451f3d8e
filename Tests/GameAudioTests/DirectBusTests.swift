import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The levels of sounds without a place: channels of the content, loudspeakers of the output, kinds of the bus.
@Suite struct DirectBusTests {
  private static let rate = 48_000

  /// The calls by which a sound begins.
  enum Way: CaseIterable { case emitter, stream, player }

  private static let contents: [ChannelLayout] = [.mono, .stereo, .surround51]
  private static let outputs: [ChannelLayout] = [.mono, .stereo, .quad, .surround51]

  /// A square wave in one channel of a layout, at full scale.
  private static func sound(in channel: Int, of layout: ChannelLayout) throws -> PCMBuffer<Float> {
    let format = PCMFormat(sampleRate: rate, layout: layout)
    let samples = (0..<24_000).flatMap { frame in
      (0..<format.channelCount).map { $0 == channel ? (frame / 60).isMultiple(of: 2) ? Float(1) : -1 : 0 }
    }
    return try PCMBuffer(samples: samples, format: format)
  }

  /// 100 ms of a sound that plays without a place, long after its start.
  private static func mix(
    of sound: PCMBuffer<Float>,
    by way: Way,
    on kind: Bus.Kind,
    to output: ChannelLayout,
    hrtf: OutputSettings.HRTF = .off
  ) throws -> PCMBuffer<Float> {
    let settings = OutputSettings(hrtf: hrtf)
    var offline = try OfflineRenderer(format: PCMFormat(sampleRate: rate, layout: output), settings: settings)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.bus("bus", kind: kind)
    var player: SoundPlayer?
    switch way {
    case .emitter: world.playOnce(Sound(sound), on: bus)
    case .stream: world.playOnce(Sound(streaming: "sound") { MemoryReader(sound) }, on: bus)
    case .player:
      player = try SoundPlayer(playing: Sound(sound), in: world, on: bus)
      player?.play()
    }
    _ = offline.render(.milliseconds(200))
    return withExtendedLifetime(player) { offline.render(.milliseconds(100)) }
  }

  /// The power of all loudspeakers together.
  private static func power(of mix: PCMBuffer<Float>) -> Decibels {
    let sum = mix.samples.reduce(0) { $0 + $1 * $1 }
    return Decibels(gain: (sum / Float(mix.frameCount)).squareRoot())
  }

  @Test(arguments: contents, outputs)
  func `Each channel on a direct bus is as loud as on a spatial one, on every output`(
    content: ChannelLayout,
    output: ChannelLayout
  ) throws {
    let withoutDirection = content.channelCount > 5 ? 3 : -1
    for channel in 0..<content.channelCount where channel != withoutDirection {
      let sound = try Self.sound(in: channel, of: content)
      for way in Way.allCases {
        let direct = try Self.mix(of: sound, by: way, on: .direct, to: output)
        let spatial = try Self.mix(of: sound, by: way, on: .spatial, to: output)
        let levels = (Self.power(of: direct), Self.power(of: spatial))
        #expect(levels.0 > -40 && abs((levels.0 - levels.1).rawValue) < 3, "\(way) \(channel) \(levels)")
        #expect(direct.samples.allSatisfy { abs($0) < 1.001 }, "\(way) \(channel)")
      }
    }
  }

  @Test(arguments: Bus.Kind.allCases, Way.allCases)
  func `A mono sound without a place has constant power`(kind: Bus.Kind, way: Way) throws {
    let sound = try Self.sound(in: 0, of: .mono)
    let pair = try Self.mix(of: sound, by: way, on: kind, to: .stereo)
    #expect(pair.samples.allSatisfy { abs(abs($0) - 0.7071) < 0.002 })
    let one = try Self.mix(of: sound, by: way, on: kind, to: .mono)
    #expect(one.samples.allSatisfy { abs(abs($0) - 1) < 0.002 })
    for (output, hrtf) in [(.quad, .off), (.surround51, .off), (.stereo, .on)] as [(ChannelLayout, OutputSettings.HRTF)]
    {
      let mix = try Self.mix(of: sound, by: way, on: kind, to: output, hrtf: hrtf)
      let byPlayer = try Self.mix(of: sound, by: .player, on: .spatial, to: output, hrtf: hrtf)
      #expect(abs((Self.power(of: mix) - Self.power(of: byPlayer)).rawValue) < 0.01)
    }
  }

  @Test func `A mono sound keeps its power when the output gets and loses HRTF`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: Self.rate))
    let context = offline.context
    guard context.capabilities.contains(.hrtf), !context.device.hrtfNames.isEmpty else { return }
    let world = AudioWorld(in: context)
    let emitter = Emitter(playing: Sound(try Self.sound(in: 0, of: .mono)), in: world)
    emitter.repeats = .forever
    emitter.bus = world.mixer.bus("music", kind: .direct)
    emitter.play()
    _ = offline.render(.milliseconds(200))
    let before = Self.power(of: offline.render(.milliseconds(100)))
    #expect(abs(before.rawValue) < 0.02)
    try context.device.reset(OutputSettings(hrtf: .on))
    _ = offline.render(.milliseconds(200))
    let headphones = Self.power(of: offline.render(.milliseconds(100)))
    let expected = Self.power(
      of: try Self.mix(of: Self.sound(in: 0, of: .mono), by: .player, on: .direct, to: .stereo, hrtf: .on)
    )
    #expect(abs((headphones - expected).rawValue) < 0.02)
    try context.device.reset(OutputSettings(hrtf: .off))
    _ = offline.render(.milliseconds(200))
    let after = Self.power(of: offline.render(.milliseconds(100)))
    #expect(abs((after - before).rawValue) < 0.02)
  }
}

/// A stream of samples in memory.
private struct MemoryReader: PCMReader, Sendable {
  let sound: PCMBuffer<Float>
  private var next = 0

  init(_ sound: PCMBuffer<Float>) { self.sound = sound }

  var format: PCMFormat { sound.format }
  var frameCount: Int? { sound.frameCount }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    buffer.removeAll(adopting: format)
    let end = min(sound.frameCount, next + maxFrames)
    let part = sound.samples[next * format.channelCount..<end * format.channelCount]
    buffer.append(frames: end - next) { room in for sample in part { room.append(sample) } }
    defer { next = end }
    return end - next
  }

  mutating func seek(toFrame frame: Int) { next = min(max(frame, 0), sound.frameCount) }
}

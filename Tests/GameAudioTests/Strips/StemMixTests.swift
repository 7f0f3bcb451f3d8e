import AudioSupport
import PCM
import SignalProcessing
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The sums of buses other than the main bus, in offline mixes.
@Suite(.hangLimit) struct StemMixTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(3), format: .mono(sampleRate: 48_000)))
  private static let music = Sound(TestSignal.noise(seed: 5, duration: .seconds(3), format: stereo))

  /// The sums of buses, by their names.
  private final class Sums: Sendable {
    private let all = Lock<[String: [Float]]>([:])

    subscript(name: String) -> [Float] { all.withLock { $0[name, default: []] } }

    func append(_ samples: [Float], to name: String) { all.withLock { $0[name, default: []] += samples } }
  }

  /// A renderer with a world, and the sums of buses.
  private struct Scene: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld
    let sums = Sums()
    private var tokens: [NotificationToken] = []

    init() throws {
      let offline = try OfflineRenderer(format: StemMixTests.stereo)
      world = AudioWorld(in: offline.context)
      self.offline = offline
    }

    func bus(_ name: String, in parent: String? = nil, kind: Bus.Kind = .spatial) -> Bus {
      world.mixer.makeBus(BusName(name), in: parent.flatMap { world.mixer[BusName($0)] }, kind: kind)
    }

    /// Keeps the sum of a bus from now on.
    mutating func listen(to name: String, _ point: TapPoint = .beforeInserts) {
      let sums = sums
      tokens.append(bus(name).tap(point) { sums.append($0.samples.samples, to: name) })
    }

    func sum(_ name: String) -> [Float] { sums[name] }

    mutating func render(_ blocks: Int, _ body: (Int) -> Void = { _ in }) -> [Float] {
      var mix: [Float] = []
      for block in 0..<blocks {
        body(block)
        mix += offline.render(frameCount: 512).samples
      }
      return mix
    }
  }

  /// Plays moving and unmoving sounds on some of three buses, and changes them; `buses` leaves the others out.
  private static func play(_ scene: borrowing Scene, on buses: Set<String>) -> [Emitter] {
    var emitters: [Emitter] = []
    for index in 0..<12 {
      let name = ["sfx", "speech", "music"][index % 3]
      guard buses.contains(name) else { continue }
      let bus = scene.bus(name, kind: name == "music" ? .direct : .spatial)
      let emitter = Emitter(playing: name == "music" ? music : noise, in: scene.world, on: bus)
      (emitter.repeats, emitter.gain) = (.forever, 0.1)
      emitter.position = [Float(index) - 6, 0, -2]
      emitter.play()
      emitters.append(emitter)
    }
    return emitters
  }

  private static func move(_ emitters: [Emitter], at block: Int) {
    for (index, emitter) in emitters.enumerated() {
      emitter.position = [Float(index % 7) - 3 + Float(block) / 50, 0, Float(index % 3) - 2]
    }
  }

  private static func difference(_ first: [Float], _ second: [Float]) -> Float {
    zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  @Test func `The sum of a bus is the mix of its sounds alone, to the bit`() throws {
    var scene = try Scene()
    let names = ["sfx", "speech", "music"]
    for name in names { _ = scene.bus(name, kind: name == "music" ? .direct : .spatial) }
    for name in names { scene.listen(to: name) }
    let emitters = Self.play(scene, on: Set(names))
    let mix = scene.render(100) { Self.move(emitters, at: $0) }
    for name in names {
      var alone = try Scene()
      let others = Self.play(alone, on: [name])
      // The emitters have their numbers in the whole scene.
      let numbers = emitters.indices.filter { emitters[$0].bus.name == BusName(name) }
      let expected = alone.render(100) { block in
        for (number, emitter) in zip(numbers, others) {
          emitter.position = [Float(number % 7) - 3 + Float(block) / 50, 0, Float(number % 3) - 2]
        }
      }
      #expect(scene.sum(name) == expected, "\(name)")
    }
    let total = zip(zip(scene.sum("sfx"), scene.sum("speech")), scene.sum("music")).map { $0.0 + $0.1 + $1 }
    let peak = mix.map(abs).max() ?? 0
    #expect(peak > 0.01 && Self.difference(total, mix) < peak * Decibels(-110).factor)
  }

  @Test func `The mix of buses with sums is the mix without them`() throws {
    var plain = try Scene()
    var summed = try Scene()
    for name in ["sfx", "speech"] { summed.listen(to: name, .afterFader) }
    let first = Self.play(plain, on: ["sfx", "speech", "music"])
    let second = Self.play(summed, on: ["sfx", "speech", "music"])
    for world in [plain.world, summed.world] {
      world.mixer["sfx"]?.gain = 0.5
      world.mixer.main.gain = 0.7
    }
    let mix = plain.render(100) { Self.move(first, at: $0) }
    let other = summed.render(100) { Self.move(second, at: $0) }
    // Gains of sources and of faders reach a new value along other curves within the first tick.
    let (tail, rest) = (mix[2_048...], other[2_048...])
    let peak = tail.map(abs).max() ?? 0
    #expect(Self.difference(Array(tail), Array(rest)) < peak * Decibels(-100).factor)
  }

  @Test(arguments: [[512], [441, 37, 1_024], [128], [51_200]])
  func `The inserts of a bus process its sum, wherever pieces end`(lengths: [Int]) throws {
    let inserts: [Insert] = [.compressor(threshold: -40, ratio: 4), .delay(.milliseconds(100)), .lowPass(2_000)]
    var scene = try Scene()
    scene.bus("sfx").inserts = inserts
    scene.listen(to: "sfx")
    let sums = scene.sums
    let token = scene.bus("sfx").tap(.afterInserts) { sums.append($0.samples.samples, to: "processed") }
    scene.world.playOnce(Self.noise, at: [1, 0, -1], on: scene.bus("sfx"))
    scene.world.playOnce(Self.noise, gain: 0.25)
    var (count, index) = (0, 0)
    while count < 51_200 {
      let length = min(lengths[index % lengths.count], 51_200 - count)
      scene.offline.render(frameCount: length)
      (count, index) = (count + length, index + 1)
    }
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: Self.stereo)
    var expected = scene.sum("sfx")
    var span = expected.mutableSpan
    chain.process(&span, at: 0)
    #expect(sums["processed"] == expected && expected.contains { abs($0) > 0.001 })
    withExtendedLifetime(token) {}
  }

  @Test func `The fader of a bus is behind its inserts, and the gains inside it are before them`() throws {
    func mix(_ change: (AudioWorld) -> Void) throws -> [Float] {
      var scene = try Scene()
      let outer = scene.bus("outer")
      _ = scene.bus("inner", in: "outer")
      outer.inserts = [.compressor(threshold: -50, ratio: 8)]
      change(scene.world)
      scene.world.playOnce(Self.noise, at: [1, 0, -1], on: scene.bus("inner"))
      return scene.render(60)
    }
    let loud = try mix { _ in }
    let soft = try mix { $0.mixer["outer"]?.gain = 0.125 }
    #expect(zip(loud, soft).allSatisfy { $0 * 0.125 == $1 } && loud.contains { abs($0) > 0.001 })
    // The gain of the main bus belongs to the fader, too.
    let main = try mix { $0.mixer.main.gain = 0.25 }
    #expect(zip(loud, main).allSatisfy { $0 * 0.25 == $1 })
    let quiet = try mix { $0.mixer["inner"]?.gain = 0.125 }
    #expect(zip(loud, quiet).contains { abs($0 * 0.125 - $1) > 0.001 })
  }

  @Test func `A bus with a sum inside another has the inserts of both`() throws {
    var scene = try Scene()
    let (outer, inner) = (scene.bus("outer"), scene.bus("inner", in: "outer"))
    inner.inserts = [.bitCrusher(bits: 6)]
    outer.inserts = [.lowPass(500)]
    (outer.gain, inner.gain) = (0.5, 0.25)
    scene.listen(to: "inner")
    scene.world.playOnce(Self.noise, on: inner)
    let mix = scene.render(60)
    var inside = ProcessorChain([Insert.bitCrusher(bits: 6)].compactMap { $0.step() }, format: Self.stereo)
    var outside = ProcessorChain([Insert.lowPass(500)].compactMap { $0.step() }, format: Self.stereo)
    var expected = scene.sum("inner")
    var span = expected.mutableSpan
    inside.process(&span, at: 0)
    for index in span.indices { span[index] *= 0.25 }
    outside.process(&span, at: 0)
    for index in span.indices { span[index] *= 0.5 }
    #expect(mix == expected && mix.contains { abs($0) > 0.001 })
  }

  @Test func `A bus around a bus with a sum may get its own later`() throws {
    func mix(isLate: Bool) throws -> [Float] {
      var scene = try Scene()
      let (outer, inner) = (scene.bus("outer"), scene.bus("inner", in: "outer"))
      if isLate { inner.inserts = [.bitCrusher(bits: 6)] }
      outer.inserts = [.lowPass(500)]
      inner.inserts = [.bitCrusher(bits: 6)]
      (outer.gain, inner.gain) = (0.5, 0.25)
      scene.world.playOnce(Self.noise, on: inner)
      return scene.render(60)
    }
    let early = try mix(isLate: false)
    let late = try mix(isLate: true)
    #expect(early == late && early.contains { $0 != 0 })
  }

  @Test func `A mute, a fade and a pause of a bus are silent without a click, and a tail rings out behind a pause`()
    throws
  {
    var scene = try Scene()
    let bus = scene.bus("sfx")
    bus.inserts = [.delay(.milliseconds(20), feedback: 0, mix: 0.5)]
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(10), format: .mono(sampleRate: 48_000))
    scene.world.playOnce(Sound(tone), gain: 0.5, on: bus)
    scene.offline.render(.milliseconds(500))
    func isClean(_ mix: PCMBuffer<Float>) -> Bool { mix.clicks(highestFrequency: 500).isEmpty }
    bus.isMuted = true
    var mix = scene.offline.render(.milliseconds(500))
    #expect(isClean(mix) && mix.samples.suffix(2_000).allSatisfy { $0 == 0 })
    bus.isMuted = false
    bus.fade(to: .decibels(-6), Fade(.milliseconds(200)))
    mix = scene.offline.render(.milliseconds(500))
    #expect(isClean(mix))
    scene.world.mixer.main.fade(to: .decibels(-6), Fade(.milliseconds(200)))
    mix = scene.offline.render(.milliseconds(500))
    #expect(isClean(mix))
    bus.inserts = [.delay(.milliseconds(500), feedback: 0, mix: 1)]
    scene.offline.render(.seconds(2))
    bus.pause()
    mix = scene.offline.render(.seconds(2))
    #expect(mix.frames(in: .milliseconds(200)..<(.milliseconds(400))).samples.contains { abs($0) > 0.04 })
    #expect(mix.samples.suffix(10_000).allSatisfy { $0 == 0 })
  }

  @Test func `A solo of a bus silences the sounds of the others, and their tails ring out`() throws {
    var scene = try Scene()
    let (sfx, speech) = (scene.bus("sfx"), scene.bus("speech"))
    sfx.inserts = [.delay(.milliseconds(300), feedback: 0, mix: 1)]
    scene.world.playOnce(Self.noise, on: sfx)
    _ = scene.render(40)
    speech.isSoloed = true
    let mix = scene.render(100)
    #expect(mix[10_000..<20_000].contains { abs($0) > 0.01 })
    #expect(mix.suffix(20_000).allSatisfy { $0 == 0 })
  }

  @Test func `Impulses on buses with inserts of other latencies arrive in one frame`() throws {
    var samples = [Float](repeating: 0, count: 9_600)
    samples[4_800] = 0.5
    let impulse = Sound(try PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    let lists: [[Insert]] = [
      [], [.limiter()], [.distortion(drive: 0)], [.limiter(), .limiter()], [.highPass(20)],
    ]
    for bypassed in [nil, 1, 2, 3] as [Int?] {
      var scene = try Scene()
      for (index, inserts) in lists.enumerated() {
        let bus = scene.bus("bus \(index)", in: index == 3 ? "bus 1" : nil)
        bus.inserts = inserts
        if index == bypassed { for insert in inserts.indices { bus.inserts[insert].isBypassed = true } }
        scene.listen(to: "bus \(index)", .afterFader)
      }
      let sums = scene.sums
      let token = scene.world.mixer.main.tap(.beforeInserts) { sums.append($0.samples.samples, to: "main") }
      for index in lists.indices { scene.world.playOnce(impulse, on: scene.bus("bus \(index)")) }
      scene.world.playOnce(impulse)
      _ = scene.render(40)
      func peak(_ name: String) -> Int? {
        let sum = scene.sum(name)
        return sum.indices.max { abs(sum[$0]) < abs(sum[$1]) }.map { $0 / 2 }
      }
      let frame = try #require(peak("main"))
      for index in lists.indices where index != 3 {
        let own = try #require(peak("bus \(index)"))
        // The distortion has an even number of half frames.
        #expect(abs(own - frame) <= (index == 2 ? 1 : 0), "bus \(index) without \(String(describing: bypassed))")
      }
      // Twice the look-ahead of the limiter inside a bus with one more.
      let late = scene.world.mixer.statistics.stageLatency
      #expect(frame == 4_800 + Self.stereo.frameCount(in: late))
      withExtendedLifetime(token) {}
    }
  }

  @Test func `A ninth bus has no sum, which is reported once, and its sounds sound`() throws {
    var scene = try Scene()
    let reports = Collected<Diagnostic>()
    scene.offline.context.onDiagnostic = { reports.append($0) }
    for index in 0..<8 { scene.bus("bus \(index)").inserts = [.width(0.5)] }
    #expect(reports.all.isEmpty)
    let ninth = scene.bus("ninth")
    ninth.inserts = [.lowPass(100)]
    let meter = ninth.meter()
    #expect(reports.all.map(\.code) == [.mixNotProcessed])
    #expect(reports.all.first?.message.contains("ninth") == true)
    scene.world.playOnce(Self.noise, on: ninth)
    let mix = scene.render(20)
    #expect(mix.contains { abs($0) > 0.01 } && meter.channels.isEmpty)
  }

  @Test func `A meter measures the sum of its bus`() throws {
    var scene = try Scene()
    let (sfx, speech) = (scene.bus("sfx"), scene.bus("speech"))
    let tone = TestSignal.sine(frequency: 997, duration: .seconds(5), format: .mono(sampleRate: 48_000))
    let (first, second) = (sfx.meter(), speech.meter())
    scene.world.playOnce(Sound(tone), gain: 0.5, on: sfx)
    speech.gain = 0.1
    scene.world.playOnce(Sound(tone), gain: 0.5, on: speech)
    let mix = scene.render(200)
    let (loud, soft) = (first.channels, second.channels)
    #expect(loud.count == 2 && soft.count == 2)
    let difference = (loud[0].average - soft[0].average).rawValue
    #expect(abs(difference - 20) < 0.05)
    #expect(mix.contains { abs($0) > 0.1 })
  }
}

import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// How emitters lose and get voices.
@Suite struct VirtualBehaviorTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  /// A ramp, whose value names the frame.
  private static let ramp = (0..<96_000).map { Float($0) / 96_000 }

  /// The frame of the ramp that a mix has at a frame.
  private func place(_ mix: PCMBuffer<Float>, at frame: Int) -> Double { Double(mix.samples[frame]) * 96_000 }

  /// An emitter of the ramp that plays for 24,000 frames, is virtual for 24,000, and has a voice again.
  private func returning(_ behavior: VirtualBehavior) throws -> (mix: PCMBuffer<Float>, events: [EmitterEvent]) {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(try PCMBuffer(samples: Self.ramp, format: Self.mono)), in: world)
    emitter.position = [0, 0, -1]
    emitter.virtualBehavior = behavior
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(frameCount: 24_064)
    emitter.position = [0, 0, -1e7]
    offline.render(frameCount: 24_064)
    emitter.position = [0, 0, -1]
    let mix = offline.render(frameCount: 72_000)
    withExtendedLifetime(token) {}
    return (mix, events.all)
  }

  @Test func `Elapsed time counts without a voice`() throws {
    let (mix, events) = try returning(.elapsedTime)
    #expect(abs(place(mix, at: 10_000) - 58_128) < 2)
    #expect(events == [.becameReal, .becameVirtual, .becameReal, .ended(.played)])
  }

  @Test func `A sound returns from its beginning`() throws {
    let (mix, events) = try returning(.fromBeginning)
    let start = mix.samples.firstIndex { $0 > 0 } ?? 0
    #expect(start < 2_048)
    #expect(abs(place(mix, at: 20_000) - Double(20_000 - start)) < 4)
    #expect(events == [.becameReal, .becameVirtual, .becameReal])
  }

  @Test func `A sound resumes where it lost its voice`() throws {
    let (mix, _) = try returning(.resume)
    let start = mix.samples.firstIndex { $0 > 0 } ?? 0
    // The position at the choice that took the voice, at most 1,024 frames later.
    let first = place(mix, at: 20_000) - Double(20_000 - start)
    #expect((24_000..<25_200).contains(first))
  }

  @Test func `A sound that stops without a voice ends as stolen`() throws {
    let (mix, events) = try returning(.stop)
    #expect(mix.isSilent())
    #expect(events == [.becameReal, .ended(.stolen)])
  }

  @Test func `A sound that finds no voice and is to stop ends as stolen`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let noise = Sound(TestSignal.noise(duration: .seconds(1), format: Self.mono))
    let loud = Emitter(playing: noise, in: world)
    loud.play()
    let quiet = Emitter(playing: noise, in: world)
    quiet.position = [0, 0, -20]
    quiet.virtualBehavior = .stop
    let events = Collected<EmitterEvent>()
    let token = quiet.observe { events.append($0) }
    quiet.play()
    offline.render(.milliseconds(40))
    #expect(quiet.isPlaying)
    offline.render(.milliseconds(60))
    #expect(events.all == [.ended(.stolen)])
    withExtendedLifetime((token, loud)) {}
  }

  @Test(arguments: [VirtualBehavior.resume, .fromBeginning])
  func `A sound that waits for its first voice misses nothing`(behavior: VirtualBehavior) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(try PCMBuffer(samples: Self.ramp, format: Self.mono)), in: world)
    (emitter.position, emitter.virtualBehavior) = ([0, 0, -1e7], behavior)
    emitter.play()
    offline.render(frameCount: 24_000)
    #expect(emitter.isVirtual && emitter.playbackTime == .zero)
    emitter.pause()
    offline.render(frameCount: 2_400)
    emitter.play()
    offline.render(frameCount: 24_000)
    #expect(emitter.playbackTime == .zero)
    emitter.position = [0, 0, -1]
    let mix = offline.render(frameCount: 24_000)
    let start = mix.samples.firstIndex { $0 > 0 } ?? 0
    #expect(start < 2_048)
    #expect(abs(place(mix, at: 20_000) - Double(20_000 - start)) < 4)
  }

  @Test func `A virtual sound ends when it would have ended`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(TestSignal.noise(duration: .seconds(1), format: Self.mono)), in: world)
    (emitter.position, emitter.pitch) = ([0, 0, -1e7], 2)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(frameCount: 23_900)
    #expect(emitter.isVirtual && events.all.isEmpty)
    offline.render(frameCount: 700)
    #expect(events.all == [.ended(.played)])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [1, 3, 8])
  func `Voices are stolen without a click`(voices: Int) throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: voices)
    let tone = Sound(TestSignal.sine(frequency: 300, duration: .seconds(1), format: Self.mono))
    let emitters = (0..<24).map { index in
      let emitter = Emitter(playing: tone, in: world)
      emitter.repeats = .forever
      emitter.play()
      return emitter
    }
    var samples: [Float] = []
    for step in 0..<60 {
      for (index, emitter) in emitters.enumerated() {
        emitter.position = [0, 0, -1 - 0.4 * abs(Float(index) - Float(step) * 0.4)]
      }
      samples += offline.render(frameCount: 1_600).samples
    }
    let mix = try PCMBuffer(samples: samples, format: offline.format)
    #expect(world.voiceStatistics().stolen >= 15)
    #expect(mix.frames(4_800..<96_000).clicks(highestFrequency: 400).isEmpty)
  }

  @Test func `More emitters that must be heard than voices are reported once`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let diagnostics = Collected<Diagnostic>()
    offline.context.onDiagnostic = { diagnostics.append($0) }
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let noise = Sound(TestSignal.noise(duration: .seconds(1), format: Self.mono))
    let emitters = (0..<4).map { index in
      let emitter = Emitter(playing: noise, in: world)
      emitter.position = [0, 0, -1 - Float(index)]
      emitter.priority = index == 0 ? .normal : .mustBeHeard
      emitter.play()
      return emitter
    }
    offline.render(.milliseconds(300))
    #expect(emitters.map(\.isVirtual) == [true, false, false, true])
    #expect(diagnostics.all.map(\.code) == [.tooManyEssentialSounds])
  }

  @Test func `A virtual stream holds no reader, and returns where it would be`() throws {
    /// Counts the open readers of a ramp.
    final class Readers: Sendable {
      let open = Collected<Int>()
    }
    struct Reader: PCMReader, Sendable, ~Copyable {
      let readers: Readers
      var next = 0
      var format: PCMFormat { VirtualBehaviorTests.mono }
      var frameCount: Int? { 96_000 }

      init(_ readers: Readers) {
        self.readers = readers
        readers.open.append(1)
      }

      deinit { readers.open.append(-1) }

      mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Never) -> Int {
        buffer.removeAll(adopting: format)
        let part = VirtualBehaviorTests.ramp[next..<min(next + maxFrames, 96_000)]
        buffer.append(frames: part.count) { span in for sample in part { span.append(sample) } }
        next += part.count
        return part.count
      }

      mutating func seek(toFrame frame: Int) throws(Never) { next = frame }
    }
    let readers = Readers()
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(streaming: "ramp") { Reader(readers) }, in: world)
    emitter.position = [0, 0, -1]
    var isOpen: Bool { readers.open.all.reduce(0, +) > 0 }
    #expect(!isOpen)
    emitter.play()
    let beginning = offline.render(frameCount: 24_064)
    #expect(isOpen)
    #expect(abs(place(beginning, at: 20_000) - 20_000) < 2)
    emitter.position = [0, 0, -1e7]
    offline.render(frameCount: 24_064)
    #expect(emitter.isVirtual && !isOpen)
    emitter.position = [0, 0, -1]
    let mix = offline.render(frameCount: 24_000)
    #expect(abs(place(mix, at: 10_000) - 58_128) < 2)
    offline.render(frameCount: 48_000)
    #expect(!emitter.isPlaying && !isOpen)
  }
}

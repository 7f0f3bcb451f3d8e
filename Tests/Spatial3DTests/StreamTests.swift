import AudioSupport
import Foundation
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct StreamTests {
  /// An offline renderer with a stream at the listener.
  private func stream(_ reader: SampleReader, in offline: borrowing OfflineRenderer) throws -> SoundSource {
    let source = try SoundSource(streaming: reader, in: offline.context)
    source.isListenerRelative = true
    return source
  }

  @Test(arguments: [1, 7, 2_399, 2_400, 2_401, 5_000, 60_000])
  func `A stream comes out sample for sample, and stops after its last frame`(length: Int) throws {
    for blockLength in [Int.max, 333] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      var reader = SampleReader(frames: length)
      reader.blockLength = blockLength
      reader.knowsLength = blockLength != 333
      let source = try stream(reader, in: offline)
      let log = NotificationLog()
      let token = source.record(in: log)
      #expect(source.state == .initial)
      source.play()
      #expect(source.state == .playing)
      let output = offline.render(frameCount: length).samples
      for (one, other) in zip(output, reader.samples) { #expect(abs(one - other) < 1e-5) }
      _ = offline.render(frameCount: 2_048)
      #expect(source.state == .stopped)
      #expect(log.kinds == [.stateChanged(.playing), .stateChanged(.stopped)])
      #expect(log.all.map(\.framePosition) == [0, length])
      #expect(log.all.map(\.cause) == [.call, .mix])
      withExtendedLifetime(token) {}
    }
  }

  @Test(arguments: [1, 100, 1_199, 1_200, 2_399, 2_400, 2_401, 10_000])
  func `A looping stream has no seam and reports its loops at their frames`(length: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = SampleReader(frames: length)
    let source = try stream(reader, in: offline)
    source.isLooping = true
    let log = NotificationLog()
    let token = source.record(in: log, of: [.loop, .underrun])
    source.play()
    var output: [Float] = []
    for frames in [700, 3_000, 9_000, 11_300] { output += offline.render(frameCount: frames).samples }
    for frame in output.indices {
      guard abs(output[frame] - reader.samples[frame % length]) >= 1e-5 else { continue }
      Issue.record("frame \(frame) of a loop of \(length)")
      return
    }
    #expect(log.loops == (output.count - 1) / length)
    #expect(log.all.allSatisfy { $0.framePosition % length == 0 })
    #expect(source.playbackFrame == output.count % length)
    withExtendedLifetime(token) {}
  }

  @Test func `A streamed loop over whole periods of a sine plays ten iterations without a seam`() throws {
    // The sound has 101 periods of 100 frames: the loop iterations and the chunks of 50 ms do not coincide.
    let length = 10_100
    let sine = (0..<length).map { 0.5 * Float(sin(2 * .pi * Double($0 % 100) / 100)) }
    for blockLength in [Int.max, 1_234] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      var reader = SampleReader(try PCMBuffer(samples: sine, format: Scenes.mono))
      reader.blockLength = blockLength
      let source = try stream(reader, in: offline)
      source.isLooping = true
      source.play()
      let output = offline.render(frameCount: 10 * length).samples
      func deviation(_ range: Range<Int>) -> Float {
        range.reduce(0) { max($0, abs(output[$1] - sine[$1 % length])) }
      }
      let elsewhere = deviation(500..<length - 500)
      #expect(elsewhere < 1e-6)
      for iteration in 1..<10 {
        let seam = iteration * length
        // The iterations have the same samples, mixed by the same mixer.
        #expect(deviation(seam - 100..<seam + 100) <= elsewhere, "iteration \(iteration)")
      }
    }
  }

  @Test func `Threads that feed a stream while it is rendered do not swap its chunks`() throws {
    for _ in 0..<10 {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let ramp = (1...60_000).map { Float($0) / 65_536 }
      let source = try stream(SampleReader(try PCMBuffer(samples: ramp, format: Scenes.mono)), in: offline)
      let log = NotificationLog()
      let token = source.record(in: log)
      source.play()
      let isOver = Flag()
      let workers = Workers(count: 3) { _ in while !isOver.isRaised { source.feedOffline() } }
      var output: [Float] = []
      while output.count < ramp.count { output += offline.render(frameCount: 1_500).samples }
      isOver.raise()
      let wrong = ramp.indices.first { abs(output[$0] - ramp[$0]) >= 1e-5 }
      #expect(wrong == nil)
      #expect(!log.kinds.contains(.underrun))
      withExtendedLifetime((token, workers)) {}
    }
  }

  @Test func `A stream queue holds 400 ms of output for any loop length and pitch`() throws {
    for (length, pitch) in [(1_300, 1), (1_300, 4), (96_000, 1), (480_000, 10), (96_000, 0.1)] as [(Int, Float)] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try stream(SampleReader(frames: length), in: offline)
      source.isLooping = true
      source.pitch = pitch
      source.play()
      let whole = Int(19_200 * max(pitch, 1))
      for _ in 0..<5 {
        let held = offline.context.inspector.queuedFrameCount(of: source)
        #expect((whole..<whole + 2_400).contains(held), "\(length) \(pitch)")
        _ = offline.render(frameCount: 1_024)
        source.feedOffline()
      }
    }
  }

  @Test(arguments: [(-1, 2_880), (60, 2_880), (100, 4_800), (400, 19_200), (1_000, 48_000), (9_000, 48_000)])
  func `A stream reads as far ahead as asked, and is heard whole`(milliseconds: Int, expected: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = SampleReader(frames: 100_000)
    let delivered = Mutex(0)
    let counting = CountingReader(reader: reader) { frames in delivered.withLock { $0 += frames } }
    let source = try SoundSource(streaming: counting, in: offline.context, ahead: .milliseconds(milliseconds))
    source.isListenerRelative = true
    #expect(delivered.withLock { $0 } == expected / 8)
    source.play()
    #expect(delivered.withLock { $0 } == expected)
    var output: [Float] = []
    for _ in 0..<200 {
      output += offline.render(frameCount: 500).samples
      let ahead = min(output.count + expected + expected / 8, reader.frames)
      #expect(delivered.withLock { $0 } <= ahead)
    }
    #expect(zip(output, reader.samples).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func `A stream is read no further than its queue`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    var reader = SampleReader(frames: 480_000)
    let gate = Gate()
    reader.gate = gate
    let source = try stream(reader, in: offline)
    source.play()
    #expect(gate.count == LookAhead.chunkCount)
    for second in 0..<4 {
      _ = offline.render(.seconds(1))
      #expect(gate.count <= 20 * (second + 1) + LookAhead.chunkCount)
      #expect(offline.context.inspector.queuedBufferCount(of: source) <= LookAhead.chunkCount)
    }
    #expect(source.buffers.isEmpty)
    #expect(source.processedBufferCount == 0)
    #expect(source.unqueueProcessed().isEmpty)
  }

  @Test func `A stream plays from its new position after a seek in any state`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = SampleReader(frames: 96_000)
    let source = try stream(reader, in: offline)
    let log = NotificationLog()
    let token = source.record(in: log)

    /// Expects that the next audible frames are the reader's from a frame on.
    func expectOutput(from frame: Int, _ comment: Comment) {
      // OpenAL Soft 1.25 fades the earlier sound over 64 frames.
      let output = offline.render(frameCount: 3_000).samples
      let isSame = (128..<3_000).allSatisfy { abs(output[$0] - reader.samples[frame + $0]) < 1e-5 }
      #expect(isSame, comment)
      #expect(source.playbackFrame == frame + 3_000, comment)
    }

    source.playbackFrame = 50_000
    source.play()
    expectOutput(from: 50_000, "before the start")
    source.playbackFrame = 7_000
    #expect(source.playbackFrame == 7_000)
    expectOutput(from: 7_000, "while it plays")
    source.pause()
    _ = offline.render(frameCount: 2_000)
    source.playbackFrame = 20_001
    #expect(source.playbackFrame == 20_001)
    _ = offline.render(frameCount: 2_000)
    source.play()
    expectOutput(from: 20_001, "while it is paused")
    source.stop()
    #expect(source.playbackFrame == 0)
    _ = offline.render(frameCount: 2_000)
    source.play()
    expectOutput(from: 0, "from the beginning")
    source.play()
    expectOutput(from: 0, "after a second play call")
    source.rewind()
    source.play()
    expectOutput(from: 0, "after rewinding")
    source.playbackTime = .seconds(1)
    expectOutput(from: 48_000, "by time")
    source.playbackFrame = 1_000_000
    _ = offline.render(frameCount: 2_000)
    #expect(source.state == .stopped)
    #expect(
      log.states == [.playing, .paused, .playing, .stopped, .playing, .initial, .playing, .stopped]
    )
    #expect(!log.kinds.contains(.underrun))
    withExtendedLifetime(token) {}
  }

  @Test func `A pause holds a stream at its frame`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = SampleReader(frames: 48_000)
    let source = try stream(reader, in: offline)
    source.play()
    _ = offline.render(frameCount: 4_096)
    source.pause()
    _ = offline.render(frameCount: 48_000)
    #expect(source.state == .paused)
    let position = source.playbackFrame
    #expect((4_096...4_160).contains(position))
    source.play()
    let output = offline.render(frameCount: 1_000).samples
    #expect((128..<1_000).allSatisfy { abs(output[$0] - reader.samples[position + $0]) < 1e-5 })
  }

  @Test func `Looping may be turned on and off on the way`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try stream(SampleReader(frames: 30_000), in: offline)
    #expect(!source.isLooping)
    let log = NotificationLog()
    let token = source.record(in: log)
    source.play()
    // The reader has reached its end by now.
    _ = offline.render(frameCount: 29_000)
    source.isLooping = true
    #expect(source.isLooping)
    _ = offline.render(frameCount: 30_000)
    #expect(log.loops == 1)
    #expect(source.state == .playing)
    source.isLooping = false
    _ = offline.render(frameCount: 60_000)
    #expect(source.state == .stopped)
    #expect(log.loops == 2)
    #expect(log.all.last?.framePosition == 90_000)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [0, 1, 2_399, 2_400, 30_000])
  func `A failed reader logs a diagnostic with its name, and the source stops after the read frames`(
    failingFrame: Int
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let diagnostics = Lock<[Diagnostic]>([])
    offline.context.onDiagnostic = { diagnostic in diagnostics.withLock { $0.append(diagnostic) } }
    var reader = SampleReader(frames: 96_000)
    reader.failingFrame = failingFrame
    guard failingFrame >= 2_400 else {
      do throws(AudioError) {
        _ = try SoundSource(streaming: reader, in: offline.context)
        Issue.record("a failing reader was accepted")
      } catch {
        #expect(error.code == .readFailed)
        #expect("\(error)" == "Could not stream a sound: \"music.ogg\" is damaged")
      }
      return
    }
    let source = try stream(reader, in: offline)
    let log = NotificationLog()
    let token = source.record(in: log)
    for round in 1...2 {
      source.play()
      let output = offline.render(frameCount: failingFrame + 2_048).samples
      #expect((0..<failingFrame).allSatisfy { abs(output[$0] - reader.samples[$0]) < 1e-5 })
      #expect(source.state == .stopped)
      let notes = log.take()
      #expect(notes.map(\.kind) == [.stateChanged(.playing), .stateChanged(.stopped)])
      #expect(notes.last?.cause == .reader)
      #expect(notes.last?.framePosition == (notes.first?.framePosition ?? 0) + failingFrame)
      let posted = diagnostics.withLock { $0 }
      #expect(posted.count == round)
      #expect(posted.allSatisfy { $0.code == .streamFailed && $0.message.contains("music.ogg") })
    }
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [Float.nan, .infinity, -1.1e6])
  func `An invalid sample in the first chunk of a stream throws an error`(sample: Float) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let samples = [Float](repeating: 1e6, count: 100) + [sample]
    do throws(AudioError) {
      _ = try SoundSource(
        streaming: SampleReader(try! PCMBuffer(samples: samples, format: Scenes.mono)),
        in: offline.context
      )
      Issue.record("it was accepted")
    } catch {
      #expect("\(error)".contains("frame 100 of the sound has the sample \(sample) in channel 0"))
    }
  }

  @Test func `Sixty-four streams at any rate and pitch render the same twice without an underrun`() throws {
    func mix() throws -> ([Float], [String]) {
      var offline = try OfflineRenderer(format: .stereo(sampleRate: 11_025))
      let log = NotificationLog()
      var tokens: [NotificationToken] = []
      let sources = try (0..<64).map { index in
        let format = PCMFormat(sampleRate: [8_000, 44_100, 48_000, 96_000][index % 4], layout: .mono)
        let source = try SoundSource(
          streaming: SampleReader(frames: 20_000 + 999 * index, format: format),
          in: offline.context
        )
        source.isLooping = index % 3 == 0
        source.pitch = [0.5, 1, 2, 10][index / 4 % 4]
        source.position = [Float(index - 32), 0, -1]
        tokens.append(source.record(in: log))
        return source
      }
      offline.context.play(sources)
      let mix = offline.render(.seconds(1)).samples
      return (mix, log.all.map { "\($0)" })
    }
    let (one, notes) = try mix()
    let (other, others) = try mix()
    #expect(one == other)
    #expect(notes == others)
    #expect(!notes.contains { $0.contains("underrun") })
  }

  @Test func `A stream rejects queued buffers and an unplayable format`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try stream(SampleReader(frames: 1_000), in: offline)
    let silence = try Scenes.silence(frames: 10, in: offline.context)
    #expect(throws: AudioError.self) { try source.queue([silence]) }
    do throws(AudioError) {
      let format = PCMFormat.mono(sampleRate: 1)
      _ = try SoundSource(streaming: SampleReader(try! PCMBuffer(samples: [0], format: format)), in: offline.context)
      Issue.record("it was accepted")
    } catch {
      #expect(error.code == .formatUnsupported)
    }
  }

  @Test func `An empty stream stops as soon as it is played`() throws {
    for isLooping in [false, true] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try stream(SampleReader(frames: 0), in: offline)
      source.isLooping = isLooping
      let log = NotificationLog()
      let token = source.record(in: log)
      source.play()
      #expect(source.state == .stopped)
      _ = offline.render(frameCount: 100)
      #expect(log.states == [.playing, .stopped])
      withExtendedLifetime(token) {}
    }
  }
}

import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

@Suite struct SoundStorageTests {
  private static let libraries: [DisabledFeatures] = [[], [.staticBuffers], [.staticBuffers, .mappedBuffers]]

  /// A buffer of one value, written directly into its storage.
  private func constant<Sample: PCMSample>(_ sample: Sample, frames: Int, in context: AudioContext) throws
    -> SoundBuffer
  {
    try SoundBuffer(format: Scenes.mono, frameCount: frames, as: Sample.self, in: context) { output in
      while !output.isFull { output.append(sample) }
    }
  }

  @Test(arguments: libraries)
  func `The storage of a buffer states if its samples are borrowed`(disabled: DisabledFeatures) throws {
    for isInt16 in [false, true] {
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let buffer =
        try isInt16
        ? constant(Int16(16_384), frames: 48_000, in: offline.context)
        : constant(Float(0.5), frames: 48_000, in: offline.context)
      let source = try SoundSource(playing: buffer, in: offline.context)
      source.play()
      #expect(offline.render(frameCount: 1_024).samples.allSatisfy { $0 > 0.3 })
      buffer.handle.silenceBorrowedSamples(byteCount: buffer.byteCount)
      _ = offline.render(frameCount: 1_024)
      let isSilent = offline.render(frameCount: 1_024).level == .silence
      #expect(isSilent == (buffer.storage == .borrowed))
      if disabled.capabilities.contains(.staticBuffers) { #expect(buffer.storage == .copied) }
      #expect(source.state == .playing)
    }
  }

  @Test func `An array's samples are copied`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let storage = try Scenes.silence(frames: 10, in: offline.context).storage
    #expect(storage == .copied && storage.description == "copied")
    #expect(SoundBuffer.Storage.borrowed.description == "borrowed")
  }

  @Test func `A buffer has its name, and the duration of its frames at its rate`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let pcm = try PCMBuffer(samples: [Float](repeating: 0, count: 6), format: .stereo(sampleRate: 8_000))
    let named = try SoundBuffer(pcm, named: "hum.ogg", in: offline.context)
    #expect(named.name == "hum.ogg" && named.frameCount == 3 && named.duration == .microseconds(375))
    #expect(try SoundBuffer(pcm, in: offline.context).name == nil)
  }

  @Test(arguments: libraries)
  func `A sound holds the whole frames that its closure writes`(disabled: DisabledFeatures) throws {
    let offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    for (room, written, frames) in [(0, 0, 0), (-5, 0, 0), (100, 0, 0), (100, 7, 3), (100, 200, 100)] {
      let buffer = try SoundBuffer(format: Scenes.stereo, frameCount: room, as: Int16.self, in: offline.context) {
        output in
        #expect(output.freeCapacity == 2 * max(room, 0))
        for _ in 0..<written { output.append(Int16(1)) }
      }
      #expect(buffer.frameCount == frames)
      #expect(buffer.byteCount == 4 * frames)
    }
  }

  @Test func `Samples from a closure are validated like all others`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    func code(frames: Int, loop: Range<Int>? = nil, sample: Float) -> AudioError.Code? {
      do throws(AudioError) {
        _ = try SoundBuffer(
          format: Scenes.mono,
          frameCount: frames,
          as: Float.self,
          loopRange: loop,
          in: offline.context
        ) { output in
          for _ in 0..<10 { output.append(sample) }
        }
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code(frames: 10, sample: 0) == nil)
    #expect(code(frames: 10, sample: .nan) == .invalidSamples)
    #expect(code(frames: 10, sample: 1e6) == nil)
    #expect(code(frames: 10, sample: 1.1e6) == .invalidSamples)
    #expect(code(frames: 20, loop: 5..<15, sample: 0) == .invalidLoopRange)
    #expect(code(frames: .max, sample: 0) == .bufferTooLarge)
  }

  @Test(arguments: libraries)
  func `A buffer that the library does not create is an error, and the next one works`(disabled: DisabledFeatures)
    throws
  {
    var disabled = disabled
    disabled.failingCreation = 1
    let offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let error = #expect(throws: AudioError.self) { try constant(Int16(1), frames: 100_000, in: offline.context) }
    #expect(error?.code == .outOfMemory)
    #expect(try constant(Int16(1), frames: 100_000, in: offline.context).frameCount == 100_000)
  }

  @Test(arguments: libraries)
  func `Buffers that are dropped while others play and mixes go on are freed in time`(disabled: DisabledFeatures) throws
  {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let context = offline.context
    let workers = Workers(count: 4) { thread in
      for index in 0..<100 {
        do {
          // The next buffer reuses memory of this size. With MALLOC_MMAP_THRESHOLD_=4096, the system takes it back.
          let buffer = try constant(Float(0.01), frames: 2_000 + thread, in: context)
          let source = try SoundSource(playing: buffer, in: context)
          source.isLooping = index.isMultiple(of: 2)
          source.play()
          if source.isLooping { #expect(source.state == .playing) }
        } catch {
          Issue.record(error)
        }
      }
    }
    while !workers.areDone { #expect(offline.render(frameCount: 256).samples.allSatisfy { abs($0) < 0.1 }) }
    _ = offline.render(frameCount: 2_048)
    #expect(offline.render(frameCount: 1_024).level == .silence)
  }
}

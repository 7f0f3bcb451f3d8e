import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

@Suite struct LifetimeTests {
  /// Creates sources until the context reports that there are no more.
  private func fill(_ context: AudioContext, with buffer: SoundBuffer) -> [SoundSource] {
    var sources: [SoundSource] = []
    while let source = try? SoundSource(playing: buffer, in: context) { sources.append(source) }
    return sources
  }

  @Test func `Eight threads that create and drop thousands of sources lose none and leak none`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let buffer = try Scenes.silence(frames: 480, in: context)
    let limit = fill(context, with: buffer).count
    #expect(limit >= 64)

    let workers = Workers(count: 8) { thread in
      var kept: [SoundSource] = []
      for index in 0..<2_000 {
        guard let source = try? SoundSource(playing: buffer, in: context) else {
          Issue.record("thread \(thread) got no source \(index)")
          continue
        }
        source.position = [Float(thread), Float(index), 0]
        source.gain = 0.5
        source.play()
        #expect(source.position == [Float(thread), Float(index), 0])
        kept.append(source)
        if kept.count > limit / 16 { kept.removeFirst(kept.count / 2) }
      }
      context.withDeferredUpdates {
        for (index, source) in kept.enumerated() { source.gain = Gain(Float(index) / 256) }
      }
      for (index, source) in kept.enumerated() where source.gain != Gain(Float(index) / 256) {
        Issue.record("thread \(thread) finds another gain")
      }
    }
    // Mixing continues meanwhile, as with a sound card.
    while !workers.areDone { _ = offline.render(frameCount: 256) }

    #expect(fill(context, with: buffer).count == limit)
  }

  @Test func `Eight contexts on eight threads do not mix each other's sources`() throws {
    let mixes = Mixes()
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do {
        var offline = try OfflineRenderer(format: Scenes.stereo)
        let isRight = index.isMultiple(of: 2)
        for _ in 0..<20 {
          let source = try Scenes.noise(in: offline.context, at: [isRight ? 1 : -1, 0, 0])
          let mix = offline.render(frameCount: 4_096)
          let balance = mix.level(ofChannel: 1) - mix.level(ofChannel: 0)
          #expect(isRight ? balance > 30 : balance < -30)
          source.stop()
          _ = offline.render(frameCount: 1_024)
          mixes.add(mix.samples)
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(mixes.distinct == 2)
  }

  @Test func `Contexts, buffers and sources may be dropped in any order`() throws {
    // Each order releases one object after the other; the remaining objects must still work.
    for order in permutations(of: [0, 1, 2, 3]) {
      var offline: OfflineRendererBox? = OfflineRendererBox(try OfflineRenderer(format: Scenes.stereo))
      var context: AudioContext? = offline?.context
      var buffer: SoundBuffer? = try context.map { try Scenes.silence(frames: 4_800, in: $0) }
      var source: SoundSource? = try context.flatMap { context in
        try buffer.map { try SoundSource(playing: $0, in: context) }
      }
      source?.play()
      for item in order {
        switch item {
        case 0: offline = nil
        case 1: context = nil
        case 2: buffer = nil
        default: source = nil
        }
        offline?.render()
        source?.gain = 0.5
        context?.listener.position.x += 1
        #expect(source.map { $0.state == .playing && $0.gain == 0.5 } ?? true)
        #expect(buffer.map { $0.frameCount == 4_800 } ?? true)
      }
    }
  }

  @Test func `Dropping a source stops it`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    var source: SoundSource? = try Scenes.noise(in: offline.context)
    #expect(offline.render(frameCount: 1_024).level > -20)
    #expect(source?.state == .playing)
    source = nil
    _ = offline.render(frameCount: 1_024)
    #expect(offline.render(frameCount: 1_024).level == .silence)
  }

  @Test func `The library frees contexts and devices without owners`() throws {
    // Devices and contexts of other tests may reuse an address, so the test counts the addresses.
    var (devices, contexts): ([AudioDevice], [UInt]) = ([], [])
    for _ in 0..<200 {
      let offline = try OfflineRenderer(format: Scenes.mono)
      let source = try Scenes.noise(in: offline.context)
      devices.append(offline.context.device)
      contexts.append(offline.context.libraryAddress)
      #expect(LibraryObjects.hasContext(at: contexts[contexts.count - 1]))
      #expect(source.state == .playing)
    }
    // The contexts are freed before their devices, which still exist here.
    let addresses = devices.map(\.libraryAddress)
    #expect(addresses.allSatisfy { LibraryObjects.hasDevice(at: $0) })
    #expect(Set(contexts).count { LibraryObjects.hasContext(at: $0) } < 50)
    devices = []
    #expect(addresses.count { LibraryObjects.hasDevice(at: $0) } < 50)
  }

  @Test func `A buffer is freed with its last owner`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var buffer: SoundBuffer? = try Scenes.silence(frames: 10, in: offline.context)
    let id = try #require(buffer?.id)
    var source: SoundSource? = try buffer.map { try SoundSource(playing: $0, in: offline.context) }
    buffer = nil
    #expect(offline.context.libraryHasBuffer(id))
    #expect(source?.buffers[0].frameCount == 10)
    source = nil
    #expect(!offline.context.libraryHasBuffer(id))
  }

  @Test func `A call leaves no context current on its thread`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try Scenes.noise(in: offline.context)
    offline.context.withDeferredUpdates { source.position = [1, 2, 3] }
    offline.context.listener.gain = 0.5
    source.pause()
    source.play()
    _ = offline.render(frameCount: 10)
    #expect(source.state == .playing)
    #expect(!LibraryObjects.threadHasContext)
  }

  @Test func `A context lives as long as its sources`() throws {
    weak var context: AudioContext?
    do {
      let source: SoundSource
      do {
        let offline = try OfflineRenderer(format: Scenes.mono)
        source = try Scenes.noise(in: offline.context)
        context = offline.context
      }
      #expect(context != nil)
      #expect(source.state == .playing)
    }
    #expect(context == nil)
  }

  @Test func `One buffer is played by many sources at once`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = TestSignal.noise(duration: .milliseconds(200), format: Scenes.mono, amplitude: 0.01)
    let buffer = try SoundBuffer(noise, in: offline.context)
    let sources = try (0..<64).map { _ in try SoundSource(playing: buffer, in: offline.context) }
    sources[0].play()
    let one = offline.render(frameCount: 1_024).level
    sources[0].rewind()
    _ = offline.render(frameCount: 1_024)
    for source in sources { source.play() }
    let all = offline.render(frameCount: 1_024).level
    #expect(abs((all - one - Decibels(factor: 64)).rawValue) < 0.2)
  }

  private func permutations(of items: [Int]) -> [[Int]] {
    guard items.count > 1 else { return [items] }
    return items.flatMap { first in permutations(of: items.filter { $0 != first }).map { [first] + $0 } }
  }
}

/// A renderer that a test can release.
private final class OfflineRendererBox {
  private var offline: OfflineRenderer
  let context: AudioContext

  init(_ offline: consuming OfflineRenderer) {
    context = offline.context
    self.offline = offline
  }

  func render() { _ = offline.render(frameCount: 64) }
}

import Foundation
import SoundServer
import Spatial3D
import Spatial3DTesting

/// The life of one context on each kind of device.
struct Round {
  private static let format = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = TestSignal.noise(duration: .milliseconds(60), format: format)

  let server: SoundServer?
  let number: Int

  init(server: SoundServer?, _ number: Int) {
    self.server = server
    self.number = number
  }

  func play(_ counts: inout Counts) async throws {
    if let server {
      try await play(in: AudioContext())
      try await lose(server)
      counts.losses += 1
    }
    try await play(in: AudioContext(device: .silent))
    try renderOffline()
  }

  /// Plays looping, streamed and one-shot sources, and returns when the two that it waits for have stopped.
  private func play(in context: AudioContext) async throws {
    let buffer = try SoundBuffer(Self.noise, in: context)
    context.reverb = Reverb(number.isMultiple(of: 2) ? .cathedral : .smallRoom)
    let sources = try (0..<16).map { index in
      let source = try SoundSource(playing: buffer, in: context)
      source.position = [Float(index), 0, -1]
      source.reverbBlend = 0.5
      source.isLooping = index > 0
      return source
    }
    let stream = try SoundSource(streaming: SampleReader(Self.noise), in: context)
    context.play(sources + [stream])
    try context.playOnce(buffer, at: [0, 0, -2])
    for step in 0..<5 {
      context.withDeferredUpdates { for source in sources { source.position.y = Float(step) } }
      context.suspend()
      context.resume()
    }
    await sources[0].waitUntilStopped()
    await stream.waitUntilStopped()
  }

  /// Kills the server while a context plays to it, and restarts it.
  private func lose(_ server: SoundServer) async throws {
    let context = try AudioContext()
    let buffer = try SoundBuffer(Self.noise, in: context)
    let source = try SoundSource(playing: buffer, in: context)
    source.isLooping = true
    source.play()
    let events = context.events()
    try server.kill()
    for await event in events where event.kind == .deviceLost { break }
    try server.start()
    try server.add(sink: "main")
  }

  private func renderOffline() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let source = try SoundSource(playing: SoundBuffer(Self.noise, in: offline.context), in: offline.context)
    source.play()
    _ = offline.render(.milliseconds(100))
  }
}

/// A reader of samples in memory, instead of a file.
struct SampleReader: PCMReader, Sendable {
  let format: PCMFormat
  private let samples: [Float]
  private var next = 0

  init(_ sound: PCMBuffer<Float>) {
    format = sound.format
    samples = sound.samples
  }

  var frameCount: Int? { samples.count }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    buffer.removeAll(adopting: format)
    let part = samples[next..<min(samples.count, next + maxFrames)]
    buffer.append(frames: part.count) { room in for sample in part { room.append(sample) } }
    next += part.count
    return part.count
  }

  mutating func seek(toFrame frame: Int) { next = min(max(frame, 0), samples.count) }
}

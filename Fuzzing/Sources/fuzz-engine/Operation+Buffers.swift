import FuzzSupport
import Spatial3D

/// Sound buffers of every format, made with every method, and some that the engine refuses.
extension Operation {
  static let buffers = [
    Operation("buffer.make", 6) { caller in
      let sound = caller.values.sound()
      caller.makeBuffer("\(sound) of floats") { context throws(AudioError) in
        try SoundBuffer(sound.pcm(as: Float.self), named: sound.name, loopRange: sound.loopRange, in: context)
      }
    },
    Operation("buffer.make.int16", 4) { caller in
      let sound = caller.values.sound()
      caller.makeBuffer("\(sound) of 16 bits") { context throws(AudioError) in
        try SoundBuffer(sound.pcm(as: Int16.self), named: sound.name, loopRange: sound.loopRange, in: context)
      }
    },
    Operation("buffer.make.written", 2) { caller in
      let sound = caller.values.sound()
      let samples = sound.pcm(as: Int16.self).samples
      let count = sound.frameCount + caller.values.element(of: [0, 0, 1, 500])
      caller.makeBuffer("\(sound), written in room for \(count)") { context throws(AudioError) in
        try SoundBuffer(
          format: sound.format,
          frameCount: count,
          as: Int16.self,
          named: sound.name,
          loopRange: sound.loopRange,
          in: context
        ) { room in
          for sample in samples { room.append(sample) }
        }
      }
    },
    Operation("buffer.make.read", 2) { caller in
      let reader = caller.values.reader()
      guard reader.script.length != nil else { return }
      caller.makeBuffer("all of \(reader)") { context throws(AudioError) in
        try SoundBuffer(reading: reader, in: context)
      }
    },
    Operation("buffer.make.loud", 1) { caller in
      let level = caller.values.element(of: [1e3, 1e6, 1e30, Float.greatestFiniteMagnitude, .nan, -.infinity])
      var samples = [Float](repeating: 0, count: 1_000)
      samples[caller.values.int(0...999)] = level
      caller.makeBuffer("a sample of \(level)") { context throws(AudioError) in
        guard let pcm = try? PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)) else { return nil }
        return try SoundBuffer(pcm, in: context)
      }
    },
    Operation("buffer.drop", 3) { caller in
      let place = caller.place(in: caller.world.buffers)
      caller.drop("drop buffer \(place)", in: caller.world.buffers, at: place)
    },
    Operation("buffer.read", 1) { caller in
      guard let (place, buffer) = caller.pick(caller.world.buffers) else { return }
      let (range, count) = caller.call("values of buffer \(place)") {
        _ = (buffer.storage, buffer.duration, buffer.name)
        return (buffer.loopRange, buffer.frameCount)
      }
      caller.require(range.lowerBound >= 0 && range.upperBound <= count, "a loop range of \(range) in \(count)")
      let size = buffer.byteCount / max(count * buffer.format.channelCount, 1)
      caller.require([0, 2, 4].contains(size), "\(size) bytes for a sample")
    },
  ]
}

extension Caller {
  fileprivate mutating func makeBuffer(
    _ text: String,
    _ make: (AudioContext) throws(AudioError) -> SoundBuffer?
  ) {
    guard let context = values.chance(0.95) ? context() : world.strangers[0] else { return }
    let place = place(in: world.buffers)
    let buffer = attempt(
      "buffer \(place) = \(text)",
      mayThrow: .formatUnsupported,
      .invalidSamples,
      .invalidLoopRange,
      .readFailed
    ) { () throws(AudioError) in
      try make(context)
    }
    guard let buffer, let buffer else { return }
    drop("old buffer \(place)", in: world.buffers, at: place, for: buffer)
  }
}

/// The content of a sound buffer.
struct FuzzedSound: CustomStringConvertible, Sendable {
  var format: PCMFormat
  var frameCount: Int
  var loopRange: Range<Int>?
  var name: String?
  var level: Float

  var description: String { "\(frameCount) frames of \(format), loop \(loopRange.map { "\($0)" } ?? "nil")" }

  /// A sawtooth, which has all frequencies.
  func pcm<Sample: PCMSample>(as type: Sample.Type) -> PCMBuffer<Sample> {
    let channels = format.channelCount
    let samples = (0..<frameCount * channels).map { index in
      Sample(signal: level * (Float((index / channels) % 96) / 48 - 1))
    }
    return (try? PCMBuffer(samples: samples, format: format)) ?? PCMBuffer(format: format)
  }
}

extension Values {
  /// A sound: mostly mono at the usual rate, and any format.
  mutating func sound() -> FuzzedSound {
    let frameCount = element(of: [0, 1, 2, 63, 64, 1_023, 1_024, int(1...500), int(1...20_000), int(1...20_000)])
    var sound = FuzzedSound(format: soundFormat(), frameCount: frameCount, level: within(0...1))
    if chance(0.3) {
      let start = int(0...max(frameCount - 1, 0))
      sound.loopRange = start..<int(start + (chance(0.9) ? 1 : 0)...max(frameCount, start + 1))
    }
    if chance(0.2) { sound.name = "a sound" }
    return sound
  }

  mutating func soundFormat() -> PCMFormat {
    let usual = chance(0.6)
    let layouts: [ChannelLayout] = [
      .mono, .stereo, .quad, .surround51, .surround61, .surround71, .bFormat2D, .bFormat3D, .discrete(3),
      .ambisonic(order: 1),
    ]
    let rates = Self.rates + [8_000, 999, 1_000, 1_001, 384_000, 768_000, 0]
    return PCMFormat(
      sampleRate: usual ? 48_000 : element(of: rates),
      layout: usual ? element(of: [.mono, .mono, .stereo]) : element(of: layouts)
    )
  }
}

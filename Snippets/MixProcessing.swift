//! A world that processes its mix: inserts, a limiter, a meter, and a processor of the game.

import Foundation
import GameAudio

// snippet.processor
/// A ring modulator: the sound, times a tone.
struct RingModulator: BlockProcessor {
  var phase: Float = 0

  mutating func process(
    _ samples: inout MutableSpan<Float>,
    _ block: BlockDescription
  ) {
    let channels = block.format.channelCount
    let step = 440 / Float(block.format.sampleRate)
    for frame in 0..<block.frameCount {
      phase = (phase + step).truncatingRemainder(dividingBy: 1)
      let gain = sin(2 * .pi * phase)
      for channel in 0..<channels {
        samples[frame * channels + channel] *= gain
      }
    }
  }
}
// snippet.end

// snippet.world
let world = try AudioWorld(processing: true)
let mixer = world.mixer
mixer.main.inserts = [
  .highPass(30),
  .compressor(threshold: -20, ratio: 3),
]
mixer.limiter = Insert.Limiter(ceiling: -1)
// snippet.end

// snippet.buses
let sfx = mixer.makeBus("sfx")
let speech = mixer.makeBus("speech")
sfx.inserts = [.compressor(threshold: -24, ratio: 4)]
speech.inserts = .telephone
let loudness = speech.meter().loudness
// snippet.end

// snippet.changes
mixer.main.inserts[1].mix = 0.5  // parallel compression
mixer.main.inserts[0].isBypassed = true
mixer.main.setInserts(.telephone, Fade(.milliseconds(200)))
// snippet.end

// snippet.underwater
let dry = mixer.snapshot()
var underwater = dry
underwater["main"].inserts = .underwater
mixer.apply(underwater, Fade(.seconds(1)))
// snippet.end

// snippet.hall
mixer.main.inserts = [
  .convolution("hall.wav", mix: 0.2)
]
// snippet.end

// snippet.meter
let meter = mixer.main.meter()
if let integrated = meter.loudness.integrated {
  print("\(integrated) LUFS, peak \(meter.loudness.truePeak)")
}
// snippet.end

// snippet.hide
/// A place of the samples in the game.
struct Spectrum: Sendable {
  func append(_ samples: PCMBuffer<Float>) {}
}
let spectrum = Spectrum()
// snippet.show

// snippet.tap
let tap = mixer.main.tap { chunk in
  spectrum.append(chunk.samples)
}
// snippet.end

// snippet.samples
let analysis = Task {
  for await chunk in mixer.main.samples(.beforeInserts) {
    spectrum.append(chunk.samples)
  }
}
// snippet.end

// snippet.record
let take = try world.recordMix(to: "take.flac", codec: .int24)
try await Task.sleep(for: .seconds(10))
try await take.stop()
// snippet.end

// snippet.hide
let folder = "."
// snippet.show

// snippet.stems
let stems = try world.recordStems(of: [sfx, speech], in: folder)
// snippet.end
for stem in stems { try stem.finish() }

// snippet.custom
mixer.main.inserts = [
  .processor("ring") { _ in RingModulator() },
  .closure("half") { samples, _ in
    for index in samples.indices { samples[index] *= 0.5 }
  },
]
// snippet.end

//! The first calls of a game that comes from another engine, and an insert effect by a mix of its own.

import GameAudio
import Spatial3DTesting

// snippet.insert
/// A world with a mix of its own, which a limiter changes.
struct LimitedMix: PCMReader, ~Copyable, Sendable {
  var renderer: OfflineRenderer

  var format: PCMFormat { renderer.format }
  var frameCount: Int? { nil }

  mutating func read(
    into buffer: inout PCMBuffer<Float>,
    maxFrames: Int
  ) -> Int {
    let mix = renderer.render(frameCount: maxFrames)
    buffer = PCMBuffer(format: format)
    buffer.append(frames: maxFrames) { output in
      for sample in mix.samples {
        output.append(sample / (1 + abs(sample)))
      }
    }
    return maxFrames
  }

  mutating func seek(toFrame frame: Int) {}
}
// snippet.end

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)
func noise(seed: UInt64) -> PCMBuffer<Float> {
  TestSignal.noise(
    seed: seed,
    duration: .seconds(2),
    format: .mono(sampleRate: 48_000)
  )
}
let theme = Sound(noise(seed: 1))
let bang = Sound(noise(seed: 2))
let recordings = [noise(seed: 3), noise(seed: 4)]

// snippet.event
var steps = Sound(anyOfSamples: recordings)  // or Sound(anyOf: paths)
steps.pitchVariation = -1...1  // semitones
steps.limit = PlaybackLimit(4, whenReached: .stealOldest)
let sfx = world.mixer.makeBus("sfx")
world.playOnce(steps, at: [0, -1.7, -0.3], on: sfx)
// snippet.end

// snippet.player
let music = world.mixer.makeBus("music", kind: .direct)
let player = try SoundPlayer(playing: theme, in: world, on: music)
player.repeats = .forever
player.play()
player.schedule(bang, .atLoopEnd)
// snippet.end

// snippet.streamed
/// A world whose mix plays in another world, through the limiter.
func limitedWorld(
  in world: AudioWorld
) throws -> (inner: AudioWorld, source: SoundSource) {
  let renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
  let inner = AudioWorld(in: renderer.context)
  let source = try SoundSource(
    streaming: LimitedMix(renderer: renderer),
    in: world.context,
    ahead: .milliseconds(60)
  )
  return (inner, source)
}
let (inner, group) = try limitedWorld(in: world)
group.play()
inner.playOnce(bang, at: [1, 0, -1])  // heard through the limiter
// snippet.end

let mix = offline.render(.seconds(1))
precondition(mix.level > -30)
precondition(group.state == .playing)

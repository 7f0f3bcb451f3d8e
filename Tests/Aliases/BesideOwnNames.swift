// A game with its own declarations of such names instead of a C module: these win. The compiler must report nothing.

import OpenALMigration
import Spatial3D

typealias ALuint = Int

let AL_GAIN = 1

func alSourcePlay(_ source: SoundSource) { source.play() }

func alSourcef(_ source: SoundSource, _ parameter: Int, _ value: Float) { source.gain = Gain(value) }

/// The common interface of a game's sounds.
protocol Playable {
  var volume: Float { get set }
  var isPlaying: Bool { get }
  func start()
}

extension Playable {
  var volume: Float {
    get { 1 }
    set {}
  }
  var isPlaying: Bool { false }
  func start() {}
}

extension SoundSource: Playable {}
extension AudioContext: Playable {}

extension SoundSource {
  var rate: Float {
    get { pitch }
    set { pitch = newValue }
  }

  func scheduleBuffer(_ buffer: SoundBuffer) throws { try queue([buffer]) }
}

func playOwnNames(_ source: SoundSource, of buffer: SoundBuffer, in context: AudioContext) throws {
  let name: ALuint = 7
  alSourcePlay(source)
  alSourcef(source, AL_GAIN, 0.5)
  var playable = source
  playable.volume *= 2
  if source.isPlaying { source.rate = Float(name) }
  let rate = \SoundSource.rate
  try source.scheduleBuffer(buffer)
  context.start()
  print(rate)
}

// A game with OpenAL's names from another Swift module: they win. The compiler must report nothing.

import OpenALMigration
import Spatial3D
import SwiftOpenAL

func playBesideSwiftOpenAL(_ ours: SoundSource) {
  let source: ALuint = 0
  alSourcePlay(source)
  alSourcePause(source)
  alSourcePause(ours)
  alSourcef(source, AL_GAIN, 0.5 as ALfloat)
  if alGetError() == AL_PLAYING { print([source].map(alSourcePlay)) }
}

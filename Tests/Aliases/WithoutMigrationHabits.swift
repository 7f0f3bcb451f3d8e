// The C names without the import of OpenALMigration: Spatial3D alone declares none of them.

import Spatial3D

func playWithoutMigration(_ source: SoundSource) {
  alSourcePlay(source)
  // expected-error@-1 {{cannot find 'alSourcePlay' in scope}}
  if source.state == AL_PLAYING {}
  // expected-error@-1 {{cannot find 'AL_PLAYING' in scope}}
  let name: ALuint? = nil
  // expected-error@-1 {{cannot find type 'ALuint' in scope}}
}

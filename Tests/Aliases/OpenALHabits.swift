// The first attempts of people who know OpenAL, with the compiler's diagnostics for Scripts/check-aliases.

import OpenALMigration
import Spatial3D

func makeSound(named name: String) {
  let device = alcOpenDevice(nil)
  // expected-error@-1 {{'alcOpenDevice' has been replaced by 'AudioDevice.init(named:)'}} {{16-29=AudioDevice}} {{30-30=named: }}
  let context = alcCreateContext(device, nil)
  // expected-error@-1 {{'alcCreateContext' is unavailable: create one with 'AudioContext(device:settings:)'}}
  alcMakeContextCurrent(context)
  // expected-error@-1 {{'alcMakeContextCurrent' is unavailable: there is no current context: sources and buffers know theirs}}

  var source: ALuint = 0
  // expected-error@-1 {{'ALuint' is unavailable: sources and buffers are objects, SoundSource and SoundBuffer, and have no number}}
  alGenSources(1, &source)
  // expected-error@-1 {{'alGenSources' is unavailable: create one with 'SoundSource(playing:in:)' or 'SoundSource(in:)'}}
  var buffer = [0 as UInt32]
  alGenBuffers(1, &buffer)
  // expected-error@-1 {{'alGenBuffers' is unavailable: create one with its samples: 'SoundBuffer(pcm, in: context)'}}
  alBufferData(buffer[0], AL_FORMAT_MONO16, [0, 1, 2], 6, 44_100)
  // expected-error@-1 {{'alBufferData' is unavailable: create the buffer with its samples: 'SoundBuffer(pcm, in: context)'}}
  // expected-error@-2 {{'AL_FORMAT_MONO16' is unavailable: the samples are Int16, and their format is 'PCMFormat.mono(sampleRate:)'}}
  alSourcei(source, AL_BUFFER, buffer[0])
  // expected-error@-1 {{'alSourcei' is unavailable: set the property, such as 'source.isLooping = true'}}
  // expected-error@-2 {{'AL_BUFFER' is unavailable: it is given to 'SoundSource(playing:in:)'}}
  alSourcePlay(source)
  // expected-error@-1 {{'alSourcePlay' is unavailable: call 'source.play()' on a SoundSource}}
  if alGetError() != AL_NO_ERROR {}
  // expected-error@-1 {{'alGetError()' is unavailable: what can fail throws an AudioError; setters never fail}}
  // expected-error@-2 {{'AL_NO_ERROR' is unavailable: what can fail throws an AudioError; setters never fail}}
}

func moveSound(_ source: SoundSource, in context: AudioContext) {
  alSourcePlay(source)
  // expected-error@-1 {{'alSourcePlay' has been replaced by instance method 'SoundSource.play()'}} {{3-15=source.play}} {{16-22=}}
  alSourcef(source, AL_GAIN, 0.5)
  // expected-error@-1 {{'alSourcef' is unavailable: set the property, such as 'source.gain = 0.5'}}
  // expected-error@-2 {{'AL_GAIN' is unavailable: it is 'gain' of a SoundSource and of a Listener}}
  alSource3f(source, AL_POSITION, 1, 0, -2)
  // expected-error@-1 {{'alSource3f' is unavailable: set the property, such as 'source.position = [1, 0, -2]'}}
  // expected-error@-2 {{'AL_POSITION' is unavailable: it is 'position' of a SoundSource and of a Listener}}
  alSourcefv(source, AL_VELOCITY, [1, 0, -2])
  // expected-error@-1 {{'alSourcefv' is unavailable: set the property, such as 'source.position = [1, 0, -2]'}}
  // expected-error@-2 {{'AL_VELOCITY' is unavailable: it is 'velocity' of a SoundSource and of a Listener}}
  alSourcei(source, AL_LOOPING, AL_TRUE)
  // expected-error@-1 {{'alSourcei' is unavailable: set the property, such as 'source.isLooping = true'}}
  // expected-error@-2 {{'AL_LOOPING' is unavailable: it is 'isLooping' of a SoundSource}}
  // expected-error@-3 {{'AL_TRUE' has been renamed to 'true'}} {{33-40=true}}
  alListenerfv(AL_ORIENTATION, [0, 0, -1, 0, 1, 0])
  // expected-error@-1 {{'alListenerfv' is unavailable: set the property, such as 'context.listener.orientation'}}
  // expected-error@-2 {{'AL_ORIENTATION' is unavailable: it is 'orientation' of a Listener}}
  alDistanceModel(AL_LINEAR_DISTANCE_CLAMPED)
  // expected-error@-1 {{'alDistanceModel' is unavailable: set 'context.distanceModel'}}
  // expected-error@-2 {{'AL_LINEAR_DISTANCE_CLAMPED' has been renamed to 'DistanceModel.linearClamped'}} {{19-45=DistanceModel.linearClamped}}
  alSpeedOfSound(340)
  // expected-error@-1 {{'alSpeedOfSound' is unavailable: set 'context.speedOfSound'}}

  alDeferUpdatesSOFT()
  // expected-error@-1 {{'alDeferUpdatesSOFT()' is unavailable: call 'context.withDeferredUpdates { ... }'}}
  if source.state == AL_PLAYING {
    // expected-error@-1 {{'AL_PLAYING' has been renamed to 'SourceState.playing'}} {{22-32=SourceState.playing}}
    alSourceStop(source)
    // expected-error@-1 {{'alSourceStop' has been replaced by instance method 'SoundSource.stop()'}} {{5-17=source.stop}} {{18-24=}}
  }
  var queued: [UInt32] = [1, 2]
  alSourceQueueBuffers(source, 2, queued)
  // expected-error@-1 {{'alSourceQueueBuffers' is unavailable: call 'source.queue([buffer, ...])'}}
  alSourceUnqueueBuffers(source, 1, &queued)
  // expected-error@-1 {{'alSourceUnqueueBuffers' is unavailable: call 'source.unqueueProcessed()', which returns the buffers}}
  alSourcePlayv(2, queued)
  // expected-error@-1 {{'alSourcePlayv' is unavailable: call 'context.play([source, ...])'}}

  var state: Int32 = 0
  alGetSourcei(source, AL_SOURCE_STATE, &state)
  // expected-error@-1 {{'alGetSourcei' is unavailable: read the property, such as 'source.state'}}
  // expected-error@-2 {{'AL_SOURCE_STATE' is unavailable: it is 'state' of a SoundSource}}
}

func putSoundInARoom(_ source: SoundSource) {
  var room: Int32 = 8
  alcASASetListener(ALC_ASA_REVERB_ROOM_TYPE, &room, 4)
  // expected-error@-1 {{'alcASASetListener' is unavailable: set 'context.reverb'}}
  // expected-error@-2 {{'ALC_ASA_REVERB_ROOM_TYPE' is unavailable: it is 'reverb = Reverb(.cathedral)' of an AudioContext}}
  var muffling: Float = -18
  alcASASetSource(ALC_ASA_OCCLUSION, source, &muffling, 4)
  // expected-error@-1 {{'alcASASetSource' is unavailable: set the property, such as 'source.occlusion = -18'}}
  // expected-error@-2 {{'ALC_ASA_OCCLUSION' is unavailable: it is 'occlusion' of a SoundSource}}
  alSourceAddNotification(source, AL_QUEUE_HAS_LOOPED, { (_: UInt32) in }, nil)
  // expected-error@-1 {{'alSourceAddNotification' is unavailable: call 'source.observe(_:_:)', or iterate over 'source.events(_:)'}}
  // expected-error@-2 {{'AL_QUEUE_HAS_LOOPED' is unavailable: it is 'source.events(.loop)'}}

  var slot: UInt32 = 0
  alGenAuxiliaryEffectSlots(1, &slot)
  // expected-error@-1 {{'alGenAuxiliaryEffectSlots' is unavailable: set 'context.reverb', or create an 'EffectUnit'}}
}

// A game that also calls OpenAL: the C names win everywhere. The compiler must report nothing.

internal import CSpatial3DOpenAL
import OpenALMigration
import Spatial3D

func playBesideOpenAL(_ ours: SoundSource) {
  var source: ALuint = 0
  var buffers: [ALuint] = [0, 0]
  alGenSources(1, &source)
  alGenBuffers(ALsizei(buffers.count), &buffers)
  alBufferData(buffers[0], AL_FORMAT_MONO16, [0, 1] as [Int16], 4, 44_100)
  alSourcei(source, AL_BUFFER, ALint(buffers[0]))
  alSourcei(source, AL_LOOPING, ALint(AL_TRUE))
  alSourcef(source, AL_GAIN, 0.5 as ALfloat)
  alSource3f(source, AL_POSITION, 1, 0, -2)
  alSourcefv(source, AL_VELOCITY, [1, 0, -2])
  alDistanceModel(AL_LINEAR_DISTANCE_CLAMPED)
  alSourcePlay(source)
  alSourcePlayv(1, &source)

  var state: ALint = 0
  alGetSourcei(source, AL_SOURCE_STATE, &state)
  switch state {
  case AL_PLAYING: break
  case AL_PAUSED, AL_STOPPED: alSourceRewind(source)
  default: break
  }
  if alGetError() != AL_NO_ERROR { alSourceStop(source) }

  let models = [AL_NONE, AL_LINEAR_DISTANCE].map { $0 + 1 }
  let names: [ALenum: String] = [AL_GAIN: "gain", AL_PITCH: "pitch"]
  let flags = AL_GAIN | AL_PITCH | AL_POSITION | AL_VELOCITY | AL_DIRECTION | AL_LOOPING | AL_BUFFER
  let play = alSourcePlay
  let pause: (ALuint) -> Void = alSourcePause
  buffers.forEach(alSourceStop)
  CSpatial3DOpenAL.alSourcePause(source)
  print(models, names, flags, play, pause)
  ours.play()
}

func openBesideOpenAL() -> OpaquePointer? {
  guard let device = alcOpenDevice(nil), let context = alcCreateContext(device, nil) else { return nil }
  if alcMakeContextCurrent(context) == ALC_FALSE { print(alcGetError(device)) }
  print(String(cString: alGetString(AL_VERSION)))
  return context
}

struct Voice<Name> {
  var source: ALuint
  var device: OpaquePointer
  var name: Name
}

extension ALuint {
  var isValid: Bool { self != 0 }
}

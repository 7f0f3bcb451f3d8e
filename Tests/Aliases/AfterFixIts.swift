// The code after all fix-its, which has to compile.

import Spatial3D

func afterFixIts(_ source: SoundSource, in context: AudioContext) throws {
  let device = try AudioDevice(named: nil)
  source.play()
  source.pause()
  source.rewind()
  if source.state == SourceState.playing { source.stop() }
  let states = [SourceState.initial, SourceState.paused, SourceState.stopped]
  let models = [
    DistanceModel.none, DistanceModel.inverse, DistanceModel.inverseClamped, DistanceModel.linear,
    DistanceModel.linearClamped, DistanceModel.exponent, DistanceModel.exponentClamped,
  ]
  print(device, states, models)

  source.gain *= 2
  source.pitch = 2
  source.reverbBlend = 0.4
  source.spatialization = .always
  source.playbackTime = .zero
  source.attenuation.referenceDistance = 2
  source.attenuation.maximumDistance = 60
  source.attenuation.rolloffFactor = 2
  context.listener.position = [0, 1.7, 0]
  context.listener.orientation = .identity
  context.listener.gain = 0.5
}

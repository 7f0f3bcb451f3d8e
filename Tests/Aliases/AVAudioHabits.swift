// The first attempts of people who know AVAudioEngine, with the compiler's diagnostics for Scripts/check-aliases.

import Spatial3D

func moveSound(_ source: SoundSource, in context: AudioContext) {
  source.volume = 0.5
  // expected-error@-1 {{'volume' has been renamed to 'gain'}} {{10-16=gain}}
  source.volume *= 2
  // expected-error@-1 {{'volume' has been renamed to 'gain'}} {{10-16=gain}}
  let loudness: Gain = source.volume
  // expected-error@-1 {{'volume' has been renamed to 'gain'}} {{31-37=gain}}
  source.rate = 2
  // expected-error@-1 {{'rate' has been renamed to 'pitch'}} {{10-14=pitch}}
  source.pan = -1
  // expected-error@-1 {{'pan' is unavailable: set 'isListenerRelative', and 'position' to the left or right}}
  source.renderingAlgorithm = .on
  // expected-error@-1 {{'renderingAlgorithm' is unavailable: ask for an HRTF with 'OutputSettings(hrtf:)'}}
  if source.isPlaying, loudness > 1 {}
  // expected-error@-1 {{'isPlaying' is unavailable: compare: 'state == .playing'}}
  source.rolloffFactor = 2
  // expected-error@-1 {{'rolloffFactor' has been renamed to 'attenuation.rolloffFactor'}} {{10-23=attenuation.rolloffFactor}}
  source.scheduleBuffer(source)
  // expected-error@-1 {{'scheduleBuffer' is unavailable: call 'queue([buffer, ...])'}}

  source.fadeOut()
  // expected-error@-1 {{'fadeOut' is unavailable: call 'stop(fadingOut:)' or 'pause(fadingOut:)'}}
  source.fadeOut(2)
  // expected-error@-1 {{'fadeOut' is unavailable: call 'stop(fadingOut:)' or 'pause(fadingOut:)'}}
  source.fadeOut(duration: 2)
  // expected-error@-1 {{'fadeOut(duration:)' is unavailable: call 'stop(fadingOut:)' or 'pause(fadingOut:)'}}

  context.masterVolume = 0.5
  // expected-error@-1 {{'masterVolume' has been renamed to 'listener.gain'}} {{11-23=listener.gain}}
  context.listener.volume = 0.5
  // expected-error@-1 {{'volume' has been renamed to 'gain'}} {{20-26=gain}}
  context.listenerPosition = [0, 1.7, 0]
  // expected-error@-1 {{'listenerPosition' has been renamed to 'listener.position'}} {{11-27=listener.position}}
  context.outputVolume = 0.5
  // expected-error@-1 {{'outputVolume' has been renamed to 'listener.gain'}} {{11-23=listener.gain}}
  context.start()
  // expected-error@-1 {{'start()' is unavailable: a context plays from its creation; 'resume()' is for one that was suspended}}
}

/// A reader like `AudioFile`.
struct File: PCMReader, ~Copyable {
  let format = PCMFormat.mono(sampleRate: 48_000)
  var frameCount: Int? { 0 }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(AudioError) -> Int { 0 }

  mutating func seek(toFrame frame: Int) throws(AudioError) {}
}

func loadSound(in context: AudioContext) throws -> SoundBuffer {
  let file = File()
  print(try SoundBuffer(file, in: context))
  // expected-error@-1 {{'init(_:in:)' has been renamed to 'init(reading:in:)'}} {{25-25=reading: }}
  return try SoundBuffer(File(), in: context)
  // expected-error@-1 {{'init(_:in:)' has been renamed to 'init(reading:in:)'}} {{26-26=reading: }}
}

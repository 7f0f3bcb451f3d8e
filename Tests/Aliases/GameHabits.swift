// Names of other libraries on the types of GameAudio.

import GameAudio

func playLikeAVAudio(_ emitter: Emitter, _ bus: Bus, _ player: SoundPlayer, _ world: AudioWorld) {
  emitter.volume = 0.5
  // expected-error@-1 {{'volume' has been renamed to 'gain'}} {{11-17=gain}}
  emitter.rate = 2
  // expected-error@-1 {{'rate' has been renamed to 'pitch'}} {{11-15=pitch}}
  emitter.currentTime = .zero
  // expected-error@-1 {{'currentTime' has been renamed to 'playbackTime'}} {{11-22=playbackTime}}
  emitter.isLooping = true
  // expected-error@-1 {{'isLooping' is unavailable: set 'repeats', to '.forever' for a loop without an end}}
  emitter.numberOfLoops = -1
  // expected-error@-1 {{'numberOfLoops' is unavailable: set 'repeats', to '.forever' for a loop without an end}}
  bus.volume = 0.5
  // expected-error@-1 {{'volume' has been renamed to 'gain'}} {{7-13=gain}}
  bus.outputVolume = 0.5
  // expected-error@-1 {{'outputVolume' has been renamed to 'gain'}} {{7-19=gain}}
  player.enableRate = true
  // expected-error@-1 {{'enableRate' is unavailable: set 'pitch': each player follows it}}
  player.delegate = nil
  // expected-error@-1 {{'delegate' is unavailable: observe the player: 'observe { event in }' or 'for await event in events()'}}
  player.setVolume(0.5, fadeDuration: 1)
  // expected-error@-1 {{'setVolume(_:fadeDuration:)' is unavailable: call 'fade(to: 0.5, Fade(.seconds(1)))'}}
  player.play(atTime: 2)
  // expected-error@-1 {{'play(atTime:)' is unavailable: call 'play(at:)' with a moment of 'AudioContext.clock'}}
  player.gain = 0.5
  // expected-error@-1 {{'gain' has been renamed to 'volume'}} {{10-14=volume}}
  player.rate = 2
  // expected-error@-1 {{'rate' has been renamed to 'pitch'}} {{10-14=pitch}}
  player.currentTime = .zero
  // expected-error@-1 {{'currentTime' has been renamed to 'playbackTime'}} {{10-21=playbackTime}}
  player.numberOfLoops = -1
  // expected-error@-1 {{'numberOfLoops' is unavailable: set 'repeats', to '.forever' for a loop without an end}}
  player.isLooping = true
  // expected-error@-1 {{'isLooping' is unavailable: set 'repeats', to '.forever' for a loop without an end}}
  world.update()
  // expected-error@-1 {{'update()' is unavailable: nothing has to be called in each frame: the world follows the clock of the mix}}
}

//! The diagnostics for a silent program.

import FileDecode
import Spatial3D
import Spatial3DTesting

let context = try AudioContext()
let growl = try SoundBuffer(
  AudioFile(opening: "growl.ogg").readAll(),
  in: context
)
let monster = try SoundSource(playing: growl, in: context)
monster.position = [4, 0, -2]

// snippet.look
context.onDiagnostic = { print("Diagnostic: \($0)") }

print(
  "output:",
  context.device.name,
  context.output.sampleRate,
  "Hz, suspended:",
  context.isSuspended
)
print("library:", context.library.version)
print("listener:", context.listener)
print("sound:", growl.duration, growl.format)
print("source:", monster.state, monster.playbackTime, "gain", monster.gain)
print("place:", context.listener.polarPosition(of: monster.position))
// snippet.end

// snippet.hold
final class Cave {
  // heard for as long as the cave is there
  private let monster: SoundSource

  init(growl: SoundBuffer, in context: AudioContext) throws {
    monster = try SoundSource(playing: growl, in: context)
    monster.play()
  }
}
let cave = try Cave(growl: growl, in: context)

// or let the context hold it until it ends
try context.playOnce(growl, at: [0, 0, -2])
// snippet.end

// snippet.measure
var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let copy = try SoundSource(
  playing: SoundBuffer(
    AudioFile(opening: "growl.ogg").readAll(),
    in: offline.context
  ),
  in: offline.context
)
copy.position = monster.position
copy.play()
print("level:", offline.render(.seconds(1)).level)  // -inf dB is silence
// snippet.end

//! Torches that are paused while the listener is far away.

import Spatial3D
import Spatial3DTesting

let context = try AudioContext(device: .silent)
let crackle = try SoundBuffer(
  TestSignal.noise(
    duration: .seconds(1),
    format: .mono(sampleRate: 48_000)
  ),
  in: context
)
let torches = try (0..<20).map { index in
  let torch = try SoundSource(playing: crackle, in: context)
  torch.isLooping = true
  torch.position = [Float(index) * 10, 0, 0]
  return torch
}

// snippet.pause
for torch in torches {
  let isNear = context.listener.distance(to: torch.position) < 30
  if isNear, torch.state != .playing { torch.play() }
  if !isNear, torch.state == .playing { torch.pause() }
}
// snippet.end

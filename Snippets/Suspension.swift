//! A game that is interrupted, put into the background, and paused.

import Spatial3D

// snippet.silent
let context = try AudioContext(device: .silent)
// snippet.end

// snippet.reasons
context.suspend(.mute, for: .interruption)
context.suspend(.queue, for: .background)
context.resume(from: .interruption)
// snippet.end

// snippet.session
/// The events that the system sends to a game.
enum SystemEvent {
  case callBegan, callEnded, windowHidden, windowShown
}

func handle(_ event: SystemEvent) {
  switch event {
  case .callBegan: context.suspend(.mute, for: .interruption)
  case .callEnded: context.resume(from: .interruption)
  case .windowHidden: context.suspend(.queue, for: .background)
  case .windowShown: context.resume(from: .background)
  }
}
// snippet.end

// snippet.fallback
/// The default output, or a silent device.
func openContext() throws -> AudioContext {
  do {
    return try AudioContext()
  } catch let error where error.code == .deviceUnavailable {
    return try AudioContext(device: .silent)
  }
}
// snippet.end

for event in [
  SystemEvent.callBegan, .windowHidden, .callEnded, .windowShown,
] { handle(event) }
print(try openContext().device.name)

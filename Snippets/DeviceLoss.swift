//! An output that disappears, returns, and is replaced by another.

import Spatial3D

let context = try AudioContext(device: .silent)
func show(_ message: String) { print(message) }

// snippet.policy
// headphones that are pulled out pause all that plays
context.device.policy = .pauseOnOutputLoss
// the default: what plays goes on unheard
context.device.keepsTimeWithoutOutput = true
// snippet.end

func watch() async {
  // snippet.events
  for await event in context.events() {
    switch event.kind {
    case .deviceLost: show("No sound. Is the cable in?")
    case .deviceReturned: show("Sound is back, on \(context.device.name).")
    case .outputChanged: show("Sound is on \(context.device.name) now.")
    default: break
    }
  }
  // snippet.end
}

func choose(_ chosen: String) {
  // snippet.move
  do {
    try context.device.move(to: chosen)  // one of AudioDevice.outputNames
    context.device.policy = .stay
  } catch {
    show("\(error)")  // the old output plays on
  }
  // snippet.end
}

withExtendedLifetime(watch) {}
withExtendedLifetime(choose) {}

//! A game that follows its audio session.

import AudioSessions
import Spatial3D

// snippet.start
let session = AudioSession()
let isOtherAudioPlaying = session.isOtherAudioPlaying ?? false
try session.setCategory(
  .recommended(isOtherAudioPlaying: isOtherAudioPlaying)
)
try session.activate()
// snippet.end

let context = try AudioContext(device: .silent)

// snippet.directives
let following = session.observeDirectives { directives in
  for reason in SessionDirectives.Reason.allCases {
    let name = SuspensionReason("\(reason)")
    switch directives.suspensions[reason] {
    case .mute: context.suspend(.mute, for: name)
    case .freeze: context.suspend(.freeze, for: name)
    case .queue: context.suspend(.queue, for: name)
    case nil: context.resume(from: name)
    }
  }
}
// snippet.end

// snippet.events
let observation = session.observe { [weak session] event in
  switch event {
  case .interruptionBegan: print("The game is paused.")
  case .interruptionEnded, .servicesReset:
    guard let session, session.directives.shouldReactivate else { return }
    try? session.activate()
  case .routeChanged(let change)
  where change.reason == .oldDeviceUnavailable:
    print("Pause the music.")
  default: break
  }
}
// snippet.end

// snippet.report
session.report(.enteredBackground)
session.report(.enteredForeground)
// snippet.end

// snippet.error
do throws(SessionError) {
  try session.setCategory(.ambient, options: .duckOthers)
} catch {
  // The category ambient does not allow the option duckOthers.
  // Allowed with: playback, playAndRecord. …
  print(error)
}
// snippet.end

// snippet.prompt
try session.setCategory(
  .playback,
  options: [.interruptSpokenAudioAndMixWithOthers, .duckOthers]
)
try session.activate()
// The prompt plays, and has ended.
session.deactivate(notifyingOthers: true)
// snippet.end

// snippet.podcast
func resume(
  _ podcast: AudioSession,
  at position: Duration
) throws -> Duration {
  try podcast.activate()
  return max(.zero, position - podcast.directives.resumeRewind)
}
// snippet.end

print(try resume(session, at: .seconds(90)))

/// Needs the trait DesktopSession.
func desktopSession() throws -> AudioSession {
  // snippet.desktop
  let backend = try DesktopSession(named: "Growl")
  let session = AudioSession(backend, onDiagnostic: { print($0) })
  // snippet.end
  return session
}

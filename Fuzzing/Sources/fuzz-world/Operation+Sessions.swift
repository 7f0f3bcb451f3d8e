import AudioSessions
import FuzzSupport
import GameAudio

/// Calls of sessions: of this program, of a simulated system, and of the desktop.
extension Operation {
  static let sessions: [Operation] = [
    Operation("session.make", 1) { caller in
      let (place, isBackground) = (caller.place(in: caller.game.sessions), caller.values.chance(0.3))
      let (kind, suspends) = (caller.values.int(0...3), caller.values.chance(0.2))
      let (game, run) = (caller.game, caller.run)
      let session = caller.call("session \(place) of kind \(kind)") {
        switch kind {
        case 0: AudioSession(playsInBackground: isBackground, suspendsInBackground: suspends)
        case 1: AudioSession(game.simulated)
        default: game.simulator.makeSession(playsInBackground: isBackground, suspendsInBackground: suspends)
        }
      }
      session.onDiagnostic = { run.require(!$0.description.isEmpty, "a diagnostic without words") }
      game.sessions.put(session, at: place)
    },
    Operation("session.release", 1) { caller in
      let place = caller.place(in: caller.game.sessions)
      caller.call("release session \(place)") { caller.game.sessions.put(nil, at: place) }
    },
    Operation("session.desktop", 1) { caller in
      // A session of the desktop takes connections to its services.
      guard !caller.game.isReplayed, caller.values.chance(0.02) else { return }
      let run = caller.run
      let session = caller.call("session of the desktop") {
        (try? DesktopSession(named: "fuzz-world")).map { backend in
          AudioSession(backend, onDiagnostic: { run.require(!$0.description.isEmpty, "a diagnostic without words") })
        }
      }
      if let session { caller.game.sessions.put(session, at: 0) }
    },
    Operation("session.follow", 1) { caller in
      // A replay holds the effects of a session, and a session that suspends a context stops its mix.
      guard !caller.game.isAlone, let (place, session) = caller.pick(caller.game.sessions) else { return }
      let style = caller.values.element(of: SessionLink.InterruptionStyle.allCases)
      let loss = caller.values.element(of: SessionLink.OutputLoss.allCases)
      let rewind = caller.values.chance(0.5) ? nil : caller.values.duration(upTo: 500)
      let resumption: SessionLink.Resumption = caller.values.chance(0.5) ? .manual : .players(rewind: rewind)
      let following = caller.call("follow session \(place) \(style) \(resumption) \(loss)") {
        caller.world.follow(session, onInterruption: style, resuming: resumption, onOutputLoss: loss)
      }
      if caller.values.chance(0.1) { caller.call("cancel the following") { following.cancel() } }
      caller.game.followings.put(following, at: 0)
    },
    Operation("session.call", 3) { caller in
      guard let (place, session) = caller.pick(caller.game.sessions) else { return }
      let (kind, simulator) = (caller.values.int(0...4), caller.game.simulator)
      let category = caller.values.element(of: SessionCategory.allCases)
      let mode = caller.values.chance(0.5) ? .default : caller.values.element(of: SessionMode.allCases)
      let options = SessionOptions(rawValue: UInt16(caller.values.int(0...63)))
      let notifies = caller.values.chance(0.5)
      caller.call("session \(place) \(kind) \(category) \(mode) \(options)") {
        switch kind {
        case 0: try? session.setCategory(category, mode: mode, options: options)
        case 1: try? session.activate()
        case 2: session.deactivate(notifyingOthers: notifies)
        case 3: _ = (simulator.audibility(of: session), session.otherAudioEffect, session.category, session.mode)
        default: _ = (session.state, session.directives, session.route, session.isOtherAudioPlaying, session.options)
        }
      }
    },
    Operation("session.observe", 1) { caller in
      guard let (place, session) = caller.pick(caller.game.sessions) else { return }
      let (kind, game, seed) = (caller.values.int(0...2), caller.game, caller.seed)
      let token = caller.place(in: game.sessionTokens)
      let acts = !game.isAlone && caller.values.chance(0.5)
      let observation: NotificationToken? = caller.call("observe session \(place) \(kind)") {
        switch kind {
        case 0: return session.observe { _ in if acts { game.act(seed: seed) } }
        case 1: return session.observeDirectives { _ in if acts { game.act(seed: seed) } }
        default:
          if !game.isAlone {
            let events = session.events()
            Task.detached { for await event in events where event == .servicesReset { break } }
          }
          return nil
        }
      }
      if caller.values.chance(0.2) { observation?.cancel() }
      game.sessionTokens.put(observation, at: token)
    },
    Operation("session.report", 4) { caller in
      guard let (place, session) = caller.pick(caller.game.sessions) else { return }
      let (isOn, isPosted) = (caller.values.chance(0.5), caller.values.chance(0.2))
      let inputs = Self.inputs(isOn, caller.values.element(of: Interruption.allCases))
      let (input, game) = (caller.values.element(of: inputs), caller.game)
      caller.call("session \(place) report \(input)") {
        if isPosted { game.simulated.post(input) } else { session.report(input) }
      }
    },
  ]

  private static func inputs(_ isOn: Bool, _ interruption: Interruption) -> [SessionInput] {
    [
      .phoneCallBegan, .phoneCallEnded(shouldResume: isOn), .screenLocked, .screenUnlocked, .ringSwitch(silent: isOn),
      .enteredBackground, .enteredForeground, .userSession(isInFront: isOn), .otherSessionActivated(mixable: isOn),
      .otherSessionDeactivated(notifyingOthers: isOn), .spokenPromptBegan, .spokenPromptEnded(shouldResume: isOn),
      .otherAudio(isPlaying: isOn), .systemWillSleep, .systemDidWake, .outputPlugged("headphones"), .outputUnplugged,
      .servicesLost, .servicesReset, .interruptionBegan(interruption),
      .interruptionEnded(interruption, shouldResume: isOn),
      .routeChanged(SessionRoute(outputs: isOn ? ["speaker"] : []), reason: .override),
    ]
  }
}

import AudioSessions
import FuzzSupport
import GameAudio

/// Calls of the scenes of digests to sessions and links.
extension Operation {
  static let digestSessions: [Operation] = [
    Operation("digest.session.make", 1) { caller in
      let (index, game) = (caller.place(in: caller.game.sessions), caller.game)
      let (isBackground, category) = (caller.values.chance(0.3), caller.values.element(of: SessionCategory.allCases))
      let session = caller.call("session \(index) of the simulated system, \(category)") {
        AudioSession(game.simulated, playsInBackground: isBackground)
      }
      game.observe(session, as: index)
      try? session.setCategory(category)
      try? session.activate()
      game.sessions.put(session, at: index)
    },
    Operation("digest.session.link", 3) { caller in
      guard let (index, session) = caller.pick(caller.game.sessions) else { return }
      let style = caller.values.element(of: SessionLink.InterruptionStyle.allCases)
      let loss = caller.values.element(of: SessionLink.OutputLoss.allCases)
      let rewind = caller.values.chance(0.5) ? nil : caller.values.duration(upTo: 500)
      let resumption: SessionLink.Resumption = caller.values.chance(0.3) ? .manual : .players(rewind: rewind)
      let link = caller.call("link session \(index) \(style) \(resumption) \(loss)") {
        try? session.activate()
        return caller.world.follow(session, onInterruption: style, resuming: resumption, onOutputLoss: loss)
      }
      caller.game.followings.put(link, at: 0)
    },
    Operation("digest.session.interrupt", 6) { caller in
      guard let (index, session) = caller.linkedSession() else { return }
      let isInterrupted = if case .interrupted = session.state { true } else { false }
      let resumes = caller.values.chance(0.8)
      caller.call("session \(index) interrupted \(!isInterrupted), resumes \(resumes)") {
        session.report(isInterrupted ? .phoneCallEnded(shouldResume: resumes) : .phoneCallBegan)
      }
    },
    Operation("digest.session.unplug", 2) { caller in
      guard let (index, session) = caller.linkedSession() else { return }
      caller.call("session \(index), headphones come and go") {
        session.report(.outputPlugged("headphones"))
        session.report(.outputUnplugged)
      }
    },
    Operation("digest.session.otherAudio", 2) { caller in
      guard let (index, session) = caller.linkedSession(), let transcript = caller.game.transcript else { return }
      let (isOn, bus) = (caller.values.chance(0.7), caller.bus() ?? caller.world.mixer.main)
      caller.call("session \(index), other audio \(isOn) mutes the bus \(bus)") {
        bus.mutesWithOtherAudio = isOn
        do { try session.setCategory(.ambient) } catch { transcript.write("no category: \(error)") }
        session.report(.otherAudio(isPlaying: isOn))
      }
    },
  ]
}

extension Caller {
  /// The first session, to which most scenes link their world, or another session while there is none.
  fileprivate mutating func linkedSession() -> (place: Int, object: AudioSession)? {
    if let session = game.sessions[0] { return (0, session) }
    return pick(game.sessions)
  }
}

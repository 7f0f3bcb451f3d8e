import AudioSessions
import Foundation
import FuzzSupport
import GameAudio
import Spatial3D

/// The reports of a scene.
extension Game {
  /// Writes the events since the last report, and what the world, its emitters and its players return.
  func report(withSnapshot: Bool) {
    guard let transcript else { return }
    var events: [EmitterNotification] = []
    world.takeEvents(into: &events)
    for event in events { transcript.write("emitter \(event.emitter.number): \(event.event)") }
    transcript.write("\(world), \(world.voiceStatistics())")
    for emitter in emitters.all {
      transcript.write(
        "\(emitter): \(emitter.isPlaying), \(emitter.isPaused), \(emitter.isVirtual), \(emitter.playbackTime)"
      )
    }
    for player in players.all {
      let meter = player.meter.map { "\($0.peak) \($0.average)" }
      transcript.write("\(player): \(player.isPlaying), \(player.playbackTime), \(meter)")
    }
    for clock in beats.all { transcript.write("clock: \(clock.isRunning), \(clock.position), \(clock.tempo)") }
    if withSnapshot { reportSnapshot(to: transcript) }
  }

  /// Writes a snapshot of the world as JSON, and why each emitter and player is audible or not.
  private func reportSnapshot(to transcript: Transcript) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      let json = String(decoding: try encoder.encode(world.snapshot()), as: UTF8.self)
      transcript.write(withoutSessionNumbers(json.replacing("},{", with: "},\n{")))
    } catch {
      transcript.write("no JSON: \(error)")
    }
    for emitter in emitters.all { transcript.write(withoutSessionNumbers(world.explain(emitter).description)) }
    for player in players.all { transcript.write(withoutSessionNumbers(world.explain(player).description)) }
    for bus in world.mixer.buses { transcript.write("bus \(bus): \(bus.level), \(bus.gain), paused \(bus.isPaused)") }
    for (name, line) in world.mixer.snapshot().lines.sorted(by: { $0.key < $1.key }) {
      transcript.write("line \(name): \(line.gain), \(line.low), \(line.high), \(line.pitch)")
    }
  }

  /// A text whose suspensions by sessions have no numbers: a process counts the links of all of its worlds.
  private func withoutSessionNumbers(_ text: String) -> String {
    text.replacing(#/audio session \d+/#, with: "audio session")
  }

  /// Writes the changes of a session from now on.
  func observe(_ session: AudioSession, as index: Int) {
    guard let transcript else { return }
    session.onDiagnostic = { diagnostic in
      // Whether a handler is slow depends on the machine.
      if diagnostic.code != .slowHandler { transcript.write("session \(index), diagnostic: \(diagnostic)") }
    }
    sessionTokens.put(session.observe { transcript.write("session \(index): \($0)") }, at: index)
    sessionTokens.put(
      session.observeDirectives { directives in
        let suspensions = directives.suspensions.map { "\($0.key) \($0.value)" }.sorted()
        transcript.write("session \(index): \(suspensions), pauses players \(directives.pausesPlayers)")
      },
      at: (index + 2) % sessionTokens.count
    )
  }

  /// Ends what silences a world: suspensions, sessions, pauses, mutes and solos.
  func resumeAll() {
    followings.put(nil, at: 0)
    for reason in world.context.suspensions.keys.sorted(by: { $0.name < $1.name }) {
      world.context.resume(from: reason)
    }
    for bus in world.mixer.buses {
      (bus.isMuted, bus.isSoloed) = (false, false)
      bus.resume()
    }
  }
}

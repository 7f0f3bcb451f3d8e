import FuzzSupport
import GameAudio
import Spatial3D

/// Calls of the scenes of digests to spaces, worlds and outputs.
extension Operation {
  static let digestSpace: [Operation] = [
    Operation("digest.space.rooms", 2) { caller in
      guard caller.game.hasZones, caller.game.mayMakeReverb else { return }
      let (reverbs, openness) = ((caller.values.reverb(), caller.values.reverb()), caller.values.number(0...1))
      let (wall, isBehind) = (caller.values.level(-40 ... -3), caller.values.chance(0.5))
      caller.call("two rooms, \(openness), \(wall), behind the door \(isBehind)") {
        caller.world.zones = [
          ReverbZone(.box(center: [-5, 0, 0], size: [10, 6, 10]), reverbs.0, fade: 0.5, name: "hall"),
          ReverbZone(.box(center: [5, 0, 0], size: [10, 6, 10], yaw: 0), reverbs.1, fade: 0.5, name: "cave"),
        ]
        caller.world.portals = [Portal(between: "hall", and: "cave", at: .zero, radius: 1.5, openness: openness)]
        caller.world.wallOcclusion = wall
        caller.world.listener.position = isBehind ? [4, 0, 0] : [-4, 0, 0]
      }
    },
    Operation("digest.space.walk", 4) { caller in
      let step = caller.values.vector(0.5)
      caller.call("the listener walks \(step)") {
        let position = caller.world.listener.position + step
        caller.world.listener.position = position
      }
    },
    Operation("digest.space.unit", 2) { caller in
      guard let (index, unit) = caller.pick(caller.game.units), caller.game.mayMakeReverb else { return }
      let (effect, gain) = (caller.values.effect(), caller.values.gain())
      let isSame = caller.values.chance(0.5)
      caller.call("unit \(index) = \(isSame ? "" : "\(effect)"), \(gain)") {
        if !isSame { unit.effect = effect }
        unit.gain = gain
      }
    },
    Operation("digest.space.rays", 3) { caller in
      let (limit, wall) = (caller.values.int(0...64), caller.values.level())
      guard let transcript = caller.game.transcript else { return }
      caller.call("cast \(limit) rays to a wall of \(wall)") {
        caller.world.castRays(limit: limit) { ray in
          transcript.write("ray of emitter \(ray.emitter.number) from \(ray.origin) to \(ray.target)")
          return ray.target.x > 3 ? OcclusionResult(occlusion: wall, obstruction: -3) : .clear
        }
      }
    },
  ]

  static let digestWorlds: [Operation] = [
    Operation("digest.world.resume", 4) { caller in caller.call("all goes on") { caller.game.resumeAll() } },
    Operation("digest.context.suspend", 1) { caller in
      guard caller.values.chance(0.5) else { return }
      let (mode, context) = (caller.values.element(of: SuspensionMode.allCases), caller.world.context)
      caller.call("suspend \(mode)") { context.suspend(mode) }
    },
    Operation("digest.context.resume", 2) { caller in
      caller.call("resume the context") { caller.world.context.resume() }
    },
    Operation("digest.device.reset", 1) { caller in
      guard let transcript = caller.game.transcript, caller.values.chance(0.4) else { return }
      let settings = OutputSettings(
        sampleRate: caller.values.element(of: [nil, 44_100, 22_050]),
        hrtf: caller.values.element(of: [.automatic, .on, .off]),
        limiter: caller.values.element(of: [.automatic, .on, .off])
      )
      caller.call("reset the device to \(settings.hrtf), \(settings.limiter)") {
        do { try caller.world.context.device.reset(settings) } catch { transcript.write("no reset: \(error)") }
      }
    },
    Operation("digest.world.replay", 1) { caller in
      // The recording ends, and another world plays it.
      guard let recording = caller.game.recordings[0], let transcript = caller.game.transcript else { return }
      let frameCount = caller.values.int(1...4_000)
      caller.call("replay \(frameCount) in another world") {
        recording.stop()
        for event in recording.events { transcript.write("recorded \(event.time) \(event.number ?? 0) \(event.text)") }
        let snapshotCount = recording.snapshots.count
        transcript.write("\(snapshotCount) snapshots, \(recording.callCount) calls, \(recording.isComplete)")
        guard let renderer = try? Renderer() else { return }
        renderer.context.onDiagnostic = { transcript.write("diagnostic of the replay: \($0)") }
        let copy = AudioWorld(in: renderer.context, voiceLimit: 4)
        recording.replay(in: copy)
        var digest = Digest()
        digest.add(renderer.render(frameCount).samples)
        transcript.write("mix of the replay \(digest)")
      }
      caller.game.recordings.put(nil, at: 0)
    },
  ]
}

extension Caller {
  /// Moves the emitters that derive their velocities from their positions.
  mutating func travel() {
    let travelers = game.emitters.all.filter(\.derivesVelocity)
    guard !travelers.isEmpty else { return }
    let step = values.vector(0.3)
    let positions = travelers.map { $0.position + step }
    operation = "digest.travel"
    call("\(travelers.count) emitters travel \(step)") { world.move(travelers, to: positions.span) }
  }
}

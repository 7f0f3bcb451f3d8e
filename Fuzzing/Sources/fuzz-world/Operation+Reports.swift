import Foundation
import FuzzSupport
import GameAudio
import Spatial3D

/// Calls that read: snapshots, differences, mixes, laws of distance, and replays.
extension Operation {
  static let reports: [Operation] = [
    Operation("snapshot.store", 1) { caller in
      let snapshot = caller.call("snapshot to store") { caller.world.snapshot() }
      let stored = caller.call("store the snapshot") {
        try? JSONDecoder().decode(WorldSnapshot.self, from: JSONEncoder().encode(snapshot))
      }
      guard let stored else { return caller.run.require(false, "a snapshot that JSON cannot hold") }
      var difference = stored.difference(from: snapshot)
      // A zone or a portal with an unusable number stays in its list, and has no effect.
      let isSpace = { (subject: String) in subject.hasPrefix("zone") || subject.hasPrefix("portal") }
      if caller.values.hasExtremes { difference.changes.removeAll { isSpace($0.subject) } }
      caller.run.require(difference.isEmpty, "a stored snapshot differs: \(difference)")
      let counts = (snapshot.virtualCount, snapshot.emitters.map { snapshot.words(for: $0.path) })
      caller.run.require(counts.0 >= 0 && counts.1.count == snapshot.emitters.count, "counts of a snapshot")
      for index in snapshot.zones.indices { _ = snapshot.name(ofZone: index) }
    },
    Operation("snapshot.difference", 1) { caller in
      let before = caller.call("snapshot before") { caller.world.snapshot() }
      caller.operate(Lottery(Operation.buses + Operation.emitters))
      let after = caller.call("snapshot after") { caller.world.snapshot() }
      let text = caller.call("difference") { after.difference(from: before).description }
      caller.run.require(after.difference(from: after).isEmpty, "a snapshot differs from itself: \(text)")
    },
    Operation("mixer.blend", 1) { caller in
      let part = caller.values.number(0...1)
      let (first, second) = (caller.game.snapshots[0], caller.game.snapshots[1])
      guard let first, let second else { return }
      let fade = caller.values.fade()
      caller.call("apply a blend by \(part) \(fade)") {
        caller.world.mixer.apply(first.blended(with: second, part), fade)
      }
    },
    Operation("mixer.lines", 1) { caller in
      let line = MixSnapshot.Line(
        gain: caller.values.gain(-20...0),
        low: caller.values.level(-20...0),
        high: caller.values.level(-20...0),
        pitch: caller.values.number(0.6...1.4)
      )
      let (name, fade) = ("bus \(caller.values.int(0...7))", caller.values.fade())
      caller.call("apply \(line) to \(name) \(fade)") {
        caller.world.mixer.apply(MixSnapshot(lines: [BusName(name): line]), fade)
      }
    },
    Operation("bus.read", 1) { caller in
      guard let (place, bus) = caller.pick(caller.game.buses) else { return }
      let (isOn, mutes) = (caller.values.chance(0.3), caller.values.chance(0.2))
      caller.call("read bus \(place), mutes with other audio \(isOn)") {
        if mutes { bus.mutesWithOtherAudio = isOn }
        _ = (bus.parent, bus.kind, bus.name, bus.description, bus.isPaused, bus.limit, bus.filter, bus.pitch)
      }
      caller.run.require(caller.world.mixer.buses.contains(bus), "a bus that its mixer does not have")
    },
    Operation("law.distance", 1) { caller in
      let points = (0..<caller.values.int(0...4)).map { _ in
        RolloffCurve.Point(caller.values.number(0...50), caller.values.level())
      }
      let (distance, fade) = (caller.values.number(0...60), caller.values.fade())
      let (first, last) = (caller.values.gain(), caller.values.gain())
      let time = caller.values.duration(upTo: 300)
      let zone = caller.values.zone()
      caller.call("laws at \(distance), \(time)") {
        caller.run.require(!RolloffCurve(points).level(at: distance).rawValue.isNaN, "a curve without a number")
        _ = (fade.gain(from: first, to: last, after: time), zone.weight(at: [distance, 0, 0]))
        _ = zone.shape.distance(to: [distance, 0, 0])
      }
    },
    Operation("world.replay", 1) { caller in
      // Another world plays a recording of this world for a few mixes. No reader may block there.
      guard !caller.game.isReplayed, caller.game.gate == nil, let recording = caller.game.recordings[0] else { return }
      let frameCount = caller.values.int(1...4_000)
      caller.call("replay in another world") {
        guard let renderer = try? Renderer() else { return }
        let copy = AudioWorld(in: renderer.context, voiceLimit: 4)
        recording.replay(in: copy)
        let mix = renderer.render(frameCount)
        caller.run.require(mix.samples.allSatisfy(\.isFinite), "the mix of a replay is not finite")
        _ = (recording.callCount, recording.snapshots.count, recording.isComplete, recording.start)
      }
    },
    Operation("beat.read", 1) { caller in
      guard let (place, beats) = caller.pick(caller.game.beats) else { return }
      let (number, bars) = (Double(caller.values.number(0.1...4)), caller.values.count(1...4))
      caller.call("read clock \(place)") {
        _ = (beats.isRunning, beats.tempo, beats.next(.beat), beats.next(.bars(bars)))
        guard !caller.game.isAlone else { return }
        let ticks = beats.events(.beats(number))
        Task.detached { for await tick in ticks where tick.position > 4 { break } }
      }
    },
  ]
}

internal import Spatial3D

extension WorldSnapshot {
  /// The differences of this snapshot from an earlier one.
  public func difference(from other: WorldSnapshot) -> WorldDifference {
    var changes: [WorldDifference.Change] = []
    changes += Self.compare([other.part], [part])
    changes += Self.compare(other.listeners.enumerated().map(Self.part), listeners.enumerated().map(Self.part))
    changes += Self.compare(other.zoneParts, zoneParts)
    changes += Self.compare(other.portalParts, portalParts)
    changes += Self.compare(other.buses.map(\.part), buses.map(\.part))
    changes += Self.compare(other.emitters.map(other.part), emitters.map(part))
    changes += Self.compare(other.players.map(\.part), players.map(\.part))
    changes += Self.compare(other.clocks.map(\.part), clocks.map(\.part))
    return WorldDifference(changes: changes)
  }

  /// Something in a snapshot, with the properties that are compared.
  struct Part {
    let key: String
    let subject: String
    var number: Int?
    let values: KeyValuePairs<String, WorldDifference.Value?>
  }

  private static func compare(_ old: [Part], _ new: [Part]) -> [WorldDifference.Change] {
    typealias Change = WorldDifference.Change
    let before = Dictionary(old.map { ($0.key, $0) }) { first, _ in first }
    let after = Set(new.map(\.key))
    var changes = old.filter { !after.contains($0.key) }.map { part in
      Change(kind: .removed, subject: part.subject, number: part.number)
    }
    for part in new {
      guard let other = before[part.key] else {
        changes.append(Change(kind: .added, subject: part.subject, number: part.number))
        continue
      }
      for (was, value) in zip(other.values, part.values) where was.value != value.value {
        let (name, subject) = (value.key, part.subject)
        changes.append(
          Change(
            kind: .changed,
            subject: subject,
            number: part.number,
            property: name,
            old: was.value,
            new: value.value
          )
        )
      }
    }
    return changes
  }

  private var part: Part {
    Part(
      key: "",
      subject: "world",
      values: [
        "sample rate": .number(Double(sampleRate)), "seed": .text("\(seed)"), "voices": .number(Double(voiceLimit)),
        "suspensions": .text(suspensions.isEmpty ? "none" : suspensions.joined(separator: ", ")),
        "wall occlusion": .level(wallOcclusion ?? -30),
        "loudness target": .text(loudnessTarget.map { "\(Insert(.leveler($0)))" } ?? "none"),
        "limiter": .text(limiter.map { "\(Insert(.limiter($0)))" } ?? "none"),
      ]
    )
  }

  private static func part(_ index: Int, _ listener: Listener) -> Part {
    Part(
      key: "\(index)",
      subject: index == 0 ? "listener" : "listener \(index + 1)",
      values: [
        "position": .numbers(listener.position.list), "velocity": .numbers(listener.velocity.list),
        "forward": .numbers(listener.orientation.forward.list), "up": .numbers(listener.orientation.up.list),
        "gain": .gain(listener.gain),
      ]
    )
  }
}

extension WorldSnapshot.Clock {
  fileprivate var part: WorldSnapshot.Part {
    WorldSnapshot.Part(
      key: "\(id)",
      subject: "clock \(id)",
      values: [
        "running": .flag(isRunning), "tempo": .number(tempo),
        "meter": .text(meter.map { "\($0)" }.joined(separator: "/")),
      ]
    )
  }
}

extension WorldSnapshot.Bus {
  fileprivate var part: WorldSnapshot.Part {
    WorldSnapshot.Part(
      key: name,
      subject: "bus \(name)",
      values: [
        "gain": .gain(gain), "pitch": .number(Double(pitch ?? 1)),
        "low": .level(filter?.low ?? 0), "high": .level(filter?.high ?? 0),
        "muted": .flag(isMuted ?? false), "soloed": .flag(isSoloed ?? false), "paused": .flag(isPaused ?? false),
        "ducked by": .level(duck ?? 0), "sends": sends.map { .gains($0) },
        "limit": limit.map { .number(Double($0)) },
        "inserts": .text(inserts.map { $0.map(\.description).joined(separator: ", ") } ?? "none"),
      ]
    )
  }
}

extension WorldSnapshot {
  private func part(_ emitter: Emitter) -> Part {
    Part(
      key: "\(emitter.id)",
      subject: "emitter \(emitter.id) (\(emitter.key ?? emitter.sound))",
      number: emitter.id,
      values: emitter.values(path: words(for: emitter.path))
    )
  }
}

extension WorldSnapshot.Emitter {
  fileprivate func values(path way: String?) -> KeyValuePairs<String, WorldDifference.Value?> {
    [
      "state": .text(state.rawValue), "sound": .text(sound), "bus": .text(bus),
      "voice": voice.map { .number(Double($0)) }, "silence": silence.map { .text($0.kindInWords) },
      "position": position.map { .numbers($0.list) }, "velocity": velocity.map { .numbers($0.list) },
      "direction": direction.map { .numbers($0.list) }, "cone": cone.map { .text("\($0)") },
      "radius": radius.map { .number(Double($0)) }, "gain": .gain(gain), "pitch": .number(Double(pitch ?? 1)),
      "priority": .number(Double(priority ?? 50)), "repeats": .number(Double(repeats ?? 0)),
      "virtual behavior": .text((virtualBehavior ?? .elapsedTime).rawValue),
      "occlusion": .level(occlusion ?? 0), "obstruction": .level(obstruction ?? 0),
      "sends": sends.map { .gains($0) },
      "follows": leader.map { .number(Double($0)) },
      "listener": .number(Double((listener ?? 0) + 1)), "zone": zone.map { .text($0) }, "path": way.map { .text($0) },
      "path length": path.map { .number(Double($0.length)) }, "path muffling": .level(path?.muffling ?? 0),
      "occlusion by rays": .level(rays?.occlusion ?? 0), "obstruction by rays": .level(rays?.obstruction ?? 0),
    ]
  }
}

extension WorldSnapshot.Player {
  fileprivate var part: WorldSnapshot.Part {
    WorldSnapshot.Part(
      key: "\(id)",
      subject: "player \(id) (\(sound))",
      number: id,
      values: [
        "state": .text(state.rawValue), "sound": .text(sound), "bus": .text(bus),
        "voice": voice.map { .number(Double($0)) },
        "silence": silence.map { .text($0.kindInWords) },
        "volume": .gain(volume), "pan": .number(Double(pan ?? 0)), "pitch": .number(Double(pitch ?? 1)),
        "repeats": .number(Double(repeats ?? 0)), "queued": .number(Double(queued ?? 0)),
      ]
    )
  }
}

extension SIMD3<Float> {
  var list: [Double] { [Double(x), Double(y), Double(z)] }
}

internal import AudioSupport
internal import PCM
internal import Spatial3D

// A recorded call, with the identities, buses, effects and moments of the world of a replay.

extension Replay {
  func perform(_ call: WorldCall, in world: AudioWorld) {
    switch call {
    case .emitter(let subject, .make(let sound, let isPlaced, let bus, let isOnce)):
      let own = world.makeEmitter(sound, isPlaced: isPlaced, isOnce: isOnce, on: own(bus))
      objects.withLock { $0.add(own, for: subject, in: world) }
    case .player(let subject, .make(let sound, let bus)):
      do throws(GameAudioError) {
        let own = world.makePlayer(sound, try OpenedSound(sound), on: own(bus))
        objects.withLock { $0.add(own, for: subject, in: world) }
      } catch {
        world.context.report(.soundUnavailable(error.message))
      }
    case .makeBus(let index, let name, let parent, let isDirect):
      let made = world.mixer.makeBus(BusName(name), in: world.bus(own(parent)), kind: isDirect ? .direct : .spatial)
      objects.withLock { $0.buses[index] = made.index }
    case .release(let subject):
      if let own = objects.withLock({ $0.handles.ids.removeValue(forKey: subject) }) { world.release(own) }
    default:
      if let own = remapped(call, in: world) { world.perform(own) }
    }
  }

  /// The bus that stands for a bus of the recording; the main bus for an unknown bus.
  func own(_ index: BusIndex) -> BusIndex { objects.withLock { $0.buses[index] } ?? .main }

  /// The emitter or the player that stands for a subject of the recording; `nil` if the world does not have it.
  func own(_ id: EmitterKey, in world: AudioWorld) -> EmitterKey? {
    guard let own = objects.withLock({ $0.ids[id] }) else { return nil }
    return world.withState { $0.playback.scene.emitters.has(own) } ? own : nil
  }

  /// The call in the world of the replay; `nil` if the world lacks the subject or the effect.
  private func remapped(_ call: WorldCall, in world: AudioWorld) -> WorldCall? {
    switch call {
    case .emitter(let subject, let call):
      guard let own = own(subject, in: world), let call = remapped(call, in: world) else { return nil }
      return .emitter(own, call)
    case .player(let subject, let call):
      guard let own = own(subject, in: world), let call = remapped(call, in: world) else { return nil }
      return .player(own, call)
    case .bus(let index, let call): return remapped(call).map { .bus(own(index), $0) }
    case .move(let moved):
      return .move(
        MovedEmitters(moved.moves.compactMap { subject, position in own(subject, in: world).map { ($0, position) } })
      )
    case .rays(let answers):
      return .rays(
        answers.compactMap { answer in
          own(answer.subject, in: world).map {
            EmitterRays(subject: $0, occlusion: answer.occlusion, obstruction: answer.obstruction)
          }
        }
      )
    case .playTogether(let subjects, let moment):
      let players = subjects.compactMap { own($0, in: world) }
      return players.isEmpty ? nil : .playTogether(players, at: moved(moment))
    default: return call
    }
  }

  private func remapped(_ call: EmitterCall, in world: AudioWorld) -> EmitterCall? {
    switch call {
    case .follow(let leader): own(leader, in: world).map { .follow($0) }
    case .play(let moment): .play(at: moment.map(moved))
    case .bus(let index): .bus(own(index))
    case .send(let effect, let gain, let fade): makeUnit(for: effect.unit).map { .send(CallEffect($0), gain, fade) }
    default: call
    }
  }

  private func remapped(_ call: PlayerCall, in world: AudioWorld) -> PlayerCall? {
    switch call {
    case .play(let moment): .play(at: moment.map(moved))
    case .crossfade(let other, let fade): own(other, in: world).map { .crossfade(to: $0, fade) }
    case .schedule(let sound, .at(let moment), let repeats): .schedule(sound, .at(moved(moment)), repeats)
    case .bus(let index): .bus(own(index))
    default: call
    }
  }

  private func remapped(_ call: BusCall) -> BusCall? {
    switch call {
    case .send(let effect, let gain, let fade): makeUnit(for: effect.unit).map { .send(CallEffect($0), gain, fade) }
    case .duck(let other, let ducking): .duck(under: own(other), ducking)
    default: call
    }
  }

  /// A moment of the recording, at the frame of the mix that stands for its own.
  private func moved(_ moment: Duration) -> Duration {
    let frame = PCMFormat.mono(sampleRate: rate).frameCount(in: moment)
    return PCMFormat.mono(sampleRate: ownRate).duration(ofFrames: self.frame(for: frame))
  }
}

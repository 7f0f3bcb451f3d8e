internal import AudioSupport
internal import Spatial3D

// The state of a world, for tools.

extension AudioWorld {
  /// The numbers of emitters with and without a voice.
  ///
  /// The call computes the loudness of each virtual emitter, without the world's lock: some tenths of a millisecond for
  /// 10,000. A change of the world that comes during the call copies the arrays of its emitters. Read it for a display,
  /// not in each frame.
  public func voiceStatistics() -> VoiceStatistics {
    let copy = copy()
    defer { withExtendedLifetime(copy) { state.endCopy() } }
    return VoiceStatistics(copy)
  }

  /// The reason why an emitter is silent, or as loud as it is.
  ///
  /// The cost grows with the number of emitters: it is for tools and tests. For 10,000 emitters that play loops it is a
  /// tenth of a millisecond, and some milliseconds if each has a curve, portals or an end. The world's lock is held for
  /// the copies of some references. A change of the world that comes during the call copies the arrays of its emitters.
  /// An emitter of another world does not play.
  public func explain(_ emitter: Emitter) -> Explanation {
    emitter.world === self ? explain(emitter.slot) : .ofStranger
  }

  /// The reason why a player is silent, or as loud as it is.
  ///
  /// A pan that has no effect is in the list of ignored settings. A player of another world does not play.
  public func explain(_ player: SoundPlayer) -> Explanation {
    player.world === self ? explain(player.slot) : .ofStranger
  }

  private func explain(_ slot: EmitterSlot) -> Explanation {
    let original = copy()
    defer { withExtendedLifetime(original) { state.endCopy() } }
    // The search of a path must not change the world, and a recording has no entry for it.
    var copy = original
    copy.updatePath(of: slot)
    return Explanation(of: slot, in: copy)
  }

  /// The state of the world now, as a value.
  ///
  /// For tools, tests and bug reports. The world's lock is held for the copies of some references and for the positions
  /// of the clocks. The calling thread then reads the values, 2 ms for 10,000 emitters. A change of the world that
  /// comes meanwhile copies the arrays of its emitters. The call builds the snapshot behind that.
  public func snapshot() -> WorldSnapshot {
    var (lines, names) = ([EmitterLine](), SnapshotNames())
    let rest = readSnapshot(into: &lines, &names)
    return WorldSnapshot(rest, lines, names)
  }

  /// Reads the values of a snapshot from a copy of the state, which is released at the return.
  private func readSnapshot(into lines: inout [EmitterLine], _ names: inout SnapshotNames) -> SnapshotRest {
    let copy = copy()
    defer { withExtendedLifetime(copy) { state.endCopy() } }
    return copy.read(into: &lines, &names)
  }

  private func copy() -> WorldCopy {
    let physics = context.physics
    return state.withLock { state in
      state.adopt(physics)
      return WorldCopy(state)
    }
  }
}

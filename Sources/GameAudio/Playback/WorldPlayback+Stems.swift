// The sounds that move to another stem while they play: a bus got a stem, or an emitter another bus.

extension WorldPlayback {
  /// Lets all emitters move to the stems of their buses.
  ///
  /// The sources of players move with the next ticks: see ``flush(_:)``.
  mutating func moveToStems() {
    for slot in scene.emitters.indices where scene.emitters[slot].isUsed { updateForm(of: slot) }
  }

  /// Loads the samples of an emitter that plays for another stem; it then goes over to them.
  ///
  /// A stream would leave a gap: it stays in its stem until it begins again.
  mutating func beginMove(_ slot: EmitterSlot, to stem: StemIndex) {
    let entry = scene.sounds[scene.emitters[slot].sound]
    guard let loaded = entry.loaded, !loaded.isStream else { return }
    let use = scene.emitters.use(of: slot)
    guard let (other, jobs) = scene.sounds.addForm(of: use, isPlaced: entry.isPlaced, in: stem) else { return }
    scene.sounds.addMove(of: slot, to: other)
    outbox.load(jobs)
    finishMoves()
  }

  /// Lets the emitters whose samples are loaded go over to them; the next tick changes their sources.
  mutating func finishMoves() {
    for (slot, use) in scene.sounds.moves.sorted(by: { $0.key < $1.key }) {
      let other = scene.sounds[use.index]
      guard other.state != .loading else { continue }
      guard let old = scene.sounds[scene.emitters[slot].sound].loaded, let sound = other.loaded,
        !sound.hasOtherFrames(than: old)
      else {
        // The emitter plays on in its stem until it begins again.
        scene.sounds.removeMove(of: slot)
        continue
      }
      let former = scene.emitters.use(of: slot)
      scene.sounds.takeMove(of: slot)
      scene.emitters.setUse(use, of: slot)
      scene.sounds.removeUser(of: former)
      scene.emitters.store(slot) { $0.hasNewValues = true }
    }
  }
}

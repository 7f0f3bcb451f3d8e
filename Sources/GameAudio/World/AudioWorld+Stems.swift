internal import AudioSupport
internal import Spatial3D

// The stems of a world: each bus with inserts, meters, taps or recordings has one, for the life of the world.

extension AudioWorld {
  /// The context of the mix, and the contexts of the stems.
  var contexts: [AudioContext] { allContexts.withLock { $0 } }

  /// The context of a stem.
  func context(of stem: StemIndex) -> AudioContext { allContexts.withLock { $0[stem.position] } }

  /// The strip of a bus that has a sum; `nil` for any other.
  func strip(of bus: BusIndex) -> BusStrip? {
    guard isProcessing, let stem = withState({ $0.playback.scene.mixer.buses.ownStem(of: bus) }) else { return nil }
    return graph?.strip(of: stem)
  }

  /// The strip of a bus whose sum is asked for; `nil` where the bus cannot have one, which is reported.
  ///
  /// A call that gives the bus a stem is recorded: a replay has the same stems.
  func stripToRead(_ bus: Bus) -> BusStrip? {
    if isProcessing, withState({ $0.playback.scene.mixer.buses.lacksStem(bus.index) }) {
      perform(.process, ofBus: bus.index)
    }
    reportUnprocessed(bus)
    return strip(of: bus.index)
  }

  /// Whether a bus has inserts, and no stem for them.
  func needsStem(_ bus: BusIndex) -> Bool {
    withState { state in
      let buses = state.playback.scene.mixer.buses
      return buses.lacksStem(bus) && buses[bus].inserts?.isEmpty == false
    }
  }

  /// Gives a bus a stem; it stays without one where the world has no room, or the library refuses.
  ///
  /// The call makes a device of the library and a source for each voice, which takes some milliseconds.
  func makeStem(for bus: BusIndex) {
    let error = stemMaking.withLock { _ -> AudioError? in
      guard contexts.count < StemIndex.limit, withState({ $0.playback.scene.mixer.buses.lacksStem(bus) }) else {
        return nil
      }
      do throws(AudioError) {
        try addStem(for: bus)
        return nil
      } catch {
        return error
      }
    }
    // Handlers of the game run here, without the lock.
    if let error { context.report(.stemUnavailable(self.bus(bus).name.name, "\(error)")) }
    act { _ in }
  }

  private func addStem(for bus: BusIndex) throws(AudioError) {
    guard let graph, isProcessing else { return }
    let physics = context.physics
    let mix = try context.device.makeStem(like: context)
    var pool: [SoundSource] = []
    for _ in 0..<sources.withLock({ $0.count }) {
      let source: SoundSource
      do throws(AudioError) {
        source = try SoundSource(in: mix.context)
      } catch {
        context.device.removeStem(mix)
        throw error
      }
      source.gainLimits = .silence...Gain(16)
      pool.append(source)
    }
    graph.add(BusStem(mix, BusStrip(format: graph.main.format, reportingTo: context)))
    allContexts.withLock { $0.append(mix.context) }
    sources.withLock { [pool] in $0.add(pool) }
    state.withLock { state in
      state.adopt(physics)
      state.addStem(of: bus)
    }
  }
}

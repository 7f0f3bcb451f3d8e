internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The strips of a new world, behind the mix of its device; `nil` where the device does not return its mix.
  static func makeGraph(in context: AudioContext) -> MixGraph? {
    guard let format = context.device.renderedFormat else { return nil }
    let graph = MixGraph(main: BusStrip(format: format, reportingTo: context), in: context)
    return context.device.addMixStage(graph) ? graph : nil
  }

  /// Changes the settings of the strips of buses by a call; the next tick changes the strips, with a fade.
  ///
  /// A bus with inserts gets a stem. The present thread makes the processors, without a lock.
  func changeStrips(of buses: [BusIndex], _ fade: Fade, _ call: (inout WorldState) -> Void) {
    let physics = context.physics
    let frameCount = state.withLock { state in
      state.adopt(physics)
      call(&state)
      return state.playback.scene.frames(in: fade.duration)
    }
    for bus in buses where needsStem(bus) { makeStem(for: bus) }
    var (missing, stems) = ([StemIndex: StripObjects.Missing](), [StemIndex]())
    for bus in buses {
      let prepared = state.withLock { state -> (StemIndex, StripSettings, Int)? in
        let stem = bus == .main ? StemIndex.main : state.playback.scene.mixer.buses[bus].stem
        guard let stem else { return nil }
        let settings = state.playback.scene.mixer.stripSettings(of: stem)
        return (stem, settings, state.playback.scene.mixer.beginStrip(of: stem, at: state.playback.scene.time.mix))
      }
      guard let (stem, settings, version) = prepared else { continue }
      missing[stem] = graph?.strip(of: stem)?.prepare(settings, version: version, over: frameCount)
      stems.append(stem)
    }
    let plan = state.withLock { $0.playback.scene.mixer.buses.stemPlan }
    graph?.prepareAlignment(by: plan)
    let isPresent = graph != nil
    act { state in
      // A change of one strip may align all others anew.
      if isPresent { state.changeStrips(of: Array(state.playback.scene.mixer.allStems)) }
      for name in missing.values.flatMap(\.processors) where state.playback.outbox.isNew(.processor(name)) {
        state.playback.outbox.report(.processorUnknown(name))
      }
    }
    for (stem, missing) in missing { for response in missing.responses { loadResponse(of: response, for: stem) } }
  }

  /// Loads the impulse response of an insert, and then changes the strip to the inserts with it.
  private func loadResponse(of convolution: Insert.Convolution, for stem: StemIndex) {
    let work = LoadQueue.Work(lane: .files, name: convolution.path, fileUse: .decoded) { [weak self] in
      guard let self, let strip = graph?.strip(of: stem) else { return }
      strip.loadResponse(of: convolution)
      changeStrips(of: [withState { $0.playback.scene.mixer.buses.stems[stem.position] }], .declick) { _ in }
    }
    loader.perform(work)
  }

  /// Moves the fader of the main bus with the next tick; at once where nothing plays, before the next sound begins.
  @inline(never)
  func moveFader() { act { if $0.playback.scene.emitters.activeCount == 0 { $0.flushStrips() } } }

  /// Lets the strips end with the sounds of the world, which the next mixes still have.
  func endStrips() {
    guard let graph else { return }
    graph.end()
    if !context.device.hasOnly(graph) { context.device.removeMixStage(graph) }
  }

  /// The sample rate of the processors, for the ranges of their frequencies.
  var processingRate: Int { graph?.main.format.sampleRate ?? context.sampleRate }

  /// Whether the strips process the mix: a device has the strips of its oldest world.
  var isProcessing: Bool { graph.map { context.device.isProcessed(by: $0) } ?? false }

  /// Reports that inserts, meters and last stages of a bus have no effect.
  func reportUnprocessed(_ bus: Bus) {
    let isProcessing = isProcessing
    guard !isProcessing || withState({ $0.playback.scene.mixer.buses.lacksStem(bus.index) }) else { return }
    let (name, isRendered) = (bus.name.name, graph != nil)
    let report = withState { state -> Diagnostic? in
      if !isProcessing {
        guard state.playback.outbox.isNew(.code(.mixNotProcessed)) else { return nil }
        return isRendered ? .mixProcessedByOtherWorld : .mixNotProcessed
      }
      return state.playback.outbox.isNew(.unprocessedBus(name)) ? .busNotProcessed(name) : nil
    }
    if let report { context.report(report) }
  }
}

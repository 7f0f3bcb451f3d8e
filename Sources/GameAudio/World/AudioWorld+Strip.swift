internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The strip of a new world, behind the mix of its device; `nil` where the device does not return its mix.
  static func makeStrip(in context: AudioContext) -> MainStrip? {
    guard let format = context.device.renderedFormat else { return nil }
    let strip = MainStrip(format: format, reportingTo: context)
    return context.device.addMixStage(strip) ? strip : nil
  }

  /// Changes the settings of the strip by a call; the next tick changes the strip, with a fade.
  ///
  /// The present thread makes the processors, without a lock.
  func changeStrip(_ fade: Fade, _ call: (inout WorldState) -> Void) {
    let physics = context.physics
    let (settings, version, frameCount) = state.withLock { state in
      state.adopt(physics)
      call(&state)
      let version = state.playback.scene.mixer.beginStrip(at: state.playback.scene.time.mix)
      return (state.playback.scene.mixer.stripSettings, version, state.playback.scene.frames(in: fade.duration))
    }
    let missing = strip?.prepare(settings, version: version, over: frameCount) ?? StripObjects.Missing()
    let isPresent = strip != nil
    act { state in
      if isPresent { state.changeStrip() }
      for name in missing.processors where state.playback.outbox.isNew(.processor(name)) {
        state.playback.outbox.report(.processorUnknown(name))
      }
    }
    for convolution in missing.responses { loadResponse(of: convolution) }
  }

  /// Loads the impulse response of an insert, and then changes the strip to the inserts with it.
  private func loadResponse(of convolution: Insert.Convolution) {
    let work = LoadQueue.Work(lane: .files, name: convolution.path, fileUse: .decoded) { [weak self] in
      self?.strip?.loadResponse(of: convolution)
      self?.changeStrip(.declick) { _ in }
    }
    loader.perform(work)
  }

  /// Moves the fader of the main bus with the next tick; at once where nothing plays, before the next sound begins.
  @inline(never)
  func moveFader() { act { if $0.playback.scene.emitters.activeCount == 0 { $0.flushStrip() } } }

  /// Lets the strip end with the sounds of the world, which the next mixes still have.
  func endStrip() {
    guard let strip else { return }
    strip.end()
    if !context.device.hasOnly(strip) { context.device.removeMixStage(strip) }
  }

  /// The sample rate of the processors, for the ranges of their frequencies.
  var processingRate: Int { strip?.format.sampleRate ?? context.sampleRate }

  /// Reports that inserts, meters and last stages of a bus have no effect.
  func reportUnprocessed(_ bus: Bus) {
    let isProcessing = strip.map { context.device.isProcessed(by: $0) } ?? false
    guard !isProcessing || bus.index != .main else { return }
    let (name, isRendered) = (bus.name.name, strip != nil)
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

internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The strip of a new world, behind the mix of its device; `nil` where the device does not return its mix, or has the
  /// strip of another world.
  static func makeStrip(in context: AudioContext) -> MainStrip? {
    guard let format = context.device.renderedFormat else { return nil }
    let strip = MainStrip(format: format, reportingTo: context)
    return context.device.addMixStage(strip) ? strip : nil
  }

  /// Prepares a change of the strip of the main bus.
  func prepare(_ settings: StripSettings, over frameCount: Int) {
    guard let strip else { return }
    for name in strip.prepare(settings, over: frameCount) {
      state.withLock { state in
        if state.playback.outbox.isNew(.processor(name)) { state.playback.outbox.report(.processorUnknown(name)) }
      }
    }
  }

  /// The sample rate of the processors, for the ranges of their frequencies.
  var processingRate: Int { strip?.format.sampleRate ?? context.sampleRate }

  /// Reports that inserts, meters and last stages of a bus have no effect.
  func reportUnprocessed(_ bus: Bus) {
    guard strip == nil || bus.index != .main else { return }
    let (name, isAlone) = (bus.name.name, context.device.renderedFormat != nil)
    let report = withState { state -> Diagnostic? in
      if strip == nil {
        guard state.playback.outbox.isNew(.code(.mixNotProcessed)) else { return nil }
        return isAlone ? .mixProcessedByOtherWorld : .mixNotProcessed
      }
      return state.playback.outbox.isNew(.unprocessedBus(name)) ? .busNotProcessed(name) : nil
    }
    if let report { context.report(report) }
  }
}

internal import AudioSupport

extension SoundSource {
  /// The description of the source in a diagnostic: its sound and its position, which distinguish it from others.
  var inWords: String { inWords(at: position, isListenerRelative: isListenerRelative) }

  private func inWords(at position: SIMD3<Float>, isListenerRelative: Bool) -> String {
    "a source \(soundInWords), at \(position.inWords)\(isListenerRelative ? " relative to the listener" : "")"
  }

  private var soundInWords: String {
    if let name = stream?.name ?? heldBuffers.withLock({ $0.first?.name }) { return "of \"\(name)\"" }
    return format.map { "of \($0), \($0.duration(ofFrames: frameCount)) long" } ?? "without a sound"
  }

  /// Reports the release of the source before a mix; an offline context reports it once it is rendered again.
  func reportRelease(with values: SourceValues) {
    let owner = inWords(at: values.position, isListenerRelative: values.isListenerRelative)
    let diagnostic = Diagnostic.releasedUnplayed(owner)
    guard context.device.mixesOnRequest else { return context.report(diagnostic) }
    context.state.withLock { $0.releaseReport.pending = diagnostic }
  }
}

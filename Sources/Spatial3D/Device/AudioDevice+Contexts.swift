internal import AudioSupport

extension AudioDevice {
  /// Adds a new context to the device, and suspends it if the others are suspended.
  func join(_ context: AudioContext) {
    contexts.withLock { $0.append(Weak(context)) }
    context.settleSuspension()
  }

  /// Removes a context that ends.
  func leave(_ context: AudioContext) {
    let id = ObjectIdentifier(context)
    contexts.withLock { $0.removeAll { $0.id == id } }
  }

  /// The version of OpenAL Soft, which a context reports; `nil` without one.
  var libraryVersion: LibraryVersion? {
    for reference in contexts.withLock({ $0 }) {
      if let context = reference.object { return context.handle.version }
    }
    return nil
  }

  /// The rate of the mix of the device's contexts, in hertz; 0 without a context.
  var presentRate: Int { contexts.withLock { $0.isEmpty } ? 0 : handle.sampleRate }

  /// Limits the effects of all contexts for the rate of the mix, or for a lower rate that a context asks for.
  func reloadEffects() {
    for reference in contexts.withLock({ $0 }) {
      guard let context = reference.object else { continue }
      context.state.withLock { _ in context.handle.reloadEffects(for: context.handle.effectRate) }
    }
  }
}

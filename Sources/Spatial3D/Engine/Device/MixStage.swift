internal import AudioSupport

/// A stage behind the mix of a rendered device, which changes the mix before the output or the caller has it.
package protocol MixStage: AnyObject, Sendable {
  /// Processes the next piece of the mix, of 1 frame or more, whose first frame is the frame `frame` of the mix.
  ///
  /// Calls have the order of the mix. One thread calls at a time, without a lock of a context. Pieces end where the
  /// library has to do something, so that the result must not depend on their lengths. A suspended device does not
  /// call.
  func process(_ samples: inout MutableSpan<Float>, at frame: Int)

  /// Whether the owner of the stage is gone, and the stage processes the end of its sounds.
  var isEnding: Bool { get }

  /// Whether the stage has no sound left, so that the device removes it.
  var hasEnded: Bool { get }
}

extension AudioDevice {
  /// Adds a stage, which processes the mix once it is the oldest stage of the device.
  ///
  /// The device removes stages that are ending. Returns `false` without an effect for a device that does not return its
  /// mix.
  package func addMixStage(_ stage: any MixStage) -> Bool {
    guard isRendered else { return false }
    // Stages that are removed are released behind the lock.
    let former = mixStages.withLock { stages in
      let former = stages
      stages = former.filter { !$0.isEnding } + [stage]
      return former
    }
    withExtendedLifetime(former) {}
    return true
  }

  /// Whether a stage processes the mix: the oldest stage of a device does.
  package func isProcessed(by stage: any MixStage) -> Bool { mixStages.withLock { $0.first === stage } }

  /// Whether a stage is the only one of the device.
  package func hasOnly(_ stage: any MixStage) -> Bool { mixStages.withLock { $0.count == 1 && $0.first === stage } }

  /// Removes a stage; a piece that is processed meanwhile may still have a call.
  package func removeMixStage(_ stage: any MixStage) { mixStages.withLock { $0.removeAll { $0 === stage } } }
}

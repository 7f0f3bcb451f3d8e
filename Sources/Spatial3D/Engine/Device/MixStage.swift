internal import AudioSupport

/// A stage behind the mix of a rendered device, which changes the mix before the output or the caller has it.
package protocol MixStage: AnyObject, Sendable {
  /// Processes the next piece of the mix, of 1 frame or more, whose first frame is the frame `frame` of the mix.
  ///
  /// Calls have the order of the mix. One thread calls at a time, without a lock of a context. Pieces end where the
  /// library has to do something, so that the result must not depend on their lengths. A suspended device does not
  /// call.
  func process(_ samples: inout MutableSpan<Float>, at frame: Int)
}

extension AudioDevice {
  /// Begins to call a stage with each piece of the mix, until ``removeMixStage(_:)``.
  ///
  /// Returns `false` without an effect for a device with another stage, and for a device that does not return its mix.
  package func addMixStage(_ stage: any MixStage) -> Bool {
    guard isRendered else { return false }
    return mixStage.withLock { present in
      guard present == nil else { return false }
      present = stage
      return true
    }
  }

  /// Ends the calls of a stage; a piece that is processed meanwhile may still have a call.
  package func removeMixStage(_ stage: any MixStage) {
    // The stage is released behind the lock.
    var removed: (any MixStage)?
    mixStage.withLock { present in
      guard present === stage else { return }
      swap(&present, &removed)
    }
  }
}

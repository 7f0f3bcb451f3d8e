internal import AudioSupport

/// The values of a context and its mix that decide the level and the speed of a sound.
package struct MixPhysics: Sendable {
  /// The frames that are mixed.
  package var frame: Int
  package var sampleRate: Int
  package var step: MixStep
  package var doppler: DopplerEffect
  package var distanceModel: DistanceModel
  /// The largest change of a filter between two ticks that is no click, in decibels.
  package var filterStep: Float

  package init(
    frame: Int,
    sampleRate: Int,
    step: MixStep,
    doppler: DopplerEffect,
    distanceModel: DistanceModel,
    filterStep: Float
  ) {
    self.frame = frame
    self.sampleRate = sampleRate
    self.step = step
    self.doppler = doppler
    self.distanceModel = distanceModel
    self.filterStep = filterStep
  }
}

extension AudioContext {
  /// The present values, from one moment.
  package var physics: MixPhysics {
    state.withLock { state in
      MixPhysics(
        frame: state.handle.mixedFrames,
        sampleRate: state.handle.sampleRate,
        step: state.handle.mixStep,
        doppler: DopplerEffect(factor: state.scene.libraryDopplerFactor),
        distanceModel: state.scene.distanceModel,
        filterStep: state.handle.filterStep
      )
    }
  }
}

extension AudioContext {
  /// How many frames a real output mixes at once.
  package var framesPerMix: Int {
    device.outputMixer == nil ? state.withLock { $0.framesPerMix() } : OutputPacer.block
  }
}

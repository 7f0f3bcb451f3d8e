extension Scene {
  /// The number of frames of a sound that the mixer takes for one of the mix, by pitch, rates and the Doppler effect.
  func step(of values: SourceValues, soundRate: Int, mixRate: Int, isPlaced: Bool, by mixStep: MixStep) -> Double {
    let shift = isPlaced ? dopplerShift(of: values) : 1
    return mixStep.frames(pitch: values.pitch * Float(shift), soundRate: soundRate, mixRate: mixRate)
  }

  /// The factor of a source's frequency.
  func dopplerShift(of values: SourceValues) -> Double {
    DopplerEffect(factor: libraryDopplerFactor * values.dopplerFactor).shift(
      of: values.position,
      movingAt: values.velocity,
      isRelative: values.isListenerRelative,
      heardBy: listener
    )
  }
}

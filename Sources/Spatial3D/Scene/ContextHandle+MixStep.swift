extension ContextHandle {
  /// The rounding of speeds by the loaded library.
  var mixStep: MixStep { MixStep(version: version) }

  /// The number of frames of a sound that the mixer takes for one of the mix, for given values and a given scene.
  func step(of values: SourceValues, playing sound: QueuedSound, in scene: Scene) -> Double {
    scene.step(
      of: values,
      soundRate: sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: sound.isPlaced(values.spatialization),
      by: mixStep
    )
  }

  /// The largest change of a filter, in decibels, that is no click each 512 frames.
  ///
  /// OpenAL Soft 1.19.1 changes a filter at once. The first samples behind a step of half a decibel are 1.6 times as
  /// steep as a tone of 200 Hz is, and those behind a quarter 1.2 times. 1.25.2 moves evenly to the next filter, in 64
  /// frames.
  var filterStep: Float { version.map { $0 >= LibraryVersion(1, 25, 0) } ?? false ? 0.5 : 0.25 }
}

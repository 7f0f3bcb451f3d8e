extension RoomAcoustics {
  /// The acoustics of one of Apple's thirteen rooms.
  public init(_ preset: RoomPreset) {
    self.init()
    switch preset {
    case .smallRoom: set(decay: 0.4, high: 0.83, reflections: 0.15, after: 0.002, late: 1.06, after: 0.003)
    case .mediumRoom: set(decay: 0.8, high: 0.83, reflections: 0.2, after: 0.005, late: 1.1, after: 0.006)
    case .largeRoom: set(decay: 1.3, high: 0.8, reflections: 0.25, after: 0.01, late: 1.2, after: 0.012)
    case .mediumHall: set(decay: 1.7, high: 0.7, reflections: 0.22, after: 0.015, late: 1.2, after: 0.02)
    case .largeHall: set(decay: 2.6, high: 0.7, reflections: 0.24, after: 0.02, late: 1.26, after: 0.029)
    case .plate:
      set(decay: 1.6, high: 1.1, reflections: 0, after: 0, late: 1.4, after: 0)
      highFrequencyGain = 1
      limitsHighFrequencyDecay = false
    case .mediumChamber: set(decay: 1.2, high: 0.64, reflections: 0.44, after: 0.008, late: 1.1, after: 0.01)
    case .largeChamber:
      set(decay: 2.2, high: 0.64, reflections: 0.5, after: 0.016, late: 1.2, after: 0.02)
      (echoTime, echoDepth) = (0.2, 0.1)
    case .cathedral:
      set(decay: 5.5, high: 0.6, reflections: 0.18, after: 0.03, late: 1.26, after: 0.04)
      diffusion = 0.9
    case .largeRoom2:
      set(decay: 1.5, high: 0.6, reflections: 0.25, after: 0.012, late: 1.2, after: 0.014)
      highFrequencyGain = 0.5
    case .mediumHall2:
      set(decay: 1.9, high: 0.55, reflections: 0.25, after: 0.014, late: 1.2, after: 0.018)
      highFrequencyGain = 0.4
    case .mediumHall3:
      set(decay: 2.1, high: 1, reflections: 0.22, after: 0.016, late: 1.2, after: 0.02)
      highFrequencyGain = 1
    case .largeHall2: set(decay: 3.2, high: 0.7, reflections: 0.24, after: 0.024, late: 1.26, after: 0.03)
    }
  }

  private mutating func set(
    decay: Float,
    high: Float,
    reflections: Float,
    after reflectionsDelay: Float,
    late: Float,
    after lateDelay: Float
  ) {
    decayTime = decay
    highFrequencyDecayRatio = high
    reflectionsGain = reflections
    self.reflectionsDelay = reflectionsDelay
    lateGain = late
    self.lateDelay = lateDelay
  }
}

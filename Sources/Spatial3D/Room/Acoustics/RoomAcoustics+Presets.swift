extension RoomAcoustics {
  /// The acoustics of one of Creative Labs' presets.
  public init(_ preset: EFXPreset) {
    let row = EFXPreset.allCases.firstIndex(of: preset) ?? 0
    self.init(efxRow: EFXPreset.table[row])
  }

  /// The acoustics of one of Apple's thirteen rooms.
  public init(_ preset: RoomPreset) {
    self.init()
    switch preset {
    case .smallRoom: set(decay: 400, high: 0.83, reflections: 0.15, after: 2, late: 1.06, after: 3)
    case .mediumRoom: set(decay: 800, high: 0.83, reflections: 0.2, after: 5, late: 1.1, after: 6)
    case .largeRoom: set(decay: 1_300, high: 0.8, reflections: 0.25, after: 10, late: 1.2, after: 12)
    case .mediumHall: set(decay: 1_700, high: 0.7, reflections: 0.22, after: 15, late: 1.2, after: 20)
    case .largeHall: set(decay: 2_600, high: 0.7, reflections: 0.24, after: 20, late: 1.26, after: 29)
    case .plate:
      set(decay: 1_600, high: 1.1, reflections: 0, after: 0, late: 1.4, after: 0)
      highFrequencyGain = 1
      limitsHighFrequencyDecay = false
    case .mediumChamber: set(decay: 1_200, high: 0.64, reflections: 0.44, after: 8, late: 1.1, after: 10)
    case .largeChamber:
      set(decay: 2_200, high: 0.64, reflections: 0.5, after: 16, late: 1.2, after: 20)
      (echoTime, echoDepth) = (.milliseconds(200), 0.1)
    case .cathedral:
      set(decay: 5_500, high: 0.6, reflections: 0.18, after: 30, late: 1.26, after: 40)
      diffusion = 0.9
    case .largeRoom2:
      set(decay: 1_500, high: 0.6, reflections: 0.25, after: 12, late: 1.2, after: 14)
      highFrequencyGain = 0.5
    case .mediumHall2:
      set(decay: 1_900, high: 0.55, reflections: 0.25, after: 14, late: 1.2, after: 18)
      highFrequencyGain = 0.4
    case .mediumHall3:
      set(decay: 2_100, high: 1, reflections: 0.22, after: 16, late: 1.2, after: 20)
      highFrequencyGain = 1
    case .largeHall2: set(decay: 3_200, high: 0.7, reflections: 0.24, after: 24, late: 1.26, after: 30)
    }
  }

  /// Sets the values that differ between the rooms; times are in milliseconds.
  private mutating func set(
    decay: Int,
    high: Float,
    reflections: Float,
    after reflectionsDelay: Int,
    late: Float,
    after lateDelay: Int
  ) {
    decayTime = .milliseconds(decay)
    highFrequencyDecayRatio = high
    reflectionsGain = Gain(reflections)
    self.reflectionsDelay = .milliseconds(reflectionsDelay)
    lateGain = Gain(late)
    self.lateDelay = .milliseconds(lateDelay)
  }
}

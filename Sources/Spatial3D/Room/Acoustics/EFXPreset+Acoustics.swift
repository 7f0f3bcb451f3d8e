extension RoomAcoustics {
  /// The acoustics of one of Creative Labs' presets.
  public init(_ preset: EFXPreset) {
    let row = EFXPreset.allCases.firstIndex(of: preset) ?? 0
    self.init(efxRow: EFXPreset.table[row])
  }
}

/// By which difference between the ears a direction is told.
public enum AzimuthCue: Hashable, Sendable {
  /// By loudness alone, as OpenAL Soft pans a stereo mix that is not for headphones.
  ///
  /// Turns OpenAL Soft's law round: for an azimuth θ the channels have the gains ½ ∓ ½ sin 1.5θ + 0.0957 cos 1.5θ. From
  /// 60 degrees on, a source is on one side alone, so that no more than ±60 comes out. Read off `StereoConfig` in
  /// OpenAL Soft's `panning.cpp` and `ScaleAzimuthFront` in its `alu.cpp`, and measured: versions 1.19.1 and 1.25.2
  /// both pan so, to a tenth of a degree.
  case levelDifference

  /// By the time between the ears, as a mix for headphones (HRTF) has it, for a head of a radius in metres.
  ///
  /// Turns Woodworth's formula round: a source at an azimuth θ is heard later by r/c (θ + sin θ) at the far ear, c
  /// being 343.3 m/s (Woodworth, "Experimental Psychology", 1938; Kuhn, "Model for the interaural time differences in
  /// the azimuthal plane", 1977, has it for high frequencies). With the usual radius of 0.0875 m, the azimuth of noise
  /// in the mix of OpenAL Soft's own HRTF comes out to 4 degrees up to 75 degrees, and to 10 from there to 90, with
  /// versions 1.19.1 and 1.25.2.
  case timeDifference(headRadius: Double = 0.0875)
}

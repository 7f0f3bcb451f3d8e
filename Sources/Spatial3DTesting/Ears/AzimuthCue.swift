/// The interaural difference that an azimuth is derived from.
public enum AzimuthCue: Hashable, Sendable {
  /// The level difference, as OpenAL Soft pans a stereo mix that is not for headphones.
  ///
  /// Inverts the panning law of OpenAL Soft: for an azimuth θ the channels have the gains ½ ∓ ½ sin 1.5θ + 0.0957 cos
  /// 1.5θ. From 60 degrees on, a source is on one side alone, so that the result is within ±60. The law is that of
  /// `StereoConfig` in OpenAL Soft's `panning.cpp` and `ScaleAzimuthFront` in its `alu.cpp`. Measurements confirm it to
  /// a tenth of a degree for versions 1.19.1 and 1.25.2.
  case levelDifference

  /// The time difference, as in a mix for headphones (HRTF), for a head of a radius in metres.
  ///
  /// Inverts Woodworth's formula: the sound of a source at an azimuth θ arrives later by r/c (θ + sin θ) at the far
  /// ear, with c = 343.3 m/s (Woodworth, "Experimental Psychology", 1938; Kuhn, "Model for the interaural time
  /// differences in the azimuthal plane", 1977, derives it for high frequencies). With the usual radius of 0.0875 m,
  /// for noise in a mix of OpenAL Soft's own HRTF, the error is up to 4 degrees at azimuths up to 75 degrees, and up to
  /// 10 from there to 90, with versions 1.19.1 and 1.25.2.
  case timeDifference(headRadius: Double = 0.0875)
}

internal import Spatial3D

// Lists of inserts for known sounds. Each list begins with filters, so that rumble moves no dynamics. A list that adds
// harmonics ends with filters. No list changes the width: a bus may have sounds with positions.

extension [Insert] {
  /// A walkie-talkie: 500 to 2,800 Hz with a peak at 1.8 kHz, a constant level, and a hard distortion.
  public static var radio: [Insert] {
    [
      .equalizer(steep(.highPass, 500) + [.init(.bell, 1_800, level: 6, q: 1.2)]),
      compressor(threshold: -34, ratio: 8, makeup: 12, attack: .milliseconds(2), release: .milliseconds(90)),
      distortion(.hard, drive: 24, tone: 5_000),
      .equalizer(steep(.highPass, 350) + steep(.lowPass, 2_800)),
    ]
  }

  /// A telephone: the band of 300 to 3,400 Hz, with less than -20 dB at 100 Hz and at 8 kHz, and a level that is even.
  public static var telephone: [Insert] {
    [
      .equalizer(steep(.highPass, 300)),
      compressor(threshold: -26, ratio: 4, makeup: 6, attack: .milliseconds(5), release: .milliseconds(120)),
      distortion(.soft, drive: 6, tone: 6_000),
      .equalizer([.init(.bell, 1_500, level: 2, q: 0.7)] + steep(.lowPass, 3_400)),
    ]
  }

  /// A megaphone: the peak of a horn at 1.6 kHz, no bass, and the distortion of a loudspeaker at its limit.
  public static var megaphone: [Insert] {
    [
      .equalizer(steep(.highPass, 450) + [.init(.bell, 1_600, level: 6, q: 1.5)]),
      compressor(threshold: -30, ratio: 6, makeup: 10, attack: .milliseconds(3), release: .milliseconds(150)),
      distortion(.tube, drive: 20, tone: 6_000),
      .equalizer([.init(.highPass, 400), .init(.bell, 1_600, level: 5, q: 3), .init(.lowPass, 5_000)]),
    ]
  }

  /// Under water: nothing but lows, -30 dB and less from 2 kHz on, whose pitch moves slowly.
  public static var underwater: [Insert] {
    var water = Insert.Chorus()
    (water.delay, water.depth, water.rate) = (.milliseconds(18), .milliseconds(4), 0.35)
    return [
      .equalizer([.init(.lowShelf, 160, level: 3)] + steep(.lowPass, 450)),
      .chorus(water, mix: 0.5),
    ]
  }

  /// The sound of another room behind a wall: the lows pass, 1 kHz is softer by 10 dB, and 4 kHz by 40 dB.
  public static var nextRoom: [Insert] {
    [.equalizer([.init(.lowPass, 600), .init(.highShelf, 2_000, level: -10), .init(.bell, 200, level: 2, q: 0.8)])]
  }

  /// A mix for the night: soft sounds are louder, loud sounds are softer, and there is less bass for the neighbours.
  ///
  /// A difference of 44 dB becomes 24 dB. No sample is above -6 dB.
  public static var nightMode: [Insert] {
    [
      .equalizer([.init(.lowShelf, 120, level: -6)]),
      compressor(
        threshold: -40,
        ratio: 2.5,
        knee: 12,
        makeup: 12,
        attack: .milliseconds(15),
        release: .milliseconds(400)
      ),
      .limiter(ceiling: -6),
    ]
  }

  /// A voice in front of a mix: no rumble below 80 Hz, less mud at 300 Hz, more presence at 4 kHz, and an even level.
  public static var voice: [Insert] {
    [
      .equalizer([
        .init(.highPass, 80), .init(.bell, 300, level: -2.5, q: 1), .init(.bell, 4_000, level: 3, q: 0.8),
      ]),
      compressor(threshold: -22, ratio: 3, makeup: 5, attack: .milliseconds(8), release: .milliseconds(140)),
      .limiter(),
    ]
  }

  /// A pass of order 4 without a resonance, with 24 dB an octave: Butterworth's filter as two filters of second order.
  private static func steep(_ shape: Insert.Equalizer.Band.Shape, _ frequency: Float) -> [Insert.Equalizer.Band] {
    [.init(shape, frequency, q: 0.541_196), .init(shape, frequency, q: 1.306_563)]
  }

  private static func compressor(
    threshold: Decibels,
    ratio: Float,
    knee: Decibels = 6,
    makeup: Decibels,
    attack: Duration,
    release: Duration
  ) -> Insert {
    let compressor = Insert.Compressor(
      threshold: threshold,
      ratio: ratio,
      knee: knee,
      makeup: makeup,
      attack: attack,
      release: release
    )
    return Insert(.compressor(compressor))
  }

  private static func distortion(_ curve: Insert.Distortion.Curve, drive: Decibels, tone: Float) -> Insert {
    var distortion = Insert.Distortion(curve, drive: drive)
    distortion.tone = tone
    return Insert(.distortion(distortion))
  }
}

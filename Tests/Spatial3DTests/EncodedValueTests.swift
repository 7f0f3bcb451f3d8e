import Spatial3D
import TestSupport
import Testing

/// The encoded form of each value is a contract with files of released games: change no text of a golden.
@Suite struct EncodedValueTests {
  private static let generic = """
    {"airAbsorptionGain":"0.9943x","decayTime":1.49,"density":1,"diffusion":1,"echoDepth":0,"echoTime":0.25,\
    "gain":"0.3162x","highFrequencyDecayRatio":0.83,"highFrequencyGain":"0.8913x","highFrequencyReference":5000,\
    "lateDelay":0.011,"lateGain":"1.2589x","latePan":[0,0,0],"limitsHighFrequencyDecay":true,\
    "lowFrequencyDecayRatio":1,"lowFrequencyGain":"1.0x","lowFrequencyReference":250,"modulationDepth":0,\
    "modulationTime":0.25,"reflectionsDelay":0.007,"reflectionsGain":"0.05x","reflectionsPan":[0,0,0],"roomRolloff":0}
    """

  @Test func `A listener and its parts have their golden form`() throws {
    try expectGolden(
      Listener(
        position: [1, 1.75, -3],
        velocity: [0, 0, 2],
        orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0]),
        gain: 0.5
      ),
      #"{"gain":"0.5x","orientation":{"forward":[1,0,0],"up":[0,1,0]},"position":[1,1.75,-3],"velocity":[0,0,2]}"#
    )
    try expectGolden(
      PolarPosition(azimuth: -30, elevation: 10, distance: 2.5),
      #"{"azimuth":-30,"distance":2.5,"elevation":10}"#
    )
  }

  @Test func `Levels have their golden form, the infinite ones too`() throws {
    try expectGolden([Decibels(-6.5), .silence, Decibels(.infinity), 0], #"["-6.5 dB","-inf dB","inf dB","0.0 dB"]"#)
  }

  @Test func `The values of a source have their golden form`() throws {
    try expectGolden(
      Cone(innerAngle: 60, outerAngle: 90, outerGain: 0.25, outerHighFrequencyGain: 0.5),
      #"{"innerAngle":60,"outerAngle":90,"outerGain":"0.25x","outerHighFrequencyGain":"0.5x"}"#
    )
    try expectGolden(
      DistanceAttenuation(referenceDistance: 2, maximumDistance: 60, rolloffFactor: 0.5),
      #"{"maximumDistance":60,"referenceDistance":2,"rolloffFactor":0.5}"#
    )
    try expectGolden(
      DistanceAttenuation(maximumDistance: 60, model: .linearClamped),
      #"{"maximumDistance":60,"model":"linearClamped","referenceDistance":1,"rolloffFactor":1}"#
    )
    try expectGolden(ToneFilter(low: -6, high: -20), #"{"high":"-20.0 dB","low":"-6.0 dB"}"#)
    try expectGolden(StereoAngles(left: -45, right: 20), #"{"left":-45,"right":20}"#)
  }

  @Test func `Cases have their names`() throws {
    try expectGolden(
      DistanceModel.allCases,
      #"["none","inverse","inverseClamped","linear","linearClamped","exponent","exponentClamped"]"#
    )
    try expectGolden(Spatialization.allCases, #"["automatic","always","never"]"#)
    try expectGolden(SourceState.allCases, #"["initial","playing","paused","stopped"]"#)
    try expectGolden(DevicePolicy.allCases, #"["follow","stay","pauseOnOutputLoss"]"#)
    try expectGolden(SuspensionMode.allCases, #"["mute","freeze","queue"]"#)
    try expectGolden([SuspensionReason.userPause, SuspensionReason("chat")], #"["user pause","chat"]"#)
    try expectGolden(
      RoomPreset.allCases,
      """
      ["smallRoom","mediumRoom","largeRoom","mediumHall","largeHall","plate","mediumChamber","largeChamber",\
      "cathedral","largeRoom2","mediumHall2","mediumHall3","largeHall2"]
      """
    )
    try expectGolden([EFXPreset.generic, .paddedCell, .stoneCorridor], #"["generic","paddedCell","stoneCorridor"]"#)
    for preset in EFXPreset.allCases { try expectGolden(preset, "\"\(preset)\"") }
  }

  @Test func `A room has its golden form`() throws {
    try expectGolden(RoomAcoustics(), Self.generic)
    try expectGolden(Reverb(efx: .generic, level: -6), #"{"level":"-6.0 dB","room":\#(Self.generic)}"#)
    try expectGolden(
      Reverb(efx: .generic, equalizer: ParametricEqualizer(frequency: 1_200, bandwidth: 1.5, level: -3)),
      #"{"equalizer":{"bandwidth":1.5,"frequency":1200,"level":"-3.0 dB"},"level":"0.0 dB","room":\#(Self.generic)}"#
    )
  }

  private static let effects: [(Effect, String)] = [
    (.reverb(Reverb(efx: .generic)), #"{"reverb":{"level":"0.0 dB","room":\#(generic)}}"#),
    (.echo(.init()), #"{"echo":{"damping":0.5,"delay":0.1,"feedback":0.5,"otherSideDelay":0.1,"spread":-1}}"#),
    (
      .chorus(.chorus),
      #"{"chorus":{"delay":0.016,"depth":0.1,"feedback":0.25,"phase":90,"rate":1.1,"waveform":"triangle"}}"#
    ),
    (
      .flanger(.flanger),
      #"{"flanger":{"delay":0.002,"depth":1,"feedback":-0.5,"phase":0,"rate":0.27,"waveform":"triangle"}}"#
    ),
    (
      .distortion(.init()),
      #"{"distortion":{"bandwidth":3600,"center":3600,"edge":0.2,"gain":"0.05x","lowPassCutoff":8000}}"#
    ),
    (.compressor, #"{"compressor":{}}"#),
    (
      .equalizer(.init()),
      """
      {"equalizer":{"band1":{"center":500,"level":"0.0 dB","width":1},"band2":{"center":3000,"level":"0.0 dB","width":1},\
      "high":{"cutoff":6000,"level":"0.0 dB"},"low":{"cutoff":200,"level":"0.0 dB"}}}
      """
    ),
    (.pitchShifter(.init(semitones: -3.5)), #"{"pitchShifter":{"semitones":-3.5}}"#),
    (
      .frequencyShifter(.init(frequency: 40, left: .up, right: .off)),
      #"{"frequencyShifter":{"frequency":40,"left":"up","right":"off"}}"#
    ),
    (
      .ringModulator(.init(waveform: .square)),
      #"{"ringModulator":{"frequency":440,"highPassCutoff":800,"waveform":"square"}}"#
    ),
  ]

  @Test(arguments: effects)
  func `An effect has its golden form`(effect: Effect, golden: String) throws {
    try expectGolden(effect, golden)
  }

  @Test func `Output settings have their golden form`() throws {
    try expectGolden(OutputSettings(), #"{"hrtf":"automatic","limiter":"automatic"}"#)
    try expectGolden(
      OutputSettings(
        sampleRate: 48_000,
        layout: .surround51,
        hrtf: .named("head"),
        limiter: .off,
        sourceLimit: 64,
        auxiliarySendLimit: 4
      ),
      """
      {"auxiliarySendLimit":4,"hrtf":{"named":"head"},"layout":"surround51","limiter":"off","sampleRate":48000,\
      "sourceLimit":64}
      """
    )
    try expectGolden([OutputSettings.HRTF.on, .off], #"["on","off"]"#)
    try expectGolden(
      [ChannelLayout.mono, .stereo, .quad, .surround51, .surround61, .surround71, .bFormat2D, .bFormat3D],
      #"["mono","stereo","quad","surround51","surround61","surround71","bFormat2D","bFormat3D"]"#
    )
    try expectGolden(
      [ChannelLayout.ambisonic(order: 1), .ambisonic(order: 3), .discrete(1), .discrete(16)],
      #"[{"ambisonic":1},{"ambisonic":3},{"discrete":1},{"discrete":16}]"#
    )
  }
}

internal import Spatial3D

extension SoundTable {
  /// The contents of a sound, one for each variation.
  func contents(of use: Use) -> [SoundContent] {
    (use.family.map { members(of: $0) } ?? [use.index]).compactMap { self[$0].content }
  }

  /// The description of a sound, as its emitters were given it.
  func sound(of use: Use, _ contents: [SoundContent]) -> Sound {
    let key = self[use.index].key
    var sound = Sound(contents: contents)
    sound.identity = key.identity
    sound.runsWhileLoading = key.runsWhileLoading
    sound.key = plays(of: key.identity).key
    sound.attenuation = key.law
    sound.rolloffCurve = key.curve
    sound.silentBeyond = key.silentBeyond
    sound.limit = key.limit
    sound.loudnessOfMany = key.loudnessOfMany
    sound.loopRange = key.load.loopRange
    if let family = use.family.map({ familyKey(of: $0) }) {
      (sound.choice, sound.pitchVariation, sound.levelVariation) = (family.choice, family.pitch, family.gain)
    }
    return sound
  }
}

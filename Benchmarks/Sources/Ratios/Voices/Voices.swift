import Spatial3D

/// The cost of mixing 64 voices, each of which moves before each 1,024 frames.
enum Voices {
  static func comparisons() throws -> [Comparison] {
    let plain = try Scene(sourceCount: count)
    func against(_ what: String, _ voice: Voice) throws -> Comparison {
      try compare("\(what), against C", atMost: 1.05, try Scene(sourceCount: count, voice: voice), voice)
    }
    /// A row has no limit by default: the work is OpenAL Soft's own, and the same in C.
    func cost(_ what: String, atMost limit: Limit? = nil, _ voice: Voice) throws -> Comparison {
      let scene = try Scene(sourceCount: count, voice: voice)
      return Comparison("\(what), against a plain voice", atMost: limit) { effort in
        ratios(effort, of: scene.moveAndMix, to: plain.moveAndMix)
      }
    }
    return [
      try against("a plain voice", .plain),
      try against("a voice by HRTF", .hrtf),
      try against("a voice with a send to a reverb", .send),
      try against("an occluded voice", .occluded),
      try cost("a voice by HRTF", .hrtf),
      try cost("a voice with a send to a reverb", .send),
      try cost("an occluded voice", .occluded),
      try cost("a voice that is occluded by 0 dB", atMost: 1.05, .clearedOfOcclusion),
      try cost("a voice with air absorption", .airAbsorption),
      try cost("a voice at the rate of the mix", .atMixRate),
      try cost("a voice 10 km away", .far),
      try cost("a voice at a gain of 0", .silent),
      try cost("a paused voice", .paused),
    ]
  }

  private static let count = 64

  /// Compares the mixes of a scene with the mixes of the same scene in C, which have to sound the same.
  private static func compare(
    _ what: String,
    atMost limit: Limit,
    _ scene: Scene,
    _ voice: Voice
  ) throws -> Comparison {
    let reference = try ReferenceScene(sourceCount: count, voice: voice)
    for mix in 0..<8 {
      scene.moveAndMix(Float(mix) * 0.1)
      reference.moveAndMix(Float(mix) * 0.1)
    }
    let difference = zip(scene.samples, reference.samples).map { abs($0 - $1) }.max() ?? .infinity
    let peak = reference.samples.map(abs).max() ?? 0
    guard peak > 0.001, difference < 0.001 * peak else {
      throw Different(what: what, difference: difference, peak: peak)
    }
    return Comparison(what, atMost: limit) { effort in
      ratios(effort, of: scene.moveAndMix, to: reference.moveAndMix)
    }
  }

  private static func ratios(_ effort: Effort, of mix: (Float) -> Void, to reference: (Float) -> Void) -> [Double] {
    func run(_ mix: (Float) -> Void) { for step in 0..<4 { mix(Float(step) * 0.1) } }
    return Turns.ratios(
      rounds: effort(full: 25, brief: 15),
      of: { run(mix) },
      to: { run(reference) }
    )
  }

  struct Different: Error, CustomStringConvertible {
    let what: String
    let difference: Float
    let peak: Float

    var description: String {
      "\(what): the two scenes do not sound the same, by \(difference) where the peak is \(peak)."
    }
  }
}

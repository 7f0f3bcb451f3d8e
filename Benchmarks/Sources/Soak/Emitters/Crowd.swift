import GameAudio
import Spatial3DTesting

/// The emitters of one thread, which changes them at random.
struct Crowd {
  private struct Member {
    let emitter: Emitter
    let isEndless: Bool
  }

  private let scene: CrowdScene
  private var random: SeededGenerator
  private var members: [Member] = []

  init(of count: Int, seed: UInt64, in scene: CrowdScene) {
    self.scene = scene
    random = SeededGenerator(seed: seed)
    for _ in 0..<count { members.append(newMember()) }
  }

  /// Changes some emitters.
  mutating func step() {
    scene.releaseDiscarded()
    for _ in 0..<12 { act(on: Int.random(in: members.indices, using: &random)) }
    moveSome()
  }

  /// Ends all emitters, some of them by their release.
  mutating func end() {
    for member in members {
      if Bool.random(using: &random) { member.emitter.stop() }
      scene.ledger.noteRelease(of: member.emitter.id)
    }
    members = []
  }

  private mutating func act(on index: Int) {
    let emitter = members[index].emitter
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30: play(emitter)
    case 30..<45: emitter.stop(fade())
    case 45..<55:
      // The end of a sound may overtake the fade of its pause: the next play would begin or resume.
      emitter.pause(members[index].isEndless ? fade() : .none)
    case 55..<60: emitter.playbackTime = .milliseconds(Int.random(in: 0...4_500, using: &random))
    case 60..<65: emitter.pitch = .random(in: 0.9...1.1, using: &random)
    case 65..<70: emitter.fade(to: .decibels(Decibels(.random(in: -30...0, using: &random))), fade())
    case 70..<72: emitter.gain = .decibels(Decibels(.random(in: -12...0, using: &random)))
    case 72..<75: emitter.bus = scene.buses.randomElement(using: &random) ?? emitter.bus
    case 75..<77: emitter.priority = Priority(Int.random(in: 0...99, using: &random))
    case 77..<86: playOnce(near: emitter)
    default:
      scene.ledger.noteRelease(of: emitter.id)
      if Bool.random(using: &random) { scene.discard(emitter) }
      members[index] = newMember()
    }
  }

  private func play(_ emitter: Emitter) {
    if !emitter.isPaused { scene.ledger.notePlay(of: emitter.id) }
    emitter.play()
  }

  private mutating func playOnce(near emitter: Emitter) {
    guard let sound = scene.sounds.randomElement(using: &random) else { return }
    let once =
      Bool.random(using: &random)
      ? emitter.playOnce(sound, gain: .decibels(-6))
      : scene.world.playOnce(sound, at: place(), on: scene.buses.randomElement(using: &random))
    scene.ledger.notePlay(of: once.id, isReleased: true)
  }

  private mutating func moveSome() {
    let start = Int.random(in: members.indices, using: &random)
    let emitters = members[start..<min(start + 100, members.count)].map(\.emitter)
    let way = SIMD3<Float>(.random(in: -0.1...0.1, using: &random), 0, .random(in: -0.1...0.1, using: &random))
    let places = emitters.map { $0.position + way }
    scene.world.move(emitters, to: places.span)
  }

  private mutating func newMember() -> Member {
    let sound = scene.sounds.randomElement(using: &random) ?? scene.sounds[0]
    let emitter = Emitter(playing: sound, in: scene.world, on: scene.buses.randomElement(using: &random))
    let isEndless = Bool.random(using: &random)
    emitter.position = place()
    emitter.repeats = isEndless ? .forever : .times(Int.random(in: 0...2, using: &random))
    emitter.gain = .decibels(-6)
    if Int.random(in: 0..<4, using: &random) == 0 {
      emitter.virtualBehavior = VirtualBehavior.allCases.randomElement(using: &random) ?? .elapsedTime
    }
    if Int.random(in: 0..<8, using: &random) == 0 { emitter.derivesVelocity = true }
    if Int.random(in: 0..<8, using: &random) == 0 { scene.ledger.observe(emitter) }
    if Int.random(in: 0..<8, using: &random) == 0 { emitter.occlusion = -20 }
    return Member(emitter: emitter, isEndless: isEndless)
  }

  private mutating func place() -> SIMD3<Float> {
    [.random(in: -60...60, using: &random), 0, .random(in: -60...60, using: &random)]
  }

  private mutating func fade() -> Fade {
    Fade(
      .milliseconds(Int.random(in: 10...400, using: &random)),
      Fade.Curve.allCases.randomElement(using: &random) ?? .decibels
    )
  }
}

/// The generator SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

import Spatial3D

@testable import GameAudio

// The voices of a copy of a world's state.

extension VoicePool {
  /// All voices, in their order.
  var all: [Voice] { indices.map { self[$0] } }

  /// Changes one voice.
  mutating func change(_ index: Int, _ body: (inout Voice) -> Void) {
    var voices = all
    body(&voices[index])
    replace(voices)
  }

  /// Replaces the voices; the settings of the pool stay.
  mutating func replace(_ voices: [Voice]) {
    var pool = VoicePool(limit: limit, mixesByFrames: mixesByFrames, voices: voices)
    (pool.streamLimit, pool.revives) = (streamLimit, revives)
    self = pool
  }
}

extension VoiceIndex: ExpressibleByIntegerLiteral {
  /// Creates the index of a position, for tests.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension WorldPlayback {
  /// Hands the shares of a voice that go to zones to its source.
  mutating func flushFeeds(of voice: VoiceIndex) { voices.moveFeeds(of: voice, in: &scene, &outbox.commands) }

  /// Chooses the emitters to ask about, with a number of rays.
  mutating func beginRays(_ limit: Int, _ selector: VoiceSelector) -> [RayQuestion] {
    scene.space.beginRays(limit: limit, scene.emitters, voices, selector)
  }

  /// Applies the answers of another call for rays.
  mutating func applyRays(_ answers: [EmitterRays]) {
    scene.space.rays.countCall()
    for answer in answers { apply(answer) }
  }

  /// Replaces the listeners; an emitter without a voice leaves a listener that was removed.
  mutating func setListeners(_ listeners: [Listener]) {
    if scene.space.listeners.set(listeners) { voices.leaveRemovedListeners(in: &scene) }
  }
}

import SignalProcessing
import TestSupport
import Testing

@testable import GameAudio

/// The processors and impulse responses that the inserts of a strip name.
@Suite struct StripObjectsTests {
  private static func convolution(_ path: String) -> Insert.Convolution { Insert.Convolution(path) }

  @Test func `A response is silent while it loads, and leaves the sound as it is if its file cannot be used`() {
    var objects = StripObjects()
    let hall = Insert.convolution("hall.wav")
    #expect(objects.adopt([hall, hall]).responses == [Self.convolution("hall.wav")])
    #expect(objects.adopt([hall]).responses.isEmpty)
    guard case .convolution(let silent) = hall.step(objects.known)?.settings else {
      Issue.record("a response that loads has a step")
      return
    }
    #expect(silent.response.frameCount == 0)
    let response = ImpulseResponse([[1]])
    objects.add(response, for: Self.convolution("hall.wav"))
    #expect(hall.step(objects.known)?.settings == .convolution(.init(response)))
    objects.add(nil, for: Self.convolution("hall.wav"))
    #expect(hall.step(objects.known) == nil)
  }

  @Test func `A response is released with the last list that names it, and is loaded again`() {
    var objects = StripObjects()
    weak var released: ImpulseResponse?
    do {
      let response = ImpulseResponse([[1]])
      released = response
      _ = objects.adopt([.convolution("hall.wav")])
      objects.add(response, for: Self.convolution("hall.wav"))
      #expect(objects.adopt([.convolution("hall.wav", mix: 0.7), .gate()]) == StripObjects.Missing())
    }
    #expect(released != nil && objects.adopt([.gate()]) == StripObjects.Missing() && released == nil)
    // A file that arrives late has no list.
    objects.add(ImpulseResponse([[1]]), for: Self.convolution("hall.wav"))
    #expect(objects.known.responses.isEmpty)
    #expect(objects.adopt([.convolution("hall.wav")]).responses == [Self.convolution("hall.wav")])
  }

  @Test func `Each setting of a convolution has a response of its own`() {
    var objects = StripObjects()
    var longer = Insert.Convolution("hall.wav")
    longer.longest = .seconds(8)
    let missing = objects.adopt([
      .convolution("hall.wav"), .convolution("hall.wav", level: -3), Insert(.convolution(longer)),
    ])
    #expect(missing.responses.count == 3 && objects.known.responses.count == 3)
  }

  @Test func `The first processor of a name stays`() throws {
    var objects = StripObjects()
    let named = try decode(#"[{"custom":"half"}]"#, as: [Insert].self)
    #expect(objects.adopt(named).processors == ["half"] && named[0].step(objects.known) == nil)
    let first = Insert.closure("half") { _, _ in }
    #expect(objects.adopt([first]) == StripObjects.Missing())
    let step = first.step(objects.known)
    #expect(step != nil && objects.adopt([.closure("half") { _, _ in }]) == StripObjects.Missing())
    #expect(named[0].step(objects.known) == step && Insert.closure("half") { _, _ in }.step(objects.known) == step)
  }
}

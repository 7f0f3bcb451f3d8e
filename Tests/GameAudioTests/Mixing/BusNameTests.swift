import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The names of buses, in a mixer and in a file.
@Suite struct BusNameTests: ~Copyable {
  private let offline: OfflineRenderer
  private let world: AudioWorld

  init() throws {
    offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    world = AudioWorld(in: offline.context)
  }

  @Test func `A lookup finds the bus of a name, and a mistyped name finds none`() {
    let music = world.mixer.makeBus("music", kind: .direct)
    #expect(world.mixer["music"] == music)
    #expect(world.mixer["musik"] == nil)
    #expect(world.mixer[.main] == world.mixer.main)
    #expect(world.mixer.buses.map(\.name) == [.main, "music"])
  }

  @Test func `A bus is a value: a constant sets the gain that another value reads`() {
    let floor = 3
    let steps = world.mixer.makeBus("steps \(floor)")
    steps.gain = 0.25
    #expect(world.mixer["steps 3"]?.gain == 0.25)
    #expect(Set([steps, world.mixer.makeBus("steps 3")]).count == 1)
  }

  @Test func `Names are the keys of a dictionary in a file`() throws {
    let sliders: [BusName: Float] = ["music": 0.5, "main": 1]
    try expectGolden(sliders, #"{"main":1,"music":0.5}"#)
    try expectGolden([BusName.main, "sfx"], #"["main","sfx"]"#)
    #expect([BusName("b"), "a", "c"].sorted() == ["a", "b", "c"])
    #expect(BusName("sfx").description == "sfx" && BusName("sfx").name == "sfx" && BusName.main.name == "main")
  }
}

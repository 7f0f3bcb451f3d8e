import Spatial3D
import Stage
import Testing

@testable import gunshots

@Suite struct GunshotsTests {
  @Test func `Every gun fires once by itself and once with all`() {
    let battle = Battle(of: 200)
    #expect(battle.shots.count == 400)
    #expect(Set(battle.shots.prefix(200).map(\.gun)).count == 200)
    #expect(battle.shots.suffix(200).allSatisfy { $0.time == Battle.volley })
    #expect(zip(battle.shots, battle.shots.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect((0..<Battle.updateCount).reduce(0) { $0 + battle.shots(in: $1).count } == 400)
  }

  @Test func `One buffer is all that two hundred sources hold`() throws {
    let renderer = try OfflineRenderer(format: Rendering.format)
    let guns = try Guns(of: Battle(of: 200), firing: Gunshot.pcm(), in: renderer.context)
    #expect(guns.buffer.byteCount == Gunshot.pcm().samples.count * 4)
    #expect(guns.soundingCount == 0)
  }

  @Test func `A shot is heard as late as it is far away`() throws {
    var renderer = try OfflineRenderer(format: Rendering.format)
    let battle = Battle(of: 1)
    let guns = try Guns(of: battle, firing: Gunshot.pcm(), in: renderer.context)
    let first = try #require(battle.shots.first)
    let update = Int(first.time * Double(Battle.updateRate))
    guns.update(update)
    let mix = renderer.render(.seconds(1))
    let heard = try #require(mix.channel(0).firstIndex { abs($0) > 1e-4 })
    let due = (first.time - Double(update) / Double(Battle.updateRate) + 5 / Battle.speedOfSound) * 48_000
    #expect(abs(Double(heard) - due) < 60, "\(heard), \(due)")
  }

  @Test func `All of them sound at once, and do not clip`() throws {
    let rendering = try Rendering(of: Battle(of: 200), firing: Gunshot.pcm(), recordingTo: nil)
    #expect(rendering.seconds.map(\.sounding).max() == 200)
    #expect(rendering.seconds.map(\.shots).reduce(0, +) == 400)
    #expect(rendering.peak < 0 && rendering.peak > -12, "\(rendering.peak)")
  }
}

import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The units of zones in a state: how they are opened, and the shares of the voices that go to them.
@Suite struct ZoneUnitTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))

  private static func zone(_ reverb: Reverb = Reverb(.smallRoom), x: Float = 0, name: String = "hall") -> ReverbZone {
    ReverbZone(.sphere(center: [x, 0, 0], radius: 5), reverb, fade: 10, name: name)
  }

  /// A state with a zone whose unit is to be opened, and with an emitter inside of it.
  private static func opening() throws -> CommandState {
    var scene = try CommandState([tone], mixesByFrames: true)
    scene.state.playback.setZones([zone()])
    #expect(scene.takeCommands() == ["open zone 0"])
    #expect(
      scene.state.playback.scene.space.zones.reverb(of: 0) == Reverb(.smallRoom)
        && scene.state.playback.scene.space.zones.reverb(of: 1) == nil
    )
    return scene
  }

  private static func effect(_ scene: CommandState) throws -> EffectUnit {
    try EffectUnit(.reverb(Reverb(.smallRoom)), in: scene.context)
  }

  @Test func `A unit that is opened has its number in the order, and the reverb that the zone has by then`() throws {
    for isChanged in [false, true] {
      var scene = try Self.opening()
      if isChanged { scene.state.playback.setZones([Self.zone(Reverb(.largeHall))]) }
      #expect(scene.takeCommands() == [])
      let effect = try Self.effect(scene)
      #expect(scene.state.playback.zoneOpened(0, effect, Reverb(.smallRoom), sendLimit: 2) == nil)
      #expect(scene.takeCommands() == (isChanged ? ["reverb of a unit"] : []))
      #expect(scene.state.playback.scene.space.zones.effects[0] === effect)
      #expect(
        scene.state.playback.scene.space.zones.openedCount == 1
          && scene.state.playback.scene.space.zones.pool.units[0].state == .fed
      )
      #expect(
        scene.state.playback.scene.space.zones.reverb(of: 0) == nil && scene.state.playback.outbox.diagnostics.isEmpty
      )
      // The unit is open already: another effect is not needed.
      let other = try Self.effect(scene)
      #expect(scene.state.playback.zoneOpened(0, other, Reverb(.smallRoom), sendLimit: 2) === other)
      #expect(
        scene.state.playback.scene.space.zones.openedCount == 1
          && scene.state.playback.scene.space.zones.takeEffect(of: 0) === effect
      )
      #expect(
        scene.state.playback.scene.space.zones.effects[0] == nil
          && scene.state.playback.scene.space.zones.takeEffect(of: 0) == nil
      )
    }
  }

  @Test func `A zone that has gone needs no unit, and one that cannot be made leaves none`() throws {
    var gone = try Self.opening()
    gone.state.playback.setZones([])
    let effect = try Self.effect(gone)
    #expect(gone.state.playback.zoneOpened(0, effect, Reverb(.smallRoom), sendLimit: 2) === effect)
    #expect(
      gone.state.playback.scene.space.zones.effects[0] == nil && gone.state.playback.scene.space.zones.openedCount == 0
    )
    var refused = try Self.opening()
    #expect(refused.state.playback.zoneOpened(0, nil, Reverb(.smallRoom), sendLimit: 2) == nil)
    #expect(
      refused.state.playback.scene.space.zones.effects[0] == nil
        && refused.state.playback.scene.space.zones.pool.units[0].state != .fed
    )
  }

  @Test func `An output with fewer sends than two is reported once`() throws {
    for limit in 0...2 {
      var scene = try CommandState([Self.tone], mixesByFrames: true)
      scene.state.playback.setZones([Self.zone(), Self.zone(Reverb(.largeHall), name: "cave")])
      for unit in [0, 1] as [UnitIndex] {
        let reverb = try #require(scene.state.playback.scene.space.zones.reverb(of: unit))
        #expect(scene.state.playback.zoneOpened(unit, try Self.effect(scene), reverb, sendLimit: limit) == nil)
        #expect(scene.state.playback.scene.space.zones.sendLimit == limit)
      }
      #expect(scene.state.playback.outbox.diagnostics.count == (limit < 2 ? 1 : 0), "\(limit)")
    }
  }

  /// A state with two zones that are fed, the second one less, and a voice.
  private static func fed() throws -> CommandState {
    var scene = try CommandState([tone], mixesByFrames: true)
    scene.state.playback.scene.space.listeners = ListenerSet(Listener(position: [8, 0, 0]))
    scene.state.playback.setZones([zone(x: 0), zone(Reverb(.largeHall), x: 20, name: "cave")])
    #expect(scene.takeCommands() == ["open zone 0", "open zone 1"])
    for unit in [0, 1] as [UnitIndex] {
      let reverb = try #require(scene.state.playback.scene.space.zones.reverb(of: unit))
      #expect(scene.state.playback.zoneOpened(unit, try effect(scene), reverb, sendLimit: 2) == nil)
    }
    scene.state.playback.stepZones()
    scene.state.play(0)
    _ = scene.takeCommands()
    return scene
  }

  private static func setSendLimit(_ limit: Int, _ state: inout WorldState) {
    state.playback.scene.space.zones = state.playback.scene.space.zones.moved(
      by: 0,
      state.playback.scene.space.zones.effects,
      sendLimit: limit
    )
  }

  @Test func `A voice has a share of each fed unit, as far as its sends leave room`() throws {
    let scene = try Self.fed()
    let gains = (0..<2).map { scene.state.playback.scene.space.zones.pool.units[$0].gain }
    #expect(gains[0] > gains[1] && gains[1] > 0)
    let whole = scene.state
    let feeds = whole.playback.scene.feeds(of: 0)
    let (first, second) = (try #require(feeds.first), try #require(feeds.second))
    #expect(first.unit == 0 && second.unit == 1 && feeds.count == 2)
    #expect(first.gain > 0 && first.gain <= 1 && scene.state.playback.voices[0].feeds == feeds)
    let sends = whole.playback.scene.sends(of: 0, with: feeds)
    #expect(sends.map(\.gain) == [first.gain, second.gain])
    #expect(
      sends[0].unit === scene.state.playback.scene.space.zones.effects[0]
        && sends[1].unit === scene.state.playback.scene.space.zones.effects[1]
    )
    #expect(
      whole.playback.scene.space.factors(of: whole.playback.scene.feeds(of: 0)).map(\.kind) == [
        .zone(name: "hall", index: 0), .zone(name: "cave", index: 1),
      ]
    )
    #expect(
      whole.playback.scene.space.factors(of: whole.playback.scene.feeds(of: 0)).map(\.level)
        == [first.gain, second.gain].map { Decibels(factor: $0) }
    )
    // With one send, the stronger one; with none, no share.
    for (limit, count) in [(0, 0), (1, 1), (2, 2), (5, 2)] {
      var copy = scene.state
      Self.setSendLimit(limit, &copy)
      #expect(
        copy.playback.scene.feeds(of: 0).count == count
          && (count == 0 || copy.playback.scene.feeds(of: 0).first == feeds.first)
      )
    }
    // Own sends and the sends of the bus come first.
    let unit = try Self.effect(scene)
    for (own, ofBus, count) in [(true, false, 1), (false, true, 1), (true, true, 0)] {
      var copy = scene.state
      if own { copy.playback.complete(copy.playback.scene.send(0, to: unit, gain: .unity, .none)) }
      if ofBus {
        let other = try Self.effect(scene)
        copy.changeBus(0) { $0.sends = [VoiceSend(unit: other, gain: 0.5)] }
      }
      #expect(copy.playback.scene.feeds(of: 0).count == count, "\(own), \(ofBus)")
    }
    // A sound without a position is in no zone. A sound that gets no share is in no zone either.
    var unplaced = scene.state
    unplaced.playback.scene.emitters[stored: 0].placement = .unplaced
    #expect(unplaced.playback.scene.feeds(of: 0) == VoiceFeeds())
  }

  @Test func `The shares of a voice begin, move and end by commands of their own`() throws {
    var scene = try Self.fed()
    let feeds = scene.state.playback.voices[0].feeds
    scene.state.playback.flushFeeds(of: 0)
    #expect(scene.takeCommands() == [] && scene.state.playback.voices[0].feeds == feeds)
    // A share that is heard falls to 0 first, and ends with the next step.
    Self.setSendLimit(1, &scene.state)
    scene.state.playback.flushFeeds(of: 0)
    #expect(scene.takeCommands() == ["feed 0"])
    #expect(
      scene.state.playback.voices[0].feeds.first == feeds.first
        && scene.state.playback.voices[0].feeds.second?.gain == 0
    )
    scene.state.playback.flushFeeds(of: 0)
    #expect(scene.takeCommands() == ["end feed 0"] && scene.state.playback.voices[0].feeds.count == 1)
    scene.state.playback.flushFeeds(of: 0)
    #expect(scene.takeCommands() == [])
    Self.setSendLimit(2, &scene.state)
    scene.state.playback.flushFeeds(of: 0)
    #expect(scene.takeCommands() == ["feed 0"] && scene.state.playback.voices[0].feeds == feeds)
    // Both go with the zones' units, and nothing is left to do then.
    scene.state.playback.scene.emitters[stored: 0].placement = .unplaced
    for commands in [["feed 0", "feed 0"], ["end feed 0", "end feed 0"], []] {
      scene.state.playback.flushFeeds(of: 0)
      #expect(scene.takeCommands() == commands)
    }
    #expect(scene.state.playback.voices[0].feeds == VoiceFeeds())
  }
}

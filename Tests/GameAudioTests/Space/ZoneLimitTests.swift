import GameAudio
import Testing

/// Reverb zones in a context that grants less than they need.
@Suite struct ZoneLimitTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let room = ReverbZone(.sphere(center: .zero, radius: 5), Reverb(.smallRoom))

  @Test func `An output with a single send is reported, with the effect on the zones`() throws {
    let offline = try OfflineRenderer(format: Self.mono, settings: OutputSettings(auxiliarySendLimit: 1))
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    world.zones = [Self.room]
    #expect(reports.all.map(\.code) == [.zonesLimited])
    #expect(
      reports.all.first?.message.hasPrefix(
        "The output grants a source 1 sends to effects, and the reverb zones of a world use two: each sound feeds the"
          + " louder zone alone."
      ) == true
    )
  }

  @Test func `A zone in a context without room for its effect is reported, with the reason`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    var units: [EffectUnit] = []
    while units.count < 100, let unit = try? EffectUnit(.compressor, in: offline.context) { units.append(unit) }
    world.zones = [Self.room]
    #expect(reports.all.map(\.code) == [.zonesUnavailable])
    #expect(reports.all.first?.message.contains("the library has no more room for effects") == true)
    withExtendedLifetime(units) {}
  }
}

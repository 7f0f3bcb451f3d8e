import Testing

@testable import Spatial3DTesting

@Suite struct RendererFingerprintTests {
  private func fingerprint(
    format: PCMFormat = Signals.stereo,
    _ settings: OutputSettings = OutputSettings()
  ) throws -> RendererFingerprint {
    try RendererFingerprint(of: OfflineRenderer(format: format, settings: settings))
  }

  @Test func `Renderers of one kind have one fingerprint`() throws {
    let first = try fingerprint()
    for _ in 0..<5 { #expect(try fingerprint() == first) }
  }

  @Test func `Each setting that changes the mix changes the fingerprint`() throws {
    let all = [
      try fingerprint(),
      try fingerprint(format: Signals.mono),
      try fingerprint(format: .stereo(sampleRate: 44_100)),
      try fingerprint(OutputSettings(hrtf: .on)),
    ]
    #expect(Set(all).count == 4)
    #expect(Set(all.map { $0[.probe] }).count == 4)
    #expect(try fingerprint(OutputSettings(limiter: .on)) != all[0])
  }

  @Test func `A fingerprint does not change the scene and the time of its renderer`() throws {
    func mix(takingFingerprint: Bool) throws -> PCMBuffer<Float> {
      var offline = try OfflineRenderer(format: Signals.stereo)
      let noise = TestSignal.noise(duration: .milliseconds(100), format: Signals.mono)
      let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
      source.play()
      let first = offline.render(frameCount: 1_000)
      if takingFingerprint { _ = try RendererFingerprint(of: offline) }
      let second = offline.render(frameCount: 1_000)
      return try PCMBuffer(samples: first.samples + second.samples, format: Signals.stereo)
    }
    #expect(try mix(takingFingerprint: true) == mix(takingFingerprint: false))
  }

  @Test func `A fingerprint names the library and reads back as written`() throws {
    for fingerprint in [try fingerprint(), try fingerprint(OutputSettings(hrtf: .on))] {
      #expect(fingerprint[.library].contains("ALSOFT"))
      #expect(fingerprint[.format] == "stereo at 48000 Hz")
      #expect(RendererFingerprint(description: fingerprint.description) == fingerprint)
      #expect(fingerprint[.probe].count == 16)
    }
    #expect(try fingerprint()[.hrtf] == "off")
  }

  @Test func `The name of a fingerprint is a valid file name`() throws {
    let fingerprint = try fingerprint()
    let version = try #require(fingerprint[.library].split(separator: " ").last)
    #expect(fingerprint.name == "\(version)-\(fingerprint[.probe])")
    let odd = RendererFingerprint(description: "library: AL ../x y/z\nprobe: 12")
    #expect(odd.name == "y_z-12")
    #expect(RendererFingerprint(description: "").name == "unknown-")
  }

  @Test func `The changes between two fingerprints list only the fields that differ`() throws {
    let old = RendererFingerprint(description: "library: 1\nformat: a: b\nhrtf: off")
    let new = RendererFingerprint(description: "library: 2\nformat: a: b\nhrtf: on")
    #expect(new.changes(from: old) == ["library: 1 → 2", "hrtf: off → on"])
    #expect(new.changes(from: new) == [])
  }

  @Test func `The hash of samples is FNV-1a`() {
    // FNV-1a of nothing, and of the four bytes of 1.0: 00 00 80 3f.
    #expect(([] as [Float]).bitHash == "cbf29ce484222325")
    let expected = [0, 0, 0x80, 0x3f].reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ $1) &* 0x100_0000_01b3 }
    #expect(([1] as [Float]).bitHash == String(expected, radix: 16))
  }
}

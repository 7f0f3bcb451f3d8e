public import Spatial3D

/// The properties of a renderer that a mix depends on besides its scene: library, settings, processor, and a probe mix.
///
/// Renderers with equal fingerprints render a small scene bit for bit alike, and are assumed to render every scene so.
/// Other versions of OpenAL Soft resample and pan slightly differently. A user's configuration and the instructions of
/// the processor may change a mix, too.
public struct RendererFingerprint: Hashable, Sendable {
  /// The parts of a fingerprint, each of which is in words.
  enum Part: String, CaseIterable {
    /// The library's version, such as `"1.1 ALSOFT 1.19.1"`.
    case library

    /// The processor's architecture, such as `"x86_64"`.
    case architecture

    /// The sample rate and the channels of the mix.
    case format

    /// Whether the mix is for headphones, and with which HRTF data.
    case hrtf

    /// Whether a limiter prevents clipping.
    case limiter

    /// A hash of the mix of a small scene with these settings: two sources of noise, panned, resampled, and in a room.
    ///
    /// The hash differs if anything changes the mix, named above or not. FNV-1a (Fowler, Noll and Vo, 1991) of the bits
    /// of 4,096 frames.
    case probe
  }

  private var values: [Part: String] = [:]

  /// The value of a part.
  subscript(part: Part) -> String { values[part, default: ""] }
}

extension RendererFingerprint {
  /// The fingerprint of a renderer; its scene and its time stay as they are.
  ///
  /// Opens a second renderer with the same settings, which takes some milliseconds: call it once in each test.
  ///
  /// - Throws: `AudioError` as `OfflineRenderer(format:settings:)` does.
  public init(of renderer: borrowing OfflineRenderer) throws(AudioError) {
    var second = try OfflineRenderer(format: renderer.format, settings: renderer.context.settings)
    let output = second.context.output
    values = [
      .library: second.context.library.version, .architecture: Self.processor, .format: "\(renderer.format)",
      .hrtf: "\(output.hrtf)".filter { !$0.isNewline },
      .limiter: output.isLimited.map { $0 ? "on" : "off" } ?? "not told",
    ]

    second.context.reverb = Reverb(.smallRoom)
    var sources: [SoundSource] = []
    for (sampleRate, azimuth, pitch) in [(44_100, Float(30), Float(1)), (32_000, -110, 1.3)] {
      let noise = TestSignal.noise(duration: .milliseconds(200), format: .mono(sampleRate: sampleRate))
      let source = try SoundSource(playing: SoundBuffer(noise, in: second.context), in: second.context)
      source.position = SIMD3(PolarPosition(azimuth: azimuth, elevation: 10, distance: 1.5))
      source.pitch = pitch
      source.reverbBlend = 0.5
      source.play()
      sources.append(source)
    }
    values[.probe] = withExtendedLifetime(sources) { second.render(frameCount: 4_096).samples.bitHash }
  }

  private static var processor: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }

  /// A short name for a file, such as `"1.19.1-3f2a9c0177aa0b1c"`: the library's version and the hash of a small scene.
  public var name: String {
    let version = self[.library].split(separator: " ").last ?? "unknown"
    return "\(version.map { $0.isLetter || $0.isNumber || $0 == "." ? String($0) : "_" }.joined())-\(self[.probe])"
  }

  /// The parts that differ from another fingerprint, each as `"name: other → own"`.
  func changes(from other: RendererFingerprint) -> [String] {
    Part.allCases.filter { self[$0] != other[$0] }.map { "\($0): \(other[$0]) → \(self[$0])" }
  }
}

extension RendererFingerprint: CustomStringConvertible {
  /// All parts, one on each line, as `"name: value"`.
  public var description: String {
    Part.allCases.map { "\($0): \(self[$0])" }.joined(separator: "\n")
  }

  /// Parses a ``description``; missing parts are empty.
  init(description: String) {
    for line in description.split(separator: "\n") {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2, let part = Part(rawValue: String(halves[0])) else { continue }
      values[part] = String(halves[1].drop { $0 == " " })
    }
  }
}

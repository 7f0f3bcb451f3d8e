import Foundation
@testable import Spatial3DTesting
import Testing

@Suite struct GoldenMixTests {
  private let goldens = TemporaryGoldens()

  /// A mix of a tone at an azimuth, with the fingerprint of its renderer.
  private func scene(
    at azimuth: Float = 30,
    format: PCMFormat = Signals.stereo,
    hrtf: OutputSettings.HRTF = .off
  ) throws -> (mix: PCMBuffer<Float>, renderer: RendererFingerprint) {
    var offline = try OfflineRenderer(format: format, settings: OutputSettings(hrtf: hrtf))
    let noise = TestSignal.noise(duration: .milliseconds(100), format: Signals.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.position = SIMD3(PolarPosition(azimuth: azimuth))
    source.play()
    let renderer = try RendererFingerprint(of: offline)
    return (offline.render(frameCount: 4_096), renderer)
  }

  @Test func `A scene matches its golden mix to the bit`() throws {
    let golden = goldens.golden()
    let (mix, renderer) = try scene()
    try golden.record(mix, renderedBy: renderer)
    let again = try scene()
    let comparison = try golden.compare(again.mix, renderedBy: again.renderer, tolerance: .silence)
    #expect(comparison.isSame && comparison.verdict == .same, "\(comparison)")
    #expect(comparison.difference.peak == .silence && comparison.tolerance == .silence)
    #expect(comparison.goldenRenderer == renderer && comparison.renderer == renderer)
    #expect(comparison.description.hasPrefix("The mix is \(golden.path)"))
  }

  @Test func `A comparison reports a changed scene of the same renderer as different`() throws {
    let golden = goldens.golden()
    let (mix, renderer) = try scene()
    try golden.record(mix, renderedBy: renderer)
    let moved = try scene(at: 31)
    let comparison = try golden.compare(moved.mix, renderedBy: moved.renderer)
    #expect(comparison.verdict == .different && !comparison.isSame)
    let sentence = "\(comparison)"
    #expect(sentence.contains("The mix is not \(golden.path)"))
    #expect(sentence.contains("The largest difference is -"))
    #expect(sentence.contains("the scene sounds different"))
    #expect(comparison.tolerance == -80)
    // A difference below the tolerance passes.
    #expect(try golden.compare(moved.mix, renderedBy: moved.renderer, tolerance: -20).isSame)
  }

  @Test func `A comparison distinguishes another renderer from a changed scene`() throws {
    let golden = goldens.golden()
    let (mix, renderer) = try scene()
    try golden.record(mix, renderedBy: renderer)
    let headphones = try scene(hrtf: .on)
    let comparison = try golden.compare(headphones.mix, renderedBy: headphones.renderer)
    #expect(comparison.verdict == .otherRenderer && !comparison.isSame)
    let sentence = "\(comparison)"
    #expect(sentence.contains("another renderer recorded that (hrtf: off → on, with "))
    #expect(sentence.contains("probe: \(renderer[.probe]) → \(headphones.renderer[.probe])"))
    // The same sound passes, whichever renderer made it.
    #expect(try golden.compare(mix, renderedBy: headphones.renderer).isSame)
  }

  @Test func `A mix that is too long or too short is different, even by silence`() throws {
    let golden = goldens.golden()
    let (mix, renderer) = try scene()
    try golden.record(mix, renderedBy: renderer)
    let longer = try PCMBuffer(samples: mix.samples + [0, 0], format: mix.format)
    #expect(try golden.compare(longer, renderedBy: renderer).verdict == .different)
    #expect(try golden.compare(mix.frames(0..<4_095), renderedBy: renderer).verdict == .different)
  }

  @Test func `Recording replaces what was recorded before`() throws {
    let golden = goldens.golden()
    let (first, renderer) = try scene()
    let second = try scene(at: -80).mix
    try golden.record(first, renderedBy: renderer)
    try golden.record(second, renderedBy: renderer)
    #expect(try golden.compare(second, renderedBy: renderer, tolerance: .silence).isSame)
    #expect(try FileManager.default.contentsOfDirectory(atPath: goldens.path) == ["mix.wav"])
  }

  @Test(arguments: [1, 2, 6, 16])
  func `Any number of channels is kept to the bit`(channelCount: Int) throws {
    let golden = goldens.golden()
    let renderer = try scene().renderer
    let format = PCMFormat(sampleRate: 44_100, layout: .usual(channelCount: channelCount))
    let values: [Float] = [0, -0.0, 1, -1, 17.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e-20]
    let samples = (0..<(8 * channelCount)).map { values[$0 % 8] }
    let mix = try PCMBuffer(samples: samples, format: format)
    try golden.record(mix, renderedBy: renderer)
    #expect(try golden.compare(mix, renderedBy: renderer, tolerance: .silence).isSame)
    try golden.record(PCMBuffer(format: format), renderedBy: renderer)
    #expect(try golden.compare(PCMBuffer(format: format), renderedBy: renderer).isSame)
  }

  @Test func `The error about a missing golden mix explains how to record it`() throws {
    let (mix, renderer) = try scene()
    let error = #expect(throws: GoldenMixError.self) { try goldens.golden("no").compare(mix, renderedBy: renderer) }
    #expect(error?.code == .notRecorded)
    #expect(error?.path == "\(goldens.path)/no.wav")
    #expect("\(error, default: "")".contains("no.wav\" yet. Listen to the mix, and record it"))
  }

  @Test func `A mix of another format cannot be compared`() throws {
    let golden = goldens.golden()
    let (mix, renderer) = try scene()
    try golden.record(mix, renderedBy: renderer)
    let other = try scene(format: .stereo(sampleRate: 44_100))
    let error = #expect(throws: GoldenMixError.self) { try golden.compare(other.mix, renderedBy: other.renderer) }
    #expect(error?.code == .formatMismatch)
    #expect("\(error, default: "")".contains("is stereo at 48000 Hz, and the mix is stereo at 44100 Hz"))
  }

  @Test func `A failed recording reports the cause and keeps the previous recording`() throws {
    let (mix, renderer) = try scene()
    let nowhere = GoldenMix(at: "\(goldens.path)/a/b/c.wav")
    let error = #expect(throws: GoldenMixError.self) { try nowhere.record(mix, renderedBy: renderer) }
    #expect(error?.code == .writeFailed)
    #expect("\(error, default: "")".contains("No such file or directory"))

    let golden = goldens.golden()
    try golden.record(mix, renderedBy: renderer)
    var samples = mix.samples
    samples[9] = .infinity
    let broken = try PCMBuffer(samples: samples, format: mix.format)
    let invalid = #expect(throws: GoldenMixError.self) { try golden.record(broken, renderedBy: renderer) }
    #expect(invalid?.code == .invalidSamples)
    #expect("\(invalid, default: "")".contains("holds inf in frame 4"))
    #expect(try golden.compare(mix, renderedBy: renderer, tolerance: .silence).isSame)
  }

  @Test func `A folder at the path of a golden mix throws an error`() throws {
    let (mix, renderer) = try scene()
    try FileManager.default.createDirectory(atPath: goldens.golden().path, withIntermediateDirectories: true)
    let read = #expect(throws: GoldenMixError.self) { try goldens.golden().compare(mix, renderedBy: renderer) }
    #expect(read?.code == .readFailed)
    let written = #expect(throws: GoldenMixError.self) { try goldens.golden().record(mix, renderedBy: renderer) }
    #expect(written?.code == .writeFailed)
    #expect(try FileManager.default.contentsOfDirectory(atPath: goldens.path) == ["mix.wav"])
  }

  @Test func `A file that is no golden mix is an error, and so is a rate that a file has no number for`() throws {
    let golden = goldens.golden()
    let (mix, renderer) = try scene()
    try golden.record(mix, renderedBy: renderer)
    try Data("RIFF".utf8).write(to: URL(fileURLWithPath: golden.path))
    let read = #expect(throws: GoldenMixError.self) { try golden.compare(mix, renderedBy: renderer) }
    #expect(read?.code == .notGolden && read?.code.description == "notGolden" && read?.path == golden.path)
    #expect(read?.message.contains("is no golden mix, or is damaged") == true && read?.description == read?.message)
    let endless = PCMBuffer<Float>(format: .mono(sampleRate: .max))
    let written = #expect(throws: GoldenMixError.self) { try golden.record(endless, renderedBy: renderer) }
    #expect(written?.code == .tooLarge)
    #expect(written?.message.hasPrefix("The sample rate of 9223372036854775807 Hz does not fit in") == true)
  }

  @Test func `A name is a file beside the test`() {
    #expect(GoldenMix("cathedral").path == #filePath.replacing("GoldenMixTests.swift", with: "Goldens/cathedral.wav"))
    #expect(GoldenMix("cathedral", beside: "Tests.swift").path == "Goldens/cathedral.wav")
  }
}

import Spatial3DTesting
import Testing

@testable import Spatial3D

/// Sounds rendered for headphones.
@Suite struct HRTFTests {
  /// The response of the left and the right ear to an impulse at an azimuth in degrees.
  private func impulse(at azimuth: Float, _ settings: OutputSettings) throws -> (left: [Float], right: [Float]) {
    var offline = try OfflineRenderer(format: Scenes.stereo, settings: settings)
    #expect(offline.context.output.hrtf.isOn == (settings.hrtf != .off))
    let impulse = TestSignal.impulse(duration: .milliseconds(10), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(impulse, in: offline.context), in: offline.context)
    source.position = Scenes.position(azimuth: azimuth)
    source.play()
    let mix = offline.render(frameCount: 2_048)
    return (mix.channel(0), mix.channel(1))
  }

  /// The delay of the left ear behind the right in frames, and its attenuation.
  ///
  /// The delay is at the highest correlation; the attenuation is the ratio of the energies.
  private func difference(_ ears: (left: [Float], right: [Float])) -> (frames: Int, level: Decibels) {
    func energy(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
    let agreement = (-80...80).map { lag in
      (
        lag,
        ears.right.indices.reduce(Float(0)) { sum, index in
          ears.left.indices.contains(index + lag) ? sum + ears.right[index] * ears.left[index + lag] : sum
        }
      )
    }
    let best = agreement.max { $0.1 < $1.1 }
    let level = Decibels(factor: (energy(ears.right) / energy(ears.left)).squareRoot())
    return (best?.0 ?? 0, level)
  }

  @Test func `The far channel of an HRTF mix is delayed and softer by the width of a head`() throws {
    let right = difference(try impulse(at: 90, OutputSettings(hrtf: .on)))
    // A head is 0.6 to 0.8 ms wide, that is 29 to 38 frames.
    #expect((29...38).contains(right.frames), "\(right.frames) frames")
    #expect((8...20).contains(right.level.rawValue), "\(right.level)")
    let left = difference(try impulse(at: -90, OutputSettings(hrtf: .on)))
    #expect(abs(left.frames + right.frames) <= 2, "\(left.frames) frames")
    #expect(abs((left.level + right.level).rawValue) < 2, "\(left.level)")
  }

  @Test func `Both channels of an HRTF mix are equal for a source in front`() throws {
    let ahead = difference(try impulse(at: 0, OutputSettings(hrtf: .on)))
    #expect(abs(ahead.frames) <= 1, "\(ahead.frames) frames")
    #expect(abs(ahead.level.rawValue) < 1, "\(ahead.level)")
  }

  @Test(arguments: [15, 30, 45, 60, 75, 90])
  func `The delay of the far channel grows with the azimuth`(azimuth: Int) throws {
    let here = difference(try impulse(at: Float(azimuth), OutputSettings(hrtf: .on)))
    let before = difference(try impulse(at: Float(azimuth - 15), OutputSettings(hrtf: .on)))
    #expect(here.frames > before.frames, "\(here.frames) after \(before.frames) frames")
  }

  @Test func `The channels of a mix without HRTF have no delay between them`() throws {
    let ears = try impulse(at: 45, OutputSettings(hrtf: .off))
    #expect(difference(ears).frames == 0)
  }

  @Test func `The output reports each listed HRTF data set as granted`() throws {
    let names = try OfflineRenderer(format: Scenes.stereo).context.device.hrtfNames
    try #require(!names.isEmpty)
    var granted: Set<String> = []
    for sampleRate in [44_100, 48_000] {
      for name in names {
        let settings = OutputSettings(hrtf: .named(name))
        let output = try OfflineRenderer(format: .stereo(sampleRate: sampleRate), settings: settings).context.output
        guard case .on(let took, .requested) = output.hrtf else {
          Issue.record("\(name) is \(output.hrtf) at \(sampleRate) Hz")
          continue
        }
        // If a data set has another rate, OpenAL Soft 1.19 takes another set, and reports its name.
        #expect(names.contains(took))
        if took == name { granted.insert(took) }
      }
    }
    #expect(granted == Set(names))
  }

  @Test(arguments: ["", "The head of a dragon", String(repeating: "x", count: 100_000)])
  func `A request for an unknown HRTF data set lists the available names`(name: String) throws {
    let names = try OfflineRenderer(format: Scenes.stereo).context.device.hrtfNames
    do throws(AudioError) {
      _ = try OfflineRenderer(format: Scenes.stereo, settings: OutputSettings(hrtf: .named(name)))
      Issue.record("an HRTF of that name was accepted")
    } catch {
      #expect(error.code == .hrtfUnavailable)
      let sentence = "\(error)"
      #expect(sentence.contains("\"\(name.prefix(100))\""))
      #expect(sentence.count < 2_000)
      for known in names { #expect(sentence.contains(known)) }
    }
  }

  @Test(arguments: [ChannelLayout.mono, .quad, .surround51, .surround71])
  func `The output of a mix that is not stereo refuses HRTF because of its format`(layout: ChannelLayout) throws {
    let format = PCMFormat(sampleRate: 48_000, layout: layout)
    let output = try OfflineRenderer(format: format, settings: OutputSettings(hrtf: .on)).context.output
    #expect(output.hrtf == .refused(.format))
    #expect("\(output.hrtf)".contains("the layout of the mix"))
  }

  @Test func `The output of a library without HRTF refuses it, and the mix is panned`() throws {
    let disabled: DisabledFeatures = [.hrtf]
    var offline = try OfflineRenderer(format: Scenes.stereo, settings: OutputSettings(hrtf: .on), disabling: disabled)
    #expect(offline.context.output.hrtf == .refused(.notInLibrary))
    #expect(offline.context.device.hrtfNames.isEmpty)
    #expect(try OfflineRenderer(format: Scenes.stereo, disabling: disabled).context.output.hrtf == .off)
    let source = try Scenes.noise(in: offline.context, at: [1, 0, 0])
    #expect(offline.render(frameCount: 4_096).level(ofChannel: 0) < -60)
    #expect(source.state == .playing)
  }

  @Test func `Every HRTF status has its own description`() {
    let causes: [HRTFStatus.Reason] = [.requested, .userConfiguration, .headphones]
    let denials: [HRTFStatus.Refusal] = [.userConfiguration, .format, .notInLibrary]
    let reasons = causes.map { HRTFStatus.on(name: "Head", $0) }
    let refusals = denials.map { HRTFStatus.refused($0) }
    let all = [.off] + reasons + refusals
    #expect(Set(all.map(\.description)).count == all.count)
    for index in 0..<3 {
      #expect(reasons[index].description == "on, with \"Head\", \(causes[index].description)")
      #expect(refusals[index].description == "refused: \(denials[index].description)")
    }
    #expect(all.filter(\.isOn) == reasons)
    #expect(all.filter { "\($0)".hasPrefix("refused: ") } == refusals)
  }
}

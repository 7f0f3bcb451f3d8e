import Foundation
import Spatial3DTesting
import Testing

@testable import Spatial3D

@Suite struct ErrorTests {
  /// The error that a closure throws.
  private func error(_ body: () throws(AudioError) -> Void) -> AudioError? {
    do throws(AudioError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: ["", " ", "\0", "No Output\0", "OpenAL Soft", String(repeating: "x", count: 100_000)])
  func `An unknown device name throws an error and never opens the default output`(name: String) {
    let error = error { () throws(AudioError) in _ = try AudioDevice(named: name) }
    #expect(error?.code == .deviceUnavailable)
    #expect("\(error, default: "")".count < 1_000)
  }

  @Test func `A device that does not exist is named, with those that do`() {
    let error = error { () throws(AudioError) in _ = try AudioDevice(named: "Loudspeaker in the moon") }
    #expect(error?.code == .deviceUnavailable)
    let sentence = "\(error, default: "")"
    #expect(sentence.hasPrefix("Could not open an audio device: there is no output named \"Loudspeaker in the moon\"."))
    for name in AudioDevice.outputNames { #expect(sentence.contains(name)) }
  }

  @Test(arguments: [[], ["one"], ["one", "two"], ["one", "two", "three"]])
  func `The error about an output that would not open lists the outputs if there is another one`(names: [String]) {
    let message = DeviceHandle.refusal(of: "one", among: names)
    #expect(message.hasPrefix(#"the output "one" would not open. Connect one or start the sound server"#))
    #expect(message.hasSuffix("The system knows: \(names.joined(separator: ", ")).") == (names.count > 1))
    #expect(message.contains("knows") == (names.count > 1))
  }

  @Test func `The default output opens, or the error names the offline renderer`() {
    do throws(AudioError) {
      let context = try AudioContext()
      #expect(!context.device.name.isEmpty)
      #expect(AudioDevice.outputNames.contains(context.device.name))
      #expect(context.sampleRate >= 8_000)
    } catch {
      #expect(error.code == .deviceUnavailable)
      #expect("\(error)".contains("default output would not open"))
      #expect("\(error)".contains("OfflineRenderer"))
    }
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 1_000_000.1, -3.4e38])
  func `The error about an invalid sample states its frame and channel`(sample: Float) throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    var samples = [Float](repeating: 1e6, count: 1_000)
    samples[500] = -1e6
    let fine = try PCMBuffer(samples: samples, format: Scenes.stereo)
    #expect(try SoundBuffer(fine, in: renderer.context).frameCount == 500)
    samples[789] = sample
    let pcm = try PCMBuffer(samples: samples, format: Scenes.stereo)
    let error = error { () throws(AudioError) in _ = try SoundBuffer(pcm, named: "boom", in: renderer.context) }
    #expect(error?.code == .invalidSamples)
    #expect("\(error, default: "")".contains("frame 394 of \"boom\" has the sample \(sample) in channel 1"))
  }

  @Test(arguments: [
    PCMFormat(sampleRate: 48_000, layout: .discrete(3)), .mono(sampleRate: 0), .mono(sampleRate: -1),
    .mono(sampleRate: .max), .mono(sampleRate: 999), .mono(sampleRate: 768_001),
  ])
  func `A buffer of a format that cannot be played is refused by name`(format: PCMFormat) throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let pcm = PCMBuffer<Int16>(format: format)
    let error = error { () throws(AudioError) in _ = try SoundBuffer(pcm, in: renderer.context) }
    #expect(error?.code == .formatUnsupported)
    #expect("\(error, default: "")".contains("\(format)"))
  }

  @Test func `A buffer of another device is refused`() throws {
    let here = try OfflineRenderer(format: Scenes.mono)
    let there = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 10, in: there.context)
    let error = error { () throws(AudioError) in _ = try SoundSource(playing: buffer, in: here.context) }
    #expect(error?.code == .wrongDevice)
    #expect("\(error, default: "")".contains("another OfflineRenderer"))
    let elsewhere = try AudioContext(device: .silent)
    let mixed = self.error { () throws(AudioError) in _ = try SoundSource(playing: buffer, in: elsewhere) }
    #expect("\(mixed, default: "")".contains("the device \"offline\" and the context on \"silent\". Create the buffer"))
  }

  @Test func `The error about two silent devices states that each use is a new one`() throws {
    let buffer = try Scenes.silence(frames: 10, in: AudioContext(device: .silent))
    let context = try AudioContext(device: .silent)
    let error = error { () throws(AudioError) in _ = try SoundSource(playing: buffer, in: context) }
    #expect(error?.code == .wrongDevice)
    #expect("\(error, default: "")".contains("each use of AudioDevice.silent is a new device. Keep one in a constant"))
  }

  @Test func `The error at the highest source limit does not advise a higher one`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono, settings: OutputSettings(sourceLimit: .max))
    var sources: [SoundSource] = []
    let error = error { () throws(AudioError) in
      for _ in 0..<100_000 { sources.append(try SoundSource(in: renderer.context)) }
    }
    #expect(error?.code == .sourceLimitReached)
    #expect("\(error, default: "")".hasSuffix("in use. Drop those that are inaudible."))
  }

  @Test func `The error about the source limit states the number of sources`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 10, in: renderer.context)
    var sources: [SoundSource] = []
    let error = error { () throws(AudioError) in
      for _ in 0..<100_000 { sources.append(try SoundSource(playing: buffer, in: renderer.context)) }
    }
    #expect(error?.code == .sourceLimitReached)
    let sentence = "\(error, default: "")"
    #expect(sentence.contains("all \(sources.count) sources that the context can have are in use."))
    #expect(sentence.hasSuffix("ask for more with OutputSettings.sourceLimit."))
    #expect(error?.underlying?.code == 0xA005)
    // A released source makes room for a new one.
    sources.removeLast()
    sources.append(try SoundSource(playing: buffer, in: renderer.context))
  }

  @Test(arguments: 1...6)
  func `A failed creation throws an error and leaves the other sources working`(failing: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(failingCreation: failing))
    let context = offline.context
    let noise = TestSignal.noise(duration: .milliseconds(100), format: Scenes.mono)
    var errors: [AudioError] = []
    var sources: [SoundSource] = []
    for _ in 0..<4 {
      do throws(AudioError) {
        sources.append(try SoundSource(playing: SoundBuffer(noise, in: context), in: context))
      } catch {
        errors.append(error)
      }
    }
    #expect(errors.map(\.code) == [failing.isMultiple(of: 2) ? .sourceLimitReached : .outOfMemory])
    #expect(sources.count == 3)
    for source in sources { source.play() }
    #expect(offline.render(frameCount: 1_024).level > -30)
  }

  @Test(
    arguments: [
      [], [.threadLocalContexts], [.deferredUpdates], [.deviceClock],
      [.threadLocalContexts, .deferredUpdates, .deviceClock],
    ] as [DisabledFeatures]
  )
  func `A library that lacks an extension sounds the same`(disabled: DisabledFeatures) throws {
    func render(_ offline: consuming OfflineRenderer) throws -> [Float] {
      let source = try Scenes.noise(in: offline.context, at: [1, 0, -1])
      var samples: [Float] = []
      for frame in 0..<20 {
        offline.context.withDeferredUpdates {
          offline.context.listener.position = [0, 0, Float(frame) / 10]
          source.gain = Gain(Float(frame) / 20)
          source.velocity = [Float(frame), 0, 0]
        }
        source.play()
        source.play()
        samples += offline.render(frameCount: 512).samples
      }
      return samples
    }
    let whole = try render(OfflineRenderer(format: Scenes.stereo))
    #expect(try render(OfflineRenderer(format: Scenes.stereo, disabling: disabled)) == whole)
  }

  @Test func `Eight threads without thread-local contexts take turns`() throws {
    let mixes = Mixes()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      do {
        var offline = try OfflineRenderer(format: Scenes.stereo, disabling: [.threadLocalContexts])
        for _ in 0..<50 {
          let source = try Scenes.noise(in: offline.context, at: [1, 0, 0])
          mixes.add(offline.render(frameCount: 1_024).samples)
          source.stop()
          _ = offline.render(frameCount: 2_048)
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(mixes.distinct == 1)
  }

  @Test func `The description of a library error is its OpenAL name`() {
    #expect(LibraryError(code: 0xA005, part: .context).description == "AL_OUT_OF_MEMORY")
    #expect(LibraryError(code: 0xA005, part: .device).description == "ALC_OUT_OF_MEMORY")
    #expect(LibraryError(code: 0xA004, part: .context).description == "AL_INVALID_OPERATION")
    #expect(LibraryError(code: 0xBEEF, part: .device).description == "OpenAL error 0xBEEF")
  }
}

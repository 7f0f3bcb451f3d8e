import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The audible effect of occlusion and obstruction.
@Suite struct ObstructionTests {
  private static let rate = 48_000

  /// The level of a tone in the mix of a source that a closure has changed.
  private func tone(
    _ frequency: Double = 5_000,
    isWet: Bool = false,
    _ change: (SoundSource) -> Void
  ) throws -> Double {
    var renderer = try OfflineRenderer(format: .mono(sampleRate: Self.rate))
    let sine = TestSignal.sine(frequency: frequency, duration: .milliseconds(100), format: .mono(sampleRate: Self.rate))
    let source = try SoundSource(playing: SoundBuffer(sine, in: renderer.context), in: renderer.context)
    source.isLooping = true
    if isWet {
      // The room only delays, so its level is constant.
      renderer.context.reverb = Reverb(room: Self.bareRoom)
      source.reverbBlend = 1
    }
    change(source)
    source.play()
    _ = renderer.render(frameCount: 9_600)
    return Double(renderer.render(frameCount: 4_800).level(at: frequency).rawValue)
  }

  private static var bareRoom: RoomAcoustics {
    var room = RoomAcoustics()
    (room.lateGain, room.highFrequencyGain, room.decayTime) = (0, 1, .milliseconds(100))
    return room
  }

  @Test(arguments: [false, true])
  func `Occlusion takes exactly its decibels of 5 kHz, dry and wet`(isWet: Bool) throws {
    let open = try tone(isWet: isWet) { _ in }
    for occlusion in stride(from: Float(-100), through: -5, by: 9.5) {
      let closed = try tone(isWet: isWet) { $0.occlusion = Decibels(occlusion) }
      #expect(abs(closed - open - Double(occlusion)) < 0.1, "\(occlusion)")
    }
  }

  @Test func `Obstruction takes exactly its decibels of the direct sound and none of the room`() throws {
    let (open, wet) = (try tone { _ in }, try tone(isWet: true) { _ in })
    for obstruction in stride(from: Float(-100), through: -5, by: 9.5) {
      let level = Decibels(obstruction)
      #expect(abs(try tone { $0.obstruction = level } - open - Double(obstruction)) < 0.1, "\(obstruction)")
      #expect(abs(try tone(isWet: true) { $0.obstruction = level } - wet) < 0.1, "\(obstruction)")
    }
  }

  @Test func `Occlusion and obstruction add up on the direct path, and occlusion alone reaches the room`() throws {
    let (open, wet) = (try tone { _ in }, try tone(isWet: true) { _ in })
    for (occlusion, obstruction) in [(-6, -6), (-10, -25), (-40, -30), (-50, -50), (-20, -80)] as [(Float, Float)] {
      func block(_ source: SoundSource) {
        source.occlusion = Decibels(occlusion)
        source.obstruction = Decibels(obstruction)
      }
      #expect(abs(try tone(isWet: false, block) - open - Double(occlusion + obstruction)) < 0.1)
      #expect(abs(try tone(isWet: true, block) - wet - Double(occlusion)) < 0.1)
    }
  }

  @Test(arguments: [false, true])
  func `A filter takes exactly its decibels of 250 Hz and of 5 kHz, together with occlusion`(isWet: Bool) throws {
    let open = try (low: tone(250, isWet: isWet) { _ in }, high: tone(isWet: isWet) { _ in })
    for (low, high, occlusion) in [
      (-3, 0, 0), (-12, 0, 0), (-36, 0, 0), (0, -3, 0), (0, -12, 0), (0, -36, 0), (-6, -6, 0), (-20, -20, -10),
      (-10, -8, -30), (-30, -10, -20),
    ] as [(Float, Float, Float)] {
      func change(_ source: SoundSource) {
        source.filter = ToneFilter(low: Decibels(low), high: Decibels(high))
        source.occlusion = Decibels(occlusion)
      }
      let found = try (low: tone(250, isWet: isWet, change), high: tone(isWet: isWet, change))
      #expect(abs(found.low - open.low - Double(low + 0.25 * occlusion)) < 0.1, "\(low), \(high), \(occlusion)")
      #expect(abs(found.high - open.high - Double(high + occlusion)) < 0.1, "\(low), \(high), \(occlusion)")
    }
  }

  @Test(arguments: [(-40, 0.23), (-50, 1.88), (-60, 8.06)] as [(Float, Double)])
  func `A steep filter at one end reaches the other`(level: Float, expected: Double) throws {
    let low = try tone(250) { $0.filter = ToneFilter(high: Decibels(level)) } - tone(250) { _ in }
    let high = try tone { $0.filter = ToneFilter(low: Decibels(level)) } - tone { _ in }
    #expect(abs(low + expected) < 0.05)
    #expect(abs(high + expected) < 0.05)
  }

  @Test func `A filter lowers the ends and leaves the middle`() throws {
    let open = try tone(1_000) { _ in }
    for filter in [ToneFilter(low: -6), ToneFilter(high: -6), ToneFilter(low: -6, high: -6)] {
      #expect(abs(try tone(1_000) { $0.filter = filter } - open) < 1.5)
    }
    let (deep, high) = (try tone(40) { _ in }, try tone(16_000) { _ in })
    #expect(abs(try tone(40) { $0.filter = ToneFilter(low: -10) } - deep + 20) < 1)
    #expect(abs(try tone(16_000) { $0.filter = ToneFilter(high: -10) } - high + 20) < 1)
  }

  @Test(arguments: [125.0, 1_000, 5_000, 10_000])
  func `More occlusion or obstruction is softer at any frequency`(frequency: Double) throws {
    for path in [\SoundSource.occlusion, \.obstruction] {
      let levels = try stride(from: Float(-100), through: 0, by: 10).map { level in
        try tone(frequency) { $0[keyPath: path] = Decibels(level) }
      }
      for (softer, louder) in zip(levels, levels.dropFirst()) { #expect(softer <= louder + 0.01) }
    }
  }

  @Test func `At 0 dB nothing is filtered: the mix is the same to the bit`() throws {
    func mix(_ change: (SoundSource) -> Void) throws -> [Float] {
      var renderer = try OfflineRenderer(format: Scenes.stereo)
      let source = try Scenes.noise(in: renderer.context, at: [1, 0, -1])
      change(source)
      return renderer.render(frameCount: 4_800).samples
    }
    let bare = try mix { _ in }
    let opened = try mix {
      $0.occlusion = -20
      $0.obstruction = -3
      $0.filter = ToneFilter(low: -3, high: -10)
      $0.occlusion = 0
      $0.obstruction = 0
      $0.filter = ToneFilter()
    }
    #expect(bare == opened)
  }

  @Test func `Occlusion clamps silence to -100 dB and rejects non-finite values`() throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let source = try Scenes.noise(in: renderer.context)
    source.occlusion = .silence
    #expect(source.occlusion == -100)
    source.occlusion = Decibels(.nan)
    source.obstruction = Decibels(.infinity)
    #expect(source.occlusion == -100 && source.obstruction == 0)
  }

  @Test func `A door that moves each frame does not click in noise`() throws {
    var renderer = try OfflineRenderer(format: Scenes.mono)
    let source = try Scenes.noise(in: renderer.context)
    var meter = StepMeter()
    let own = meter.largestStep(of: renderer.render(frameCount: 24_000).channel(0))
    var steps: [Double] = []
    for frame in 0...60 {
      source.occlusion = Decibels(-40 * Float(30 - abs(frame - 30)) / 30)
      steps.append(meter.largestStep(of: renderer.render(frameCount: 800).channel(0)))
    }
    #expect(steps.allSatisfy { $0 <= own })
  }

  @Test func `A door that moves slowly makes no more of a step in a low note than the library's filters do`() throws {
    var renderer = try OfflineRenderer(format: Scenes.mono)
    let sine = TestSignal.sine(frequency: 200, duration: .milliseconds(500), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: renderer.context), in: renderer.context)
    source.isLooping = true
    source.play()
    var meter = StepMeter()
    let own = meter.largestStep(of: renderer.render(frameCount: 24_000).channel(0))
    var largest = 0.0
    for frame in 0...60 {
      source.obstruction = Decibels(-0.5 * Float(frame))
      largest = max(largest, meter.largestStep(of: renderer.render(frameCount: 800).channel(0)))
    }
    // Version 1.19.1 changes filters at once at the beginning of a mix, version 1.25 over 128 frames.
    let glides = renderer.context.capabilities.contains(.filterInterpolation)
    #expect(largest < own + (glides ? 0.01 : 0.04))
    // The capability is present exactly if the library interpolates.
    #expect(glides == (largest < own + 0.01))
  }
}

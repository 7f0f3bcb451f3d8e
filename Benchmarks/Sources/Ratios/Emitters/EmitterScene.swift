import Foundation
import GameAudio
import Spatial3DTesting

/// Emitters on a field around the listener, in a world that renders offline.
final class EmitterScene {
  private var offline: OfflineRenderer
  let world: AudioWorld
  let emitters: [Emitter]
  let places: [SIMD3<Float>]
  /// The positions of every other frame.
  let shifted: [SIMD3<Float>]
  private var mix: PCMBuffer<Float>

  /// The sound of all emitters and sources: constant in its level, so that the choice is stable.
  static let noise = TestSignal.noise(duration: .seconds(3), format: .mono(sampleRate: 48_000))

  /// Emitters that loop, on 64 voices, with a sound of a rate that may be converted when it is loaded.
  init(count: Int, rate: Int = 48_000, convertsSampleRates: Bool = true) throws {
    offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    mix = PCMBuffer(format: offline.format)
    world = AudioWorld(in: offline.context, voiceLimit: 64)
    world.convertsSampleRates = convertsSampleRates
    let noise = TestSignal.noise(duration: .seconds(3), format: .mono(sampleRate: rate))
    let sound = Sound(rate == 48_000 ? Self.noise : noise)
    // A spiral: all positions differ in their distance.
    places = Self.places(count)
    shifted = places.map { $0 + [0.02, 0, 0] }
    emitters = places.map { [world] place in
      let emitter = Emitter(playing: sound, in: world)
      (emitter.position, emitter.repeats) = (place, .forever)
      emitter.play()
      return emitter
    }
    // The first choices fill the voices.
    offline.render(.milliseconds(500))
  }

  /// Positions on a spiral, each at another distance from the origin.
  static func places(_ count: Int) -> [SIMD3<Float>] {
    (0..<count).map { index in
      let (angle, radius) = (Float(index) * 2.4, 1 + 2 * Float(index).squareRoot())
      return [radius * cos(angle), 0, radius * sin(angle)]
    }
  }

  /// Renders two ticks, the second of which chooses.
  func choose() { offline.render(into: &mix, frameCount: 1_024) }

  /// Moves all emitters to their positions.
  func move() {
    let places = places
    world.move(emitters, to: places.span)
  }

  /// Renders a second of 60 frames of a game that moves everything.
  ///
  /// The positions are at hand: the arithmetic of a game is not measured.
  func second() {
    for frame in 0..<60 {
      let places = frame.isMultiple(of: 2) ? shifted : places
      world.update {
        world.listener.position = [Float(frame % 2) * 0.02, 0, 0]
        world.move(emitters, to: places.span)
      }
      offline.render(into: &mix, frameCount: 800)
    }
  }
}

/// The nearest of the same positions, as sources that a program handles itself.
final class SourceScene {
  private var offline: OfflineRenderer
  private let sources: [SoundSource]
  private let token: NotificationToken
  private var mix: PCMBuffer<Float>

  /// Sources that loop; they move at each tick, as a world moves the sources of its voices.
  init(count: Int) throws {
    offline = try OfflineRenderer(
      format: .stereo(sampleRate: 48_000),
      settings: OutputSettings(sourceLimit: max(count, 256))
    )
    mix = PCMBuffer(format: offline.format)
    let context = offline.context
    let buffer = try SoundBuffer(EmitterScene.noise, in: context)
    sources = try EmitterScene.places(count).map { place in
      let source = try SoundSource(playing: buffer, in: context)
      (source.position, source.isLooping) = (place, true)
      source.play()
      return source
    }
    token = context.onTick(every: 512) { [weak context, sources] _ in
      context?.withDeferredUpdates {
        for source in sources { source.position.x = -source.position.x }
      }
    }
    offline.render(.milliseconds(500))
  }

  /// Renders two ticks.
  func choose() { offline.render(into: &mix, frameCount: 1_024) }

  /// Renders a part of a second.
  func render(_ part: Double) {
    for _ in 0..<Int(60 * part) { offline.render(into: &mix, frameCount: 800) }
    withExtendedLifetime(token) {}
  }
}

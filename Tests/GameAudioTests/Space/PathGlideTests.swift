import Foundation
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The glide from one acoustic path of a sound to another.
@Suite struct PathGlideTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  private static func direction(_ random: inout RandomSequence) -> SIMD3<Float> {
    let vector = SIMD3<Float>(
      .random(in: -1...1, using: &random),
      .random(in: -1...1, using: &random),
      .random(in: 0.1...1, using: &random)
    )
    return vector / vector.length
  }

  /// The angle between two vectors, in degrees.
  private static func angle(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
    let cosine = (a * b).sum() / (a.length * b.length)
    return acos(min(max(cosine, -1), 1)) * 180 / .pi
  }

  private static func path(at place: SIMD3<Float>, _ course: SoundPath.Course) -> SoundPath {
    var path = SoundPath()
    (path.place, path.course) = (place, course)
    (path.ahead, path.arrival) = (place / place.length, place / place.length)
    return path
  }

  @Test func `A change of the way glides around the listener, never through it`() {
    var random = RandomSequence(seed: 33)
    for _ in 0..<500 {
      var glide = PathGlide()
      func place() -> SIMD3<Float> {
        SIMD3(
          .random(in: -20...20, using: &random),
          .random(in: -2...2, using: &random),
          .random(in: -20...20, using: &random)
        )
      }
      var paths = [SoundPath(), SoundPath()]
      (paths[0].place, paths[0].course) = (place(), .portal(0))
      (paths[1].place, paths[1].course) = (place(), .wall)
      let least = min(paths[0].place.length, paths[1].place.length)
      let most = max(paths[0].place.length, paths[1].place.length)
      #expect(glide.next(paths[0], from: .zero) == paths[0])
      for tick in 1...20 {
        let next = glide.next(paths[1], from: .zero)
        #expect(next.place.length > least - 1e-3 && next.place.length < most + 1e-3)
        if tick >= 16 { #expect((next.place - paths[1].place).length < 1e-3 * most) }
      }
    }
    var glide = PathGlide()
    var (path, other) = (SoundPath(), SoundPath())
    (path.place, other.place, other.course) = ([0, 0, -5], [0, 0, 5], .wall)
    _ = glide.next(path, from: .zero)
    for _ in 0..<16 { #expect(abs(glide.next(other, from: .zero).place.length - 5) < 1e-3) }
  }

  @Test func `Each tick turns a direction by the same angle, also by half a turn and up or down`() {
    var random = RandomSequence(seed: 34)
    var pairs: [(SIMD3<Float>, SIMD3<Float>)] = [
      ([0, 0, -5], [0, 0, 5]), ([3, 0, 0], [-1, 0, 0]), ([0, 4, 0], [0, -2, 0]), ([0, -1, 0], [0, 1, 0]),
      ([0, 1, 0], [1, 0, 0]), ([2, 0, 0], [2, 0, 0]),
    ]
    for degrees in [5, 90, 170, 175, 179, 179.95] as [Float] {
      pairs.append(([0, 0, -5], SIMD3<Float>(0, 0, -4).turned(by: degrees)))
    }
    for _ in 0..<100 { pairs.append((Self.direction(&random), -Self.direction(&random))) }
    for (from, to) in pairs {
      var glide = PathGlide()
      _ = glide.next(Self.path(at: from, .wall), from: .zero)
      let whole = Self.angle(from, to)
      var last = (ahead: from, arrival: from)
      var turns: [Float] = []
      for _ in 0..<16 {
        let next = glide.next(Self.path(at: to, .straight), from: .zero)
        turns += [Self.angle(last.ahead, next.ahead), Self.angle(last.arrival, next.arrival)]
        last = (next.ahead, next.arrival)
      }
      #expect(turns.allSatisfy { abs($0 - whole / 16) < 0.2 }, "\(whole)° from \(from) to \(to): \(turns)")
      #expect(Self.angle(last.ahead, to) < 0.1 && glide.isIdle)
    }
  }

  @Test func `A door that closes before the listener lets the sound turn to the one behind, without a click`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let silent = Reverb(.smallRoom, level: -40)
    world.zones = [
      ReverbZone(.box(center: .zero, size: [10, 4, 10]), silent, fade: 0, name: "inner"),
      ReverbZone(.box(center: [20, 0, 0], size: [10, 4, 10]), silent, fade: 0, name: "outer"),
    ]
    world.portals = [-5, 6].map { Portal(between: "inner", and: "outer", at: [0, 0, $0], radius: 0) }
    let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000), amplitude: 0.5)
    let emitter = Emitter(playing: Sound(tone), in: world)
    (emitter.position, emitter.repeats) = ([20, 0, 0], .forever)
    emitter.play()
    offline.render(frameCount: 4_096)
    func place() throws -> SIMD3<Float> { try #require(emitter.inspector.voicePosition) }
    var (last, largest) = (try place(), Float(0))
    #expect(Self.angle(last, [0, 0, -1]) < 1)
    world.portals[0].openness = 0
    var samples: [Float] = []
    for _ in 0..<24 {
      samples += offline.render(frameCount: 512).samples
      largest = try max(largest, Self.angle(last, place()))
      last = try place()
    }
    #expect(Self.angle(last, [0, 0, 1]) < 1 && largest < 12, "A tick turns the sound by \(largest)°.")
    #expect(try PCMBuffer(samples: samples, format: Self.stereo).clicks(highestFrequency: 450).isEmpty)
  }
}

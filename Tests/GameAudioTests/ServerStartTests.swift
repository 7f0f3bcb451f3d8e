import GameAudio
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

/// The frames between two starts.
private let distance = 6_000

/// A frame of a level, and silence.
private func click(_ level: Float) throws -> PCMBuffer<Float> {
  try PCMBuffer(samples: [level] + Array(repeating: 0, count: 60_000), format: .mono(sampleRate: 48_000))
}

/// The frames from the first click in the left channel of a recording to each one.
private func distances(in recording: PCMBuffer<Float>) -> [Int] {
  let left = stride(from: 0, to: recording.samples.count, by: 2).map { abs(recording.samples[$0]) }
  var onsets: [Int] = []
  for frame in left.indices where left[frame] > 0.05 && frame - (onsets.last ?? -200) >= 200 { onsets.append(frame) }
  return onsets.map { $0 - onsets[0] }
}

/// The next row of clicks in a recording, to half a second without one; the recording may be behind the mix.
private func row(in recording: Recording) throws -> PCMBuffer<Float> {
  var samples: [Float] = []
  var hasBegun = false
  for _ in 0..<40 {
    let next = try recording.seconds(0.5)
    samples += next.samples
    let hasClick = next.samples.contains { abs($0) > 0.05 }
    if hasBegun, !hasClick { break }
    hasBegun = hasBegun || hasClick
  }
  return try PCMBuffer(samples: samples, format: .stereo(sampleRate: 48_000))
}

/// Starts at moments, in the recording of a sound server.
@Suite(.hangLimit) struct ServerStartTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `Emitters, sources and players start at their frames on a server`(kind: SoundServer.Kind) async throws {
    guard kind.isInstalled else { try Test.cancel("\(kind.rawValue) is not installed") }
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let recording = try server.recording()
        let world = AudioWorld(in: try AudioContext())
        let bus = world.mixer.makeBus("music", kind: .direct)
        let hum = try PCMBuffer(samples: [Float](repeating: 0.0002, count: 48_000), format: .mono(sampleRate: 48_000))
        let keeper = Emitter(playing: Sound(hum), in: world, on: bus)
        keeper.repeats = .forever
        keeper.play()
        try recording.untilSound(above: 0.00005)
        let placed = try (0..<3).map { _ in Emitter(playing: Sound(try click(-0.9)), in: world) }
        for emitter in placed { emitter.position = [0, 0, -1] }
        let direct = try (0..<3).map { _ in Emitter(playing: Sound(try click(-0.8)), in: world, on: bus) }
        let buffer = try SoundBuffer(try click(0.7), in: world.context)
        let sources = try (0..<3).map { _ in try SoundSource(playing: buffer, in: world.context) }
        let players = try (0..<3).map { _ in try SoundPlayer(playing: Sound(try click(0.9)), in: world, on: bus) }
        var found: [Int] = []
        // A machine that does not run the mixer in time leaves a gap in one recording. A wrong start is in each.
        let isExact = try (0..<8).contains { _ in
          let first = world.context.clock + .milliseconds(700)
          func moment(_ index: Int) -> Duration { first + .milliseconds(125) * index }
          for index in 0..<3 {
            placed[index].play(at: moment(index))
            direct[index].play(at: moment(3 + index))
            sources[index].play(at: moment(6 + index))
            players[index].playbackTime = .zero
            players[index].play(at: moment(9 + index))
          }
          found = distances(in: try row(in: recording))
          for player in players { player.stop() }
          return found == (0..<12).map { $0 * distance }
        }
        #expect(isExact, "\(found)")
        withExtendedLifetime(keeper) {}
      }
    }
  }
}

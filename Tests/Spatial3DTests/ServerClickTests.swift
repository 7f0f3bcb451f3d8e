import PCM
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// Changes of sounds on a sound server, which records what it plays.
@Suite(.hangLimit)
struct ServerClickTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A change of 24 sines at once does not click in the recording of the server`(kind: SoundServer.Kind) async throws
  {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let recording = try server.recording()
        let context = try AudioContext()
        let changes: [(name: String, apply: ([SoundSource]) -> Void)] = [
          ("stop", { for source in $0 { source.stop() } }),
          ("pause", { for source in $0 { source.pause() } }),
          ("rewind", { for source in $0 { source.rewind() } }),
          ("play again", { for source in $0 { source.play() } }),
          ("seek", { for source in $0 { source.playbackFrame = 12_347 } }),
          ("pause together", { context.pause($0) }),
          (
            "pause and play",
            { sources in
              for source in sources { source.pause() }
              for source in sources { source.play() }
            }
          ),
        ]
        for change in changes {
          // A machine that does not run the mixer in time leaves a gap in one recording. A cut is in each.
          let isClean = try (0..<20).contains { _ in
            var sources = try NoClickTests.sines(from: .buffer, in: context)
            context.play(sources)
            try recording.untilSound()
            _ = try recording.seconds(0.1)
            change.apply(sources)
            var samples = try recording.seconds(0.2).samples
            sources.removeAll()
            samples += try recording.seconds(0.3).samples
            try recording.untilSilence()
            return try PCMBuffer(samples: samples, format: Recording.format).clicks(highestFrequency: 1_400).isEmpty
          }
          #expect(isClean, "\(change.name)")
        }
      }
    }
  }
}

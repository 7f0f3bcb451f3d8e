import AudioSupport
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// Outputs that disappear while the server moves their streams to another output.
///
/// The tests poll after each change, as in `ServerMoveTests`.
@Suite(.hangLimit)
struct ServerRescueTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases, DevicePolicy.allCases)
  func `A device applies its policy when the server moves its stream to another output`(
    kind: SoundServer.Kind,
    policy: DevicePolicy
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, policy = "\(policy)"] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "speakers")
        try server.lendToThisProcess(allowsMoves: kind.moves)
        try server.rescueStreams()
        try server.add(sink: "headphones")
        let context = try AudioContext()
        let device = context.device
        try device.move(to: "headphones")
        let policy = try #require(DevicePolicy.allCases.first { "\($0)" == policy })
        device.policy = policy
        let source = try Scenes.noise(in: context)
        var notifications = source.events(.state).makeAsyncIterator()
        var events = context.events().makeAsyncIterator()
        let speakers = try server.recording(of: "speakers")
        _ = try server.recording(of: "headphones").untilSound()
        // The device does not miss an output that it never found.
        try await eventually("a poll has found the output") { device.inspector.foundOutput == "headphones" }
        #expect(try speakers.seconds(0.1).level == .silence)

        try server.remove(sink: "headphones")
        DeviceInspector.pollOutputs()
        switch policy {
        case .follow:
          await events.expectMove()
          #expect(device.name == "speakers")
          _ = try speakers.untilSound()
          #expect(source.state == .playing)
        case .stay:
          #expect(await events.next()?.kind == .deviceLost)
          #expect(source.state == .playing)
          // The recording starts now, but includes the frames that the server has stored.
          let later = try server.recording(of: "speakers")
          _ = try later.seconds(1)
          #expect(try later.seconds(0.2).level == .silence)
          try server.add(sink: "headphones")
          #expect(await events.next()?.kind == .deviceReturned)
          #expect(device.name == "headphones")
          _ = try server.recording(of: "headphones").untilSound()
          #expect(try later.seconds(0.5).level == .silence)
        case .pauseOnOutputLoss:
          let paused = await notifications.next()
          #expect(paused?.kind == .stateChanged(.paused))
          #expect(paused?.cause == .device)
          await events.expectMove()
          #expect(device.name == "speakers")
          let frame = source.playbackFrame
          let later = try server.recording(of: "speakers")
          _ = try later.seconds(1)
          #expect(try later.seconds(0.5).level == .silence)
          #expect(source.playbackFrame == frame)
          source.play()
          _ = try later.untilSound()
        }
      }
    }
  }
}

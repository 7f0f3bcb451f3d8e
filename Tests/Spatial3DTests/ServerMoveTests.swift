import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// Outputs of a sound server that come, go and become the default while a scene plays.
///
/// The tests poll after each change; `ServerLossTests` waits for the regular polls.
@Suite(.hangLimit)
struct ServerMoveTests {
  @Test(.serialized, arguments: SoundServer.Kind.allCases, [false, true])
  func `A scene moves to another output by name and stays if the output does not open`(
    kind: SoundServer.Kind,
    isRebuilt: Bool
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, isRebuilt] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "speakers")
        try server.lendToThisProcess()
        try server.add(sink: "headphones")
        let disabled: DisabledFeatures = isRebuilt ? [.deviceReopening] : []
        let device = AudioDevice(
          handle: try DeviceHandle(opening: "speakers", disabling: disabled),
          openedName: "speakers"
        )
        let context = try AudioContext(device: device)
        var events = context.events().makeAsyncIterator()
        let source = try Scenes.noise(in: context)
        let recordings = try (server.recording(of: "speakers"), server.recording(of: "headphones"))
        _ = try recordings.0.untilSound()
        #expect(device.policy == .stay)
        #expect(throws: AudioError.self) { try device.move(to: "none") }
        #expect(device.name == "speakers")
        try device.move(to: "headphones")
        #expect(device.name == "headphones")
        _ = try recordings.1.untilSound()
        _ = try recordings.0.untilSilence()
        #expect(source.state == .playing)
        #expect(await events.next()?.kind == .outputChanged)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases, DevicePolicy.allCases)
  func `A device applies its policy to a changed default and a removed output`(
    kind: SoundServer.Kind,
    policy: DevicePolicy
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, policy = "\(policy)"] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "headphones")
        try server.lendToThisProcess()
        try server.add(sink: "speakers")
        let context = try AudioContext()
        let device = context.device
        #expect(device.policy == .follow)
        let policy = try #require(DevicePolicy.allCases.first { "\($0)" == policy })
        if policy != .follow { device.policy = policy }
        let source = try Scenes.noise(in: context)
        var notifications = source.events(.state).makeAsyncIterator()
        _ = try server.recording(of: "headphones").untilSound()
        if policy == .stay {
          // A server may move the streams with the default: of a device that was opened as the default, and of others.
          // A following context reports when the library has found the change.
          let other = try AudioContext()
          var events = other.events().makeAsyncIterator()
          try server.setDefault(sink: "speakers")
          DeviceInspector.pollOutputs()
          #expect(await events.next()?.kind == .outputChanged)
          #expect(other.device.name == "speakers")
          #expect(device.name == "headphones")
          #expect(source.state == .playing)
          let after = try (server.recording(of: "headphones"), server.recording(of: "speakers"))
          _ = try after.0.untilSound()
          let isSilent = try (0..<20).contains { _ in try after.1.seconds(0.5).level == .silence }
          #expect(isSilent)
          #expect(try after.0.seconds(0.5).level > -40)
        } else {
          var events = context.events().makeAsyncIterator()
          try server.setDefault(sink: "speakers")
          DeviceInspector.pollOutputs()
          // A server may have moved the stream before.
          #expect(await events.next()?.kind == .outputChanged)
          #expect(device.name == "speakers")
          _ = try server.recording(of: "speakers").untilSound()
          #expect(source.state == .playing)
          // The server makes the remaining sink the default.
          try server.remove(sink: "speakers")
          DeviceInspector.pollOutputs()
          if policy == .pauseOnOutputLoss {
            let paused = await notifications.next()
            #expect(paused?.kind == .stateChanged(.paused))
            #expect(paused?.cause == .device)
            source.play()
          }
          _ = try server.recording(of: "headphones").untilSound()
          #expect(device.name == "headphones")
        }
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A device keeps a chosen output despite a recent change of the default`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind, sink: "speakers")
        try server.lendToThisProcess()
        try server.add(sink: "headphones")
        try server.add(sink: "hdmi")
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        var events = context.events().makeAsyncIterator()
        _ = try server.recording(of: "speakers").untilSound()
        // The context polls this device after the other one.
        let follower = try AudioContext()
        var changes = follower.events().makeAsyncIterator()
        try server.setDefault(sink: "headphones")
        try context.device.move(to: "hdmi")
        #expect(await changes.next()?.kind == .outputChanged)
        #expect(follower.device.name == "headphones")
        #expect(context.device.name == "hdmi")
        let hdmi = try server.recording(of: "hdmi")
        _ = try hdmi.untilSound()
        #expect(try hdmi.seconds(0.5).level > -40)
        try server.setDefault(sink: "speakers")
        DeviceInspector.pollOutputs()
        repeat { #expect(await events.next()?.kind == .outputChanged) } while context.device.name != "speakers"
        _ = try server.recording(of: "speakers").untilSound()
        #expect(source.state == .playing)
      }
    }
  }
}

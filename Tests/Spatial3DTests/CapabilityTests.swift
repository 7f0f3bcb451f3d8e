import Spatial3DTesting
import Testing

@testable import Spatial3D

/// The capabilities of the loaded library.
@Suite struct CapabilityTests {
  private func capabilities(without missing: MissingParts = MissingParts()) throws -> Capabilities {
    try OfflineRenderer(format: Scenes.stereo, forcing: missing).context.capabilities
  }

  /// Every capability by its name.
  private func all(_ capabilities: Capabilities) -> [String: Bool] {
    var all: [String: Bool] = [:]
    for case (let name?, let value as Bool) in Mirror(reflecting: capabilities).children { all[name] = value }
    return all
  }

  private func names(_ capabilities: Capabilities) -> Set<String> { Set(all(capabilities).filter(\.value).keys) }

  @Test func `The library says who it is`() throws {
    let capabilities = try capabilities()
    #expect(capabilities.version.hasPrefix("1.1 ALSOFT "))
    #expect(!capabilities.vendor.isEmpty)
    #expect(!capabilities.renderer.isEmpty)
  }

  @Test(
    arguments: [
      (MissingParts(), ""),
      (MissingParts(threadContext: true), "threadLocalContexts"),
      (MissingParts(deferredUpdates: true), "deferredUpdates"),
      (MissingParts(deviceClock: true), "deviceClock"),
      (MissingParts(hrtf: true), "hrtf"),
      (MissingParts(outputLimiter: true), "outputLimiter"),
      (MissingParts(outputMode: true), "outputMode"),
      (MissingParts(ambisonics: true), "ambisonicRendering"),
      (MissingParts(staticBuffers: true), "staticBuffers"),
      (MissingParts(bufferMapping: true), "mappedBuffers"),
      (MissingParts(effects: true), "effects"),
      (MissingParts(effectTarget: true), "effectTarget"),
    ])
  func `What is taken away is missing, and nothing else is`(missing: MissingParts, name: String) throws {
    let whole = try capabilities()
    #expect(name.isEmpty || all(whole).keys.contains(name))
    #expect(names(try capabilities(without: missing)) == names(whole).subtracting([name]))
  }

  @Test func `Each version offers what was measured of it`() throws {
    let old: Set = [
      "threadLocalContexts", "deferredUpdates", "offlineRendering", "ambisonicRendering", "hrtf", "outputLimiter",
      "suspension", "deviceClock", "disconnection", "capture", "events", "sourceDistanceModel", "sourceSpatialization",
      "sourceRadius", "sourceLatency", "sourceResampler", "stereoAngles", "directChannels", "floatSamples",
      "surroundSounds", "ambisonicSounds", "loopPoints", "mappedBuffers", "effects",
    ]
    let added: Set = [
      "outputMode", "deviceReopening", "systemEvents", "startDelay", "directChannelRemixing", "staticBuffers",
      "effectTarget", "filterInterpolation",
    ]
    let capabilities = try capabilities()
    #expect(names(capabilities).isSuperset(of: old))
    if capabilities.version.contains("1.19.1") { #expect(names(capabilities) == old) }
    if capabilities.version.contains("1.25") { #expect(names(capabilities) == old.union(added)) }
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A live context offers the same as one that is rendered`() throws {
    #expect(try AudioContext().capabilities == capabilities())
    let missing = MissingParts(loopback: true, pauseDevice: true)
    let device = AudioDevice(handle: try DeviceHandle(opening: nil, forcing: missing))
    let taken: Set = ["offlineRendering", "ambisonicRendering", "suspension"]
    #expect(names(try AudioContext(device: device).capabilities) == names(try capabilities()).subtracting(taken))
  }

  @Test func `A library without a loopback device renders nothing and says so`() {
    do throws(AudioError) {
      _ = try OfflineRenderer(format: Scenes.stereo, forcing: MissingParts(loopback: true))
      Issue.record("it rendered")
    } catch {
      #expect(error.code == .notInLibrary)
      #expect("\(error)".contains("Use OpenAL Soft."))
    }
  }
}

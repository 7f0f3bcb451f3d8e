import Testing

@testable import Spatial3D

/// The capabilities of the loaded library.
@Suite struct CapabilityTests {
  /// The capabilities of OpenAL Soft 1.19.1.
  static let old: Capabilities = [
    .threadLocalContexts, .deferredUpdates, .offlineRendering, .ambisonicRendering, .hrtf, .outputLimiter, .suspension,
    .deviceClock, .disconnection, .capture, .events, .sourceDistanceModel, .sourceSpatialization, .sourceRadius,
    .sourceLatency, .sourceResampler, .stereoAngles, .directChannels, .floatSamples, .surroundSounds, .ambisonicSounds,
    .loopPoints, .mappedBuffers, .effects,
  ]

  /// The further capabilities of OpenAL Soft 1.25.
  static let added: Capabilities = [
    .outputMode, .deviceReopening, .systemEvents, .startDelay, .directChannelRemixing, .staticBuffers, .callbackBuffers,
    .effectTarget,
    .filterInterpolation,
  ]

  private func capabilities(disabling disabled: DisabledFeatures = []) throws -> Capabilities {
    try OfflineRenderer(format: Scenes.stereo, disabling: disabled).context.capabilities
  }

  @Test func `The context names its library`() throws {
    let library = try OfflineRenderer(format: Scenes.stereo).context.library
    #expect(library.version.hasPrefix("1.1 ALSOFT "))
    #expect(!library.vendor.isEmpty)
    #expect(!library.renderer.isEmpty)
  }

  @Test(
    arguments: [
      .threadLocalContexts, .deferredUpdates, .deviceClock, .hrtf, .outputLimiter, .outputMode, .ambisonicRendering,
      .staticBuffers, .mappedBuffers, .callbackBuffers, .startDelay, .sourceResampler, .effects, .effectTarget, .events,
      .sourceLatency,
      .deviceReopening, .suspension,
    ] as [Capabilities]
  )
  func `A disabled capability is missing, and nothing else is`(disabled: Capabilities) throws {
    #expect(try capabilities(disabling: [disabled]) == capabilities().subtracting(disabled))
  }

  @Test func `Each library version has its measured capabilities`() throws {
    let context = try OfflineRenderer(format: Scenes.stereo).context
    #expect(context.capabilities.isSuperset(of: Self.old))
    if context.library.version.contains("1.19.1") { #expect(context.capabilities == Self.old) }
    if context.library.version.contains("1.25") { #expect(context.capabilities == Self.old.union(Self.added)) }
  }

  @Test func `Each capability is a bit of its own, and bits make a set again`() {
    let (one, both) = (Capabilities.hrtf, Capabilities.hrtf.union(.effects))
    #expect(one.rawValue.nonzeroBitCount == 1 && both.rawValue.nonzeroBitCount == 2)
    #expect(Capabilities(rawValue: both.rawValue) == [.hrtf, .effects] && Capabilities(rawValue: 0) == [])
    #expect(Capabilities(rawValue: both.rawValue ^ one.rawValue) == .effects)
  }

  @Test func `The description lists the present capabilities and the missing ones`() {
    let added = """
      outputMode, deviceReopening, systemEvents, startDelay, directChannelRemixing, staticBuffers, callbackBuffers, \
      effectTarget, filterInterpolation
      """
    #expect(Self.old.description.hasPrefix("has threadLocalContexts, deferredUpdates, offlineRendering, "))
    #expect(Self.old.description.hasSuffix("mappedBuffers, effects; lacks \(added)"))
    #expect(Self.added.description.hasPrefix("has \(added); lacks threadLocalContexts, "))
    #expect(Self.old.union(Self.added) == .all && !Capabilities.all.description.contains("lacks"))
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A live context has the capabilities of an offline one`() throws {
    #expect(try AudioContext().capabilities == capabilities())
    let disabled: Capabilities = [.offlineRendering, .suspension]
    let device = AudioDevice(handle: try DeviceHandle(opening: nil, disabling: [disabled]))
    let missing = disabled.union(.ambisonicRendering)
    #expect(try AudioContext(device: device).capabilities == capabilities().subtracting(missing))
  }

  @Test func `A library without a loopback device throws an error for an offline renderer`() {
    do throws(AudioError) {
      _ = try OfflineRenderer(format: Scenes.stereo, disabling: [.offlineRendering])
      Issue.record("it rendered")
    } catch {
      #expect(error.code == .notInLibrary)
      #expect("\(error)".contains("Use OpenAL Soft."))
    }
  }
}

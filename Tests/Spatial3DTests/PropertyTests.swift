import AudioSupport
import Synchronization
import Testing

@testable import Spatial3D

@Suite struct PropertyTests {
  private func makeSource(_ renderer: borrowing OfflineRenderer) throws -> SoundSource {
    try SoundSource(playing: Scenes.silence(frames: 100, in: renderer.context), in: renderer.context)
  }

  @Test(arguments: SourcePropertyCase.all, [false, true])
  func `A property that is set is what the library holds`(property: SourcePropertyCase, isDeferred: Bool) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    #expect(property.roundTrip(try makeSource(renderer), isDeferred) == [])
  }

  @Test(arguments: SourcePropertyCase.all.filter(\.canClamp))
  func `A value out of range becomes the nearest in range`(property: SourcePropertyCase) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    #expect(property.clamp(try makeSource(renderer)) == [])
  }

  @Test(arguments: SourcePropertyCase.all.filter(\.canRefuse))
  func `A non-finite value changes nothing and logs one diagnostic for each source`(
    property: SourcePropertyCase
  ) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let diagnostics = Mutex<[Diagnostic]>([])
    renderer.context.onDiagnostic = { diagnostic in diagnostics.withLock { $0.append(diagnostic) } }

    #expect(property.refuse(try makeSource(renderer)) == [])
    #expect(diagnostics.withLock { $0.count } == 1)
    #expect(diagnostics.withLock { $0[0].code } == .valueNotUsable)
    #expect(diagnostics.withLock { $0[0].message }.contains(property.testDescription))

    #expect(property.refuse(try makeSource(renderer)) == [])
    #expect(diagnostics.withLock { $0.count } == 2)
  }

  @Test func `Every property that changes has a case in the table`() {
    let fields = Mirror(reflecting: SourceValues()).children.compactMap(\.label)
    #expect(Set(fields) == Set(SourcePropertyCase.all.map(\.testDescription)))
  }

  @Test(arguments: [false, true])
  func `A listener that is set is what the library holds`(isDeferred: Bool) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let context = renderer.context
    let listeners = [
      Listener(
        position: [1, 2, 3],
        velocity: [4, 5, 6],
        orientation: Orientation(forward: [1, 0, 0], up: [0, 0, 1]),
        gain: 0.5
      ),
      Listener(
        position: [1, 2, 3],
        velocity: [4, 5, 7],
        orientation: Orientation(forward: [0, 1, 0], up: [0, 0, 1]),
        gain: 0
      ),
      Listener(),
    ]
    for listener in listeners {
      if isDeferred {
        context.withDeferredUpdates { context.listener = listener }
      } else {
        context.listener = listener
      }
      #expect(context.listener == listener)
      #expect(context.libraryListener == listener)
    }
  }

  @Test func `Unusable parts of a listener keep their value and log one diagnostic each`() throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let context = renderer.context
    let logged = Mutex<[String]>([])
    context.onDiagnostic = { diagnostic in logged.withLock { $0.append(diagnostic.message) } }

    let before = Listener(position: [1, 0, 0], velocity: [0, 1, 0], orientation: .identity, gain: 0.5)
    context.listener = before
    let unusable = Orientation(forward: .zero, up: [0, 1, 0])
    for _ in 1...3 {
      context.listener = Listener(
        position: [.nan, 0, 0],
        velocity: [0, .infinity, 0],
        orientation: unusable,
        gain: Gain(.nan)
      )
      #expect(context.listener == before)
      #expect(context.libraryListener == before)
    }
    context.listener = Listener(position: [2, 0, 0], velocity: [0, .infinity, 0], orientation: unusable, gain: 99)
    #expect(context.listener == Listener(position: [2, 0, 0], velocity: [0, 1, 0], orientation: .identity, gain: 16))

    let messages = logged.withLock { $0 }
    #expect(messages.count == 4)
    for (message, part) in zip(messages, ["position", "velocity", "orientation", "gain"]) {
      #expect(message.contains("The \(part) of the listener"))
    }
  }
}

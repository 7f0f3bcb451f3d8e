import Synchronization
import Testing

@testable import Spatial3D

/// A settable property of a source: where it is public, where the library has it, and values to try.
struct SourcePropertyCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Sets each value in turn, and calls back with whether both sides hold it afterwards.
  let roundTrip: @Sendable (SoundSource, _ isDeferred: Bool) -> [Bool]
  /// Sets values out of range, and says whether both sides hold the nearest in range.
  let clamp: @Sendable (SoundSource) -> [Bool]
  /// Sets what is not finite, and says whether both sides kept their value.
  let refuse: @Sendable (SoundSource) -> [Bool]
  /// Whether there are values that are not finite.
  let canRefuse: Bool

  init<Value: Equatable & Sendable>(
    _ name: String,
    _ property: any ReferenceWritableKeyPath<SoundSource, Value> & Sendable,
    _ field: any KeyPath<SourceValues, Value> & Sendable,
    values: [Value],
    clamped: [(Value, Value)] = [],
    notFinite: [Value] = []
  ) {
    testDescription = name
    roundTrip = { source, isDeferred in
      values.map { value in
        if isDeferred {
          source.context.withDeferredUpdates { source[keyPath: property] = value }
        } else {
          source[keyPath: property] = value
        }
        return source[keyPath: property] == value && source.libraryValues[keyPath: field] == value
      }
    }
    clamp = { source in
      clamped.map { value, nearest in
        source[keyPath: property] = value
        return source[keyPath: property] == nearest && source.libraryValues[keyPath: field] == nearest
      }
    }
    refuse = { source in
      notFinite.map { value in
        source[keyPath: property] = values[0]
        source[keyPath: property] = value
        return source[keyPath: property] == values[0] && source.libraryValues[keyPath: field] == values[0]
      }
    }
    canRefuse = !notFinite.isEmpty
  }

  static let all: [SourcePropertyCase] = [
    SourcePropertyCase(
      "gain",
      \.gain,
      \.gain,
      values: [0, 0.25, 1, 16],
      clamped: [(-1, 0), (16.1, 16), (.greatestFiniteMagnitude, 16)],
      notFinite: [.nan, .infinity, -.infinity]
    ),
    SourcePropertyCase(
      "pitch",
      \.pitch,
      \.pitch,
      values: [0.001, 0.5, 1.5, 10],
      clamped: [(-1, 0.001), (0, 0.001), (11, 10)],
      notFinite: [.nan, .infinity]
    ),
    SourcePropertyCase("isLooping", \.isLooping, \.isLooping, values: [true, false, true]),
    SourcePropertyCase(
      "position",
      \.position,
      \.position,
      values: [[1, 2, 3], [-1e6, 0, 1e-6], .zero],
      notFinite: [[.nan, 0, 0], [0, .infinity, 0], [0, 0, -.infinity]]
    ),
    SourcePropertyCase(
      "velocity",
      \.velocity,
      \.velocity,
      values: [[4, 5, 6], [-343, 0, 0], .zero],
      notFinite: [[.nan, 0, 0], [0, .infinity, 0], [0, 0, .nan]]
    ),
    SourcePropertyCase(
      "isListenerRelative",
      \.isListenerRelative,
      \.isListenerRelative,
      values: [true, false, true]
    ),
  ]
}

@Suite struct PropertyTests {
  private func makeSource(_ renderer: borrowing OfflineRenderer) throws -> SoundSource {
    try SoundSource(playing: Scenes.silence(frames: 100, in: renderer.context), in: renderer.context)
  }

  @Test(arguments: SourcePropertyCase.all, [false, true])
  func `A property that is set is what the library holds`(property: SourcePropertyCase, isDeferred: Bool) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    #expect(!property.roundTrip(try makeSource(renderer), isDeferred).contains(false))
  }

  @Test(arguments: SourcePropertyCase.all)
  func `A value out of range becomes the nearest in range`(property: SourcePropertyCase) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    #expect(!property.clamp(try makeSource(renderer)).contains(false))
  }

  @Test(arguments: SourcePropertyCase.all.filter(\.canRefuse))
  func `A value that is not finite changes nothing and is told once for each source`(
    property: SourcePropertyCase
  ) throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let told = Mutex<[Diagnostic]>([])
    renderer.context.onDiagnostic = { diagnostic in told.withLock { $0.append(diagnostic) } }

    #expect(!property.refuse(try makeSource(renderer)).contains(false))
    #expect(told.withLock { $0.count } == 1)
    #expect(told.withLock { $0[0].code } == .valueNotUsable)
    #expect(told.withLock { $0[0].message }.contains(property.testDescription))

    #expect(!property.refuse(try makeSource(renderer)).contains(false))
    #expect(told.withLock { $0.count } == 2)
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

  @Test func `Parts of a listener that are not usable keep their value and are told once`() throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let context = renderer.context
    let told = Mutex<[String]>([])
    context.onDiagnostic = { diagnostic in told.withLock { $0.append(diagnostic.message) } }

    let before = Listener(position: [1, 0, 0], velocity: [0, 1, 0], orientation: .identity, gain: 0.5)
    context.listener = before
    let unusable = Orientation(forward: .zero, up: [0, 1, 0])
    for _ in 1...3 {
      context.listener = Listener(
        position: [.nan, 0, 0],
        velocity: [0, .infinity, 0],
        orientation: unusable,
        gain: .nan
      )
      #expect(context.listener == before)
      #expect(context.libraryListener == before)
    }
    context.listener = Listener(position: [2, 0, 0], velocity: [0, .infinity, 0], orientation: unusable, gain: 99)
    #expect(context.listener == Listener(position: [2, 0, 0], velocity: [0, 1, 0], orientation: .identity, gain: 16))

    let messages = told.withLock { $0 }
    #expect(messages.count == 4)
    for (message, part) in zip(messages, ["position", "velocity", "orientation", "gain"]) {
      #expect(message.contains("The \(part) of the listener"))
    }
  }
}

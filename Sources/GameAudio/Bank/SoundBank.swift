internal import AudioSupport
internal import Spatial3D

/// The sounds of a game by name: loaded ahead, counted, and replaced while the game runs.
///
/// A bank keeps each file in memory once for each loop range, and for each of the two forms, mono and as stored,
/// however many keys use it. All emitters of a key play it at once, with or without voices, within its limits.
///
/// ```swift
/// let bank = SoundBank(in: world, budget: 64 << 20)
/// bank.define(.step, step)
/// bank.define(.bell, Sound("bell.wav"))
/// bank.define(.song, Sound("theme.flac"), loading: .onDemand, isPlaced: false)
/// try await bank.load([.step, .bell]) { finished, total in
///   print("\(finished) of \(total) files")
/// }
/// ```
///
/// Every method and property may be used from any thread. Release of the bank lets what plays play to its end, and
/// frees the samples then.
public final class SoundBank: Sendable {
  /// The time at which the samples of a key are loaded.
  public enum Loading: String, Hashable, Sendable, CaseIterable {
    /// By ``load(_:)``, before the first play: a play of samples that are not in memory throws.
    case beforehand
    /// At the first play too.
    ///
    /// The emitter waits for its samples, with the reason ``SilenceReason/loading``. Its time runs meanwhile: it
    /// begins where it would be by then, except for the first 50 ms.
    case onDemand
  }

  /// The world whose emitters play the sounds.
  public let world: AudioWorld

  let id: Int
  let catalog: Lock<BankCatalog>
  let watch = Lock<FileWatch?>(nil)

  /// A bank without sounds.
  ///
  /// - Parameters:
  ///   - world: The world whose emitters play the sounds.
  ///   - budget: The bytes of samples to keep at most; see ``budget``.
  public init(in world: AudioWorld, budget: Int? = nil) {
    self.world = world
    id = SoundContent.nextIdentity()
    catalog = Lock(BankCatalog(bank: id))
    let used = budget.map { (0...).nearest(to: $0) }
    world.withState { state in
      state.apply(.keepSamples(bank: id))
      state.playback.scene.sounds.setBudget(used, ofBank: id)
    }
    if let budget { check("budget", budget, in: 0...) }
  }

  deinit {
    // A forked child lacks the threads that may hold the locks.
    guard !world.context.isInherited else { return }
    watch.withLock { $0 }?.end()
    world.act { state in
      state.playback.scene.sounds.removeBank(id)
      state.playback.drop(state.playback.scene.sounds.kept.keys(of: id))
    }
  }

  /// The bytes of samples that the bank keeps at most; `nil` for no limit.
  ///
  /// Range: 0 and up, clamped and reported once for the banks of a world. Whenever samples are loaded beyond it, the
  /// bank releases those whose last play is the longest ago. Samples that an emitter plays stay, and so do those that
  /// were loaded just now: if these alone are more, the bank is over its budget, and `AudioContext.onDiagnostic`
  /// reports that once. A play of released samples throws like one of samples that were never loaded, unless the key is
  /// ``Loading/onDemand``.
  public var budget: Int? {
    get { world.withState { $0.playback.scene.sounds.kept.budget(of: id) } }
    set {
      let budget = newValue.map { (0...).nearest(to: $0) }
      world.act { state in
        state.playback.scene.sounds.setBudget(budget, ofBank: id)
        state.playback.trim(id)
      }
      if let newValue { check("budget", newValue, in: 0...) }
    }
  }

  /// The bytes of the samples in memory.
  ///
  /// A stream counts nothing. Samples that were unloaded while they played count no more.
  public var byteCount: Int { world.withState { $0.playback.scene.sounds.kept.byteCount(of: id) } }

  /// The keys that have a sound, in the order of their names.
  public var keys: [SoundKey] { catalog.withLock { $0.definitions.keys.sorted() } }

  /// Gives a key a sound instead of an earlier sound; loads nothing.
  ///
  /// The time of a call does not depend on the number of keys, unless ``watchesFiles`` is set.
  ///
  /// Emitters play an earlier sound to its end. ``stop(_:_:)`` ends them like emitters of the new sound, and the limit
  /// of the sound counts them.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - sound: The sound.
  ///   - loading: The time at which its samples are loaded.
  ///   - isPlaced: Whether the samples are loaded in mono, for emitters with a position. `false` loads them as they are
  ///     stored, for music and the interface. A play of the other form loads that too, on a thread of the world.
  public func define(_ key: SoundKey, _ sound: Sound, loading: Loading = .beforehand, isPlaced: Bool = true) {
    let unused = catalog.withLock { $0.define(key, sound, loading, isPlaced: isPlaced) }
    drop(unused.map(\.identity))
    updateWatch()
  }

  /// The sound of a key, for emitters of the game.
  ///
  /// An emitter that is made with it loads the samples if they are not in memory.
  ///
  /// - Throws: ``GameAudioError`` with the code `unknownKey`.
  public subscript(key: SoundKey) -> Sound {
    get throws(GameAudioError) { try definition(of: key).sound }
  }

  /// Whether the samples of a key are in memory, or its streams were opened once.
  public func isLoaded(_ key: SoundKey) -> Bool {
    guard let sound = catalog.withLock({ $0.definitions[key]?.sound }) else { return false }
    return isLoaded(sound)
  }

  func isLoaded(_ sound: Sound) -> Bool {
    world.withState { state in
      sound.variations.allSatisfy { state.playback.scene.sounds.kept.has($0.identity, sound.loopRange) }
    }
  }

  func definition(of key: SoundKey) throws(GameAudioError) -> BankCatalog.Definition {
    let (definition, keys) = catalog.withLock {
      ($0.definitions[key], $0.definitions[key] == nil ? $0.definitions.keys.sorted() : [])
    }
    guard let definition else { throw .unknownKey(key, known: keys) }
    return definition
  }

  /// Releases the samples of contents, in all forms.
  func drop(_ contents: [Int]) {
    guard !contents.isEmpty else { return }
    world.act { state in
      state.playback.drop(contents.flatMap { state.playback.scene.sounds.kept.keys(ofContent: $0) })
    }
  }
}

extension SoundBank: FaultReporter {
  func report(_ fault: ValueFault) { world.report(fault, of: .kind("a sound bank")) }
}

public import Spatial3D

/// The state of a world at one moment, as a value that can be stored, printed and compared.
///
/// ```swift
/// let before = world.snapshot()
/// world.mixer.main.isMuted = true
/// print(world.snapshot().difference(from: before))
/// ```
///
/// Emitters, players and clocks are in the order of their numbers, buses in the order of their first calls. Numbers are
/// rounded to 10⁻⁶, apart from the numbers of orientations, cones, filters and reverbs. A snapshot is `Codable`: absent
/// values are defaults. A playing emitter takes about 100 bytes of a binary property list, and 200 of JSON. It
/// describes a world and does not restore it; a ``WorldRecording`` does.
public struct WorldSnapshot: Hashable, Sendable, Codable {
  /// The time of the mix, in seconds.
  public var time: Double
  /// The frames that the mix has in a second.
  public var sampleRate: Int
  /// The number from which the random choices and variations follow.
  public var seed: UInt64
  /// The number of voices that emitters and players can have.
  public var voiceLimit: Int
  /// The reasons for which the context is suspended.
  public var suspensions: [String]
  /// The listeners; the first is ``AudioWorld/listener``.
  public var listeners: [Listener]
  /// The reverb zones, in the order of ``AudioWorld/zones``.
  public var zones: [Zone] = []
  /// The openings between the zones, in the order of ``AudioWorld/portals``.
  public var portals: [Portal] = []
  /// The occlusion of the walls between the zones; `nil` for -30 dB.
  public var wallOcclusion: Decibels?
  /// The emitters, also those that do not play.
  public var emitters: [Emitter]
  /// The players.
  public var players: [Player]
  /// The buses; the first one is the root.
  public var buses: [Bus]
  /// The clocks of beats.
  public var clocks: [Clock]
  /// The loudness to which the level of the mix is led; `nil` for none.
  public var loudnessTarget: Insert.Leveler?
  /// The limiter behind all buses; `nil` for none.
  public var limiter: Insert.Limiter?

  /// The number of emitters and players with a voice.
  public var realCount: Int { emitters.count { $0.voice != nil } + players.count { $0.voice != nil } }

  /// The number of emitters and players that play or fade out without a voice, like ``VoiceStatistics/virtual``.
  public var virtualCount: Int { emitters.count { $0.isVirtual } + players.count { $0.isVirtual } }
}

extension WorldSnapshot {
  /// The state of an emitter or of a player.
  public enum State: String, Hashable, Sendable, CaseIterable, Codable {
    /// It was not played, or has ended.
    case idle
    /// Its sound is being loaded.
    case loading
    /// It plays, with a voice or without.
    case playing
    /// It is paused.
    case paused
    /// It fades out, to its end.
    case stopping
    /// It fades out, to a pause.
    case pausing

    /// Whether it plays, or fades out.
    public var isSounding: Bool { self == .playing || self == .stopping || self == .pausing }
  }

  /// An emitter.
  public struct Emitter: Hashable, Sendable, Codable, Identifiable {
    /// The number of the emitter, unique in its world: ``GameAudio/Emitter/ID/number``.
    public var id: Int
    /// The file of the sound or its other name; with variations, of the variation that the last play has chosen.
    public var sound: String
    /// The key of the sound in a bank; `nil` for a sound of no bank.
    public var key: String?
    /// The state.
    public var state: State
    /// The position, in metres; `nil` for an emitter without a position.
    public var position: SIMD3<Float>?
    /// The name of the bus.
    public var bus: String
    /// The number of the voice; `nil` for an emitter without one.
    public var voice: Int?
    /// The reason why it is not heard; `nil` for an emitter that is heard.
    ///
    /// In a suspended context, an emitter with a voice has one too.
    public var silence: SilenceReason?
    /// Whether its start lies ahead, or a limit keeps it virtual; `nil` for `false`.
    public var isWaiting: Bool?
    /// The position in the sound, in seconds.
    public var place: Double
    /// The predicted level at the listener, re full scale, as ``Explanation/level``.
    public var level: Decibels
    /// The gain.
    public var gain: Gain
    /// The factor of the frequency; `nil` for 1.
    public var pitch: Float?
    /// The priority; `nil` for the usual one.
    public var priority: Int?
    /// The number of repetitions, -1 for no end; `nil` for none.
    public var repeats: Int?
    /// The behavior of a virtual emitter; `nil` for ``VirtualBehavior/elapsedTime``.
    public var virtualBehavior: VirtualBehavior?
    /// The velocity, in metres a second; `nil` at rest.
    public var velocity: SIMD3<Float>?
    /// The direction that it faces; `nil` for none.
    public var direction: SIMD3<Float>?
    /// The cone; `nil` for none.
    public var cone: Cone?
    /// The radius, in metres; `nil` for 0.
    public var radius: Float?
    /// The attenuation by a wall; `nil` for none.
    public var occlusion: Decibels?
    /// The attenuation by a thing in the same room; `nil` for none.
    public var obstruction: Decibels?
    /// The gains of the sends of its own; `nil` for none.
    public var sends: [Gain]?
    /// The number of the emitter that it follows; `nil` for none.
    public var leader: Int?
    /// The index of the listener that it belongs to; `nil` for the first.
    public var listener: Int?
    /// The name of the zone that it is in, or its index for one without a name; `nil` for none.
    public var zone: String?
    /// The path to its listener; `nil` for a straight path.
    public var path: Path?
    /// The occlusion and the obstruction by rays that are in force; `nil` for none.
    public var rays: Rays?

    /// Whether it plays or fades out without a voice.
    ///
    /// An emitter that waits for its start or for a limit is not virtual.
    public var isVirtual: Bool { state.isSounding && voice == nil && isWaiting != true }
  }

  /// A player.
  public struct Player: Hashable, Sendable, Codable, Identifiable {
    /// The number, which no other player or emitter of its world has.
    public var id: Int
    /// The name of the present sound.
    public var sound: String
    /// The state.
    public var state: State
    /// The name of the bus.
    public var bus: String
    /// The number of the voice; `nil` for a player without one.
    public var voice: Int?
    /// The reason why it is not heard; `nil` for a player that is heard.
    public var silence: SilenceReason?
    /// Whether its start lies ahead; `nil` for `false`.
    public var isWaiting: Bool?
    /// The position in the sound, in seconds.
    public var place: Double
    /// The predicted level at the listener, re full scale.
    public var level: Decibels
    /// The volume, a factor.
    public var volume: Gain
    /// The side, from -1 to 1; `nil` for the middle.
    public var pan: Float?
    /// The speed; `nil` for 1.
    public var pitch: Float?
    /// The number of repetitions, -1 for no end; `nil` for none.
    public var repeats: Int?
    /// The number of sounds in line behind the present one; `nil` for none.
    public var queued: Int?

    /// Whether it plays or fades out without a voice.
    ///
    /// A player that waits for its start is not virtual.
    public var isVirtual: Bool { state.isSounding && voice == nil && isWaiting != true }
  }

  /// A bus.
  public struct Bus: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// The name of the bus that contains it; `nil` for the root.
    public var parent: String?
    /// The rendering of its sounds.
    public var kind: GameAudio.Bus.Kind
    /// The gain of the bus by itself.
    public var gain: Gain
    /// The predicted level, as ``GameAudio/Bus/level``.
    public var level: Decibels
    /// The factor of the pitch; `nil` for 1.
    public var pitch: Float?
    /// The filter; `nil` for none.
    public var filter: ToneFilter?
    /// Whether it is muted; `nil` for `false`.
    public var isMuted: Bool?
    /// Whether it is soloed; `nil` for `false`.
    public var isSoloed: Bool?
    /// Whether it is paused, by itself or by a bus above it; `nil` for `false`.
    public var isPaused: Bool?
    /// The change of the level by duckers; `nil` for none.
    public var duck: Decibels?
    /// The gains of the sends; `nil` for none.
    public var sends: [Gain]?
    /// The largest number of emitters; `nil` for no limit.
    public var limit: Int?
    /// The processors of the sum; `nil` for none.
    public var inserts: [Insert]?
  }

  /// A clock of beats.
  public struct Clock: Hashable, Sendable, Codable, Identifiable {
    /// The number of the clock, which no other one of its world has.
    public var id: Int
    /// Whether it was started.
    public var isRunning: Bool
    /// The tempo, in quarter notes a minute.
    public var tempo: Double
    /// The beats of a bar, and the unit of a beat.
    public var meter: [Int]
    /// The position, in quarter notes.
    public var position: Double
  }
}

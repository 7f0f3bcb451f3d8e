internal import Spatial3D

/// The values of an emitter in a snapshot, as numbers of 32 bits.
///
/// Lines are compared number by number, and a recording keeps the numbers that have changed. Texts and rare values
/// stand as their numbers in ``SnapshotNames``. A slot without an emitter has a line of zeros.
struct EmitterLine: Sendable {
  /// The meaning of a number.
  enum Field: Int, CaseIterable {
    /// The number of the emitter, from 1.
    case id
    /// Numbers of texts; 0 for none.
    case sound, key, bus, zone
    /// Several small values: ``Status``.
    case status
    /// The number of the voice plus 1; 0 for none.
    case voice
    /// The number of the reason, or the loudness that the reason is about.
    case silence
    /// The position in the sound, in seconds: the halves of a `Double`.
    case placeLow, placeHigh
    /// The amplitude of the direct path at the listener.
    case level
    case gain, pitch
    case x, y, z
    case velocityX, velocityY, velocityZ
    case directionX, directionY, directionZ
    /// The repetitions, as in the snapshot; 0 for none.
    case repeats
    /// 0 for a straight path, 1 for a path through walls, and the index of the portal plus 2.
    case course
    case pathLength, pathMuffling
    case rayOcclusion, rayObstruction
    case occlusion, obstruction
    /// The number of ``SnapshotNames/RareValues``; 0 for none.
    case rareValues
  }

  /// The number of numbers: a difference has one bit for each, and 31 at most.
  static let count = 31

  // The compiler copies a whole line to read a number of an `InlineArray` in it; and vectors are compared at once.
  private var low = SIMD16<UInt32>.zero
  private var high = SIMD16<UInt32>.zero

  @inline(__always)
  subscript(index: Int) -> UInt32 {
    get { index < 16 ? low[index] : high[index - 16] }
    set { if index < 16 { low[index] = newValue } else { high[index - 16] = newValue } }
  }

  /// A bit for each number that differs in another line.
  @inline(__always)
  func difference(from other: EmitterLine) -> UInt32 {
    let bits = SIMD16<UInt32>(
      1,
      1 << 1,
      1 << 2,
      1 << 3,
      1 << 4,
      1 << 5,
      1 << 6,
      1 << 7,
      1 << 8,
      1 << 9,
      1 << 10,
      1 << 11,
      1 << 12,
      1 << 13,
      1 << 14,
      1 << 15
    )
    let lowBits = SIMD16<UInt32>.zero.replacing(with: bits, where: low .!= other.low).wrappedSum()
    let highBits = SIMD16<UInt32>.zero.replacing(with: bits, where: high .!= other.high).wrappedSum()
    return lowBits | highBits << 16
  }

  @inline(__always)
  subscript(field: Field) -> UInt32 {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }

  @inline(__always)
  subscript(number field: Field) -> Float {
    get { Float(bitPattern: self[field]) }
    set { self[field] = newValue.bitPattern }
  }

  /// Three fields one after the other.
  @inline(__always)
  subscript(vector first: Field) -> SIMD3<Float> {
    get {
      let index = first.rawValue
      return SIMD3(
        Float(bitPattern: self[index]),
        Float(bitPattern: self[index + 1]),
        Float(bitPattern: self[index + 2])
      )
    }
    set {
      let index = first.rawValue
      self[index] = newValue.x.bitPattern
      self[index + 1] = newValue.y.bitPattern
      self[index + 2] = newValue.z.bitPattern
    }
  }

  var isUsed: Bool { self[.id] != 0 }

  /// The position in the sound, in seconds.
  var place: Double {
    @inline(__always) get { Double(bitPattern: UInt64(self[.placeHigh]) << 32 | UInt64(self[.placeLow])) }
    @inline(__always) set {
      self[.placeLow] = UInt32(truncatingIfNeeded: newValue.bitPattern)
      self[.placeHigh] = UInt32(truncatingIfNeeded: newValue.bitPattern >> 32)
    }
  }

  var status: Status {
    @inline(__always) get { Status(bits: self[.status]) }
    @inline(__always) set { self[.status] = newValue.bits }
  }

  /// The kind of the number of a reason for silence.
  enum SilenceKind: UInt32 {
    case none
    /// The number of the reason.
    case reason
    /// The amplitude, for an emitter that is too quiet to begin or to go on with a voice.
    case tooQuiet
    /// The amplitude, for an emitter that is too quiet to get a voice again.
    case tooQuietToReturn
    /// The score, for an emitter without a voice behind the weakest that has a voice.
    case outranked
    /// The same among the streams.
    case outrankedByStreams
  }

  /// Small values of an emitter, in one number.
  struct Status {
    fileprivate(set) var bits: UInt32 = 0

    init() {}
    fileprivate init(bits: UInt32) { self.bits = bits }

    private func part(_ shift: UInt32, _ width: UInt32) -> UInt32 { bits >> shift & (1 << width - 1) }

    @inline(__always)
    private mutating func set(_ value: UInt32, _ shift: UInt32, _ width: UInt32) {
      let mask: UInt32 = (1 << width - 1) << shift
      bits = bits & ~mask | value << shift & mask
    }

    var state: EmitterRecord.Status {
      get { EmitterRecord.Status(rawValue: UInt8(part(0, 3))) ?? .idle }
      set { set(UInt32(newValue.rawValue), 0, 3) }
    }
    var silence: SilenceKind {
      get { SilenceKind(rawValue: part(3, 3)) ?? .none }
      set { set(newValue.rawValue, 3, 3) }
    }
    var behavior: VirtualBehavior {
      get { VirtualBehavior.allCases[Int(part(6, 2))] }
      set {
        let index: UInt32 =
          switch newValue {
          case .elapsedTime: 0
          case .fromBeginning: 1
          case .resume: 2
          case .stop: 3
          }
        set(index, 6, 2)
      }
    }
    var isPlaced: Bool {
      get { part(8, 1) != 0 }
      set { set(newValue ? 1 : 0, 8, 1) }
    }
    var isWaiting: Bool {
      get { part(9, 1) != 0 }
      set { set(newValue ? 1 : 0, 9, 1) }
    }
    /// The index of the listener.
    var listener: Int {
      get { Int(part(10, 4)) }
      set { set(UInt32(truncatingIfNeeded: newValue), 10, 4) }
    }
    var priority: Priority {
      get { Priority(Int(part(16, 8))) }
      set { set(UInt32(newValue.rawValue), 16, 8) }
    }
  }
}

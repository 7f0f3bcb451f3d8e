/// A box of an MPEG-4 file.
func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
  big(UInt64(8 + content.count), 4) + Array(name.utf8) + content
}

/// The descriptors of an AAC file around its configuration, with a size of one byte each.
func descriptors(_ configuration: [UInt8]) -> [UInt8] {
  let inner = [5, UInt8(configuration.count)] + configuration
  let decoder = [4, UInt8(13 + inner.count)] + [UInt8](repeating: 0x40, count: 13) + inner
  return [3, UInt8(3 + decoder.count), 0, 1, 0] + decoder
}

/// Apple Lossless' description of a stream.
func losslessCookie(frames: UInt64, bits: UInt8 = 16, channelCount: UInt8 = 1, sampleRate: UInt64 = 44_100) -> [UInt8] {
  big(frames, 4) + [0, bits, 40, 10, 14, channelCount] + big(255, 2) + big(0, 4) + big(0, 4) + big(sampleRate, 4)
}

/// The description of an MPEG-4 file, with tables that may be wrong.
struct HandMadeMovie {
  var handlers = ["soun"]
  var codec = "mp4a"
  var entryVersion: UInt64 = 0
  var channelCount: UInt64 = 1
  var sampleRate: UInt64 = 44_100
  /// The boxes with the setup of the codec.
  var setup: [UInt8] = []

  /// The version, the ticks in a second and the ticks in the sound.
  var time: (version: UInt8, scale: UInt64, length: UInt64) = (0, 44_100, 0)
  var packetDuration: UInt64 = 1_024

  /// The common size of packets, their number, and the size of each.
  var sizes: (common: UInt64, count: UInt64, list: [UInt64]) = (0, 0, [])
  /// The first chunk of each run, counted from 1, and the number of packets in each of its chunks.
  var runs: [(first: UInt64, packets: UInt64)] = [(1, 1)]
  /// The number of runs in their table, if it differs from the list.
  var runCount: UInt64?
  var offsets: [UInt64] = []
  /// The number of offsets in their table, if it differs from the list.
  var offsetCount: UInt64?
  var hasLongOffsets = false

  var movieTime: (version: UInt8, scale: UInt64)?
  var edits: (version: UInt8, list: [(length: UInt64, start: UInt64)])?
  /// The number of edits in their table, if it differs from the list.
  var editCount: UInt64?
  /// The items of iTunes.
  var items: [UInt8] = []

  static func header(_ version: UInt8, _ scale: UInt64, _ length: UInt64) -> [UInt8] {
    version == 1
      ? [1, 0, 0, 0] + big(7, 8) + big(9, 8) + big(scale, 4) + big(length, 8)
      : [version, 0, 0, 0] + big(7, 4) + big(9, 4) + big(scale, 4) + big(length, 4)
  }

  /// An item of iTunes with a name of its own.
  static func item(_ name: String, _ text: String, in kind: String = "----") -> [UInt8] {
    box(
      kind,
      box("mean", big(0, 4)) + box("name", big(0, 4) + Array(name.utf8)) + box("data", big(1, 8) + Array(text.utf8))
    )
  }

  /// The content of `stbl`.
  private var tables: [UInt8] {
    let room = entryVersion == 1 ? 16 : entryVersion == 2 ? 36 : 0
    let entry =
      big(0, 6) + big(1, 2) + big(entryVersion, 2) + big(0, 6) + big(channelCount, 2) + big(16, 2) + big(0, 4)
      + big(sampleRate, 2) + big(0, 2) + [UInt8](repeating: 0x11, count: room) + setup
    let offsetSize = hasLongOffsets ? 8 : 4
    return box("stsd", big(0, 4) + big(1, 4) + box(codec, entry))
      + box("stts", big(0, 4) + big(1, 4) + big(sizes.count, 4) + big(packetDuration, 4))
      + box("stsz", big(0, 4) + big(sizes.common, 4) + big(sizes.count, 4) + sizes.list.flatMap { big($0, 4) })
      + box(
        "stsc",
        big(0, 4) + big(runCount ?? UInt64(runs.count), 4)
          + runs.flatMap { big($0.first, 4) + big($0.packets, 4) + big(1, 4) }
      )
      + box(
        hasLongOffsets ? "co64" : "stco",
        big(0, 4) + big(offsetCount ?? UInt64(offsets.count), 4) + offsets.flatMap { big($0, offsetSize) }
      )
  }

  /// The content of `moov`.
  var bytes: [UInt8] {
    var result: [UInt8] = []
    if let movieTime { result += box("mvhd", HandMadeMovie.header(movieTime.version, movieTime.scale, 0)) }
    for handler in handlers {
      let media =
        box("mdhd", HandMadeMovie.header(time.version, time.scale, time.length))
        + box("hdlr", big(0, 8) + Array(handler.utf8) + big(0, 12))
        + box("minf", box("stbl", handler == "soun" ? tables : []))
      var track = box("mdia", media)
      if let edits {
        let width = edits.version == 1 ? 8 : 4
        let list = edits.list.flatMap { big($0.length, width) + big($0.start, width) + big(0x1_0000, 4) }
        let count = editCount ?? UInt64(edits.list.count)
        track += box("edts", box("elst", [edits.version, 0, 0, 0] + big(count, 4) + list))
      }
      result += box("trak", track)
    }
    if !items.isEmpty { result += box("udta", box("meta", box("hdlr", big(0, 8)) + box("ilst", items))) }
    return result
  }

  /// A movie with packets of one byte each in one chunk.
  init(packetCount: Int = 0) {
    sizes = (1, UInt64(packetCount), [])
    runs = [(1, UInt64(packetCount))]
    offsets = [0]
  }
}

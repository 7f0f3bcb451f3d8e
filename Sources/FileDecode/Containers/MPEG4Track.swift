/// The first sound of an MPEG-4 file.
struct MPEG4Track: Hashable, Sendable {
  /// Four characters, such as `mp4a` or `alac`.
  private(set) var codec = ""
  private(set) var sampleRate = 0
  private(set) var channelCount = 0

  /// The setup of the codec: Apple Lossless' 24 bytes, or AAC's configuration.
  private(set) var cookie: [UInt8] = []

  /// The byte range of each packet in the file.
  private(set) var packets: [Range<Int>] = []

  /// The number of frames in a packet.
  private(set) var framesPerPacket = 0

  /// The duration of all packets in frames, according to the file: the last packet may be a short one.
  private(set) var duration = 0

  /// The start of an edit and its number of frames.
  private(set) var edit: Edit?

  /// The comment of iTunes: priming, remainder and valid frames.
  private(set) var comment: Comment?

  /// Whether packets lie beyond the end of the file.
  private(set) var isCut = false

  struct Edit: Hashable, Sendable { let start, duration, tolerance: Int }
  struct Comment: Hashable, Sendable { let priming, remainder, valid: Int }

  /// Parses the description of a file, `moov`; `nil` if it has no sound.
  init?(_ movie: [UInt8], fileSize: Int) {
    let root = MPEG4Box(name: "moov", content: movie[...])
    let tracks = MPEG4Box.list(in: root.content).filter { $0.name == "trak" }
    guard
      let track = tracks.first(where: { track in
        track.first("mdia", "hdlr")?.content.dropFirst(8).prefix(4).elementsEqual("soun".utf8) == true
      }),
      let media = track.first("mdia"), let table = media.first("minf", "stbl"), parseEntry(table),
      parseTime(media, table), parsePackets(table, fileSize: fileSize)
    else { return nil }
    parseEdit(track, movieScale: root.first("mvhd").flatMap { $0.number(at: $0.content.first == 1 ? 20 : 12) } ?? 0)
    parseComment(root)
  }

  /// Parses the codec, the rate and the channels.
  private mutating func parseEntry(_ table: MPEG4Box) -> Bool {
    guard let description = table.first("stsd"),
      let entry = MPEG4Box.list(in: description.content.dropFirst(8)).first,
      let count = entry.number(at: 16, byteCount: 2), let rate = entry.number(at: 24, byteCount: 2)
    else { return false }
    codec = entry.name
    channelCount = count
    sampleRate = rate
    // Later versions of the entry are longer.
    let version = entry.number(at: 8, byteCount: 2) ?? 0
    let inner = MPEG4Box(name: "", content: entry.content.dropFirst(28 + (version == 1 ? 16 : version == 2 ? 36 : 0)))
    let box = inner.first(codec == "alac" ? "alac" : "esds") ?? inner.first("wave", codec == "alac" ? "alac" : "esds")
    guard let box else { return codec != "alac" }
    if codec == "alac" {
      cookie = Array(box.content.dropFirst(4).prefix(24))
      guard cookie.count == 24 else { return false }
      // The entry holds no rates above 65,535.
      channelCount = Int(cookie[9])
      sampleRate = Int(bytes: cookie[20..<24], isBigEndian: true)
    } else if let configuration = AACConfiguration(descriptors: box.content.dropFirst(4)) {
      cookie = configuration.bytes
      sampleRate = configuration.sampleRate ?? sampleRate
      channelCount = configuration.channelCount ?? channelCount
      framesPerPacket = configuration.framesPerPacket ?? 0
    }
    return true
  }

  /// Parses the duration of a packet and of all packets, in frames.
  private mutating func parseTime(_ media: MPEG4Box, _ table: MPEG4Box) -> Bool {
    guard let header = media.first("mdhd") else { return false }
    let isLong = header.content.first == 1
    let scale = header.number(at: isLong ? 20 : 12) ?? 0
    let length = header.number(at: isLong ? 24 : 16, byteCount: isLong ? 8 : 4) ?? 0
    duration = MPEG4Track.scaled(length, sampleRate, by: scale)
    let delta = table.first("stts")?.number(at: 12) ?? 0
    // The file may give the first packet a shorter or longer duration than the codec's.
    if framesPerPacket == 0 { framesPerPacket = MPEG4Track.scaled(delta, sampleRate, by: scale) }
    if codec == "alac" { framesPerPacket = Int(bytes: cookie[0..<4], isBigEndian: true) }
    return (1...1 << 16).contains(framesPerPacket)
  }

  /// A number of ticks as frames; 0 for an invalid number.
  private static func scaled(_ ticks: Int, _ rate: Int, by scale: Int) -> Int {
    guard scale > 0, ticks >= 0 else { return 0 }
    return Int(exactly: (Int128(ticks) * Int128(rate) + Int128(scale / 2)) / Int128(scale)) ?? 0
  }

  /// Parses the packets' positions: their sizes, their number in each run, and the start of each run.
  private mutating func parsePackets(_ table: MPEG4Box, fileSize: Int) -> Bool {
    guard let sizes = table.first("stsz"), let runs = table.first("stsc"),
      let common = sizes.number(at: 4), let claimed = sizes.number(at: 8), let runCount = runs.number(at: 4)
    else { return false }
    let long = table.first("co64")
    guard let offsets = long ?? table.first("stco"), let chunkCount = offsets.number(at: 4) else { return false }
    let offsetSize = long == nil ? 4 : 8
    let count = common > 0 ? min(claimed, fileSize / common) : min(claimed, (sizes.content.count - 12) / 4)
    var run = 0
    // Packets lie beside each other: together they are no longer than the file.
    var room = fileSize
    for chunk in 0..<min(chunkCount, (offsets.content.count - 8) / offsetSize) where packets.count < count {
      while run + 1 < runCount, let next = runs.number(at: 8 + 12 * (run + 1)), next <= chunk + 1 { run += 1 }
      guard let perChunk = runs.number(at: 12 + 12 * run),
        var place = offsets.number(at: 8 + offsetSize * chunk, byteCount: offsetSize), place >= 0
      else { break }
      for _ in 0..<min(perChunk, count - packets.count) {
        guard let size = common > 0 ? common : sizes.number(at: 12 + 4 * packets.count) else { break }
        guard size <= room, place <= fileSize - size else {
          isCut = true
          return true
        }
        room -= size
        packets.append(place..<place + size)
        place += size
      }
    }
    isCut = packets.count < claimed
    return true
  }

  /// Parses the first edit of the track that has a start.
  private mutating func parseEdit(_ track: MPEG4Box, movieScale: Int) {
    guard let list = track.first("edts", "elst"), let count = list.number(at: 4), (1...8).contains(count) else {
      return
    }
    let isLong = list.content.first == 1
    let width = isLong ? 8 : 4
    for index in 0..<count {
      let place = 8 + index * (2 * width + 4)
      guard let length = list.number(at: place, byteCount: width),
        let start = list.number(at: place + width, byteCount: width)
      else { return }
      // A negative start, -1, stands for silence in front. A number of eight bytes already has its sign.
      guard start >= 0, isLong || start < 0x8000_0000 else { continue }
      edit = Edit(
        start: start,
        duration: MPEG4Track.scaled(length, sampleRate, by: movieScale),
        tolerance: movieScale > 0 ? sampleRate / movieScale + 1 : 0
      )
      return
    }
  }

  /// Parses the comment `iTunSMPB`: hexadecimal numbers, the second of which is the priming.
  private mutating func parseComment(_ root: MPEG4Box) {
    guard let list = root.first("udta", "meta", "ilst") else { return }
    for item in MPEG4Box.list(in: list.content) where item.name == "----" {
      guard item.first("name")?.content.dropFirst(4).elementsEqual("iTunSMPB".utf8) == true,
        let data = item.first("data")
      else { continue }
      let text = String(decoding: data.content.dropFirst(8), as: UTF8.self)
      let numbers = text.split(separator: " ").map { Int($0, radix: 16) ?? -1 }
      if numbers.count >= 4 { comment = Comment(priming: numbers[1], remainder: numbers[2], valid: numbers[3]) }
    }
  }
}

extension MPEG4Track {
  /// The frames of the sound: from iTunes' comment, else from the edit list, as far as they fit the packets.
  var table: PacketTable {
    let (count, size) = (packets.count, framesPerPacket)
    func table(priming: Int?, valid: Int?, _ source: PacketTable.Source) -> PacketTable {
      PacketTable(packetCount: count, framesPerPacket: size, priming: priming, valid: valid, source: source)
    }
    let total = count * size
    if let comment, comment.priming >= 0, comment.valid > 0, comment.valid <= total - comment.priming {
      return table(priming: comment.priming, valid: comment.valid, .iTunSMPB)
    }
    if let edit, edit.start <= total {
      // The edit's duration counts in coarse ticks. If the two durations mean the same, the exact one of the media
      // counts.
      let rest = max(duration, 0) - edit.start
      let valid = abs(rest - edit.duration) <= edit.tolerance ? rest : edit.duration
      return table(priming: edit.start, valid: min(valid, total - edit.start), .editList)
    }
    return codec == "alac" ? table(priming: 0, valid: duration, .none) : table(priming: nil, valid: nil, .none)
  }

  /// Reads the description of a file with a function that reads bytes at an offset; `nil` if the file has none.
  static func movie<Failure>(fileSize: Int, reading bytes: ByteReading<Failure>) throws(Failure) -> [UInt8]? {
    var offset = 0
    for _ in 0..<1_000 {
      guard let header = try MPEG4Box.Header(bytes(offset, 16)[...]) else { return nil }
      let rest = fileSize - offset
      if header.name == "moov" {
        let size = min(header.byteCount, rest) - header.size
        return size > 0 && size <= movieLimit ? try bytes(offset + header.size, size) : nil
      }
      guard header.byteCount < rest else { return nil }
      offset += header.byteCount
    }
    return nil
  }

  private static let movieLimit = 1 << 26
}

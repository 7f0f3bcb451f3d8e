/// A number in a file that holds a size, a count or an offset.
struct SizeField {
  /// How a number is stored.
  enum Form {
    case big(bytes: Int)
    case little(bytes: Int)
    /// Four bytes of seven bits, as ID3 has them.
    case syncsafe
    /// The 13 bits of a packet's length within the seven bytes of an ADTS header, and how many blocks it has.
    case adts
  }

  let offset: Int
  let form: Form

  /// How many bytes the number takes.
  var byteCount: Int {
    switch form {
    case .big(let count), .little(let count): count
    case .syncsafe: 4
    case .adts: 7
    }
  }

  /// The number that bytes hold.
  func value(in bytes: [UInt8]) -> UInt64 {
    let stored = bytes[offset..<offset + byteCount]
    switch form {
    case .big: return stored.reduce(0) { $0 << 8 | UInt64($1) }
    case .little: return stored.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    case .syncsafe: return stored.reduce(0) { $0 << 7 | UInt64($1 & 0x7F) }
    case .adts:
      let head = Array(stored)
      return UInt64(head[3] & 3) << 11 | UInt64(head[4]) << 3 | UInt64(head[5]) >> 5
    }
  }

  /// Replaces the number that bytes hold.
  func store(_ value: UInt64, in bytes: inout [UInt8]) {
    for index in 0..<byteCount {
      let place = offset + index
      switch form {
      case .big(let count): bytes[place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
      case .little: bytes[place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      case .syncsafe: bytes[place] = UInt8(value >> UInt64(7 * (3 - index)) & 0x7F)
      case .adts:
        switch index {
        case 3: bytes[place] = bytes[place] & ~3 | UInt8(value >> 11 & 3)
        case 4: bytes[place] = UInt8(value >> 3 & 0xFF)
        case 5: bytes[place] = UInt8(value & 7) << 5 | bytes[place] & 0x1F
        case 6: bytes[place] = bytes[place] & ~3 | UInt8(value >> 13 & 3)
        default: break
        }
      }
    }
  }
}

extension SizeField {
  /// The numbers of a whole file, of whatever kind it is, and of the tags around it.
  static func all(in bytes: [UInt8]) -> [SizeField] {
    func starts(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    var fields = tags(in: bytes)
    if starts("RIFF") || starts("RF64") {
      fields += chunks(in: bytes, from: 12, nameSize: 4, .little(bytes: 4))
    } else if starts("RIFX") || starts("FORM") {
      fields += chunks(in: bytes, from: 12, nameSize: 4, .big(bytes: 4))
    } else if starts("riff") {
      fields += chunks(in: bytes, from: 40, nameSize: 16, .little(bytes: 8))
    } else if starts("caff") {
      fields += chunks(in: bytes, from: 8, nameSize: 4, .big(bytes: 8))
    } else if starts(".snd") {
      fields += words(in: bytes, 4..<24, .big(bytes: 4))
    } else if starts("fLaC") {
      fields += blocks(in: bytes)
    } else if starts("OggS") {
      fields += pages(in: bytes)
    } else if starts("ftyp", at: 4) {
      fields += boxes(in: bytes, 0..<bytes.count)
    } else if bytes.count > 2, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 {
      fields += packets(in: bytes)
    }
    return fields.filter { $0.offset + $0.byteCount <= bytes.count }
  }

  /// A form's numbers one after the other within a range.
  private static func words(in bytes: [UInt8], _ range: Range<Int>, _ form: Form) -> [SizeField] {
    let step = SizeField(offset: 0, form: form).byteCount
    return stride(from: range.lowerBound, to: min(range.upperBound, bytes.count), by: step).map {
      SizeField(offset: $0, form: form)
    }
  }

  /// The sizes of chunks, and what the first bytes of each may count.
  private static func chunks(in bytes: [UInt8], from first: Int, nameSize: Int, _ form: Form) -> [SizeField] {
    let isBig = if case .big = form { true } else { false }
    func number(_ count: Int) -> Form { isBig ? .big(bytes: count) : .little(bytes: count) }
    var fields = nameSize == 16 ? [SizeField(offset: 16, form: form)] : []
    if first == 12 { fields.append(SizeField(offset: 4, form: form)) }
    var place = first
    while place < bytes.count - nameSize {
      let size = SizeField(offset: place + nameSize, form: form)
      guard size.offset + size.byteCount <= bytes.count else { break }
      // As often as all else together: most depends on these.
      fields += [SizeField](repeating: size, count: 6)
      let start = size.offset + size.byteCount
      let length = Int(clamping: size.value(in: bytes))
      let end = start + min(length, 40)
      for count in [2, 4, 8] { fields += words(in: bytes, start..<max(start, end), number(count)) }
      guard length < bytes.count else { break }
      place =
        nameSize == 16
        ? place + max((length + 7) / 8 * 8, 24) : start + length + (nameSize + size.byteCount == 8 ? length % 2 : 0)
    }
    return fields
  }

  /// The sizes of boxes, and what the tables in them count.
  private static func boxes(in bytes: [UInt8], _ range: Range<Int>) -> [SizeField] {
    let folders = ["moov", "trak", "mdia", "minf", "stbl", "edts", "udta", "ilst", "----", "wave"]
    var fields: [SizeField] = []
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let size = SizeField(offset: place, form: .big(bytes: 4))
      let length = Int(clamping: size.value(in: bytes))
      guard length >= 8, length <= range.upperBound - place else { break }
      let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      let inside = place + 8..<place + length
      fields += [size, size]
      if folders.contains(name) {
        fields += boxes(in: bytes, inside)
      } else if name == "meta", length > 12 {
        fields += boxes(in: bytes, inside.dropFirst(4))
      } else if name == "stsd", length > 16 {
        fields += words(in: bytes, inside.prefix(60), .big(bytes: 4)) + words(in: bytes, inside, .big(bytes: 2))
      } else if name != "mdat" {
        let table = words(in: bytes, inside.prefix(48), .big(bytes: 4))
        fields += table + table
      }
      place += length
    }
    return fields
  }

  /// How many parts a page has, how long they are, and its position.
  private static func pages(in bytes: [UInt8]) -> [SizeField] {
    var fields: [SizeField] = []
    var place = 0
    while place + 27 <= bytes.count, bytes[place...].starts(with: "OggS".utf8) {
      let table = place + 27..<min(place + 27 + Int(bytes[place + 26]), bytes.count)
      fields += [26, 5].map { SizeField(offset: place + $0, form: .big(bytes: 1)) }
      fields += words(in: bytes, place + 6..<place + 14, .little(bytes: 8))
      fields += words(in: bytes, place + 14..<place + 22, .little(bytes: 4))
      fields += words(in: bytes, table, .big(bytes: 1))
      let content = table.upperBound
      place = content + bytes[table].reduce(0) { $0 + Int($1) }
      // The headers of codecs, and the lengths of comments.
      if fields.count < 200 {
        for count in [2, 4] { fields += words(in: bytes, content..<content + 40, .little(bytes: count)) }
      }
    }
    return fields
  }

  /// The lengths of FLAC's metadata blocks, and what is in them.
  private static func blocks(in bytes: [UInt8]) -> [SizeField] {
    var fields: [SizeField] = []
    var place = 4
    while place + 4 <= bytes.count {
      let size = SizeField(offset: place + 1, form: .big(bytes: 3))
      let start = place + 4
      let end = start + Int(size.value(in: bytes))
      fields += [size, size, size, SizeField(offset: place, form: .big(bytes: 1))]
      fields += words(in: bytes, start..<min(end, start + 40), .big(bytes: 2))
      fields += words(in: bytes, start..<min(end, start + 40), .little(bytes: 4))
      if bytes[place] & 0x80 != 0 { break }
      place = end
    }
    return fields
  }

  /// The lengths of AAC's packets.
  private static func packets(in bytes: [UInt8]) -> [SizeField] {
    var fields: [SizeField] = []
    var place = 0
    while place + 7 <= bytes.count {
      let size = SizeField(offset: place, form: .adts)
      fields.append(size)
      place += max(Int(size.value(in: bytes)), 7)
    }
    return fields
  }

  /// The sizes in tags: ID3 in front, APE at the end, and the encoder's in the first packet of an MP3.
  private static func tags(in bytes: [UInt8]) -> [SizeField] {
    var fields: [SizeField] = []
    if bytes.starts(with: "ID3".utf8) {
      let size = SizeField(offset: 6, form: .syncsafe)
      fields += [size, size, SizeField(offset: 6, form: .big(bytes: 4)), SizeField(offset: 3, form: .big(bytes: 1))]
      // The frames' sizes, which are syncsafe or not by the version.
      var place = 10
      while place + 10 < bytes.count, bytes[place] > 0x40, bytes[place] < 0x5B {
        let size = SizeField(offset: place + 4, form: .syncsafe)
        fields += [size, SizeField(offset: place + 4, form: .big(bytes: 4))]
        place += 10 + Int(size.value(in: bytes))
      }
    }
    for name in ["APETAGEX", "Xing", "Info", "VBRI", "LAME", "LAVC"] {
      let end = name.utf8.count
      for start in bytes.indices where bytes[start] == name.utf8.first && bytes[start...].starts(with: name.utf8) {
        let numbers = start + end..<start + end + 24
        fields += words(in: bytes, numbers, name == "APETAGEX" ? .little(bytes: 4) : .big(bytes: 4))
      }
    }
    return fields
  }
}

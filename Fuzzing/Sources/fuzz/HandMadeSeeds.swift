/// Files of kinds, and with chunks and tags, that the library does not write.
enum HandMadeSeeds {
  static let all: [(name: String, bytes: [UInt8])] = [
    ("marked.wav", wave), ("plain.rf64", rf64), ("plain.w64", w64), ("marked.aiff", aiff), ("marked.caf", caf),
    ("plain.au", au),
  ]

  /// A file with tags around it: ID3 in front, APE and the old ID3 behind.
  static func tagged(_ bytes: [UInt8]) -> [UInt8] {
    func frame(_ name: String, _ text: String) -> [UInt8] {
      Array(name.utf8) + big(text.utf8.count + 1, 4) + [0, 0, 3] + Array(text.utf8)
    }
    let frames = frame("TIT2", "Steps") + frame("TXXX", "LOOPSTART\u{0}12") + frame("TXXX", "LOOPLENGTH\u{0}700")
    let head = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
    let item = little(3, 4) + little(0, 4) + Array("LOOPSTART\u{0}".utf8) + Array("012".utf8)
    func edge(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + little(2_000, 4) + little(item.count + 32, 4) + little(1, 4) + little(flags, 4)
        + zeros(8)
    }
    let old = Array("TAGSteps".utf8) + zeros(120)
    return head + bytes + edge(0xA000_0000) + item + edge(0x8000_0000) + old
  }

  private static let samples = (0..<1_600).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) }
  private static let format =
    little(1, 2) + little(1, 2) + little(22_050, 4) + little(44_100, 4) + little(2, 2) + little(16, 2)

  private static var wave: [UInt8] {
    let loop = little(0, 4) + little(0, 4) + little(10, 4) + little(700, 4) + little(0, 4) + little(0, 4)
    let cue = little(1, 4) + little(7, 4) + little(30, 4) + Array("data".utf8) + zeros(8) + little(30, 4)
    let label = Array("adtllabl".utf8) + little(8, 4) + little(7, 4) + Array("hit\u{0}".utf8)
    let info = Array("INFOINAM".utf8) + little(6, 4) + Array("Steps\u{0}".utf8)
    let body =
      chunk("fmt ", format) + chunk("smpl", zeros(28) + little(1, 4) + zeros(4) + loop) + chunk("cue ", cue)
      + chunk("LIST", label) + chunk("LIST", info) + chunk("data", samples) + chunk("fact", little(800, 4))
    return Array("RIFF".utf8) + little(4 + body.count, 4) + Array("WAVE".utf8) + body
  }

  private static var rf64: [UInt8] {
    let sizes = little(72 + samples.count, 8) + little(samples.count, 8) + little(samples.count / 2, 8) + zeros(4)
    return Array("RF64".utf8) + little(0xFFFF_FFFF, 4) + Array("WAVE".utf8) + chunk("ds64", sizes)
      + chunk("fmt ", format)
      + Array("data".utf8) + little(0xFFFF_FFFF, 4) + samples
  }

  private static var w64: [UInt8] {
    let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let riffTail: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
    func guid(_ name: String) -> [UInt8] { Array(name.utf8) + tail }
    let fact = guid("fact") + little(32, 8) + little(samples.count / 2, 8)
    let body =
      guid("wave") + guid("fmt ") + little(40, 8) + format + fact + guid("data") + little(24 + samples.count, 8)
      + samples
    return Array("riff".utf8) + riffTail + little(24 + body.count, 8) + body
  }

  private static var aiff: [UInt8] {
    let common = big(1, 2) + big(800, 4) + big(16, 2) + [0x40, 0x0D, 0xAC, 0x44] + zeros(6)
    let marks = big(2, 2) + big(1, 2) + big(10, 4) + [1, 0x61] + big(2, 2) + big(700, 4) + [1, 0x62]
    let instrument = zeros(8) + big(1, 2) + big(1, 2) + big(2, 2) + zeros(6)
    let body =
      chunk("COMM", common, isBig: true) + chunk("MARK", marks, isBig: true) + chunk("INST", instrument, isBig: true)
      + chunk("NAME", Array("Step".utf8), isBig: true) + chunk("SSND", zeros(8) + samples, isBig: true)
    return Array("FORM".utf8) + big(4 + body.count, 4) + Array("AIFF".utf8) + body
  }

  private static var caf: [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + big(content.count, 8) + content }
    func marker(_ type: Int, _ frame: Double, _ id: Int) -> [UInt8] {
      big(type, 4) + big(Int(frame.bitPattern), 8) + big(id, 4) + [UInt8](repeating: 0xFF, count: 8) + big(0, 4)
    }
    let description =
      big(Int(Double(22_050).bitPattern), 8) + Array("lpcm".utf8) + big(0, 4) + big(2, 4) + big(1, 4) + big(1, 4)
      + big(16, 4)
    let markers = big(0, 4) + big(1, 4) + marker(0, 30, 1)
    let region = big(1, 4) + big(1, 4) + big(2, 4) + marker(1, 10, 2) + marker(2, 700, 3)
    let regions = big(0, 4) + big(1, 4) + region
    let names = big(1, 4) + big(1, 4) + big(0, 8) + Array("hit\u{0}".utf8)
    let info = big(1, 4) + Array("title\u{0}Steps\u{0}".utf8)
    return Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + chunk("mark", markers)
      + chunk("regn", regions)
      + chunk("strg", names) + chunk("info", info) + chunk("data", big(0, 4) + samples)
  }

  private static var au: [UInt8] {
    Array(".snd".utf8) + big(24, 4) + big(samples.count, 4) + big(3, 4) + big(22_050, 4) + big(1, 4) + samples
  }

  private static func chunk(_ name: String, _ content: [UInt8], isBig: Bool = false) -> [UInt8] {
    Array(name.utf8) + (isBig ? big(content.count, 4) : little(content.count, 4)) + content + zeros(content.count % 2)
  }

  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private static func little(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func big(_ value: Int, _ byteCount: Int) -> [UInt8] { little(value, byteCount).reversed() }
}

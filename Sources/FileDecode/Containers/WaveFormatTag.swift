/// The codec numbers of WAV files.
enum WaveFormatTag {
  /// The codec of a number that this library does not decode, such as `"AAC"`; `nil` for a supported number.
  static func undecodableCodec(_ tag: Int) -> String? {
    switch tag {
    // Integers, MS ADPCM, floats, A-law, mu-law and IMA ADPCM.
    case 0x01, 0x02, 0x03, 0x06, 0x07, 0x11: nil
    case 0x14, 0x40, 0x45, 0x64: "G.721 or G.726 ADPCM"
    case 0x20: "Yamaha ADPCM"
    case 0x31: "GSM 6.10"
    case 0x50: "MPEG audio in a WAV file"
    case 0x55: "MP3 in a WAV file"
    case 0x65, 0x28F: "G.722"
    case 0x92, 0x2000: "AC-3"
    case 0xFF, 0x706D, 0x1600...0x1610, 0xA106: "AAC"
    case 0x160...0x163: "Windows Media Audio"
    case 0x270: "ATRAC3"
    default: "codec \(tag) of WAV files"
    }
  }
}

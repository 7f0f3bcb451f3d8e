/// The kind of a sound file, according to its first bytes.
enum Container: Hashable, CaseIterable {
  /// RIFF or RIFX with WAVE in it.
  case wav
  /// WAVE with 64-bit sizes, the form that broadcasters use.
  case rf64
  /// Sony Wave64.
  case w64
  /// AIFF or AIFC.
  case aiff
  /// Apple's Core Audio Format.
  case caf
  /// Native FLAC.
  case flac
  /// Ogg with any content.
  case ogg
  /// An MPEG-1, -2 or -2.5 audio stream of layer I, II or III, such as an MP3.
  case mpeg
  /// Sun and NeXT audio.
  case au
  /// MPEG-4, such as an M4A.
  case mp4
  /// AAC frames without a container.
  case adts
}

extension Container {
  /// The file's name in a sentence.
  var name: String {
    switch self {
    case .wav: "a WAV file"
    case .rf64: "an RF64 file"
    case .w64: "a Wave64 file"
    case .aiff: "an AIFF file"
    case .caf: "a CAF file"
    case .flac: "a FLAC file"
    case .ogg: "an Ogg file"
    case .mpeg: "an MPEG audio file"
    case .au: "an AU file"
    case .mp4: "an MPEG-4 file"
    case .adts: "an AAC file"
    }
  }

  /// Determines a file's kind from its first bytes; `nil` for anything but a sound file.
  init?(head: [UInt8]) {
    func has(_ tag: String, at offset: Int = 0) -> Bool {
      head.count >= offset + tag.utf8.count && head[offset...].starts(with: tag.utf8)
    }
    if has("RIFF") || has("RIFX"), has("WAVE", at: 8) {
      self = .wav
    } else if has("RF64"), has("WAVE", at: 8) {
      self = .rf64
    } else if head.starts(with: Container.wave64Identifier) {
      self = .w64
    } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
      self = .aiff
    } else if has("caff") {
      self = .caf
    } else if has("fLaC") {
      self = .flac
    } else if has("OggS") {
      self = .ogg
    } else if has(".snd") {
      self = .au
    } else if has("ftyp", at: 4) {
      self = .mp4
    } else if MPEGFrameHeader.startsStream(head[...]) {
      self = .mpeg
    } else if Container.startsADTS(head) {
      self = .adts
    } else {
      return nil
    }
  }

  /// The GUID at the start of a Wave64 file.
  private static let wave64Identifier: [UInt8] = [
    0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]

  /// Whether bytes start with two frames of one bare AAC stream.
  private static func startsADTS(_ head: [UInt8]) -> Bool {
    // Twelve bits of sync, then a layer of 0, which MPEG audio does not have.
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 else { return false }
    let byteCount = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
    // The first three bytes hold the sync, the version, the profile and the rate.
    return byteCount >= 7 && head.dropFirst(byteCount).prefix(3).elementsEqual(head.prefix(3))
  }
}

/// The kind of a sound file, according to its first bytes, with its name in the public interface.
enum Container: String, CaseIterable {
  /// RIFF or RIFX with WAVE in it.
  case wav = "WAV"
  /// WAVE with 64-bit sizes, the form that broadcasters use.
  case rf64 = "RF64"
  /// Sony Wave64.
  case w64 = "Wave64"
  /// AIFF or AIFC.
  case aiff = "AIFF"
  /// Apple's Core Audio Format.
  case caf = "CAF"
  /// Native FLAC.
  case flac = "FLAC"
  /// Ogg with any content.
  case ogg = "Ogg"
  /// An MPEG-1, -2 or -2.5 audio stream of layer I, II or III, such as an MP3.
  case mpeg = "MPEG audio"
  /// Sun and NeXT audio.
  case au = "AU"
  /// MPEG-4, such as an M4A.
  case mp4 = "MPEG-4"
  /// AAC frames without a container.
  case adts = "ADTS"
}

extension Container {
  /// The file's name in a sentence.
  var name: String {
    switch self {
    case .wav, .w64, .caf, .flac: "a \(rawValue) file"
    case .rf64, .aiff, .ogg, .mpeg, .au, .mp4: "an \(rawValue) file"
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
    guard let header = ADTSScan.Header(Array(head.prefix(ADTSScan.Header.size))) else { return false }
    // The first three bytes hold the sync, the version, the profile and the rate.
    return head.dropFirst(header.byteCount).prefix(3).elementsEqual(head.prefix(3))
  }
}

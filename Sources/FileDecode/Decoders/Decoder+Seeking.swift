extension Decoder {
  /// Seeks to a frame of the sound, or to the nearest end.
  mutating func seek(toFrame frame: Int) throws(AudioFileError) {
    let last = stream.frameCount.map { $0 + stream.lead } ?? Int.max
    let target = max(stream.lead, min(max(frame, 0).addingReportingOverflow(stream.lead).partialValue, last))
    try move(to: frame > Int.max - stream.lead ? last : target)
  }

  /// Seeks to a decoded frame.
  mutating func move(to target: Int) throws(AudioFileError) {
    do throws(AudioFileError) {
      try moveDecoder(to: target)
    } catch {
      // The next call tries again to reach the frame: a decoder that was opened anew may be anywhere before it.
      setPosition(target, isBroken: true)
      throw error
    }
  }

  /// Opens the decoder anew where that is faster, or needed, and decodes up to a frame.
  private mutating func moveDecoder(to target: Int) throws(AudioFileError) {
    guard canDecode else {
      setPosition(target)
      return
    }
    if isBroken { try reopen() }
    guard target != position else { return }
    if let preRoll = stream.seekPreRoll {
      if !(0...preRoll).contains(target - position) { try jump(to: max(target - preRoll, 0), for: target) }
    } else if stream.plan.signature.container == .ogg {
      try approach(target)
    } else if target < position {
      try reopen()
    }
    try skip(to: target)
  }

  /// Seeks to a decoded frame at or before a position, from which the frame at a target decodes to the right samples.
  private mutating func jump(to frame: Int, for target: Int) throws(AudioFileError) {
    if let scan = stream.plan.mpeg {
      let packet = target / scan.header.framesPerPacket
      let start = try scan.start(forPacket: packet, reading: source.reader(path: path))
      let view = SplicedBytes(source, mpeg: scan, ranges: start.ranges)
      try replaceFrames(view, position: start.packet * scan.header.framesPerPacket)
    } else if let aac = stream.plan.aac {
      // A packet without bytes of its own needs the bytes of the packet before it.
      let packet =
        (0...frame / aac.framesPerPacket).last { aac.packets.indices.contains($0) && !aac.packets[$0].isEmpty } ?? 0
      try replaceFrames(aac, fromPacket: packet)
    } else if seekFrames(toFrame: frame) {
      setPosition(frame)
    } else {
      // The position of libsndfile after a failed seek is undefined.
      try reopen()
    }
  }

  /// Seeks to a decoded frame at or before a position in an Ogg file.
  private mutating func approach(_ target: Int) throws(AudioFileError) {
    // To decode half a second takes less time than to open the decoder anew.
    guard !(0...stream.format.sampleRate / 2).contains(target - position) else { return }
    if let start = try oggStart(toFrame: target) {
      if (start.frame...target).contains(position) { return }
      if try replaceFrames(from: start) { return }
    }
    if target < position { try reopen() }
  }

  /// Decodes and drops frames up to a position or the end.
  mutating func skip(to target: Int) throws(AudioFileError) {
    guard position < target else { return }
    var dropped = PCMBuffer<Float>(format: stream.format)
    dropped.reserveCapacity(frames: SampleConversion.blockSize)
    while position < target {
      dropped.removeAll(adopting: stream.format)
      if try appendDecoded(target - position, to: &dropped) == 0 { return }
    }
  }

  private mutating func reopen() throws(AudioFileError) {
    if let aac = stream.plan.aac {
      try replaceFrames(aac, fromPacket: 0)
    } else if try !useLibAVCodec(from: nil) {
      try replaceFrames(stream.plan.view, position: 0)
    }
  }
}

extension AudioStream {
  /// The number of frames to decode at once; `nil` for encodings without this need.
  ///
  /// At the point of damage in an MPEG file, libsndfile drops all frames of the current call. A call for one packet at
  /// a time loses the least, and loses the same for every requested number.
  var packetSize: Int? { plan.mpeg?.header.framesPerPacket }

  /// Whether samples can decode to a value that is not a finite number.
  var mayBeNonFinite: Bool { subFormat?.mayBeNonFinite ?? true }

  /// The number of frames before the target to jump to, so that decoding up to the target gives the right samples.
  ///
  /// It is `nil` if the decoder's jumps are not reliable. An MP3 packet takes bits from the packets before it, and
  /// `MPEGScan` determines their number. A packet of AAC overlaps with the packet before it.
  var seekPreRoll: Int? {
    if let mpeg = plan.mpeg { return MPEGScan.mostEarlierPackets * mpeg.header.framesPerPacket }
    if let aac = plan.aac { return 2 * aac.framesPerPacket }
    return subFormat?.hasExactJumps == true && frameCount != nil ? 0 : nil
  }
}

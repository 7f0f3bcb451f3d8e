extension Decoder {
  /// Makes a frame of the sound the next to be decoded, or the nearest end.
  mutating func seek(toFrame frame: Int) throws(AudioFileError) {
    let last = stream.frameCount.map { $0 + stream.lead } ?? Int.max
    let target = max(stream.lead, min(max(frame, 0).addingReportingOverflow(stream.lead).partialValue, last))
    do {
      try move(to: frame > Int.max - stream.lead ? last : target)
    } catch {
      // The next call tries again to get there.
      setPosition(target, isBroken: true)
      throw error
    }
  }

  /// Makes a decoded frame the next.
  mutating func move(to target: Int) throws(AudioFileError) {
    guard canDecode else {
      setPosition(target)
      return
    }
    if isBroken { try reopen() }
    guard target != position else { return }
    if let preRoll = stream.seekPreRoll {
      if !(0...preRoll).contains(target - position) { try jump(to: max(target - preRoll, 0)) }
    } else if target < position {
      try reopen()
    }
    try skip(to: target)
  }

  /// Makes a decoded frame at or before a place the next.
  private mutating func jump(to frame: Int) throws(AudioFileError) {
    if let scan = stream.plan.mpeg {
      let start = scan.ranges(fromPacket: frame / scan.header.framesPerPacket)
      let view = ByteView(source, mpeg: scan, ranges: start.ranges)
      try replaceFrames(view, position: start.packet * scan.header.framesPerPacket)
    } else if let aac = stream.plan.aac {
      // One that comes in the bytes of another needs those.
      let packet =
        (0...frame / aac.framesPerPacket).last { aac.packets.indices.contains($0) && !aac.packets[$0].isEmpty } ?? 0
      try replaceFrames(aac, fromPacket: packet)
    } else if seekFrames(toFrame: frame) {
      setPosition(frame)
    } else {
      // Where a failed seek leaves libsndfile is not defined.
      try reopen()
    }
  }

  /// Decodes and drops frames up to a place or the end.
  mutating func skip(to target: Int) throws(AudioFileError) {
    var dropped = PCMBuffer<Float>(format: stream.format)
    dropped.reserveCapacity(frames: Decoder.blockSize)
    while position < target {
      dropped.removeAll(adopting: stream.format)
      if try appendDecoded(target - position, to: &dropped) == 0 { return }
    }
  }

  private mutating func reopen() throws(AudioFileError) {
    if let aac = stream.plan.aac {
      try replaceFrames(aac, fromPacket: 0)
    } else {
      try replaceFrames(stream.plan.view, position: 0)
    }
  }
}

extension AudioStream {
  /// How many frames must be decoded at once, for encodings where that makes a difference.
  ///
  /// Where an MPEG file breaks off, libsndfile drops all that it decoded in the same call: one packet at a time loses the
  /// least, and the same whatever is asked for.
  var packetSize: Int? { plan.mpeg?.header.framesPerPacket }

  /// Whether samples can decode to something that is not a finite number.
  var mayBeNonFinite: Bool { subFormat?.mayBeNonFinite ?? true }

  /// How many frames before the target the decoder has to jump to, so that decoding up to it gives the right samples;
  /// `nil` where no jump can be trusted.
  ///
  /// An MP3 packet takes bits from those before it: at the lowest bit rates from two dozen, without which the decoder is
  /// silent. A packet of AAC overlaps with the one before it.
  var seekPreRoll: Int? {
    if let mpeg = plan.mpeg { return 32 * mpeg.header.framesPerPacket }
    if let aac = plan.aac { return 2 * aac.framesPerPacket }
    return subFormat?.hasExactJumps == true && frameCount != nil ? 0 : nil
  }
}

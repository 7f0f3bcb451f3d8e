/// The chunks of a WAV file or one of its kin that describe its sound.
struct WaveFormat: Hashable, Sendable {
  /// The number of frames in a block of ADPCM.
  private(set) var framesPerBlock: Int?
  /// The number of bytes in a block of IMA ADPCM.
  private(set) var imaBlockSize: Int?
  /// WAVE's bits for the channels; 0 for none, and without the extended format.
  let channelMask: Int
  /// The number of frames in the file, according to the chunk `fact`.
  private(set) var factFrames: Int?

  init?<Failure>(in container: Container, reading bytes: ByteReading<Failure>) throws(Failure) {
    let isBigEndian = try bytes(0, 4).elementsEqual("RIFX".utf8)
    guard let chunk = try Chunk.first("fmt ", in: container, reading: bytes) else { return nil }
    let format = try bytes(chunk.offset, 40)
    guard format.count >= 16 else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int {
      Int(bytes: format.dropFirst(offset).prefix(count), isBigEndian: isBigEndian)
    }
    // In the extended format the tag is the start of a GUID.
    let isExtended = number(0, 2) == 0xFFFE
    let tag = isExtended ? number(24, 2) : number(0, 2)
    channelMask = isExtended ? number(20, 4) : 0
    let channelCount = number(2, 2)
    guard tag == 0x02 || tag == 0x11, channelCount > 0 else { return }
    // The format chunk also holds the number; the block size gives the same one.
    let blockSize = number(12, 2)
    let room = blockSize / channelCount
    imaBlockSize = tag == 0x11 ? blockSize : nil
    framesPerBlock = tag == 0x11 ? max((room - 4) * 2 + 1, 0) : max((room - 7) * 2 + 2, 0)
    guard let fact = try Chunk.first("fact", in: container, reading: bytes) else { return }
    let count = try bytes(fact.offset, 4)
    if count.count == 4 { factFrames = Int(bytes: count, isBigEndian: isBigEndian) }
  }

  /// The packet table of ADPCM for a number of decoded frames; `nil` for a codec without blocks.
  func table(decoded: Int) -> PacketTable? {
    guard let framesPerBlock, framesPerBlock > 0 else { return nil }
    // The count of `fact` is plausible if the remainder is less than a block.
    let remainder = decoded - (factFrames ?? 0)
    let isPlausible = remainder < decoded && (0..<framesPerBlock).contains(remainder)
    return PacketTable(
      packetCount: (decoded + framesPerBlock - 1) / framesPerBlock,
      framesPerPacket: framesPerBlock,
      decoded: decoded,
      remainder: isPlausible ? remainder : 0,
      source: isPlausible ? .fact : .none
    )
  }
}

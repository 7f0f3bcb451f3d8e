import FileDecode
import TestSupport
import Testing

@Suite struct MutationTests {
  /// Changes some bytes, and sometimes cuts, repeats or inserts a part.
  private func mutate(_ original: [UInt8], using generator: inout SplitMix64) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      // Half of the changes hit the header, whose numbers decide about memory.
      let end = Bool.random(using: &generator) ? min(bytes.count, 100) : bytes.count
      let offset = Int.random(in: 0..<end, using: &generator)
      bytes[offset] =
        [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator) ?? 0
    }
    let offset = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: bytes.removeSubrange(offset...)
    case 1: bytes.removeSubrange(offset..<min(offset + 40, bytes.count))
    case 2: bytes.insert(contentsOf: bytes[offset..<min(offset + 40, bytes.count)], at: offset)
    default: break
    }
    // The decoder would skip the pages of an Ogg file with wrong checksums.
    repairOggChecksums(&bytes)
    return bytes
  }

  private func check(_ original: [UInt8], seed: UInt64, count: Int) throws {
    let folder = try TemporaryFolder()
    var generator = SplitMix64(seed: seed)
    var openedCount = 0
    for _ in 0..<count {
      let bytes = mutate(original, using: &generator)
      let path = try folder.write(bytes, as: "a")
      let error = failure { () throws(AudioFileError) in
        let file = try AudioFile(opening: path)
        openedCount += 1
        let whole = try file.readAll()
        // A sample may come from a fraction of a byte, but the file's real size bounds the memory, not its claims.
        let limit = max(64 * bytes.count, 4 * 4_096) * file.format.channelCount
        #expect(whole.samples.capacity <= limit + 64)
        #expect(whole.samples.allSatisfy { $0.isFinite })
        try file.seek(toFrame: whole.frameCount / 2)
        var block = PCMBuffer<Float>(format: file.format)
        _ = try file.read(into: &block)
      }
      // Any other code is a bug of the package, for example the code for too many open files.
      let codes: [AudioFileError.Code?] = [
        nil, .unrecognizedFormat, .unsupportedEncoding, .unsupportedFormat, .damagedFile, .emptyFile,
      ]
      #expect(codes.contains(error?.code), "\(error?.message ?? "")")
    }
    // Most files still open; otherwise the test covers little.
    #expect(openedCount > count / 10)
  }

  @Test(arguments: ["a.wav", "a.flac", "a.aiff", "a.ogg", "a.caf"])
  func `A thousand damaged files of each kind neither crash nor take memory`(name: String) throws {
    let folder = try TemporaryFolder()
    let original = try bytes(of: save(noise(600, .stereo(sampleRate: 22_050)), to: folder.file(name)))
    try check(original, seed: 2_026, count: 1_000)
  }

  @Test func `Damaged files of kinds that are only read neither crash nor take memory`() throws {
    for (seed, original) in [Fixtures.opus, Fixtures.imaADPCM].enumerated() {
      try check(original, seed: UInt64(seed), count: 400)
    }
  }
}

#if LibAVCodec
  import Synchronization
  import TestSupport
  import Testing

  @testable import FileDecode

  /// Vorbis that libavcodec decodes, compared with libsndfile: the same frames, and nearly the same samples.
  @Suite struct LibAVCodecTests {
    /// The sound of libsndfile alone; `nil` if libsndfile refuses the file.
    private func reference(_ bytes: [UInt8]) -> [Float]? {
      guard let source = try? ByteSource(bytes, path: "a"),
        let plan = try? DecodePlan(source, reading: source.reader(path: "a"), path: "a"),
        var handle = try? SoundHandle(plan.view, plan.decodedContainer, path: "a"),
        let stream = try? AudioStream(
          handle.header,
          plan,
          trimming: .automatic,
          reading: source.reader(path: "a"),
          path: "a"
        )
      else { return nil }
      let channelCount = handle.header.channelCount
      var samples: [Float] = []
      var count = 0
      repeat {
        count = samples.count
        let wanted = min(4_096, (stream.end ?? Int.max) - count / channelCount)
        samples.append(addingCapacity: wanted * channelCount) { _ = handle.read(wanted, into: &$0) }
      } while samples.count > count
      var span = samples.mutableSpan
      SampleConversion.silenceNonFinite(&span)
      stream.channelOrder?.apply(to: &span)
      return samples
    }

    /// Compares a file with libsndfile, and returns whether libavcodec has decoded some of it, and libsndfile the rest.
    @discardableResult
    private func compare(
      _ bytes: [UInt8],
      _ name: String,
      within limit: Float? = 1e-6
    ) throws -> (isOther: Bool, changes: Bool) {
      let expected = try #require(reference(bytes), "\(name)")
      let file = try AudioFile(bytes: bytes)
      let found = try file.readAll().samples
      #expect(found.count == expected.count, "\(name)")
      let difference = largestDifference(found, expected)
      if let limit { #expect(difference < limit, "\(name)") }
      let isOther = found != expected
      let use = try file.withDecoder { client in client.decoder.libAVCodecUse }
      return (isOther, isOther && use == .ruledOut)
    }

    private func written<Sample: PCMSample>(_ buffer: PCMBuffer<Sample>, as name: String) throws -> [UInt8] {
      let folder = try TemporaryFolder()
      return try bytes(of: save(buffer, to: folder.file(name)))
    }

    @Test(arguments: ["vorbis.ogg", "surround.ogg"])
    func `Fixtures decode to the frames of libsndfile`(name: String) throws {
      #expect(try compare(FixtureFiles.bytes(name), name).isOther)
    }

    @Test(arguments: [1, 2])
    func `Files of every length decode to the frames of libsndfile`(channelCount: Int) throws {
      let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
      for frameCount in [1, 2, 63, 64, 65, 311, 312, 313, 960, 1_000, 4_097, 47_999, 48_000, 48_001, 150_000] {
        let isOther = try compare(written(noise(frameCount, format), as: "a.ogg"), "\(frameCount)").isOther
        if frameCount >= 960 { #expect(isOther, "\(frameCount)") }
      }
    }

    @Test(arguments: [8_000, 11_025, 22_050, 32_000, 44_100, 96_000])
    func `Vorbis at every rate decodes to the frames of libsndfile`(sampleRate: Int) throws {
      let bytes = try written(tones(2 * sampleRate, .stereo(sampleRate: sampleRate)), as: "a.ogg")
      #expect(try compare(bytes, "\(sampleRate)").isOther)
    }

    @Test(arguments: 3...8)
    func `Surround sound keeps its channels`(channelCount: Int) throws {
      let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
      // Each channel has another loudness.
      let whole = try noise(30_000, format).samples
      let samples = whole.indices.map { index -> Float in
        let gain = Float(index % channelCount + 1) / Float(channelCount)
        return gain * Float(whole[index]) / 32_768
      }
      #expect(try compare(written(PCMBuffer(samples: samples, format: format), as: "a.ogg"), "\(channelCount)").isOther)
    }

    @Test(arguments: [1, 3, 50])
    func `Packets over several pages decode to the frames of libsndfile`(segmentCount: Int) throws {
      let bytes = try written(noise(60_000, .stereo(sampleRate: 48_000)), as: "a.ogg")
      let file = try repaged(bytes, frameCount: 60_000, segmentCount: segmentCount)
      #expect(try compare(file, "\(segmentCount)").isOther)
    }

    @Test func `libsndfile decodes Opus`() throws {
      for channelCount in [1, 2] {
        let format = PCMFormat(sampleRate: 48_000, layout: .usual(channelCount: channelCount))
        #expect(try !compare(written(tones(48_000, format), as: "a.opus"), "\(channelCount)").isOther)
      }
    }

    @Test func `A file goes on at the frame of a page that is not regular`() throws {
      let written = try written(tones(60_000, .mono(sampleRate: 48_000)), as: "a.ogg")
      let whole = try repaged(written, frameCount: 60_000, segmentCount: 12)
      let pages = oggPageRanges(whole)
      #expect(pages.count > 6)
      for page in pages.dropFirst(3) {
        var bytes = whole
        bytes[page.lowerBound + 14] ^= 1
        repairOggChecksums(&bytes)
        // Without its last page, the file ends in front of the page.
        #expect(try compare(bytes, "\(page)").changes == (page != pages.last))
      }
    }

    /// A reader whose reads fail, three in a row.
    private final class UnsteadyReader: AudioByteReader {
      private struct Failure: Error {}

      private let content: [UInt8]
      private let countdown = Mutex(Int.max)

      init(_ content: [UInt8]) {
        self.content = content
      }

      var byteCount: Int { content.count }

      /// Lets the three reads behind a number of reads fail.
      func fail(behind count: Int) { countdown.withLock { $0 = count } }

      func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        let fails = countdown.withLock { reads in
          reads -= 1
          // A read that fails once is repeated, and the program gets no error.
          return (-3..<0).contains(reads)
        }
        if fails { throw Failure() }
        return Array(content.dropFirst(offset).prefix(count))
      }
    }

    @Test(arguments: [false, true])
    func `No frame is lost by a read that fails`(isRegular: Bool) throws {
      var bytes = try written(noise(960_000, .mono(sampleRate: 48_000)), as: "a.ogg")
      if !isRegular {
        // The file changes its decoder at the third page from the end.
        let pages = oggPageRanges(bytes)
        bytes[pages[pages.count - 3].lowerBound + 5] |= 2
        repairOggChecksums(&bytes)
      }
      let whole = try AudioFile(bytes: bytes).readAll()
      var failureCount = 0
      for count in 0..<8 {
        let reader = UnsteadyReader(bytes)
        let file = try AudioFile(reading: reader)
        var block = PCMBuffer<Float>(format: file.format)
        var samples: [Float] = []
        reader.fail(behind: count)
        while true {
          do {
            guard try file.read(into: &block) > 0 else { break }
            samples += block.samples
          } catch {
            samples += block.samples
            failureCount += 1
            // Each attempt reads further than the attempt before.
            reader.fail(behind: count + failureCount)
          }
          try #require(failureCount < 1_000)
        }
        #expect(samples.count == whole.samples.count, "\(count)")
        #expect(largestDifference(samples, whole.samples) < 1e-6, "\(count)")
      }
      #expect(failureCount > 0)
    }

    @Test func `Mutated files decode to the frames of libsndfile`() throws {
      let written = try written(tones(60_000, .mono(sampleRate: 48_000)), as: "a.ogg")
      let (bytes, count) = (try repaged(written, frameCount: 60_000, segmentCount: 6), 600)
      var generator = SplitMix64(seed: 77)
      var (comparedCount, changeCount) = (0, 0)
      for index in 0..<count {
        let changed = mutatedOgg(bytes, using: &generator)
        guard let file = try? AudioFile(bytes: changed.bytes), (try? file.readAll()) != nil else { continue }
        comparedCount += 1
        // Decoders need not agree on the sound of damaged packets.
        let result = try compare(changed.bytes, "file \(index)", within: changed.changesPackets ? nil : 1e-6)
        if result.changes { changeCount += 1 }
      }
      #expect(comparedCount > count / 2 && changeCount > count / 10, "\(comparedCount), \(changeCount)")
    }

    @Test func `A file that is cut anywhere decodes to the frames of libsndfile`() throws {
      let bytes = try written(tones(480_000, .stereo(sampleRate: 48_000)), as: "a.ogg")
      for count in stride(from: bytes.count - 1, to: bytes.count / 3, by: -bytes.count / 60) {
        let cut = Array(bytes.prefix(count))
        guard (try? AudioFile(bytes: cut).readAll()) != nil else { continue }
        try compare(cut, "\(count)")
      }
    }

    @Test func `Blocks of any size return the frames of a whole read`() throws {
      let bytes = try written(noise(50_000, .stereo(sampleRate: 48_000)), as: "a.ogg")
      let whole = try AudioFile(bytes: bytes).readAll()
      for size in [1, 7, 100, 959, 5_000] {
        let file = try AudioFile(bytes: bytes)
        var block = PCMBuffer<Float>(format: file.format)
        var samples: [Float] = []
        while try file.read(into: &block, maxFrames: size) > 0 { samples += block.samples }
        #expect(samples == whole.samples, "\(size)")
      }
    }
  }
#endif

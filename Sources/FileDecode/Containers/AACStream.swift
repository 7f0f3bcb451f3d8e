/// The packets of an AAC file, and the setup of their decoder.
struct AACStream: Hashable, Sendable {
  let configuration: [UInt8]
  /// The byte range of each packet; an empty one shares the bytes of the packet before it.
  let packets: [Range<Int>]
  let framesPerPacket: Int
  let format: PCMFormat

  init(_ track: MPEG4Track) {
    configuration = track.cookie
    packets = track.packets
    framesPerPacket = track.framesPerPacket
    format = AACStream.format(track.sampleRate, track.channelCount)
  }

  init(_ scan: ADTSScan) {
    // Each packet has its own header.
    configuration = []
    packets = scan.packets
    framesPerPacket = ADTSScan.framesPerPacket
    format = AACStream.format(scan.sampleRate, scan.channelCount)
  }

  init?(_ structure: CAFStructure, _ layout: ChannelLayout) {
    guard let configuration = AACConfiguration(descriptors: structure.cookie[...]), structure.sampleRate.isFinite,
      (0.0...1e9).contains(structure.sampleRate), (1...1 << 16).contains(structure.framesPerPacket)
    else { return nil }
    self.configuration = configuration.bytes
    var place = structure.dataRange.lowerBound
    packets = structure.packetSizes.map { size in
      defer { place += size }
      return place..<place + size
    }
    framesPerPacket = structure.framesPerPacket
    format = AACStream.format(Int(structure.sampleRate), configuration.channelCount ?? structure.channelCount)
  }

  private static func format(_ sampleRate: Int, _ channelCount: Int) -> PCMFormat {
    PCMFormat(sampleRate: sampleRate, layout: .usual(channelCount: channelCount))
  }
}

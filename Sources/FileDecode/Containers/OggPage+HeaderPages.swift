extension OggPage {
  /// Pages with the packets of headers, from a number on.
  static func headerPages(
    _ packets: [[UInt8]],
    serial: some Sequence<UInt8>,
    firstNumber: Int,
    startsStream: Bool = false
  ) -> [[UInt8]] {
    var segments: [(content: ArraySlice<UInt8>, startsPacket: Bool)] = []
    for packet in packets {
      // A packet ends with a segment of fewer than 255 bytes.
      for place in stride(from: 0, through: packet.count, by: 255) {
        segments.append((packet[place..<min(place + 255, packet.count)], place == 0))
      }
    }
    return stride(from: 0, to: segments.count, by: 255).enumerated().map { index, place in
      let own = segments[place..<min(place + 255, segments.count)]
      let endsPacket = own.contains { $0.content.count < 255 }
      let flags: UInt8 = (segments[place].startsPacket ? 0 : 1) | (startsStream && index == 0 ? 2 : 0)
      var page = Array("OggS".utf8) + [0, flags]
      // The position: 0 on pages of headers, and -1 on a page in which no packet ends.
      page += littleEndian(endsPacket ? 0 : -1, 8) + serial + littleEndian(firstNumber + index, 4)
      page += [0, 0, 0, 0, UInt8(own.count)] + own.map { UInt8($0.content.count) }
      for segment in own { page += segment.content }
      sign(&page)
      return page
    }
  }
}

/// The number of frames that a file of a size can hold, whatever its header claims.
struct SizePlausibility: Hashable, Sendable {
  /// The most frames in a byte.
  let possibleFramesPerByte: Int

  /// The most frames in a byte of files that are not mostly silence.
  let likelyFramesPerByte: Int

  /// Encodings with a fixed number of bits a sample; the smallest, ADPCM in mono, has two samples in a byte.
  static let fixed = SizePlausibility(possibleFramesPerByte: 2, likelyFramesPerByte: 2)

  /// Encodings in packets, where silence costs next to nothing: FLAC has up to 65,535 frames in about 10 bytes.
  static let packets = SizePlausibility(possibleFramesPerByte: 8_192, likelyFramesPerByte: 64)

  /// A claimed number of frames; `nil` if a file of the size cannot hold it.
  func plausible(_ claim: Int?, byteCount: Int) -> Int? {
    guard let claim else { return nil }
    return claim <= SizePlausibility.product(byteCount, possibleFramesPerByte) ? claim : nil
  }

  /// The number of frames to reserve memory for before the first is decoded.
  func initialReservation(claim: Int?, byteCount: Int) -> Int {
    min(claim ?? 0, SizePlausibility.product(byteCount, likelyFramesPerByte), SizePlausibility.trustedFrameCount)
  }

  /// The number of frames to reserve memory for once the memory is full: four times the decoded frames, clamped to the
  /// claim.
  ///
  /// If the claim is true, the last growth fits exactly. Growth never takes more memory than the frames themselves in
  /// the end, as the old memory is at most a quarter of the new.
  static func nextReservation(claim: Int?, decoded: Int) -> Int {
    let ample = max(product(decoded, 4), 4_096)
    guard let claim, claim > decoded else { return ample }
    return min(claim, ample)
  }

  /// The most frames to reserve memory for because of a header alone.
  private static let trustedFrameCount = 1 << 20

  private static func product(_ a: Int, _ b: Int) -> Int {
    let (result, overflow) = max(a, 0).multipliedReportingOverflow(by: b)
    return overflow ? Int.max : result
  }
}

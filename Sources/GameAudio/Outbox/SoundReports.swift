/// The reports of sounds that could not be loaded or are not as the game expects them.
///
/// A report is made once for a reason, until the sound is whole.
struct SoundReports: Sendable {
  private var recent = RecentReports()

  /// Whether a fault of the sounds of a name was not reported lately; it counts as reported from now on.
  mutating func isNew(_ fault: ValueFault, of owner: FaultOwner) -> Bool {
    recent.isNew("", about: ReportKey.fault(fault, of: owner))
  }

  /// The report of a loop range of which only a part is inside of a sound, once for each range of a name.
  mutating func cut(_ range: Range<Int>, of name: String, to part: Range<Int>, frameCount: Int) -> Diagnostic? {
    guard recent.isNew("", about: ReportKey.loopRange(range, ofSound: name)) else { return nil }
    return .loopRangeCut(range, name, to: part, frameCount: frameCount)
  }

  /// The report of a loop range that a player sets.
  mutating func cut(_ range: Range<Int>?, of opened: OpenedSound) -> Diagnostic? {
    guard let range, let count = opened.frameCount else { return nil }
    let part = range.clamped(to: 0..<count)
    return part == range ? nil : cut(range, of: opened.name, to: part, frameCount: count)
  }

  /// The reports of a loading: also that the sound is missing, or holds less than it should.
  mutating func reports(
    of outcome: LoadedSound.Outcome,
    _ content: SoundContent,
    _ keys: [SoundKey],
    in table: inout SoundTable,
    at sampleRate: Int
  ) -> [Diagnostic] {
    var reports: [Diagnostic] = []
    let failure: Diagnostic?
    switch outcome {
    case .success(let sound):
      reports = self.reports(of: [(content, sound)], in: &table, at: sampleRate)
      failure = sound.isTruncated ? .soundIncomplete(content, keys, sound) : nil
    case .failure(let error): failure = .soundUnavailable(content, keys, error)
    }
    let name = "\(keys.map(\.name)) \(content.path ?? "\(content.identity)")"
    if let failure {
      if recent.isNew(failure.message, about: name) { reports.append(failure) }
    } else {
      recent.forget(name)
    }
    return reports
  }

  /// The reports of sounds that were mixed down, of cut loop ranges, and of sounds of a bank with another rate.
  ///
  /// A name in a bank has each report once.
  mutating func reports(
    of sounds: [(content: SoundContent, sound: LoadedSound)],
    in table: inout SoundTable,
    at sampleRate: Int
  ) -> [Diagnostic] {
    var reports: [Diagnostic] = []
    var others: [(name: String, rate: Int)] = []
    for (content, sound) in sounds {
      let name = content.name
      if sound.mixedChannels > 1, table.isNew(.mixedDown, of: content) {
        reports.append(.soundMixedDown(name, from: sound.mixedChannels))
      }
      if let range = sound.outerLoopRange,
        let cut = cut(range, of: name, to: sound.stored.loopRange, frameCount: sound.stored.frameCount)
      {
        reports.append(cut)
      }
      // Samples that were converted for another rate are made anew for this rate.
      let rate = sound.origin?.mixRate ?? sampleRate
      guard content.bank != nil, sound.buffer != nil, ![rate, sampleRate].contains(sound.sampleRate) else { continue }
      if table.isNew(.resampled, of: content) { others.append((name, sound.sampleRate)) }
    }
    if !others.isEmpty { reports.append(.soundsResampled(others, sampleRate)) }
    return reports
  }
}

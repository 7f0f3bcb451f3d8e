internal import Spatial3D

extension WorldSnapshot {
  /// The snapshot of lines, which are in any order.
  init(_ rest: SnapshotRest, _ lines: [EmitterLine], _ names: SnapshotNames) {
    self = rest.snapshot
    let used = lines.indices.filter { lines[$0].isUsed }.sorted { lines[$0][.id] < lines[$1][.id] }
    emitters.reserveCapacity(used.count)
    for index in used { emitters.append(Emitter(lines[index], rest, names)) }
  }
}

extension WorldSnapshot.State {
  init(_ status: EmitterRecord.Status) {
    self =
      switch status {
      case .idle: .idle
      case .loading: .loading
      case .playing: .playing
      case .paused, .pausedBeforeStart: .paused
      case .stopping: .stopping
      case .pausing: .pausing
      }
  }
}

extension WorldSnapshot.Emitter {
  fileprivate init(_ line: EmitterLine, _ rest: SnapshotRest, _ names: SnapshotNames) {
    let status = line.status
    self.init(
      id: Int(line[.id]),
      sound: names.texts[line[.sound]] ?? "",
      key: names.texts[line[.key]],
      state: .init(status.state),
      position: status.isPlaced ? line[vector: .x].atMicro : nil,
      bus: names.texts[line[.bus]] ?? "",
      voice: line[.voice] == 0 ? nil : Int(line[.voice]) - 1,
      silence: line.silence(rest, names),
      place: line.place.atMicro,
      level: status.state == .idle ? .silence : max(Decibels(factor: line[number: .level]), -160).atMicro,
      gain: Gain(line[number: .gain].atMicro)
    )
    if status.isWaiting { isWaiting = true }
    if line[number: .pitch] != 1 { pitch = line[number: .pitch].atMicro }
    if status.priority != .normal { priority = Int(status.priority.rawValue) }
    if line[.repeats] != 0 { repeats = Int(Int32(bitPattern: line[.repeats])) }
    if status.behavior != .elapsedTime { virtualBehavior = status.behavior }
    if line[vector: .velocityX] != .zero { velocity = line[vector: .velocityX].atMicro }
    if line[vector: .directionX] != .zero { direction = line[vector: .directionX].atMicro }
    if status.listener > 0 { listener = status.listener }
    zone = names.texts[line[.zone]]
    path = line.path
    rays = line.rays
    if line[number: .occlusion] != 0 { occlusion = Decibels(line[number: .occlusion]).atMicro }
    if line[number: .obstruction] != 0 { obstruction = Decibels(line[number: .obstruction]).atMicro }
    guard let rare = names.rareValues[line[.rareValues]] else { return }
    (cone, radius, sends, leader) = (rare.cone, rare.radius, rare.sends, rare.leader)
  }
}

extension EmitterLine {
  fileprivate func silence(_ rest: SnapshotRest, _ names: SnapshotNames) -> SilenceReason? {
    let number = self[number: .silence]
    let reason: SilenceReason? =
      switch status.silence {
      case .none: nil
      case .reason: names.reasons[self[.silence]]
      case .tooQuiet: .tooQuiet(number, below: Audibility.threshold)
      case .tooQuietToReturn: .tooQuiet(number, below: Audibility.thresholdOfReturn)
      case .outranked: .lacking(number, below: rest.lowestScore)
      case .outrankedByStreams: .lacking(number, below: rest.lowestScoreOfStreams)
      }
    return reason?.atMicro
  }

  fileprivate var path: WorldSnapshot.Path? {
    guard self[.course] > 0 else { return nil }
    var path = WorldSnapshot.Path(length: self[number: .pathLength].atMicro)
    if self[.course] > 1 { path.portal = Int(self[.course]) - 2 }
    if self[number: .pathMuffling] != 0 { path.muffling = Decibels(self[number: .pathMuffling]).atMicro }
    return path
  }

  fileprivate var rays: WorldSnapshot.Rays? {
    let (occlusion, obstruction) = (self[number: .rayOcclusion].atMicro, self[number: .rayObstruction].atMicro)
    guard occlusion != 0 || obstruction != 0 else { return nil }
    return WorldSnapshot.Rays(
      occlusion: occlusion == 0 ? nil : Decibels(occlusion),
      obstruction: obstruction == 0 ? nil : Decibels(obstruction)
    )
  }
}

extension SilenceReason {
  /// The reason of an emitter whose amplitude is below a threshold.
  static func tooQuiet(_ amplitude: Float, below threshold: Float) -> SilenceReason {
    .tooQuiet(by: Decibels(factor: threshold) - Decibels(factor: amplitude))
  }

  /// The reason of an emitter whose score is below the lowest score that has a voice.
  static func lacking(_ score: Float, below lowest: Float) -> SilenceReason {
    .outranked(by: max(Decibels(factor: lowest) - Decibels(factor: score), 0))
  }
}

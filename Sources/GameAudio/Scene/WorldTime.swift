internal import PCM
internal import Spatial3D

/// The time of the mix, as a world has read it last, and the ticks.
struct WorldTime: Sendable {
  private(set) var physics: MixPhysics
  /// Whether a tick ends a mix exactly at its frame.
  let mixesByFrames: Bool
  /// Whether a sound starts at its frame from every position.
  let startsExactly: Bool
  /// Whether the mix waits while a reader is opened, so that its voice begins in time without a lead.
  ///
  /// A start without a moment is whole mixes late where another thread mixes, also from memory.
  let waitsForReaders: Bool
  /// The number of updates that are open.
  private(set) var openUpdates = 0
  /// The number of ticks that have waited for the open updates.
  private(set) var waitedTicks = 0
  private(set) var ticks = 0
  /// The frame of the last tick.
  private(set) var lastTick = 0

  /// The frame and the rate of the mix.
  var mix: MixTime { MixTime(frame: physics.frame, rate: physics.sampleRate) }

  init(physics: MixPhysics, mixesByFrames: Bool, startsExactly: Bool, waitsForReaders: Bool = false) {
    self.physics = physics
    self.mixesByFrames = mixesByFrames
    self.startsExactly = startsExactly
    self.waitsForReaders = waitsForReaders
  }

  /// The frame of the mix.
  var now: Int { physics.frame }
  /// The frames that the mix has in a second.
  var sampleRate: Int { physics.sampleRate }
  private var format: PCMFormat { .mono(sampleRate: physics.sampleRate) }

  func frames(in duration: Duration) -> Int { format.frameCount(in: duration) }
  func frames(ofMilliseconds count: Int) -> Int { physics.sampleRate * count / 1_000 }
  func time(ofFrames count: Int) -> Duration { format.duration(ofFrames: count) }

  /// The least number of frames of its timeline that a player plays, with a step, before another reader can play a
  /// changed timeline.
  ///
  /// A voice with another reader plays silently for a tick, and takes over at the tick after that. Chosen: 200 ms on an
  /// output, which is more than ``Playlist/readerLead`` and two ticks. Three ticks where the mix waits for readers: a
  /// call may come between two ticks.
  func framesForReader(step: Double) -> Int {
    let frames = waitsForReaders ? 3 * MixTime.tick : frames(ofMilliseconds: 200)
    return Int(saturating: (Double(frames) * max(step, 0)).rounded(.up))
  }
}

// MARK: - The mix

extension WorldTime {
  /// The changes of the context that came with the time of the mix.
  struct Change: Sendable {
    let hasDistanceModel: Bool
    /// The conversion of frames to another rate; `nil` for the same rate.
    let rateChange: FrameConversion?
  }

  /// Moves to the time of the mix that a thread has read.
  ///
  /// Another thread may have read the time later, and stored it earlier: the frame does not go back then.
  mutating func advance(to physics: MixPhysics) -> Change {
    let old = self.physics
    self.physics = physics
    let hasDistanceModel = physics.distanceModel != old.distanceModel
    guard physics.sampleRate == old.sampleRate else {
      lastTick = now
      let conversion = FrameConversion(from: old.sampleRate, to: physics.sampleRate, at: now)
      return Change(hasDistanceModel: hasDistanceModel, rateChange: conversion)
    }
    let isSlightlyEarlier = physics.frame < old.frame && old.frame - physics.frame < physics.sampleRate
    if isSlightlyEarlier { self.physics.frame = old.frame }
    return Change(hasDistanceModel: hasDistanceModel, rateChange: nil)
  }
}

// MARK: - Ticks and updates

extension WorldTime {
  /// The most ticks that wait for an open update.
  ///
  /// Chosen: 43 ms at 48,000 Hz, which is more than a frame of a game with 30 of them in a second. A game that forgets
  /// to end an update is not silent.
  private static let longestWait = 4

  mutating func countTick() { ticks += 1 }

  /// Stores the present frame as the frame of the last tick.
  mutating func passTick() { lastTick = now }

  mutating func beginUpdate() { openUpdates += 1 }
  mutating func endUpdate() { openUpdates = max(openUpdates - 1, 0) }

  /// Whether the rest of a tick waits for an open update: an open update is half a frame of the game.
  mutating func waitsForUpdate() -> Bool {
    guard openUpdates > 0, waitedTicks < Self.longestWait else {
      waitedTicks = 0
      return false
    }
    waitedTicks += 1
    return true
  }

  /// Continues the ticks of a recording.
  mutating func restore(ticks: Int, waitedTicks: Int, lastTick: Int) {
    (self.ticks, self.waitedTicks, self.lastTick) = (ticks, waitedTicks, lastTick)
  }
}

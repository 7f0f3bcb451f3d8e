import Foundation
import GameAudio
import SoundServer
import Spatial3DTesting
import Synchronization

/// Thousands of emitters on an output, which several threads change at random while the sound server dies and returns.
struct EmitterSoak {
  private static let threads = 3
  private static let emittersPerThread = 1_000

  let duration: Duration

  /// Runs for the duration, and returns whether all checks hold.
  func run() async throws -> Bool {
    useOneHeap()
    guard let kind = SoundServer.installed.first else {
      print("This soak needs PulseAudio or PipeWire.")
      return false
    }
    let server = try SoundServer(kind)
    try server.lendToThisProcess()
    // The first context starts threads of the library that stay.
    try await play(on: server, for: .seconds(3), isTrial: true)
    let before = try Usage()
    let isRight = try await play(on: server, for: duration, isTrial: false)
    let isReleased = try await released(before)
    return isRight && isReleased
  }

  /// Starts the program again with one heap for all threads.
  ///
  /// glibc gives threads up to 16 heaps, which keep what is freed in them: a device that is opened on another thread
  /// looks like growth.
  private func useOneHeap() {
    guard ProcessInfo.processInfo.environment["MALLOC_ARENA_MAX"] == nil else { return }
    // The call copies the strings, and no other thread exists yet.
    unsafe setenv("MALLOC_ARENA_MAX", "1", 1)
    // The new process gets the arguments of this process; the call only returns if it fails.
    unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
  }

  @discardableResult
  private func play(on server: SoundServer, for duration: Duration, isTrial: Bool) async throws -> Bool {
    let context = try AudioContext()
    let scene = CrowdScene(in: context)
    let watch = MonitorWatch()
    watch.begin(server)
    scene.ledger.notePlay(of: scene.drone.id)
    scene.drone.play()
    let crowds = CrowdThreads(Self.threads, of: Self.emittersPerThread, in: scene)
    let start = ContinuousClock.now
    var (log, losses, events) = (Log(), 0, [EmitterNotification]())
    var (nextLog, nextLoss) = (start + duration / 20, start + duration / 8)
    if !isTrial { print("seconds  plays  losses  memory (kB)  threads  open files  voices") }
    while ContinuousClock.now < start + duration {
      scene.world.takeEvents(into: &events)
      scene.ledger.note(events)
      try await Task.sleep(for: .milliseconds(16))
      scene.world.update { scene.world.listener.position.x = Float.random(in: -0.05...0.05) }
      guard !isTrial else { continue }
      if ContinuousClock.now >= nextLoss {
        nextLoss += duration / 8
        try await lose(server, scene, watch)
        losses += 1
      }
      if ContinuousClock.now >= nextLog {
        nextLog += duration / 20
        let usage = try Usage()
        log.add(usage)
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        print(
          seconds,
          scene.ledger.plays,
          losses,
          usage.memory,
          usage.threads,
          usage.files,
          scene.world.voiceStatistics(),
          separator: "\t"
        )
        fflush(nil)
      }
    }
    watch.end()
    watch.close()
    crowds.end()
    scene.drone.stop()
    let isBalanced = try await balanced(scene)
    guard !isTrial else { return true }
    let verdict = log.verdict
    print("Memory, threads, open files over time: \(verdict.sentence)")
    let (seconds, gaps, clicks) = watch.summary
    print("Clicks in \(seconds) s of the monitor: \(clicks.count) (and \(gaps) beside a gap of the server)")
    for click in clicks.prefix(20) { print("  \(click)") }
    return verdict.isFlat && isBalanced && clicks.isEmpty && seconds > 0
  }

  /// Kills the server, starts it again, and waits until the world plays on it.
  private func lose(_ server: SoundServer, _ scene: CrowdScene, _ watch: MonitorWatch) async throws {
    let events = scene.world.context.events()
    watch.end()
    try server.kill()
    var list: [EmitterNotification] = []
    for await event in events where event.kind == .deviceLost { break }
    scene.world.takeEvents(into: &list)
    scene.ledger.note(list)
    try await Task.sleep(for: .milliseconds(Int.random(in: 0...2_000)))
    try server.start()
    try server.add(sink: "main")
    for await event in events where event.kind == .deviceReturned { break }
    watch.begin(server)
  }

  /// Waits until all plays have ended, and prints the comparison.
  private func balanced(_ scene: CrowdScene) async throws -> Bool {
    var events: [EmitterNotification] = []
    // The longest sound plays three times in 12 s.
    let deadline = ContinuousClock.now + .seconds(30)
    repeat {
      scene.releaseDiscarded()
      try await Task.sleep(for: .milliseconds(50))
      scene.world.takeEvents(into: &events)
      scene.ledger.note(events)
    } while scene.ledger.unbalanced > 0 && ContinuousClock.now < deadline
    print("Ends of \(scene.ledger.plays) plays: \(scene.ledger.unbalanced) emitters differ")
    for difference in scene.ledger.differences { print("  \(difference)") }
    return scene.ledger.unbalanced == 0
  }

  /// Waits until the world has left neither a thread nor an open file.
  private func released(_ before: Usage) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    var after = try Usage()
    while after.threads > before.threads || after.files > before.files, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(100))
      after = try Usage()
    }
    print(
      "After the release: \(after.threads) threads (\(before.threads) before),",
      "\(after.files) open files (\(before.files) before)"
    )
    let isReleased = after.threads <= before.threads && after.files <= before.files
    if !isReleased { for name in try Usage.fileNames { print("  \(name)") } }
    return isReleased
  }
}

/// The threads that change the emitters.
private final class CrowdThreads: Sendable {
  private let isOver = Atomic(false)
  private let done = DispatchSemaphore(value: 0)
  private let count: Int

  init(_ count: Int, of emitters: Int, in scene: CrowdScene) {
    self.count = count
    for index in 0..<count {
      Thread { [self] in
        var crowd = Crowd(of: emitters, seed: UInt64(index), in: scene)
        while !isOver.load(ordering: .relaxed) {
          crowd.step()
          Thread.sleep(forTimeInterval: 0.01)
        }
        crowd.end()
        done.signal()
      }.start()
    }
  }

  /// Returns once all threads have released their emitters.
  func end() {
    isOver.store(true, ordering: .relaxed)
    for _ in 0..<count { done.wait() }
  }
}

import Foundation
import FuzzSupport

/// Calls the public API of `GameAudio` and `AudioSessions` at random, in short rounds that a seed repeats, until the
/// time is up or a law breaks.
@main
struct FuzzWorld {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let digests = DigestOptions(arguments)
    guard let options = digests?.options ?? Options(arguments) else {
      print(Options.usage + "\n" + DigestOptions.usage)
      exit(2)
    }
    // A user's configuration changes the mix. The null driver stands for every output without a server.
    for (name, value) in [("ALSOFT_DRIVERS", "null"), ("HOME", "/dev/null"), ("XDG_CONFIG_HOME", "/dev/null")] {
      // No other thread runs yet.
      unsafe setenv(name, value, 1)
    }
    unsafe unsetenv("ALSOFT_CONF")
    if let digests { return try DigestRun(digests).perform() }
    let attack = try options.server.map { try ServerAttack(kind: $0, seed: options.seed) }
    let run = Run(options)
    Watchdog.watch(run)
    attack?.begin()
    let files = try SoundFiles()
    let combinations = options.outputs.flatMap { output in options.threads.map { (threads: $0, output: output) } }
    let end = ContinuousClock.now + .seconds(options.minutes * 60)
    var nextSummary = ContinuousClock.now + .seconds(60)
    var count = 0
    run.show("seed \(options.seed)")
    while options.rounds.map({ count < $0 }) ?? (ContinuousClock.now < end) {
      // The first round has the seed of the command line itself, so that a round's own seed repeats it.
      var seeds = SplitMix64(mixing: options.seed, UInt64(count))
      let seed = count == 0 ? options.seed : seeds.next() % 1_000_000_000_000
      let (threads, output) = combinations[count % combinations.count]
      count += 1
      try Round(seed: seed, threadCount: threads, output: output, files: files, run: run).play(number: count)
      run.requireFlatUse(after: count)
      if ContinuousClock.now > nextSummary {
        run.show(run.summary(rounds: count))
        nextSummary = ContinuousClock.now + .seconds(60)
      }
    }
    run.show(run.summary(rounds: count))
    attack?.end()
  }
}

//! Sounds by key: varied, loaded ahead, and read again while they play.

import Foundation
import GameAudio
import Spatial3DTesting

var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let world = AudioWorld(in: offline.context)
for (name, frequency) in [("step1", 200.0), ("step2", 230), ("step3", 260), ("bell", 800)] {
  let sound = TestSignal.sine(
    frequency: frequency,
    duration: .milliseconds(300),
    format: .mono(sampleRate: 48_000)
  )
  var file = try AudioFileWriter(creating: "\(name).wav", format: sound.format)
  try file.write(sound)
  try file.close()
}

do {
  // snippet.variations
  var step = Sound(anyOf: ["step1.ogg", "step2.ogg", "step3.ogg"])
  step.choice = .random(avoidingLast: 2)
  step.pitchVariation = -1...1
  step.limit = PlaybackLimit(4, spacing: .milliseconds(40))
  // snippet.end
  _ = step
}

// snippet.sound
var step = Sound(anyOf: ["step1.wav", "step2.wav", "step3.wav"])
step.choice = .random(avoidingLast: 1)
step.pitchVariation = -1...1
step.levelVariation = -3...0
step.limit = PlaybackLimit(4, spacing: .milliseconds(40))
// snippet.end

// snippet.curve
let curve = RolloffCurve([.init(1, 0), .init(10, -12), .init(40, -60)])
step.rolloffCurve = curve
step.silentBeyond = 40
// snippet.end

// snippet.keys
extension SoundKey {
  static let step: SoundKey = "step"
  static let bell: SoundKey = "bell"
  static let song: SoundKey = "song"
}
// snippet.end

// snippet.bank
let bank = SoundBank(in: world, budget: 64 << 20)
bank.define(.step, step)
bank.define(.bell, Sound("bell.wav"))
bank.define(.song, Sound("theme.flac"), loading: .onDemand, isPlaced: false)
try await bank.load([.step, .bell]) { finished, total in
  print("\(finished) of \(total) files")
}
// snippet.end

// snippet.play
try bank.play(.step, at: [0, 0, -1])
try bank.play(.bell, at: [4, 0, -2], gain: .decibels(-6), repeats: .forever)
try bank.play(.song)
print(bank.isPlaying(.bell), bank.byteCount)
bank.rewind(.bell)
bank.stop(.bell, Fade(.milliseconds(200)))
// snippet.end

offline.render(.milliseconds(500))
precondition(!bank.isPlaying(.bell) && bank.isPlaying(.song))

// snippet.errors
do {
  try bank.play("bel")
} catch {
  print(error)
}
// snippet.end

// snippet.watch
bank.watchesFiles = true
try await bank.reload(.bell)
// snippet.end

// snippet.replay
world.seed = 42
// snippet.end

// snippet.file
let file = #"""
  {
    "step": {
      "paths": ["step1.wav", "step2.wav", "step3.wav"],
      "levelVariation": ["-3 dB", "0 dB"],
      "limit": {"count": 4, "spacing": 0.04}
    },
    "bell": {"path": "bell.wav", "choice": "sequence", "silentBeyond": 40}
  }
  """#
let sounds = try JSONDecoder().decode(
  [SoundKey: Sound].self,
  from: Data(file.utf8)
)
for (key, sound) in sounds { bank.define(key, sound) }
// snippet.end
let decoded = (step: try bank[.step], bell: try bank[.bell])
precondition(decoded.step.levelVariation == -3...0 && decoded.bell.silentBeyond == 40)

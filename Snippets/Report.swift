//! A page and a drawing of a game's own offline render.

import FileDecode
import Spatial3D
import Spatial3DReports

// snippet.record
var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
let growl = try SoundBuffer(
  reading: AudioFile(opening: "growl.ogg"),
  in: offline.context
)
let monster = try SoundSource(playing: growl, in: offline.context)
monster.isLooping = true
monster.position = [3, 0, -6]

var recording = try SceneRecording(of: offline)
recording.add(monster, as: "monster")
monster.play()
for frame in 0..<600 {
  // A metre each second, in steps of a sixtieth of a second.
  offline.context.listener.position.z = -Float(frame) / 60
  try recording.append(offline.render(frameCount: 800))
}
// snippet.end

// snippet.write
let page = try recording.page(
  title: "Past the monster",
  summary: "Ten metres in ten seconds."
)
try page.write(to: "monster.html")
try page.drawing.write(to: "monster.svg")
// snippet.end

// snippet.scene
var story = page
story.things = [  // a wall
  .init(through: [[-2, -5], [8, -5]], color: "ink", width: 3)
]
story.chapters = [
  .init(at: 0, title: "outside", text: "It growls behind the wall"),
  .init(at: 5, title: "inside", text: "You pass the wall"),
]
story.readings = [
  .init(
    "To the wall",
    unit: "m",
    decimals: 1,
    values: story.moments.map { abs(5 - $0) }
  )
]
try story.write(to: "story.html")
// snippet.end

//! A whole file, a file block by block, and a file to write.

import FileDecode

// a whole sound, for a sound buffer
let growl = try AudioFile(opening: "growl.ogg").readAll(as: Int16.self)

// a long one, block by block
let theme = try AudioFile(opening: "theme.flac")
var block = PCMBuffer<Float>(format: theme.format)
while try theme.read(into: &block) > 0 {
  print(block.duration)
}

var recording = try AudioFileWriter(
  creating: "growl.wav",
  format: growl.format
)
try recording.write(growl)
try recording.close()

//! A scene that keeps time on a machine without sound.

import Spatial3D

// snippet.silent
let context = try AudioContext(device: .silent)
// snippet.end
print(context.device.name, context.output.sampleRate)

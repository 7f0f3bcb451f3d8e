//! A scene on an output, whose mix equals the offline mix.

import Spatial3D

// snippet.processed
let context = try AudioContext(device: .processed)
// snippet.end
print(context.device.name, context.device.addedLatency)

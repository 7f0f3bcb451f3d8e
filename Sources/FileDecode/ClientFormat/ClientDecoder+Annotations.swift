extension ClientDecoder {
  /// The metadata of the file, with positions in frames of the client's format.
  var annotations: Annotations {
    guard let ratio else { return decoder.annotations }
    var found = decoder.annotations
    let count = decoder.stream.frameCount ?? Int.max
    for (index, loop) in found.loops.enumerated() {
      found.loops[index].range = LoopResampling(loop.range, frameCount: count, ratio).target
    }
    for (index, marker) in found.markers.enumerated() { found.markers[index].frame = ratio.converted(marker.frame) }
    return found
  }
}

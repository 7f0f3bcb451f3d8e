extension ContextHandle {
  /// The rounding of speeds by the loaded library.
  var mixStep: MixStep { MixStep(version: version) }
}

internal import Spatial3D

// Numbers of snapshots, to 10⁻⁶: the same scene gives the same text.

extension Float {
  var atMicro: Float { isFinite ? Float((Double(self) * 1e6).rounded() / 1e6) : self }
}

extension Double {
  var atMicro: Double { isFinite ? (self * 1e6).rounded() / 1e6 : self }
}

extension Decibels {
  var atMicro: Decibels { Decibels(rawValue.atMicro) }
}

extension SIMD3<Float> {
  var atMicro: SIMD3<Float> { SIMD3(x.atMicro, y.atMicro, z.atMicro) }
}

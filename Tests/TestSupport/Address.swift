/// Where an array's elements stand in memory.
package func address(of samples: [Float]) -> UInt {
  unsafe samples.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
}

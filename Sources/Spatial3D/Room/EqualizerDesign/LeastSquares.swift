/// Returns the factors of some shapes with the least squared error between their sum and a target.
///
/// The damping keeps similar shapes from cancelling each other.
func leastSquares(_ shapes: [[Double]], _ target: [Double], damping: Double) -> [Double] {
  let count = shapes.count
  var rows = shapes.map { left in (shapes + [target]).map { right in product(left, right) } }
  for index in 0..<count { rows[index][index] += damping }
  // Symmetric and positive definite: no pivot is 0.
  for pivot in 0..<count {
    for row in 0..<count where row > pivot {
      let factor = rows[row][pivot] / rows[pivot][pivot]
      for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
    }
  }
  var factors = [Double](repeating: 0, count: count)
  for row in (0..<count).reversed() {
    var rest = rows[row][count]
    for column in 0..<count where column > row { rest -= rows[row][column] * factors[column] }
    factors[row] = rest / rows[row][row]
  }
  return factors
}

private func product(_ left: [Double], _ right: [Double]) -> Double {
  var sum = 0.0
  for index in left.indices { sum += left[index] * right[index] }
  return sum
}

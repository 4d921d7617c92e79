/// A signal that is linear between its values, and constant before the first and after the last.
struct Interpolation {
  /// Ascending, seconds.
  let times: [Double]
  let values: [Double]

  /// The values at ascending moments.
  func values(at moments: [Double]) -> [Double] {
    var index = 0
    return moments.map { moment in
      while index + 1 < times.count, times[index + 1] <= moment { index += 1 }
      guard index + 1 < times.count, moment > times[index] else { return values[index] }
      let share = (moment - times[index]) / (times[index + 1] - times[index])
      return values[index] + share * (values[index + 1] - values[index])
    }
  }
}

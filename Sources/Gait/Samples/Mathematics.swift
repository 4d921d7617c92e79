// The C library's elementary functions under full names, so that the pipeline does not need Foundation.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

package func logarithm(_ x: Float) -> Float { log(x) }
package func logarithm(_ x: Double) -> Double { log(x) }
package func exponential(_ x: Float) -> Float { exp(x) }
package func exponential(_ x: Double) -> Double { exp(x) }
package func sine(_ x: Double) -> Double { sin(x) }
package func cosine(_ x: Double) -> Double { cos(x) }
package func arcSine(_ x: Double) -> Double { asin(x) }
package func cubeRoot(_ x: Double) -> Double { cbrt(x) }

extension FixedWidthInteger {
  /// The number truncated toward zero; the nearest representable integer if it is out of range, 0 if it is NaN.
  ///
  /// `Int(_:)` traps on such numbers. Code that counts or indexes with a computed number uses this conversion.
  package init(saturating number: Double) {
    if number.isNaN {
      self = 0
    } else if number >= Double(Self.max) {
      self = .max
    } else if number <= Double(Self.min) {
      self = .min
    } else {
      self.init(number)
    }
  }

  /// The number truncated toward zero; the nearest representable integer if it is out of range, 0 if it is NaN.
  package init(saturating number: Float) { self.init(saturating: Double(number)) }
}

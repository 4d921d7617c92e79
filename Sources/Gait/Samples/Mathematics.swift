#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// The C library's elementary functions under full names, so that the pipeline does not need Foundation.

package func logarithm(_ x: Float) -> Float { log(x) }
package func logarithm(_ x: Double) -> Double { log(x) }
package func exponential(_ x: Float) -> Float { exp(x) }
package func exponential(_ x: Double) -> Double { exp(x) }
package func sine(_ x: Double) -> Double { sin(x) }
package func cosine(_ x: Double) -> Double { cos(x) }
package func arcSine(_ x: Double) -> Double { asin(x) }
package func cubeRoot(_ x: Double) -> Double { cbrt(x) }

/// A sample of a device's motion: a `CMDeviceMotion` of Core Motion.
///
/// Units are Core Motion's: radians, radians per second, and g (9.80665 m/s²). A value that the source does not have is
/// NaN; Gait never treats a missing value as standing still.
public struct MotionSample: Hashable, Sendable {
  /// The time of the sample.
  public var time: SampleTime

  /// The twelve channels as lanes: roll, pitch, yaw, –, gravity, –, rotation rate, –, user acceleration, –.
  package var row: SIMD16<Float>

  /// A sample from its parts.
  ///
  /// - Parameters:
  ///   - time: the time of the sample.
  ///   - attitude: roll, pitch and yaw in radians, as Core Motion defines them; omit it if the source has none.
  ///   - gravity: gravity in the device's axes, g.
  ///   - rotationRate: rotation about the device's axes, rad/s; omit it if the source has none.
  ///   - userAcceleration: acceleration without gravity in the device's axes, g.
  public init(
    time: SampleTime,
    attitude: SIMD3<Float> = SIMD3(repeating: .nan),
    gravity: SIMD3<Float>,
    rotationRate: SIMD3<Float> = SIMD3(repeating: .nan),
    userAcceleration: SIMD3<Float>
  ) {
    self.time = time
    self.row = SIMD16(
      lowHalf: SIMD8(
        lowHalf: SIMD4(attitude, 0),
        highHalf: SIMD4(gravity, 0)
      ),
      highHalf: SIMD8(
        lowHalf: SIMD4(rotationRate, 0),
        highHalf: SIMD4(userAcceleration, 0)
      )
    )
  }

  package init(time: SampleTime, row: SIMD16<Float>) {
    self.time = time
    self.row = row
  }

  /// Roll, pitch and yaw of the device in its reference frame: rotation about the y, x and vertical axis, radians.
  public var attitude: SIMD3<Float> { SIMD3(row[0], row[1], row[2]) }

  /// Gravity in the device's axes, g.
  public var gravity: SIMD3<Float> { SIMD3(row[4], row[5], row[6]) }

  /// Rotation about the device's axes, rad/s.
  public var rotationRate: SIMD3<Float> { SIMD3(row[8], row[9], row[10]) }

  /// Acceleration without gravity in the device's axes, g.
  public var userAcceleration: SIMD3<Float> { SIMD3(row[12], row[13], row[14]) }

  /// The value of one channel, in the channel's unit.
  public subscript(channel: Channel) -> Float {
    get { row[channel.lane] }
    set { row[channel.lane] = newValue }
  }
}

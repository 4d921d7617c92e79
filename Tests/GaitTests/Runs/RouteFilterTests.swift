import Foundation
import Testing

@testable import Gait

/// Each rule for GPS points, on a route due north at 3 m/s with a point a second.
@Suite struct RouteFilterTests {
  private static func point(
    _ second: Double, east: Double = 0, speed: Double? = 3, accuracy: Double? = 5
  ) -> LocationSample {
    LocationSample(
      time: .seconds(second), latitude: 48 + 3 * second / 111_195, longitude: 11 + east / 74_400, altitude: 500,
      speed: speed, horizontalAccuracy: accuracy, verticalAccuracy: 4, speedAccuracy: 0.3)
  }

  /// The counts after ten good points and then `points`, and whether each of these was used.
  private static func assessments(_ points: [LocationSample]) -> (counts: [String: Int], used: [Bool]) {
    var filter = RouteFilter(largestAccuracy: 30)
    for second in 0..<10 { #expect(filter.assess(point(Double(second))) == .accepted) }
    let used = points.map { filter.assess($0.cleaned) != .rejected }
    return (filter.counts, used)
  }

  @Test(arguments: [SIMD2(3.0, 0), SIMD2(0, 3), SIMD2(-2, 2)])
  func `A filter that learns of standing has no speed`(velocity: SIMD2<Double>) {
    var filter = RouteKalman(at: .zero, accuracy: 5)
    for second in 1...20 {
      filter.predict(seconds: 1, accuracy: 5, hasDoppler: false)
      filter.update(velocity * Double(second), accuracy: 5)
    }
    #expect(filter.speed > 2)
    for _ in 0..<3 { filter.stand() }
    #expect(filter.speed < 0.3)
  }

  @Test func `Coordinates that are not on Earth are rejected`() {
    for (latitude, longitude) in [(Double.nan, 11.0), (48, .infinity), (91, 11), (48, 361)] {
      var sample = Self.point(10)
      (sample.latitude, sample.longitude) = (latitude, longitude)
      #expect(Self.assessments([sample]).counts == ["invalidCoordinates": 1])
    }
  }

  @Test func `Longitudes may count from 0 to 360 degrees, and latitudes end at the poles`() {
    for (latitude, longitude) in [(48.0, 360.0), (48, -360), (90, 11), (-90, 11)] {
      var sample = Self.point(10)
      (sample.latitude, sample.longitude) = (latitude, longitude)
      #expect(Self.assessments([sample]).counts["invalidCoordinates"] == nil)
    }
  }

  @Test func `An accuracy that is negative or not a number is rejected`() {
    #expect(Self.assessments([Self.point(10, accuracy: -1)]).counts == ["invalidAccuracy": 1])
    #expect(Self.assessments([Self.point(10, accuracy: .nan)]).counts == ["invalidAccuracy": 1])
  }

  @Test func `A missing accuracy is rejected from a receiver that reports accuracies, and used from one that does not`()
  {
    #expect(Self.assessments([Self.point(10, accuracy: nil)]).counts == ["missingAccuracy": 1])
    #expect(Self.assessments([Self.point(10, accuracy: 0)]).counts == ["missingAccuracy": 1])
    var filter = RouteFilter(largestAccuracy: 30)
    for second in 0..<10 {
      #expect(filter.assess(Self.point(Double(second), accuracy: second < 5 ? nil : 0)) == .accepted)
    }
  }

  @Test func `An accuracy above the bound is rejected`() {
    let (counts, used) = Self.assessments([Self.point(10, accuracy: 30), Self.point(11, accuracy: 30.1)])
    #expect(counts == ["inaccurate": 1])
    #expect(used == [true, false])
  }

  @Test func `Points that are late or come twice are rejected`() {
    let (counts, _) = Self.assessments([Self.point(8), Self.point(9), Self.point(10)])
    #expect(counts == ["late": 1, "duplicate": 1])
  }

  @Test func `A moving reading that repeats under later times is rejected, a resting one is used`() {
    var frozen = Self.point(9)
    frozen.time = .seconds(10)
    #expect(Self.assessments([frozen]).counts == ["duplicate": 1])
    var resting = Self.point(10, speed: 0)
    let first = resting
    resting.time = .seconds(11)
    #expect(Self.assessments([first, resting]).used == [true, true])
  }

  @Test func `A speed above a sprinter's is rejected`() {
    #expect(Self.assessments([Self.point(10, speed: 12), Self.point(11, speed: 12.1)]).counts == ["tooFast": 1])
  }

  @Test func `A jump and the way back leave the route as it is`() {
    let points = [Self.point(10, east: 500), Self.point(11, east: 500), Self.point(12)]
    let (counts, used) = Self.assessments(points)
    #expect(counts == ["teleport": 2])
    #expect(used == [false, false, true])
  }

  @Test func `Five points in a row at another place continue the route there`() {
    var filter = RouteFilter(largestAccuracy: 30)
    for second in 0..<10 { _ = filter.assess(Self.point(Double(second))) }
    let assessments = (10..<16).map { filter.assess(Self.point(Double($0), east: 500)) }
    #expect(assessments == [.rejected, .rejected, .rejected, .rejected, .moved, .accepted])
    #expect(filter.counts.isEmpty)
  }

  @Test func `Of two receivers in one stream, the first counts`() {
    let points = (10..<20).flatMap { [Self.point(Double($0), east: 300), Self.point(Double($0) + 0.5)] }
    let (counts, used) = Self.assessments(points)
    #expect(used == Array(repeating: [false, true], count: 10).flatMap { $0 })
    #expect(counts == ["teleport": 1, "otherReceiver": 9])
  }

  @Test func `A vehicle without speeds is too fast over ten seconds`() {
    let points = (10..<40).map { Self.point(Double($0), east: 25 * Double($0 - 9), speed: nil) }
    #expect(Self.assessments(points).used.count { $0 } < 15)
  }

  @Test func `Invalid altitudes and speeds are removed from points that are used`() {
    var sample = Self.point(10)
    for accuracy in [0, -1, Double.nan] {
      sample.verticalAccuracy = accuracy
      #expect(sample.cleaned.altitude == nil)
      #expect(sample.cleaned.verticalAccuracy == nil)
    }
    sample.speed = -1
    #expect(sample.cleaned.speed == nil)
    sample.speed = 3
    sample.speedAccuracy = -1
    #expect(sample.cleaned.speed == nil)
    #expect(sample.cleaned.latitude == sample.latitude)
  }

  @Test func `A plane's lengths are those of the ellipsoid`() {
    // One degree of the meridian at 48° is 111,196 m from 47.5° to 48.5°, one of the parallel 74,627 m.
    let plane = TangentPlane(at: LocationSample(time: .seconds(0), latitude: 48, longitude: 11))
    let place = plane.place(of: LocationSample(time: .seconds(0), latitude: 48.01, longitude: 11.01))
    #expect(abs(place.y - 1111.9) < 0.3)
    #expect(abs(place.x - 746.3) < 0.3)
    let dateLine = TangentPlane(at: LocationSample(time: .seconds(0), latitude: 0, longitude: 179.99))
    #expect(abs(dateLine.place(of: LocationSample(time: .seconds(0), latitude: 0, longitude: -179.99)).x - 2226) < 1)
  }

  @Test func `Positions over five seconds contradict a speed in another unit`() {
    // 3 m/s in units of 0.2 m/s: the positions of four seconds do not count yet.
    let points = (10...15).map { Self.point(Double($0), speed: 15) }
    var filter = RouteFilter(largestAccuracy: 30)
    let used = points.map { filter.assess($0) == .accepted }
    #expect(used == [false, false, false, false, false, true])
  }
}

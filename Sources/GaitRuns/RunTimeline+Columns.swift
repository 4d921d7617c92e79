import Gait

/// The long lists of a run as columns of numbers. Most of a run is here. As JSON it would be ten times as long.
extension RunTimeline {
  /// The run without its long lists. A list that is known becomes an empty one; an unknown one stays `nil`.
  var withoutColumns: RunTimeline {
    var run = self
    let (path, barometer) = (path, barometer)
    run.cadencePoints = []
    run.route = []
    run.path = path.map { _ in [] }
    run.barometer = barometer.map { _ in [] }
    return run
  }

  /// The long lists as bytes: the numbers of entries of the four lists (cadence, GPS points, steps of the path,
  /// barometric altitudes), then the columns of each.
  var columns: [UInt8] {
    var bytes: [UInt8] = []
    let (steps, altitudes) = (path ?? [], barometer ?? [])
    for count in [cadencePoints.count, route.count, steps.count, altitudes.count] { bytes.append(count: count) }
    bytes.append(times: cadencePoints.map(\.time))
    bytes.append(numbers: cadencePoints.map(\.stepsPerMinute))
    bytes.append(optionals: cadencePoints.map(\.gyroscopeCadence))
    bytes.append(times: route.map(\.time))
    bytes.append(numbers: route.map(\.latitude))
    bytes.append(numbers: route.map(\.longitude))
    for value in LocationSample.optionalValues { bytes.append(optionals: route.map { $0[keyPath: value] }) }
    bytes.append(times: steps.map(\.start))
    bytes.append(times: steps.map(\.end))
    bytes.append(numbers: steps.map(\.meters))
    bytes.append(contentsOf: steps.map { UInt8(clamping: $0.kind.rawValue) })
    bytes.append(times: altitudes.map(\.time))
    bytes.append(numbers: altitudes.map(\.relativeAltitude))
    return bytes
  }

  /// The run with the long lists that `reader` reads next; `nil` if the bytes are not such columns.
  func with(columnsFrom reader: inout RecordReader) -> RunTimeline? {
    guard let cadenceCount = reader.nextCount(), let routeCount = reader.nextCount(),
      let stepCount = reader.nextCount(),
      let altitudeCount = reader.nextCount(), let points = reader.nextCadencePoints(cadenceCount),
      let route = reader.nextRoute(routeCount), let steps = reader.nextSteps(stepCount),
      let altitudes = reader.nextAltitudes(altitudeCount)
    else { return nil }
    var run = self
    let (hasPath, hasBarometer) = (path != nil, barometer != nil)
    guard hasPath || steps.isEmpty, hasBarometer || altitudes.isEmpty else { return nil }
    run.cadencePoints = points
    run.route = route
    run.path = hasPath ? steps : nil
    run.barometer = hasBarometer ? altitudes : nil
    return run
  }
}

extension LocationSample {
  /// The values that a point may lack, in the order of their columns.
  fileprivate static var optionalValues: [WritableKeyPath<LocationSample, Double?>] {
    [\.altitude, \.speed, \.horizontalAccuracy, \.verticalAccuracy, \.speedAccuracy]
  }
}

extension RecordReader {
  fileprivate mutating func nextCadencePoints(_ count: Int) -> [CadencePoint]? {
    guard let times = nextTimes(count), let rates = nextNumbers(count), let others = nextOptionals(count) else {
      return nil
    }
    return (0..<count).map {
      CadencePoint(time: times[$0], stepsPerMinute: rates[$0], gyroscopeCadence: others[$0])
    }
  }

  fileprivate mutating func nextRoute(_ count: Int) -> [LocationSample]? {
    guard let times = nextTimes(count), let latitudes = nextNumbers(count), let longitudes = nextNumbers(count) else {
      return nil
    }
    var route = (0..<count).map {
      LocationSample(time: times[$0], latitude: latitudes[$0], longitude: longitudes[$0])
    }
    for value in LocationSample.optionalValues {
      guard let numbers = nextOptionals(count) else { return nil }
      for index in route.indices { route[index][keyPath: value] = numbers[index] }
    }
    return route
  }

  fileprivate mutating func nextSteps(_ count: Int) -> [PathStep]? {
    guard let starts = nextTimes(count), let ends = nextTimes(count), let meters = nextNumbers(count) else {
      return nil
    }
    var steps: [PathStep] = []
    for index in 0..<count {
      guard let kind = next(UInt8.self).flatMap({ PathStep.Kind(rawValue: Int(clamping: $0)) }) else { return nil }
      steps.append(PathStep(start: starts[index], end: ends[index], meters: meters[index], kind: kind))
    }
    return steps
  }

  fileprivate mutating func nextAltitudes(_ count: Int) -> [AltitudeSample]? {
    guard let times = nextTimes(count), let altitudes = nextNumbers(count) else { return nil }
    return zip(times, altitudes).map { AltitudeSample(time: $0, relativeAltitude: $1) }
  }

  // Each function returns `nil` if the bytes are not a column of its kind.

  /// A number of entries; `nil` if it is more than the number of bytes that follow, as each entry takes at least one.
  mutating func nextCount() -> Int? {
    nextVariable().flatMap { Int(exactly: $0) }.flatMap { $0 <= bytes.count - place ? $0 : nil }
  }

  private mutating func nextVariable() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = next(UInt8.self) else { return nil }
      number |= UInt64(truncatingIfNeeded: byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  mutating func nextInteger() -> Int64? {
    nextVariable().map { Int64(bitPattern: $0 >> 1) ^ -Int64(truncatingIfNeeded: $0 & 1) }
  }

  mutating func nextIntegers(_ count: Int) -> [Int64]? {
    var integers: [Int64] = []
    integers.reserveCapacity(count)
    for _ in 0..<count {
      guard let integer = nextInteger() else { return nil }
      integers.append(integer)
    }
    return integers
  }

  mutating func nextTimes(_ count: Int) -> [SampleTime]? {
    var (latest, step) = (0 as Int64, 0 as Int64)
    var times: [SampleTime] = []
    times.reserveCapacity(count)
    for _ in 0..<count {
      guard let change = nextInteger() else { return nil }
      step &+= change
      latest &+= step
      times.append(SampleTime(nanoseconds: latest))
    }
    return times.allSatisfy(\.isValid) ? times : nil
  }

  mutating func nextNumbers(_ count: Int) -> [Double]? {
    let codes = place
    place += (count + 1) / 2
    guard place <= bytes.count else { return nil }
    var bits: UInt64 = 0
    var numbers: [Double] = []
    numbers.reserveCapacity(count)
    for index in 0..<count {
      let code = Int(clamping: bytes[codes + index / 2] >> (index % 2 == 0 ? 0 : 4) & 15)
      let (shift, length) = code > 8 ? (24, code - 8) : (0, code)
      guard length <= 8 - shift / 8 else { return nil }
      for byte in 0..<length {
        guard let next = next(UInt8.self) else { return nil }
        bits ^= UInt64(truncatingIfNeeded: next) << (shift + 8 * byte)
      }
      numbers.append(Double(bitPattern: bits))
    }
    return numbers
  }

  mutating func nextOptionals(_ count: Int) -> [Double?]? {
    let bits = place
    place += (count + 7) / 8
    guard place <= bytes.count else { return nil }
    let isPresent = (0..<count).map { bytes[bits + $0 / 8] >> ($0 % 8) & 1 == 1 }
    guard let numbers = nextNumbers(isPresent.count { $0 }) else { return nil }
    var next = numbers.makeIterator()
    return isPresent.map { $0 ? next.next() : nil }
  }

  mutating func nextText() -> String? {
    nextCount().flatMap { nextBytes($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  mutating func nextBytes(_ count: Int) -> UnsafeRawBufferPointer? {
    guard count >= 0, count <= bytes.count - place else { return nil }
    defer { place += count }
    return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
  }
}

/// Columns of numbers as bytes. Nothing is rounded.
///
/// - A **count** is a variable-length integer: seven bits a byte, the lowest first, the highest bit set in all but the
///   last.
/// - **Integers** are counts, with the sign in the lowest bit.
/// - **Times** are integers: how much each step from time to time, in nanoseconds, differs from the step before. With
///   even spacing they take a byte each.
/// - **Numbers** are the bits that differ from the number before (exclusive or). A half byte for each number states
///   which bytes follow. *n* ≤ 8 means the *n* lowest bytes. 8 + *n* means the *n* bytes above the three lowest, which
///   are 0 if the number was a `Float`.
/// - **Optional numbers** begin with a byte for each eight entries, whose bits state which entries exist. Their numbers
///   follow.
extension [UInt8] {
  mutating func append(count: Int) { append(variable: UInt64(clamping: count)) }

  mutating func append(integer: Int64) {
    append(variable: UInt64(bitPattern: integer << 1 ^ integer >> 63))
  }

  mutating func append(times: [SampleTime]) {
    var (latest, step) = (0 as Int64, 0 as Int64)
    for time in times {
      let next = time.nanoseconds &- latest
      append(integer: next &- step)
      (latest, step) = (time.nanoseconds, next)
    }
  }

  mutating func append(numbers: [Double]) {
    let changes = zip(numbers, [0] + numbers).map { $0.bitPattern ^ $1.bitPattern }
    let codes = changes.map { change in
      let low = 8 - change.leadingZeroBitCount / 8
      return low > 3 && change & 0xFF_FFFF == 0 ? 8 + low - 3 : low
    }
    for first in stride(from: 0, to: codes.count, by: 2) {
      append(UInt8(truncatingIfNeeded: codes[first] | (first + 1 < codes.count ? codes[first + 1] << 4 : 0)))
    }
    for (change, code) in zip(changes, codes) {
      let (shift, length) = code > 8 ? (24, code - 8) : (0, code)
      for byte in 0..<length { append(UInt8(truncatingIfNeeded: change >> (shift + 8 * byte))) }
    }
  }

  mutating func append(optionals: [Double?]) {
    for first in stride(from: 0, to: optionals.count, by: 8) {
      let bits = optionals[first..<Swift.min(first + 8, optionals.count)].enumerated()
      append(bits.reduce(0) { $1.element == nil ? $0 : $0 | 1 << UInt8($1.offset) })
    }
    append(numbers: optionals.compactMap(\.self))
  }
}

// MARK: Text

extension [UInt8] {
  /// Appends the length of a text as UTF-8, and the text.
  mutating func append(text: String) {
    let text = Array(text.utf8)
    append(count: text.count)
    append(contentsOf: text)
  }
}

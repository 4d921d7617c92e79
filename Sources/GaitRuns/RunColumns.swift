import Gait

/// The long lists of a run as columns of numbers: most of a run is here, and as JSON it would be ten times as long.
extension RunTimeline {
  /// The run without its long lists. A list that is known stays so, as an empty one.
  var withoutColumns: RunTimeline {
    var run = self
    let (path, barometer) = (path, barometer)
    run.cadencePoints = []
    run.route = []
    run.path = path.map { _ in [] }
    run.barometer = barometer.map { _ in [] }
    return run
  }

  /// The long lists: their four counts, then the columns of each.
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

  /// The run with the long lists of these bytes; `nil` if they are no columns.
  func with(columns bytes: UnsafeRawBufferPointer) -> RunTimeline? {
    var reader = RecordReader(bytes: bytes, place: 0)
    guard let cadenceCount = reader.nextCount(), let routeCount = reader.nextCount(),
      let stepCount = reader.nextCount(),
      let altitudeCount = reader.nextCount(), let points = reader.nextCadencePoints(cadenceCount),
      let route = reader.nextRoute(routeCount), let steps = reader.nextSteps(stepCount),
      let altitudes = reader.nextAltitudes(altitudeCount), reader.place == bytes.count
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
  /// The values that a source may lack, in the order of their columns.
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
}

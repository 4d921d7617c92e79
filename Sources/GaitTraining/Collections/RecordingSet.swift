import Gait
import GaitFormats

/// One set of a `RecordingCollection`: its folder, the form of its files, and the meaning of its labels.
public struct RecordingSet: Hashable, Sendable {
  /// The set's name. No other set of the collection has it.
  public var name: String
  /// The set's folder, relative to the collection's.
  public var folder: String
  /// The layout of the paths of the files with the acceleration.
  ///
  /// Files that differ only in `{segment}` continue each other in the order of its numbers, and are one recording.
  /// After a missing number, another recording begins.
  public var layout: PathLayout
  /// How to read the files: rate, format, column names, units and label column.
  public var options: ReadingOptions
  /// The places on the body: one, or several that share every row. Each place gives a recording.
  public var places: [BodyPlace]
  /// The files of other sensors, joined to a recording by the placeholders that the layouts share.
  public var sensors: [SensorFiles]
  /// The name of the numbering of subjects. If two sets have the same name here, equal subject numbers in them are the
  /// same person.
  public var people: String
  /// The label for training of each of the set's own labels. Recordings with other labels are left out. If it is empty,
  /// all labels are kept unchanged.
  public var labels: [String: String]
  /// The least standard deviation of the total acceleration over a second, g, by the set's own label. Seconds below it
  /// are left out, because people stand at the beginning and the end of recordings of jogging.
  public var moving: [String: Double] = [:]
  /// The set's licence; `nil` if the description does not state it.
  public var licence: String?
  /// The authors who must be named; `nil` if the description does not state them.
  public var attribution: String?

  /// A place on the body.
  public struct BodyPlace: Hashable, Sendable {
    /// The place's name, such as `pocket`; `unknown` if the description names none.
    public var name: String
    /// The position of the place's first column in a row, from 1; `nil` if the rows have one place.
    public var firstColumn: Int?

    /// A place.
    public init(name: String, firstColumn: Int? = nil) {
      self.name = name
      self.firstColumn = firstColumn
    }
  }

  /// The files of one sensor.
  public struct SensorFiles: Hashable, Sendable {
    /// The layout of their paths, relative to the set's folder.
    public var layout: PathLayout
    /// The names of their columns; `nil` if they have a header.
    public var columns: [String]?
  }

  /// The reading options of the files at one place.
  func options(at place: BodyPlace) -> ReadingOptions {
    var options = options
    if let first = place.firstColumn, let names = options.columnNames {
      options.columnNames = Array(repeating: "", count: first - 1) + names
    }
    return options
  }
}

extension RecordingSet: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, folder, layout, rate, format, columns, labelColumn, accelerationUnit, angleUnit, timeUnit
    case place, places, sensors, people, labels, moving, licence, attribution
  }

  /// Reads the entries of a collection's file; an unknown or impossible entry is a `DecodingError` that names it.
  public init(from decoder: any Decoder) throws {
    let entries = try decoder.checkedEntries(CodingKeys.self)
    name = try entries.decode(String.self, forKey: .name)
    folder = try entries.decodeIfPresent(String.self, forKey: .folder) ?? "."
    layout = try entries.layout(.layout)
    options = ReadingOptions(
      sampleRate: try entries.rate(.rate), format: try entries.value(RecordingFormat.self, .format),
      units: RecordingUnits(
        acceleration: try entries.value(AccelerationUnit.self, .accelerationUnit),
        angle: try entries.value(AngleUnit.self, .angleUnit), time: try entries.value(TimeUnit.self, .timeUnit)),
      labelColumn: try entries.decodeIfPresent(String.self, forKey: .labelColumn),
      columnNames: try entries.decodeIfPresent([String].self, forKey: .columns))
    let place = try entries.decodeIfPresent(String.self, forKey: .place)
    places = try entries.decodeIfPresent([BodyPlace].self, forKey: .places) ?? [BodyPlace(name: place ?? "unknown")]
    sensors = try entries.decodeIfPresent([SensorFiles].self, forKey: .sensors) ?? []
    people = try entries.decodeIfPresent(String.self, forKey: .people) ?? name
    labels = try entries.decodeIfPresent([String: String].self, forKey: .labels) ?? [:]
    moving = try entries.decodeIfPresent([String: Double].self, forKey: .moving) ?? [:]
    licence = try entries.decodeIfPresent(String.self, forKey: .licence)
    attribution = try entries.decodeIfPresent(String.self, forKey: .attribution)
    guard moving.values.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      throw entries.fault(.moving, "has a limit that is not positive; write g, such as 0.3")
    }
    guard !places.isEmpty else { throw entries.fault(.places, "is empty; name a place, or omit it") }
    guard place == nil || !entries.contains(.places) else {
      throw entries.fault(.place, "is given beside \"places\"; keep one of them")
    }
    if places.contains(where: { $0.firstColumn != nil }), options.columnNames == nil {
      throw entries.fault(.columns, "is missing, but \"places\" have a \"firstColumn\"; name the columns of a place")
    }
    let isInPath = layout.fieldNames.contains("label")
    if isInPath == (options.labelColumn != nil) {
      throw entries.fault(
        .layout,
        isInPath
          ? "has {label} beside \"labelColumn\"; keep one of them"
          : "has no {label}; add it, or name the \"labelColumn\"")
    }
  }
}

extension RecordingSet.BodyPlace: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case name, firstColumn }

  /// Reads the entries of a collection's file; an unknown or impossible entry is a `DecodingError` that names it.
  public init(from decoder: any Decoder) throws {
    let entries = try decoder.checkedEntries(CodingKeys.self)
    name = try entries.decode(String.self, forKey: .name)
    firstColumn = try entries.decodeIfPresent(Int.self, forKey: .firstColumn)
    if let firstColumn, !(1...Self.mostColumns).contains(firstColumn) {
      throw entries.fault(.firstColumn, "is not within 1…\(Self.mostColumns); the first column of a row is 1")
    }
  }

  private static let mostColumns = 10_000
}

extension RecordingSet.SensorFiles: Decodable {
  enum CodingKeys: String, CodingKey, CaseIterable { case layout, columns }

  /// Reads the entries of a collection's file; an unknown or impossible entry is a `DecodingError` that names it.
  public init(from decoder: any Decoder) throws {
    let entries = try decoder.checkedEntries(CodingKeys.self)
    layout = try entries.layout(.layout)
    columns = try entries.decodeIfPresent([String].self, forKey: .columns)
  }
}

extension KeyedDecodingContainer {
  fileprivate func layout(_ key: Key) throws -> PathLayout {
    let text = try decode(String.self, forKey: key)
    do {
      return try PathLayout(text)
    } catch {
      throw fault(key, "is wrong: \(error)".trimmingSuffix("."))
    }
  }

  fileprivate func rate(_ key: Key) throws -> SampleRate? {
    guard let hertz = try decodeIfPresent(Double.self, forKey: key) else { return nil }
    guard let rate = SampleRate(exactly: hertz) else {
      throw fault(key, "is not a sample rate; write hertz, such as 50")
    }
    return rate
  }

  /// The value of an entry by its textual form; `nil` if there is no such entry.
  fileprivate func value<Value: RawRepresentable<String> & CaseIterable>(
    _ type: Value.Type, _ key: Key
  ) throws -> Value? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    guard let value = Value(rawValue: text) else {
      throw fault(key, "is \"\(text)\"; write one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }
}

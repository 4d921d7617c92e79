import Gait
import GaitFormats

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The functions of include/gait.h for streams of windows and runs.

/// `gait_stream_create` of gait.h.
@_cdecl("gait_stream_create")
public func createStream(
  _ source: UInt64, _ hertz: Double, _ start: Int64, _ channels: UInt32, _ options: UnsafePointer<CChar>?
) -> UInt64 {
  stream(options) {
    try SampleStream(HandleTable.held(source), rate: rate(hertz), start: start, mask: channels, &$0)
  }
}

/// `gait_track_create` of gait.h.
@_cdecl("gait_track_create")
public func createTrack(
  _ handleOfModel: UInt64, _ hertz: Double, _ start: Int64, _ channels: UInt32, _ options: UnsafePointer<CChar>?
) -> UInt64 {
  stream(options) {
    try SampleStream(tracking: model(handleOfModel), rate: rate(hertz), start: start, mask: channels, &$0)
  }
}

/// Makes a stream and checks that all options were known to it.
private func stream(_ options: UnsafePointer<CChar>?, _ make: (inout Options) throws -> SampleStream) -> UInt64 {
  handle {
    var options = try Options(options)
    let stream = try make(&options)
    try options.finish()
    return .stream(stream)
  }
}

/// `gait_stream_push` of gait.h.
@_cdecl("gait_stream_push")
public func push(
  _ handle: UInt64, _ times: UnsafePointer<Int64>?, _ values: UnsafePointer<Float>?, _ length: Int64, _ rows: Int64,
  _ rowStride: Int64, _ channelStride: Int64
) -> Int64 {
  guarded(-1) {
    let stream = try stream(handle)
    return Int64(
      try stream.push(
        SampleBlock(
          stream.channels, values, length: length, rows: rows, rowStride: rowStride, channelStride: channelStride,
          times: times)))
  }
}

/// `gait_stream_push_columns` of gait.h.
@_cdecl("gait_stream_push_columns")
public func pushColumns(
  _ handle: UInt64, _ times: UnsafePointer<Int64>?, _ columns: UnsafePointer<UnsafePointer<Float>?>?, _ rows: Int64
) -> Int64 {
  guarded(-1) {
    let stream = try stream(handle)
    return Int64(try stream.push(SampleBlock(stream.channels, columns: columns, rows: rows, times: times)))
  }
}

/// `gait_stream_push_recording` of gait.h.
@_cdecl("gait_stream_push_recording")
public func pushRecording(_ handle: UInt64, _ source: UInt64) -> Int64 {
  guarded(-1) {
    try Int64(stream(handle).push(recording(source, "the second handle")))
  }
}

/// `gait_track_push_recording` of gait.h.
@_cdecl("gait_track_push_recording")
public func pushRecording(
  _ handle: UInt64, _ source: UInt64, _ location: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?
) -> Int64 {
  guarded(-1) {
    let path = try text(location, "location")
    guard !path.isEmpty else { throw InterfaceError("the location is empty; name a file of GPS points") }
    var options = try Options(options)
    let offset = try options.number("locationOffset", within: -4e9...4e9)
    try options.finish()
    let recording = try recording(source, "the second handle")
    let file = try LocationFile(contentsOf: URL(filePath: path))
    return Int64(try stream(handle).push(recording, file, offset: offset))
  }
}

/// `gait_stream_bridged` of gait.h.
@_cdecl("gait_stream_bridged")
public func bridged(_ handle: UInt64) -> Int64 {
  guarded(-1) { Int64(try stream(handle).bridgedCount) }
}

/// `gait_stream_check` of gait.h.
@_cdecl("gait_stream_check")
public func check(_ handle: UInt64) -> Int32 {
  guarded(-1) {
    let empty = try stream(handle).review.emptyChannels.map(\.rawValue)
    guard empty.isEmpty else {
      throw InterfaceError(
        "\(empty.joined(separator: ", ")) \(empty.count == 1 ? "has" : "have") no value in the first minute; "
          + "fill the column, or use a model or features that do not need it")
    }
    return 0
  }
}

/// `gait_stream_pull` of gait.h.
@_cdecl("gait_stream_pull")
public func pull(
  _ handle: UInt64, _ windows: Int64, _ values: UnsafeMutablePointer<Float>?, _ length: Int64,
  _ starts: UnsafeMutablePointer<Int64>?, _ labels: UnsafeMutablePointer<Int32>?
) -> Int64 {
  guarded(-1) {
    guard 0...Int64(1 << 40) ~= windows else { throw InterfaceError("\(windows) is not a possible number of windows") }
    return Int64(
      try stream(handle).pull(
        room(values, length, "values"), room(starts, windows, "starts"), room(labels, windows, "labels"),
        windows: Int(windows)))
  }
}

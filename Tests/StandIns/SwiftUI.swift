// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of SwiftUI that the articles use, to type-check them on other systems.

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension View where Body == Never {
  // The return keeps the builder from taking the body.
  public var body: Never { return fatalError("a stand-in has no body") }
}

extension Never: View {
  public typealias Body = Never
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Stand { Stand() }
  public static func buildOptional(_ content: Stand?) -> Stand { Stand() }
}

/// Any view.
public struct Stand: View {
  public typealias Body = Never
}

public struct Text: View {
  public typealias Body = Never
  public init(_ content: String) {}
}

public struct Button: View {
  public typealias Body = Never
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}

public struct VStack: View {
  public typealias Body = Never
  public init(@ViewBuilder content: () -> Stand) {}
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The part of SwiftUI that the articles use, to type-check them on other systems.

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a stand-in has no body") }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Stand {
    Stand()
  }
  public static func buildOptional(_ content: Stand?) -> Stand { Stand() }
}

/// Any view.
public struct Stand: View {
  public var body: Never { fatalError("a stand-in has no body") }
}

public struct Text: View {
  public init(_ content: String) {}
  public var body: Never { fatalError("a stand-in has no body") }
}

public struct Button: View {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError("a stand-in has no body") }
}

public struct VStack: View {
  public init(@ViewBuilder content: () -> Stand) {}
  public var body: Never { fatalError("a stand-in has no body") }
}

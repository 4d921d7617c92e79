import Gait

/// A head's classifier as an ONNX graph: `features`, Float `[windows × features]`, to `probabilities`, Float `[windows
/// × labels]`.
///
/// Source: onnx.ai, "Operators" and `onnx.proto`, intermediate representation 8; operator set 13, and set 1 of
/// `ai.onnx.ml` for trees.
struct OnnxModel {
  /// The file.
  let file: ProtobufMessage

  private static let (floatType, integerVersion) = (1, 8)

  init(_ model: ActivityModel, name: String, notice: String) throws(ExportError) {
    let head = model.activityHead
    var graph = OnnxGraph(input: "features")
    if let scaling = head.scaling {
      graph.apply("Sub", constants: [("mean", [scaling.featureCount], scaling.mean)])
      graph.apply("Div", constants: [("deviation", [scaling.featureCount], scaling.standardDeviation)])
    }
    if case .logistic(let logistic) = head.classifier { Self.add(logistic, to: &graph) }
    if let trees = ExportedTrees(head.classifier) { graph.apply(trees) }
    switch head.calibration {
    case nil: break
    case .temperature(let temperature):
      graph.apply("Clip", constants: [("smallest", [], [Float.leastNormalMagnitude])])
      graph.apply("Log")
      graph.apply("Div", constants: [("temperature", [], [temperature])])
      graph.apply("Softmax", integers: [("axis", -1)])
    case .isotonic: throw .calibration(.onnx)
    }
    graph.apply("Identity", output: "probabilities")
    file = Self.file(graph, head: head, model: model, name: name, notice: notice)
  }

  private static func add(_ logistic: LogisticRegression, to graph: inout OnnxGraph) {
    let sums = logistic.unscaled(by: nil)
    graph.apply(
      "Gemm", integers: [("transB", 1)],
      constants: [
        ("weights", [logistic.labelCount, logistic.featureCount], sums.weights.map { Float($0) }),
        ("intercepts", [logistic.labelCount], sums.intercepts.map { Float($0) }),
      ])
    graph.apply("Softmax", integers: [("axis", -1)])
  }

  private static func file(
    _ graph: OnnxGraph, head: ActivityModel.Head, model: ActivityModel, name: String, notice: String
  ) -> ProtobufMessage {
    ProtobufMessage { file in
      file.add(1, integerVersion)
      file.add(2, "gait")
      file.add(7) { message in
        graph.write(to: &message)
        message.add(2, name)
        message.add(11, matrix("features", columns: head.features.count))
        message.add(12, matrix("probabilities", columns: head.labels.count))
      }
      for (domain, version) in [("", 13), ("ai.onnx.ml", 1)] {
        file.add(8) { set in
          set.add(1, domain)
          set.add(2, version)
        }
      }
      let metadata = [
        ("labels", head.labels.map { $0.visible() }.joined(separator: "\n")),
        ("features", head.features.map(\.description).joined(separator: "\n")),
        ("sampleRate", plain(model.sampleRate.hertz)),
        ("window", plain(head.window.seconds)),
        ("hop", plain(head.window.hopSeconds)), ("notice", notice),
      ]
      for (key, value) in metadata where !value.isEmpty {
        file.add(14) { entry in
          entry.add(1, key)
          entry.add(2, value)
        }
      }
    }
  }

  /// A Float matrix of any number of rows, as an input or output.
  private static func matrix(_ name: String, columns: Int) -> (inout ProtobufMessage) -> Void {
    { value in
      value.add(1, name)
      value.add(2) { type in
        type.add(1) { tensor in
          tensor.add(1, floatType)
          tensor.add(2) { shape in
            shape.add(1) { $0.add(2, "windows") }
            shape.add(1) { $0.add(1, columns) }
          }
        }
      }
    }
  }
}

/// A chain of operators, each applied to the output of the previous one.
struct OnnxGraph {
  private var nodes: [ProtobufMessage] = []
  private var constants: [ProtobufMessage] = []
  private var current: String

  init(input: String) { current = input }

  /// Applies an operator.
  ///
  /// - Parameters:
  ///   - type: the operator's name.
  ///   - integers: its attributes.
  ///   - constants: its other inputs: name, shape and values of each.
  ///   - output: the name of its output.
  mutating func apply(
    _ type: String, integers: [(String, Int)] = [],
    constants inputs: [(name: String, shape: [Int], values: [Float])] = [], output: String? = nil
  ) {
    for input in inputs { constants.append(Self.tensor(input.name, input.shape, input.values)) }
    add(type, inputs: inputs.map(\.name), output: output, attributes: integers.map { Self.attribute($0, $1) })
  }

  /// Applies trees, whose outputs are summed for each label, and a softmax if the sums are logits.
  mutating func apply(_ trees: ExportedTrees) {
    let nodes = trees.nodes
    let leaves = nodes.filter { $0.split == nil }.flatMap { node in
      node.outputs.map { (tree: node.tree, node: node.node, label: $0.label, weight: $0.value) }
    }
    let attributes = [
      Self.attribute("n_targets", trees.base.count),
      Self.attribute("base_values", trees.base),
      Self.attribute("nodes_treeids", nodes.map(\.tree)),
      Self.attribute("nodes_nodeids", nodes.map(\.node)),
      Self.attribute("nodes_featureids", nodes.map { $0.split?.feature ?? 0 }),
      Self.attribute("nodes_values", nodes.map { $0.split?.threshold ?? 0 }),
      Self.attribute("nodes_modes", nodes.map { $0.split == nil ? "LEAF" : "BRANCH_LEQ" }),
      Self.attribute("nodes_truenodeids", nodes.map { $0.split?.whenAtMost ?? 0 }),
      Self.attribute("nodes_falsenodeids", nodes.map { $0.split?.otherwise ?? 0 }),
      Self.attribute("target_treeids", leaves.map(\.tree)),
      Self.attribute("target_nodeids", leaves.map(\.node)),
      Self.attribute("target_ids", leaves.map(\.label)),
      Self.attribute("target_weights", leaves.map(\.weight)),
    ]
    add("TreeEnsembleRegressor", domain: "ai.onnx.ml", inputs: [], output: nil, attributes: attributes)
    if trees.areLogits { apply("Softmax", integers: [("axis", -1)]) }
  }

  /// Writes nodes and constants as fields of a GraphProto.
  func write(to graph: inout ProtobufMessage) {
    for node in nodes { graph.add(1) { $0 = node } }
    for constant in constants { graph.add(5) { $0 = constant } }
  }

  private mutating func add(
    _ type: String, domain: String = "", inputs: [String], output: String?, attributes: [ProtobufMessage]
  ) {
    let result = output ?? "value\(nodes.count)"
    nodes.append(
      ProtobufMessage { node in
        node.add(1, [current] + inputs)
        node.add(2, result)
        node.add(3, "\(type.lowercased())\(nodes.count)")
        node.add(4, type)
        for attribute in attributes { node.add(5) { $0 = attribute } }
        if !domain.isEmpty { node.add(7, domain) }
      })
    current = result
  }

  private enum AttributeType: Int {
    case integer = 2
    case floats = 6
    case integers = 7
    case strings = 8
  }

  private static func attribute(_ name: String, _ value: Int) -> ProtobufMessage {
    attribute(name, .integer) { $0.add(3, value) }
  }

  private static func attribute(_ name: String, _ values: [Int]) -> ProtobufMessage {
    attribute(name, .integers) { $0.add(8, packed: values) }
  }

  private static func attribute(_ name: String, _ values: [Float]) -> ProtobufMessage {
    attribute(name, .floats) { $0.add(7, packed: values) }
  }

  private static func attribute(_ name: String, _ values: [String]) -> ProtobufMessage {
    attribute(name, .strings) { $0.add(9, values) }
  }

  private static func attribute(
    _ name: String, _ type: AttributeType, _ fill: (inout ProtobufMessage) -> Void
  ) -> ProtobufMessage {
    ProtobufMessage { attribute in
      attribute.add(1, name)
      fill(&attribute)
      attribute.add(20, type.rawValue)
    }
  }

  private static func tensor(_ name: String, _ shape: [Int], _ values: [Float]) -> ProtobufMessage {
    ProtobufMessage { tensor in
      for size in shape { tensor.add(1, size) }
      tensor.add(2, 1)
      tensor.add(4, packed: values)
      tensor.add(8, name)
    }
  }
}

/// A chain of operators, each applied to the output of the previous one.
struct OnnxGraph {
  private var nodes: [ProtobufMessage] = []
  private var constants: [ProtobufMessage] = []
  private var current: String

  /// An empty graph with the given input.
  init(input: String) {
    current = input
  }

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
    let attributes = integers.map { name, value in
      ProtobufMessage { attribute in
        attribute.add(1, name)
        attribute.add(3, value)
        attribute.add(20, AttributeType.integer.rawValue)
      }
    }
    add(type, inputs: inputs.map(\.name), output: output, attributes: attributes)
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

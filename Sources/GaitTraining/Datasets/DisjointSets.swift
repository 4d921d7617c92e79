/// A union-find structure over the numbers `0..<count`.
///
/// Source: Galler and Fisher's disjoint-set forests, with path halving. The smallest member is a set's root, so results
/// do not depend on the order of unions.
struct DisjointSets {
  private var parents: [Int]

  /// Starts with every number in a set of its own.
  init(count: Int) {
    parents = Array(0..<count)
  }

  /// The smallest member of the set that contains `member`.
  mutating func first(of member: Int) -> Int {
    var member = member
    while parents[member] != member {
      parents[member] = parents[parents[member]]
      member = parents[member]
    }
    return member
  }

  /// Merges the sets that contain `left` and `right`.
  mutating func unite(_ left: Int, _ right: Int) {
    let (a, b) = (first(of: left), first(of: right))
    parents[max(a, b)] = min(a, b)
  }

  /// The sets, each ascending, ordered by their smallest members.
  var sets: [[Int]] {
    var copy = self
    var members: [Int: [Int]] = [:]
    for member in parents.indices { members[copy.first(of: member), default: []].append(member) }
    return members.sorted { $0.key < $1.key }.map(\.value)
  }
}

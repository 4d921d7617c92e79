import Foundation
import Testing

/// README, CONTRIBUTING, CHANGELOG and the pages of folders: the files and folders they name exist.
@Suite struct RepositoryPagesTests {
  private static let pages = [
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "datasets/README.md", "SECURITY.md", "CODE_OF_CONDUCT.md",
    "TESTING.md",
  ]
  /// Folders whose files a page may name in backticks.
  private static let folders = ["Sources", "Tests", "Scripts", "Benchmarks", "Fuzzing", "datasets"]

  private static func exists(_ path: String, from page: String = "README.md") -> Bool {
    let folder = Repository.root.appending(path: page).deletingLastPathComponent()
    return FileManager.default.fileExists(atPath: folder.appending(path: path).standardizedFileURL.path)
  }

  @Test(arguments: pages) func `Every linked file exists`(page: String) throws {
    let links = try Repository.text(page).matches(of: /\]\(([^)#:\s]+)(?:#[^)\s]*)?\)|(?:src|srcset)="([^":]+)"/)
      .compactMap { ($0.1 ?? $0.2).map(String.init) }
    for link in links { #expect(Self.exists(link, from: page), "\(page) links to \(link), which does not exist") }
  }

  @Test(arguments: pages) func `Every file of the repository that is named exists`(page: String) throws {
    // With arguments, if it is a script.
    let names = try Repository.text(page).matches(of: /`([A-Za-z.]+\/[A-Za-z0-9_.\/+-]+)(?: [^`\n]*)?`/)
      .map { String($0.1) }.filter { name in Self.folders.contains { name.hasPrefix($0 + "/") } }
    for name in names { #expect(Self.exists(name), "\(page) names \(name), which does not exist") }
  }

  @Test func `CONTRIBUTING answers twelve questions, each with a file`() throws {
    let section = try #require(
      Repository.text("CONTRIBUTING.md").components(separatedBy: "\n## ").first { $0.hasPrefix("Twelve questions") })
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("?") }
    #expect(rows.count == 12)
    for row in rows { #expect(row.contains("]("), "no file answers \(row)") }
  }

  @Test func `Every source file that a walk through the code names exists, and each walk is short`() throws {
    let section = try #require(
      Repository.text("CONTRIBUTING.md").components(separatedBy: "\n## ").first { $0.hasPrefix("Three walks") })
    let sources = try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: "Sources").path)
    let walks = section.components(separatedBy: "\n**From").dropFirst()
    #expect(walks.count == 3)
    for (walk, most) in zip(walks, [24, 15, 24]) {
      let names = Set(walk.matches(of: /`([A-Za-z0-9\/+]+\.swift)`/).map { String($0.1) })
      #expect(names.count > 5)
      #expect(names.count <= most)
      for name in names {
        #expect(
          sources.contains { "Sources/\($0)".hasSuffix("/" + name) || "Sources/\($0)" == name },
          "\(name) does not exist")
      }
    }
  }

  @Test func `Every make target and script that the pages name exists`() throws {
    let makefile = try Repository.text("Makefile")
    for page in Self.pages {
      for match in try Repository.text(page).matches(of: /`make ([a-z][a-z0-9-]*)/) {
        #expect(makefile.contains("\n\(match.1):"), "\(page) names make \(match.1), which does not exist")
      }
    }
  }

  @Test func `Workflows call make targets and scripts that exist, and say that they were not run`() throws {
    let makefile = try Repository.text("Makefile")
    let folder = Repository.root.appending(path: ".github/workflows")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yml") }
    #expect(names.count >= 3)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(text.contains("Never run so far"), "\(name) does not say that it was not run")
      for section in ["name:", "on:", "jobs:", "runs-on:", "timeout-minutes:", "permissions:"] {
        #expect(text.contains(section), "\(name) has no \(section)")
      }
      let commands = text.matches(of: /\n *(?:- )?run: (.+)/).map { String($0.1) }
      #expect(!commands.isEmpty, "\(name) runs nothing")
      for command in commands {
        for match in command.matches(of: /(?:^|&& )make ([a-z-]+)/) {
          #expect(makefile.contains("\n\(match.1):"), "\(name) runs make \(match.1), which does not exist")
        }
        for match in command.matches(of: /(?:^|\s)((?:Scripts|\.ci)\/[A-Za-z-]+)/) {
          #expect(Self.exists(String(match.1)), "\(name) runs \(match.1), which does not exist")
        }
      }
    }
  }

  @Test func `Every product is built for Apple's systems by Xcode 26, and every library has documentation`() throws {
    let manifest = try Repository.text("Package.swift")
    let libraries = manifest.matches(of: /\.library\(name: "([\w-]+)"/).map { String($0.1) }
    let commands = manifest.matches(of: /\.executable\(name: "([\w-]+)"/).map { String($0.1) }
    #expect(libraries.count >= 5)
    #expect(commands.count >= 2)
    let workflow = try Repository.text(".github/workflows/ci.yml")
    #expect(workflow.contains("for scheme in \(libraries.joined(separator: " ")) $"))
    #expect(workflow.contains("others: \(commands.joined(separator: " ")) gait-Package\n"))
    #expect(try Repository.text(".spi.yml").contains("documentation_targets: [\(libraries.joined(separator: ", "))]\n"))
    // The default Xcode of earlier images cannot read Package.swift.
    let images = workflow.matches(of: /runs-on: macos-(\d+)/).compactMap { Int($0.1) }
    #expect(images.count >= 2)
    #expect(images.allSatisfy { $0 >= 26 })
  }

  @Test func `Every part of the checks has its own name, and runs a make target or a script that exists`() throws {
    let makefile = try Repository.text("Makefile")
    let rows = try Repository.text(".ci/parts").split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ", maxSplits: 3).map(String.init) }
    #expect(Set(rows.map { $0[1] }).count == rows.count)
    #expect(rows.count > 40)
    #expect(Set(rows.map { $0[0] }) == ["merge", "nightly", "release"])
    for row in rows {
      let names = row[3].matches(
        of:
          #/
          (?:^|\s) (?: make\ ([a-z-]+) | ((?:Scripts|Benchmarks/peers)/[A-Za-z_.-]+) | \.build/release/gait-lab
            | swift\ run\ -c\ release\ StoreTimes )
        /#)
      #expect(!names.isEmpty, "\(row[1]) runs nothing of the repository")
      for name in names {
        let exists = name.1.map { makefile.contains("\n\($0):") } ?? name.2.map { Self.exists(String($0)) } ?? true
        #expect(exists, "\(row[1]) runs \(name.0), which does not exist")
      }
      for path in row[2].split(separator: ",") {
        #expect(Self.exists(String(path.trimmingPrefix(":(exclude)"))), "\(row[1]) tests \(path)")
      }
    }
  }

  @Test func `A script with several parts lists each that the checks run at the start of a line of its usage`() throws {
    let calls = try [".ci/parts", "Makefile", "CONTRIBUTING.md"].map(Repository.text).joined()
      .matches(of: /(Scripts\/(?:check-articles|check-programs|python-package) [a-z]+)/)
    #expect(Set(calls.map { $0.1 }).count > 12)
    for call in calls {
      let script = try Repository.text(String(call.1.prefix { $0 != " " }))
      let isListed = script.contains("\n    \(call.1) ") || script.contains("\n#   \(call.1) ")
      #expect(isListed, "the usage does not list \(call.1)")
    }
  }

  @Test func `The citation names the version of the command and the licence`() throws {
    let citation = try Repository.text("CITATION.cff")
    let command = try Repository.text("Sources/GaitCommand/Terminal.swift")
    let version = try #require(command.firstMatch(of: /version = "([^"]+)"/))
    #expect(citation.contains("\nversion: \(version.1)\n"))
    #expect(citation.contains("\nlicense: MIT\n"))
    #expect(try Repository.text("LICENSE").hasPrefix("MIT License"))
  }

  @Test func `The README has at most 1,000 words`() throws {
    #expect(try Repository.text("README.md").split(whereSeparator: \.isWhitespace).count <= 1_000)
  }
}

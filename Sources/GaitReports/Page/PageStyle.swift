import Gait

/// The style of pages and their charts.
enum PageStyle {
  /// The number of distinct series styles in a chart: colour, strength and dash.
  static let seriesCount = 30
  /// The number of colours of paces on a map, from slow to fast.
  static let paceCount = 5
  private static let colorCount = 6

  /// The dashes of the series' lines, so that series differ without colour; none for the first.
  static let dashes = (0..<seriesCount).map { series in
    let plain = ["", "7 3", "2 3", "10 3 2 3", "4 2", "1 2"][series % colorCount]
    let more = String(repeating: " 12 4", count: series / colorCount)
    return plain.isEmpty ? String(more.dropFirst()) : plain + more
  }

  /// The series of each label: running, walking and standing look the same on all pages.
  static func series(of labels: [String]) -> [Int] {
    var free = (0..<max(seriesCount, labels.count + 3)).filter { ![0, 1, 2].contains($0) }[...]
    var activities: [Activity: Int] = [.running: 0, .still: 1, .walking: 2]
    return labels.map { label in
      activities.removeValue(forKey: Activity(label: label)) ?? free.popFirst() ?? 0
    }
  }

  /// The light colours.
  private static let light = """
    --paper:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d8dee4;--card:#f6f8fa;\
    --s0:#0072b2;--s1:#c04a00;--s2:#00795a;--s3:#a8487f;--s4:#8a6d00;--s5:#30729e;\
    --p0:#7a2b8f;--p1:#3d5bb0;--p2:#1b7f86;--p3:#3f8f2a;--p4:#a87b00;--band:#cfe3f1
    """

  /// The colours of pages and drawings, light and dark.
  ///
  /// The series' colours are those of Okabe and Ito, "Color Universal Design", 2008, distinguishable with any colour
  /// vision, and lighter on a dark page.
  private static let colors = """
    :root{color-scheme:light dark;\(light)}
    @media (prefers-color-scheme:dark){:root{--paper:#0f1419;--ink:#e6e9ed;--soft:#a3adb8;--rule:#343c46;--card:#171d24;\
    --s0:#56b4e9;--s1:#f0883e;--s2:#2fc79a;--s3:#e39bc8;--s4:#f0e442;--s5:#9ecbe8;\
    --p0:#c58be0;--p1:#8fb0f0;--p2:#4fd0c8;--p3:#a0e060;--p4:#ffe060;--band:#1f4a66}}

    """

  /// The classes of drawings.
  private static let drawing = """
    svg text{fill:var(--ink)}
    svg .soft{fill:var(--soft)}
    svg .strong{font-weight:600}
    svg .rule{stroke:var(--rule);stroke-width:1}
    svg .axis{stroke:var(--soft);stroke-width:1}
    svg .missing{fill:var(--s3);fill-opacity:.35}
    svg .line{fill:none;stroke-width:2;stroke-linejoin:round}
    svg .thin{stroke-width:1}
    svg .area{fill-opacity:.35}
    svg .envelope{fill-opacity:1;stroke-width:1;stroke-linejoin:round}
    svg .stretch *{vector-effect:non-scaling-stroke}
    svg .running{fill:var(--s0)}
    svg .walking{fill:var(--s2)}
    svg .moving{fill:var(--s5)}
    svg .standing{fill:var(--s3)}
    svg .riding{fill:var(--s4)}
    svg .paused{fill:var(--s1)}
    svg .unknown{fill:var(--soft);fill-opacity:.5}
    svg .shade{fill-opacity:.2}
    svg .walk{fill:none;stroke:var(--s2);stroke-width:1.5;stroke-dasharray:5 3}
    svg .decision{stroke:var(--ink);stroke-width:1;fill:none}
    \((0..<seriesCount).map(Self.rules).joined(separator: "\n"))

    """

  /// The rules of a series. Those beyond the sixth have the same colours, paler and with an edge.
  private static func rules(_ series: Int) -> String {
    let color = "var(--s\(series % colorCount))"
    let strength = [1, 0.6, 0.35, 0.2, 0.08][series / colorCount]
    let pale = strength < 1 ? ";fill-opacity:\(strength);stroke:\(color)" : ""
    return "svg .f\(series){fill:\(color)\(pale)}svg .l\(series){stroke:\(color)}"
  }

  /// The style sheet of a stand-alone drawing.
  ///
  /// - Parameter growsOnPhones: whether text is larger on a phone and details are hidden; a drawing needs room for
  ///   that.
  static func pictureSheet(growsOnPhones: Bool) -> String {
    colors + """
      svg{font:15px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
      svg .paper{fill:var(--paper)}
      svg .detail{font-size:14px}
      \(growsOnPhones ? "@media (max-width:560px){svg{font-size:25px}svg .detail{display:none}}" : "")

      """ + drawing
  }

  /// The rules for paper: light colours, no controls, headings on the page of what follows them, and no chart cut in
  /// two.
  private static let print = """
    @media print{:root{color-scheme:light;\(light)}
    body{max-width:none;padding:0;font-size:.85rem}
    figure,.tile,tr,.alert,footer{break-inside:avoid}
    h1,h2,h3,h2+p,thead{break-after:avoid}
    figcaption{break-before:avoid}
    h2+p{break-inside:avoid}
    .legend{font-size:.65rem;line-height:1.1}
    .legend svg{height:12px}
    .grid{display:block;orphans:1;widows:1}
    .grid figure{display:inline-block;vertical-align:top;width:48.5%;margin:0 .4rem .8rem 0}
    .grid figure.whole{display:inline-block;width:100%}
    .grid figure:has(ul:not(.legend)){display:block;width:100%;break-inside:auto}
    svg.plot{zoom:var(--print,1)}
    .map{max-width:34rem}
    .tools,nav,.choice input,.choice label,svg.overview,svg .cross,svg .now,svg circle.here{display:none}
    a{color:inherit;text-decoration:none}}
    """

  /// The style sheet of a page.
  ///
  /// The sheet has no character that XML would escape, because HTML does not unescape style sheets.
  static let sheet =
    colors + """
      *{box-sizing:border-box}
      body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--paper);color:var(--ink);\
      font:1rem/1.45 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;overflow-wrap:anywhere}
      h1{font-size:1.5rem;margin:.4rem 0}
      h2{font-size:1.15rem;margin:1.6rem 0 .6rem;border-bottom:1px solid var(--rule);padding-bottom:.25rem}
      h3{font-size:.95rem;margin:0 0 .4rem}
      p{margin:.5rem 0}
      ul{margin:.5rem 0;padding-left:1.2rem}
      code{font:.85rem/1.4 ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--card);padding:.1rem .3rem}
      .grid{display:flex;flex-wrap:wrap;gap:1rem}
      .grid figure{flex:1 1 21rem}
      figure{margin:0;padding:.75rem;background:var(--card);border:1px solid var(--rule);border-radius:.5rem;min-width:0}
      .grid figure.whole,.grid figure:not(:has(svg,table)){flex-basis:100%}
      figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}
      section+section{margin-top:2rem}
      h2+table.numbers{max-width:40rem}
      table+.grid,table+h3{margin-top:1rem}
      table{border-collapse:collapse;width:100%;font-size:.9rem}
      th,td{text-align:right;padding:.25rem .35rem;border-bottom:1px solid var(--rule);vertical-align:top}
      th:first-child,td:first-child,th.text,td.text{text-align:left}
      td,th,h3{overflow-wrap:break-word}
      .texts td:first-child{min-width:5.5rem}
      code .word{white-space:nowrap}
      .numbers{font-size:.8rem}
      .numbers td{white-space:nowrap}
      .numbers th,.numbers td{padding:.25rem .2rem}
      .numbers .text{padding-left:.8rem}
      .numbers td:first-child{white-space:normal}
      th{color:var(--soft);font-weight:600}
      svg{display:block;width:100%;font:12px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
      svg.plot,svg.bars,svg.map-paper{overflow:visible}
      svg .outline{fill:none;stroke:var(--rule)}
      svg .brief{display:none}
      @media (max-width:560px){svg .detail{display:none}svg .brief{display:inline}}
      @media (min-width:700px){h2+table.numbers th,h2+table.numbers td{padding:.25rem .6rem}}
      .chart{margin:0 1.4rem 0 3rem;outline-offset:.4rem}
      .chart svg.plot{user-select:none;-webkit-user-select:none}
      .legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;list-style:none;margin:.5rem 0 0 -2.6rem;padding:0;font-size:.8rem}
      .legend li{display:flex;align-items:center;gap:.45rem}
      .legend svg{width:34px;flex:none}
      nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.9rem;margin:.8rem 0}
      a{color:var(--s0)}
      footer{margin-top:2rem;border-top:1px solid var(--rule);font-size:.8rem;color:var(--soft)}
      .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
      svg.overview{height:34px;margin:0 0 .6rem;background:var(--paper);cursor:pointer;touch-action:none}
      svg .range{fill:var(--ink);fill-opacity:.1;stroke:var(--ink);stroke-width:1.5;vector-effect:non-scaling-stroke}
      svg .cross{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 2}
      svg .now{font-weight:600;font-variant-numeric:tabular-nums}
      svg circle.here{fill:var(--ink);stroke:var(--card);stroke-width:2}
      .alert{border-left:.3rem solid var(--s1);background:var(--card);padding:.1rem .7rem;margin:.8rem 0}
      .tools{display:flex;gap:.3rem;justify-content:flex-end;margin-bottom:.3rem}
      .tools button{font:600 .85rem/1 system-ui,sans-serif;min-width:2.2rem;padding:.45rem .5rem;color:var(--ink);\
      background:var(--paper);border:1px solid var(--rule);border-radius:.4rem;cursor:pointer}
      .tiles{display:grid;gap:.6rem;grid-template-columns:repeat(auto-fit,minmax(8.6rem,1fr));margin:1rem 0}
      .tile{background:var(--card);border:1px solid var(--rule);border-radius:.6rem;padding:.55rem .7rem}
      .tile .value{font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums;overflow-wrap:normal}
      .tile .name,.tile .more{font-size:.8rem;color:var(--soft)}
      .map{max-width:44rem;margin:0 auto}
      .map svg.map-paper{height:auto;aspect-ratio:3/2}
      svg polyline.route{fill:none;stroke-width:3.5;stroke-linecap:round;stroke-linejoin:round}
      \((0..<paceCount).map { "svg .route.p\($0){stroke:var(--p\($0));stroke-width:\(3 + $0)}" }.joined(separator: "\n"))
      svg .route.riding{stroke:var(--s4);stroke-dasharray:1 4}
      svg .route.paused{stroke:var(--s1)}
      svg .route.unknown{stroke:var(--soft);stroke-dasharray:4 6}
      .map .legend{margin-left:0}
      svg .ring{fill:var(--card);stroke:var(--ink);stroke-width:3}
      svg .number{fill:var(--card);stroke:var(--ink);stroke-width:1.2}
      svg .inside{font-size:11px;font-weight:600}
      svg .ink{fill:var(--ink)}
      svg .halo{paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
      .wide{overflow-x:auto}
      .choice input{accent-color:var(--s0);margin:0 .35rem .7rem 0}
      .choice label{margin-right:1rem;font-size:.9rem}
      .choice input:not(:checked)+label+.part{display:none}
      .choice{display:flex;flex-wrap:wrap;align-items:baseline}
      .choice .part{flex:0 0 100%;order:1;min-width:0}
      details summary{cursor:pointer;padding:.4rem 0;font-weight:600}
      td.bar{background:linear-gradient(to right,var(--band) var(--share),transparent 0);print-color-adjust:exact}
      td.bar,.runs th{white-space:nowrap}
      .splits{max-width:44rem}
      .runs+.legend,p+.legend{margin:.5rem 0}
      td .more{font-size:.8rem;color:var(--soft)}
      \(print)

      """ + drawing
}

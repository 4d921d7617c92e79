/// The style of pages and their charts.
enum PageStyle {
  /// The number of distinct series styles in a chart: colour, dash and marker.
  static let seriesCount = 6

  /// The dashes of the series' lines, so that series differ without colour; none for the first.
  static let dashes = ["", "7 3", "2 3", "10 3 2 3", "4 2", "1 2"]

  /// The colours of pages and drawings, light and dark.
  ///
  /// The series' colours are those of Okabe and Ito, "Color Universal Design", 2008, distinguishable with any colour
  /// vision, and lighter on a dark page.
  private static let colors = """
    :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--rule:#d8dee4;--card:#f6f8fa;\
    --s0:#0072b2;--s1:#c04a00;--s2:#00795a;--s3:#a8487f;--s4:#8a6d00;--s5:#30729e}
    @media (prefers-color-scheme:dark){:root{--paper:#0f1419;--ink:#e6e9ed;--soft:#a3adb8;--rule:#343c46;--card:#171d24;\
    --s0:#56b4e9;--s1:#f0883e;--s2:#2fc79a;--s3:#e39bc8;--s4:#f0e442;--s5:#9ecbe8}}

    """

  /// The classes of drawings.
  private static let drawing = """
    svg text{fill:var(--ink)}
    svg .soft{fill:var(--soft)}
    svg .strong{font-weight:600}
    svg .rule{stroke:var(--rule);stroke-width:1}
    svg .axis{stroke:var(--soft);stroke-width:1}
    svg .line{fill:none;stroke-width:2;stroke-linejoin:round}
    svg .thin{stroke-width:1}
    svg .area{fill-opacity:.35}
    svg .paused{fill:var(--s1);fill-opacity:.2}
    svg .walking{fill:none;stroke:var(--s2);stroke-width:1.5;stroke-dasharray:5 3}
    svg .decision{stroke:var(--ink);stroke-width:1}
    \((0..<seriesCount).map { "svg .f\($0){fill:var(--s\($0))}svg .l\($0){stroke:var(--s\($0))}" }.joined(separator: "\n"))

    """

  /// The style sheet of a stand-alone drawing. On a phone its text is larger and details are hidden.
  static let pictureSheet =
    colors + """
      svg{font:15px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
      svg .paper{fill:var(--paper)}
      svg .detail{font-size:14px}
      @media (max-width:560px){svg{font-size:25px}svg .detail{display:none}}

      """ + drawing

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
      .grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(21rem,100%),1fr));align-items:start}
      figure{margin:0;padding:.75rem;background:var(--card);border:1px solid var(--rule);border-radius:.5rem;min-width:0}
      figure svg{max-width:34rem;margin:0 auto}
      figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}
      section+section{margin-top:2rem}
      .narrow{max-width:34rem}
      table{border-collapse:collapse;width:100%;font-size:.9rem}
      th,td{text-align:right;padding:.25rem .35rem;border-bottom:1px solid var(--rule);vertical-align:top}
      th:first-child,td:first-child{text-align:left}
      .numbers{font-size:.8rem}
      .numbers th,.numbers td{white-space:nowrap}
      .numbers th,.numbers td{padding:.25rem .2rem}
      .numbers td:first-child{white-space:normal;min-width:3.6rem}
      th{color:var(--soft);font-weight:600}
      svg{display:block;width:100%;height:auto;font:11px system-ui,-apple-system,Segoe UI,Roboto,sans-serif}
      svg .small{font-size:10px}
      svg .outline{fill:none;stroke:var(--rule)}
      .wide{overflow-x:auto}
      @media print{body{max-width:none}figure{break-inside:avoid}}

      """ + drawing
}

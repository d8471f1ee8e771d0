extension Stylesheet {
    /// What every site has. The widths here and in `cardSizes` belong together.
    static let base = """
        :root {
          color-scheme: light dark;
          --paper: #f7f4ee;
          --ink: #1b1918;
          --quiet: #6a645d;
          --line: #ddd7cc;
          --tile: #e9e4d9;
          --accent: #b5341f;
          --rise: #1d6b45;
          --fall: #6a645d;
          --shade: rgb(40 30 20 / .18);
          --edge: rgb(0 0 0 / .06);
          --pad: 16px;
          --gap: 16px;
          --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, ui-serif, Georgia, "Noto Serif", serif;
          --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #131215;
            --ink: #f0ece4;
            --quiet: #a39c92;
            --line: #2e2b2f;
            --tile: #232126;
            --accent: #ff8a6b;
            --rise: #7fd3a4;
            --fall: #a39c92;
            --shade: rgb(0 0 0 / .55);
            --edge: rgb(255 255 255 / .09);
          }
        }
        *, ::before, ::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
        body {
          margin: 0; background: var(--paper); color: var(--ink);
          font: 400 15px/1.4 var(--sans); -webkit-font-smoothing: antialiased; text-rendering: optimizeLegibility;
        }
        h1, h2, h3, p, ol, ul { margin: 0; padding: 0; }
        ol, ul { list-style: none; }
        a { color: inherit; text-decoration-thickness: 1px; text-underline-offset: .22em; text-decoration-color: var(--line); }
        a:hover { color: var(--accent); text-decoration-color: currentColor; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
        main:focus { outline: none; }
        .wrap { max-width: 1360px; margin-inline: auto; padding-inline: var(--pad); }
        .unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
        .skip { position: absolute; inset-inline-start: 12px; top: -80px; z-index: 2; padding: 10px 16px; background: var(--ink); color: var(--paper); }
        .skip:focus { top: 12px; color: var(--paper); }

        .masthead { padding-block: clamp(28px, 6vw, 72px) clamp(20px, 3vw, 36px); }
        .dateline { font-size: 14px; color: var(--quiet); }
        .dateline b { color: var(--accent); font-weight: 650; margin-inline-end: .5em; }
        h1 {
          font: 500 clamp(38px, 7.2vw, 92px)/1 var(--serif); letter-spacing: -.025em; text-wrap: balance; overflow-wrap: anywhere;
          margin-block: .14em .2em; margin-inline-start: -.03em;
        }
        .summary { color: var(--quiet); font-variant-numeric: tabular-nums; }
        .neighbours { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 10px; font-variant-numeric: tabular-nums; }
        .neighbours a { padding-block: 4px; }

        section { border-top: 1px solid var(--line); padding-block: clamp(20px, 3vw, 36px) clamp(36px, 5vw, 64px); }
        section > h2:not(.unseen) { font: 500 clamp(24px, 3vw, 36px)/1.15 var(--serif); letter-spacing: -.015em; margin-bottom: .8em; }
        .grid { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: calc(var(--gap) * 1.6) var(--gap); }
        .card { scroll-margin-top: 24px; min-width: 0; }
        .lead { grid-column: span 2; grid-row: span 2; }

        .frame {
          position: relative; aspect-ratio: 2 / 3; overflow: hidden; background-color: var(--tile);
          border-radius: 10% / 6.667%; box-shadow: 0 1px 2px var(--shade), 0 10px 24px -14px var(--shade);
        }
        .frame img { position: absolute; inset: 0; display: block; width: 100%; height: 100%; object-fit: cover; }
        .frame::after { content: ""; position: absolute; inset: 0; border-radius: inherit; box-shadow: inset 0 0 0 1px var(--edge); }
        .tile {
          position: absolute; inset: 0; display: flex; align-items: flex-end; padding: 10%; color: var(--quiet);
          font: 500 20px/1.12 var(--serif); letter-spacing: -.01em; overflow: hidden; overflow-wrap: anywhere;
        }
        .tile bdi { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 5; overflow: hidden; width: 100%; padding-bottom: .16em; }
        .empty { box-shadow: none; }

        .caption { display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: 10px; margin-top: 12px; align-items: baseline; }
        .rank { grid-row: 1 / span 5; min-width: 1ch; font: 400 26px/1 var(--serif); font-variant-numeric: lining-nums tabular-nums; color: var(--accent); }
        .name { font: 600 15px/1.28 var(--sans); letter-spacing: -.003em; }
        .name bdi {
          display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere;
          text-align: left; hyphens: auto; padding-bottom: .16em; margin-bottom: -.16em;
        }
        .facts { display: flex; flex-wrap: wrap; gap: 0 10px; margin-top: 3px; font-size: 13px; color: var(--quiet); font-variant-numeric: tabular-nums; }
        .score { white-space: nowrap; }
        .more {
          display: flex; flex-wrap: wrap; row-gap: .5em; height: 1.56em; overflow: hidden; padding-bottom: .16em; margin-bottom: -.16em;
          font-size: 13px; color: var(--quiet); font-variant-numeric: tabular-nums;
        }
        .more > span:not(.unseen) { max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 1.4; }
        .facts + .more { margin-top: 2px; }
        .mark { font-weight: 650; white-space: nowrap; }
        .new, .back { color: var(--accent); }
        .up { color: var(--rise); }
        .down { color: var(--fall); }
        .lead .caption { margin-top: 16px; column-gap: 14px; }
        .lead .rank { font-size: 54px; }
        .lead .name { font: 500 clamp(24px, 2.4vw, 32px)/1.12 var(--serif); letter-spacing: -.015em; }
        .lead .name bdi { -webkit-line-clamp: 3; }
        .lead .facts { font-size: 15px; margin-top: 6px; }
        .lead .more { display: block; height: auto; font-size: 15px; }
        .lead .more > span { white-space: normal; }

        .foot { border-top: 1px solid var(--line); padding-block: clamp(28px, 4vw, 48px); color: var(--quiet); font-size: 14px; }
        .foot > div { display: grid; gap: 28px var(--gap); }
        .foot h2 { font: 500 20px/1.2 var(--serif); color: var(--ink); margin-bottom: 10px; }
        .foot ul, .archive ol { display: flex; flex-wrap: wrap; gap: 2px 22px; }
        .foot li a { display: inline-block; padding-block: 5px; }
        .archive ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 232px), 1fr)); font-variant-numeric: tabular-nums; }
        .archive b { color: var(--ink); font-weight: 600; margin-inline-end: .4em; }
        .archive a { text-decoration: none; }
        .archive a:hover { text-decoration: underline; }
        .archive a[aria-current] b { color: var(--accent); }

        @media (max-width: 479px) { .card:not(.lead) .rank { font-size: 21px; } .caption { column-gap: 8px; } .card:not(.lead) .facts { column-gap: 7px; } }
        @media (min-width: 480px) { :root { --pad: 24px; --gap: 20px; } .grid { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
        @media (min-width: 768px) { :root { --pad: 32px; --gap: 24px; } .grid { grid-template-columns: repeat(4, minmax(0, 1fr)); } }
        @media (min-width: 1024px) { .grid { grid-template-columns: repeat(5, minmax(0, 1fr)); } }
        @media (min-width: 1280px) { :root { --gap: 28px; } .grid { grid-template-columns: repeat(6, minmax(0, 1fr)); } }
        @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
        @media (forced-colors: active) { .frame { border: 1px solid CanvasText; } }

        @media print {
          @page { margin: 14mm 12mm; }
          :root {
            color-scheme: light; --paper: #fff; --ink: #000; --quiet: #444; --line: #bbb; --tile: #eee; --accent: #000; --rise: #000; --fall: #444;
            --gap: 4mm; --pad: 0;
          }
          body { font-size: 8.5pt; }
          .skip, .neighbours, .foot nav, .veil { display: none; }
          .masthead { padding-block: 0 6mm; }
          h1 { font-size: 30pt; }
          section { padding-block: 6mm 0; }
          .grid { grid-template-columns: repeat(6, minmax(0, 1fr)); }
          .card { break-inside: avoid; }
          .frame { box-shadow: none; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          .name { font-size: 8.5pt; }
          .facts, .lead .facts { font-size: 7.5pt; gap: 0 1.5mm; }
          .more, .lead .more { font-size: 7.5pt; }
          .caption { column-gap: 1.5mm; }
          .rank { font-size: 13pt; }
          .lead .rank { font-size: 30pt; }
          .lead .name { font-size: 17pt; }
          .foot { border: 0; padding-block: 6mm 0; font-size: 7.5pt; }
        }

        """
}

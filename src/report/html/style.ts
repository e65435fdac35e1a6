// The style sheet of the report. Light and dark colours have the contrast that WCAG AA asks for; one column on narrow
// screens. A memory's page is shown alone while the address names it; a browser's search finds the others.

export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #f6f7f9; --card: #ffffff; --text: #1b2330; --dim: #556072; --line: #dde2ea;
  --link: #1d4fc0; --mark: #eef2fb;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #11151c; --card: #191f29; --text: #e6eaf1; --dim: #a3aec0; --line: #2d3645;
    --link: #9cc0ff; --mark: #1f2938;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Yu Gothic UI",
  "Noto Sans CJK JP", Meiryo, sans-serif; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--back); color: var(--text); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible, main:focus-visible, article:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
main:focus:not(:focus-visible), article:focus:not(:focus-visible) { outline: none; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; }
bdi { unicode-bidi: isolate; word-break: normal; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
.skip:focus { top: 1rem; }
.page { max-width: 60rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
footer { color: var(--dim); font-size: .875rem; border-top: 1px solid var(--line); margin-top: 2rem; }
.brand { margin: 0; color: var(--dim); font-size: .8125rem; font-weight: 600; letter-spacing: .04em; }
h1 { font-size: 1.875rem; line-height: 1.2; margin: .1rem 0 .2rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .9rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
.meta, .rest, .counted, .count, .gone, .before { color: var(--dim); }
.rest, .counted { font-size: .875rem; }
.contents ol { list-style: none; margin: 1rem 0 1.5rem; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
.sections > section, article.memory { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.4rem 1.6rem; margin-bottom: 1.5rem; scroll-margin-top: 1rem; }
.empty, .text { background: var(--mark); border-radius: 8px; padding: .8rem 1rem; margin: 0 0 1rem; }
.empty { color: var(--dim); }
.text { white-space: pre-wrap; }
summary { cursor: pointer; color: var(--link); font-size: .9375rem; padding: .2rem 0; }
summary h3 { display: inline; color: var(--text); margin: 0; }
details[open] > summary { margin-bottom: .5rem; }
.scroll { overflow-x: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .6rem .8rem; color: var(--dim); }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem; border-top: 1px solid var(--line);
  overflow-wrap: break-word; }
thead th { color: var(--dim); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; min-width: 9rem; }
td { min-width: 5.5rem; word-break: keep-all; }
td.number { min-width: 3rem; white-space: nowrap; }
.number { text-align: right; }
article.memory[hidden]:not(:target) { border: 0; padding: 0; margin: 0; }
article.memory:target { display: block; content-visibility: visible; }
.page:has(article.memory:target) :is(.sections, .top, .contents, article.memory:not(:target)) { display: none; }
article.memory h1 { font-size: 1.375rem; margin-bottom: .9rem; }
article.memory h2 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: .7rem 1.2rem;
  margin: 1rem 0; }
.fields .whole { grid-column: 1 / -1; }
.fields dt { color: var(--dim); font-size: .8125rem; }
.fields dd { margin: 0; }
.topics { columns: 16rem; }
.topics details { break-inside: avoid-column; }
.topics details[open] { column-span: all; }
.topics ul { margin: 0 0 .6rem; padding-left: 1.2rem; font-size: .875rem; }
.before { display: block; font-size: .8125rem; }
@media (max-width: 40rem) {
  .page { padding: 1rem .75rem 3rem; }
  .sections > section, article.memory { padding: 1rem .9rem; }
  table.broad { min-width: 36rem; }
}
@media print {
  .contents, .skip, .back { display: none; }
  .page { padding: 0; max-width: none; }
  .scroll { overflow: visible; }
  body { background: #fff; }
}
`

/** The style of an exported page. Nothing in it reaches out of the file. The page of `zotui serve` shares the colours and the conversation. */

export const pageColours = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1f2328; --dim: #59636e; --line: #d8dee4; --panel: #f6f8fa; --you: #eef4fd;
  --accent: #0969da; --ok: #1a7f37; --failed: #c0202b; --warn: #7d5700; --added: #e3f6e7; --removed: #fdebec;
  --mark: #fff1a8; --found: #ffc94d;
  --keyword: #b3202a; --string: #0a3069; --number: #0550ae; --comment: #59636e; --title: #6639ba; --type: #7a3e00;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1318; --text: #dfe4ea; --dim: #929ba5; --line: #2b323a; --panel: #171c23; --you: #14233a;
    --accent: #79b8ff; --ok: #5cc46c; --failed: #ff8279; --warn: #dfb341; --added: #12301b; --removed: #3a1a1d;
    --mark: #5c4a00; --found: #8a6d00;
    --keyword: #ff8c85; --string: #a5d6ff; --number: #8cc8ff; --comment: #929ba5; --title: #d2a8ff; --type: #ffb77a;
  }
}
`

const frame = `* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere;
}
header, main { max-width: 54rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .4rem; letter-spacing: -.01em; }
.facts, .ends, .note, .dim { color: var(--dim); }
.facts, .ends, .note { font-size: .86rem; }
.facts { margin: 0; }
.facts span:not(:last-child)::after, .ends span:not(:last-child)::after { content: "·"; margin: 0 .5em; }
.find {
  position: sticky; top: 0; z-index: 1; display: flex; gap: .6rem; align-items: center; margin-top: 1.4rem; padding: .7rem 0;
  background: var(--ground); border-bottom: 1px solid var(--line);
}
.find[hidden] { display: none; }
.find input, .find button { font: inherit; font-size: .9rem; color: inherit; border: 1px solid var(--line); border-radius: 7px; background: var(--panel); }
.find input { flex: 1; min-width: 0; padding: .35rem .7rem; }
.find button { padding: .35rem .7rem; cursor: pointer; white-space: nowrap; }
.find input:focus-visible, .find button:focus-visible, summary:focus-visible, a:focus-visible, pre:focus-visible, .table:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.find output { color: var(--dim); font-size: .86rem; min-width: 5.5em; text-align: right; white-space: nowrap; }
main { padding-top: .5rem; padding-bottom: 5rem; }
article { padding: 1.6rem 0 1.2rem; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
`

/** What is said and done: prompts, answers, calls, diffs. */
export const conversationStyle = `.you { background: var(--you); border-left: 3px solid var(--accent); border-radius: 0 8px 8px 0; padding: .7rem 1rem; margin: 0 0 1.2rem; }
.you h2 { display: flex; justify-content: space-between; gap: 1em; font-size: .82rem; font-weight: 600; color: var(--accent); margin: 0 0 .2rem; }
.you time { color: var(--dim); font-weight: 400; }
.said { white-space: pre-wrap; }
.ends { margin: 1.1rem 0 0; }
.note { margin: .6rem 0; white-space: pre-wrap; }
.note.warn { color: var(--warn); }
.note.error, .problem { color: var(--failed); }
.problem { border-left: 3px solid currentColor; padding: .1rem .9rem; white-space: pre-wrap; }
.break { text-align: center; margin: 1.6rem 0; }
p, ul, ol, blockquote, .table, pre { margin: .7em 0; }
ul, ol { padding-left: 1.5em; }
li > p { margin: .2em 0; }
li:has(> .task) { list-style: none; }
li > .task { float: left; margin-left: -1.4em; }
h3 { font-size: 1rem; font-weight: 650; margin: 1.3em 0 .5em; }
.h1 { font-size: 1.3rem; } .h2 { font-size: 1.15rem; } .h3 { font-size: 1.04rem; }
a { color: var(--accent); text-underline-offset: 2px; }
blockquote { border-left: 3px solid var(--line); color: var(--dim); margin-left: 0; padding-left: 1em; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.5em 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: .93rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top; overflow-wrap: normal; }
.right { text-align: right; } .center { text-align: center; }
code, pre, summary { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: .88em; }
:not(pre) > code { background: var(--panel); border-radius: 4px; padding: .1em .3em; }
pre { background: var(--panel); border-radius: 8px; padding: .75rem 1rem; overflow-x: auto; font-size: .82rem; line-height: 1.5; overflow-wrap: normal; tab-size: 4; }
pre code { font-size: inherit; }
details { margin: .45rem 0; border: 1px solid var(--line); border-radius: 8px; }
summary { display: flex; gap: .7em; align-items: baseline; padding: .35rem .8rem; cursor: pointer; font-size: .82rem; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "▸"; color: var(--dim); transition: transform .12s; }
details[open] > summary::before { transform: rotate(90deg); }
details.plain > summary { cursor: default; }
details.plain > summary::before { visibility: hidden; }
summary b { color: var(--ok); font-weight: 650; }
.failed > summary b, .failed > summary .end { color: var(--failed); }
summary .about { flex: 1; white-space: pre-wrap; }
summary .end { color: var(--dim); white-space: nowrap; }
details > .inside { padding: 0 .8rem .4rem; }
details pre { max-height: 32rem; overflow: auto; margin: .4rem 0; }
.nothing { color: var(--dim); font-size: .82rem; margin: .3rem 0; }
.diff { padding: .5rem 0; }
.diff code { display: block; width: max-content; min-width: 100%; }
.row { display: block; padding: 0 1rem; }
.row::before { content: " "; display: inline-block; width: 1.3em; color: var(--dim); user-select: none; }
.added { background: var(--added); } .added::before { content: "+"; }
.removed { background: var(--removed); } .removed::before { content: "-"; }
.s-keyword, .s-tag { color: var(--keyword); }
.s-string, .s-added { color: var(--string); }
.s-number, .s-literal, .s-attribute, .s-variable { color: var(--number); }
.s-comment, .s-meta { color: var(--comment); }
.s-title { color: var(--title); }
.s-type { color: var(--type); }
.s-removed { color: var(--failed); }
`

const rest = `.plot { margin: 1.4rem 0; }
.plot figcaption { display: flex; flex-wrap: wrap; gap: .2rem 1.2em; font-size: .86rem; color: var(--dim); }
.plot figcaption b { color: var(--text); font-weight: 600; }
.plot .most { margin-left: auto; }
.plot .key::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .45em; background: var(--accent); }
.plot .second::before { opacity: .45; }
.plot svg { display: block; width: 100%; height: 9rem; margin: .4rem 0 .2rem; border-bottom: 1px solid var(--line); }
.plot .axis { display: flex; justify-content: space-between; margin: 0; color: var(--dim); font-size: .86rem; font-variant-numeric: tabular-nums; }
.bar, .light { fill: var(--accent); }
.light { opacity: .45; }
.all { fill: transparent; }
.plot g:hover .all { fill: var(--panel); }
.share { display: block; width: 7rem; height: .7rem; margin-top: .45rem; background: var(--panel); }
.usage td { white-space: nowrap; font-variant-numeric: tabular-nums; }
.usage tbody th { font-weight: 400; }
header details { margin-top: 1rem; }
::highlight(match) { background: var(--mark); color: inherit; }
::highlight(current) { background: var(--found); color: inherit; }
@media (max-width: 34rem) { .find output { min-width: 0; } header { padding-top: 1.2rem; } summary .end { display: none; } }
@media (prefers-reduced-motion: reduce) { summary::before { transition: none; } }
@media screen { article { content-visibility: auto; contain-intrinsic-size: auto 30rem; } }
@media print {
  :root { color-scheme: light; }
  .find { display: none; }
  pre, details pre { max-height: none; overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; }
  .diff code { width: auto; }
  .you h2, summary { break-after: avoid; }
}
`

export const pageStyle = pageColours + frame + conversationStyle + rest

/**
 * A session as one self-contained HTML page: no network, no other file. Its security policy allows only the page's own style and
 * script, by their checksums.
 */
import { createHash } from 'node:crypto'
import { sessionFacts, type TimeZone } from './fact-words.ts'
import { entryMarkup, factsLine } from './fragments.ts'
import { Markup, markup } from './markup.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import type { Transcript } from './schema.ts'
import { turnPlots } from './turn-plots.ts'

export function* toHtml(transcript: Transcript, zone: TimeZone): Generator<string> {
  yield beginning(transcript, zone).source
  for (const entry of transcript.entries) yield `${entryMarkup(entry, zone).source}\n`
  yield ending.source
}

function beginning(transcript: Transcript, zone: TimeZone): Markup {
  const policy = [
    `default-src 'none'`,
    `style-src '${checksum(pageStyle)}'`,
    `script-src '${checksum(pageScript)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="zotui">
<title>${transcript.title}</title>
<style>${new Markup(pageStyle)}</style>
</head>
<body>
<header>
<h1>${transcript.title}</h1>
${factsLine('facts', sessionFacts(transcript, zone))}
${turnPlots(transcript)}
</header>
<main>
${searchBar}
`
}

const ending = markup`</main>
<script>${new Markup(pageScript)}</script>
</body>
</html>
`

/** Hidden until the script runs, since it needs the script. */
const searchBar = markup`<div class="find" hidden><input type="search" placeholder="Search" aria-label="Search"><output></output><button type="button">Open all</button></div>`

function checksum(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

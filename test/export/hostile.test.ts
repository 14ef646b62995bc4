/** Texts of others must not become part of the page, of the Markdown around it, or of the terminal that shows it. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exported } from '../../src/export/formats.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { accepted, calls, chatAfter, prompt, returns, type Told } from '../conversation/events.ts'
import { attacks, sessionOf } from './attacks.ts'

/** A call that names another as the one that made it. */
const made = (id: string, parent: string): Told => Object.assign(calls(id, `tool-${id}`), { parent })

describe('HTML', () => {
  test.each(attacks)('%s', async attack => {
    const page = await exported(sessionOf(attack), 'html', { zone: 'UTC' })
    const [head = '', rest = ''] = page.split('<style>')
    const body = rest.slice(rest.indexOf('</style>'))
    // Every tag in it is one of ours, with attributes of ours.
    const tags = `${head}${body.slice(0, body.lastIndexOf('<script>'))}`.match(/<[^>]*>?/g) ?? []
    expect(tags.filter(tag => !OURS.test(tag))).toEqual([])
    expect(page.match(/<script/g)).toHaveLength(1)
  })

  test('has each call once, also if it names itself as the call that made it', async () => {
    const chat = chatAfter(prompt('go'), accepted, calls('a', 'tool-a'), made('a', 'a'), made('b', 'c'), made('c', 'b'))
    const page = await exported(transcriptOf(chat, { id: 'a', title: '', folder: null }), 'html', { zone: 'UTC' })
    expect(page.match(/<b>tool-\w<\/b>/g)).toEqual(['a', 'a', 'b', 'c'].map(id => `<b>tool-${id}</b>`))
  })

  test('allows only its own style and script in its content policy', async () => {
    const page = await exported(sessionOf('x'), 'html', { zone: 'UTC' })
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]
    const sum = (tag: string): string => {
      const text = new RegExp(`<${tag}>(.*)</${tag}>`, 's').exec(page)?.[1] ?? ''
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    }
    expect(policy?.split('; ')).toEqual([
      `default-src 'none'`,
      `style-src ${sum('style')}`,
      `script-src ${sum('script')}`,
      `base-uri 'none'`,
      `form-action 'none'`,
    ])
  })
})

/** The parts of the page. */
const OURS = new RegExp(
  String.raw`^<(?:!doctype html|html lang="en"|meta (?:charset|http-equiv|name)="[\w-]+"(?: content="[^"<>]*")?|` +
    String.raw`a href="(?:https?|mailto):[^"<>]*" rel="noopener noreferrer"|ol start="\d+"|` +
    String.raw`(?:div|input|output|button)(?: (?:class|type|placeholder|aria-label)="\w+")*(?: hidden)?|` +
    String.raw`/?(?:head|title|style|body|header|h1|h2|h3|main|article|section|p|span|strong|em|s|code|pre|ul|ol|li|blockquote|hr|br|b|` +
    String.raw`table|thead|tbody|tr|th|td|time|div|details|summary|html|output|button|a)(?: class="[\w -]*")?(?: open)?)>$`,
)

const sequences = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b1m\u202etxet\0'

test.each(['md', 'html'] as const)('%s contains no control sequences and no hidden characters', async format => {
  const text = await exported(sessionOf(`words ${sequences} and more`), format, { zone: 'UTC' })
  expect(text).not.toMatch(/[\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect(text).toContain('and more')
})

describe('Markdown', () => {
  test('lets no text end its quote or fence', async () => {
    const text = await exported(sessionOf('a\n```\n````\n# Heading of a tool\n> quote'), 'md', { zone: 'UTC' })
    const lines = text.split('\n')
    // Once from the agent, which writes Markdown; wherever else, it stands in a quote or between longer fences.
    let fence = ''
    const outside = lines.filter(line => {
      const mark = /^`{3,}/.exec(line)?.[0] ?? ''
      if (fence === '' && mark.length > 4) fence = mark
      else if (fence !== '' && line === fence) fence = ''
      return fence === '' && line === '# Heading of a tool'
    })
    expect(outside).toHaveLength(1)
  })

  test.each([
    ['```js\ncut off', '```'],
    ['~~~~\n```\ncut off', '~~~~'],
    ['<!-- hidden', '-->'],
    ['<script>\n\nx', '</script>'],
    ['<?x', '?>'],
    ['<![CDATA[', ']]>'],
    ['- ```\n  in an item, which ends by itself', null],
    ['> <!-- in a quote', null],
    ['<!-- ended -->\n\n```\n```', null],
  ])('takes nothing that follows into what an answer leaves open: %j', async (text, end) => {
    const lines = (await exported(sessionOf(text), 'md', { zone: 'UTC' })).split('\n')
    const from = lines.indexOf('## Agent') + 2
    const answer = text.split('\n')
    expect(lines.slice(from, from + answer.length + 1)).toEqual([...answer, end ?? ''])
  })

  test('has the reason of a refusal in one line without Markdown syntax', async () => {
    const because = 'a *b*\n\n# Heading of a rule\n```'
    const refused: Told = { type: 'call_refused', callId: 'c', tool: 'x', because }
    const chat = chatAfter(prompt('go'), accepted, calls('c', 'x'), refused, returns('c', ''))
    const text = await exported(transcriptOf(chat, { id: 'a', title: '', folder: null }), 'md', { zone: 'UTC' })
    expect(text).toContain('refused')
    expect(text).not.toMatch(/^(?:# Heading|```)/m)
  })

  test('has a title of one line without Markdown syntax', async () => {
    const [first] = (await exported(sessionOf('# *a*\n[b](c) <d>'), 'md', { zone: 'UTC' })).split('\n')
    expect(first).toBe(String.raw`# \# \*a\* \[b\](c) \<d\>`)
  })
})

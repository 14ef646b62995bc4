import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { UserError } from '../../src/platform/errors.ts'
import { exported } from '../../src/export/formats.ts'
import type { Transcript } from '../../src/export/schema.ts'
import { transcriptOfEvents } from '../../src/export/transcript.ts'
import { readZotsession, type ZotSession } from '../../src/import/zotsession.ts'
import { expectCarried } from '../conversation/carried.ts'
import { fold } from '../conversation/events.ts'
import { sample } from '../export/sample.ts'
import { eachWithInheritedName } from '../helpers/inherited-names.ts'

function fileOf(...lines: readonly (string | object)[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-import-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.zotsession')
  writeFileSync(path, lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const facts = { id: null, title: '', folder: null }
const meta = { type: 'meta', meta: { id: 'a', cwd: '', model: 'claude', provider: 'anthropic', version: '0.3.3' } }
const user = (...content: readonly object[]): object => ({ type: 'message', message: { role: 'user', content } })
const assistant = (...content: readonly object[]): object => ({
  type: 'message',
  message: { role: 'assistant', content },
})
const results = (...content: readonly object[]): object => ({ type: 'message', message: { role: 'tool', content } })

const read = (...lines: readonly (string | object)[]): ZotSession => readZotsession(fileOf(meta, ...lines))

const chat = (...lines: readonly (string | object)[]) => transcriptOfEvents(read(...lines).events, facts)

/** A line with the sum of what was used. */
const used = (input_tokens: number, cost_usd: number): object => ({
  type: 'usage',
  usage: { input_tokens, cost_usd },
  cumulative: { input_tokens, cost_usd },
})

/** Why a file is refused. */
function refusal(path: string): string {
  try {
    readZotsession(path)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  throw new Error('it was read')
}

/** The part of a session that counts when times and what zot does not keep are left out. */
function essence({ entries, usage }: Transcript): unknown {
  const told = entries.flatMap((entry): unknown[] => {
    if (entry.kind === 'compaction') return [{ summary: entry.summary }]
    if (entry.kind !== 'turn') return []
    const parts = entry.parts.flatMap((part): unknown[] => {
      if (part.kind === 'text') return [part.text]
      if (part.kind !== 'tool' || part.parent !== null) return []
      return [{ name: part.name, arguments: part.arguments, ok: part.state === 'ok', result: part.result }]
    })
    return [{ prompt: [...entry.before, entry.prompt].join('\n'), parts }]
  })
  return { told, input: usage.input, output: usage.output, cacheRead: usage.cacheRead }
}

test('an exported session can be read again', async () => {
  const { events, title, skipped } = readZotsession(fileOf((await exported(sample, 'zotsession')).trimEnd()))
  expect({ title, skipped }).toEqual({ title: sample.title, skipped: 0 })
  const again = transcriptOfEvents(events, facts)
  const text = await exported(again, 'zotsession')
  // A call that was cut off has a result by then, and an image its name: from there on nothing changes any more.
  expect(essence(transcriptOfEvents(readZotsession(fileOf(text.trimEnd())).events, facts))).toEqual(essence(again))
  const [first] = sample.entries
  const [same] = again.entries
  // In this format words to a running turn are a prompt: what comes after them is of the next turn.
  const parts = first?.kind === 'turn' ? first.parts : []
  const begun = parts.slice(
    0,
    parts.findIndex(({ kind }) => kind === 'steer'),
  )
  expect(essence({ ...again, entries: same ? [same] : [] })).toEqual(
    essence({ ...sample, usage: again.usage, entries: first?.kind === 'turn' ? [{ ...first, parts: begun }] : [] }),
  )
})

describe('a session of zot', () => {
  test('has turns with tools', () => {
    const { entries, agent } = chat(
      user({ text: 'hello' }, { mime_type: 'image/png', data: 'AAAA' }),
      assistant({ text: 'I look.' }, { id: 'c1', name: 'read', arguments: { path: 'a' } }),
      results({ call_id: 'c1', content: [{ text: 'A' }], is_error: false }),
      assistant({ reasoning_id: 'r', summary: 'hidden' }, { text: 'Done.' }),
    )
    expect(agent).toMatchObject({ name: 'zot', version: '0.3.3', provider: 'anthropic', model: 'claude' })
    expect(entries).toMatchObject([
      {
        kind: 'turn',
        outcome: 'done',
        prompt: 'hello',
        images: [{ mimeType: 'image/png', bytes: 3 }],
        parts: [
          { kind: 'text', text: 'I look.' },
          { kind: 'tool', name: 'read', arguments: { path: 'a' }, state: 'ok', result: [{ type: 'text', text: 'A' }] },
          { kind: 'text', text: 'Done.' },
        ],
      },
    ])
  })

  test('shows a call without a result as stopped', () => {
    const { entries } = chat(user({ text: 'go' }), assistant({ id: 'c1', name: 'bash', arguments: { command: 'a' } }))
    expect(entries).toMatchObject([{ parts: [{ kind: 'tool', state: 'aborted', result: null }] }])
  })

  test('has usage from the growth of its sums', () => {
    const { entries, usage } = chat(
      user({ text: 'a' }),
      used(100, 0.5),
      user({ text: 'b' }),
      used(150, 0.75),
      used(150, 0.75),
    )
    expect(usage).toMatchObject({ input: 150, costUsd: 0.75 })
    expect(entries).toMatchObject([{ usage: { input: 100 } }, { usage: { input: 50 } }])
  })

  test('has compactions, new titles and changes of the model', () => {
    const summary = { role: 'user', content: [{ text: '## Context Summary (compacted)\n\nIt was **done**.' }] }
    const { title, events } = read(
      user({ text: 'a' }),
      { type: 'compaction', messages: [summary, { role: 'user', content: [{ text: 'a' }] }] },
      { type: 'rename', title: 'Named' },
      { ...meta, meta: { ...meta.meta, model: 'other' } },
    )
    expect(title).toBe('Named')
    expect(fold(events).agent.model).toBe('other')
    expect(transcriptOfEvents(events, facts).entries).toMatchObject([
      { kind: 'turn', prompt: 'a' },
      { kind: 'compaction', outcome: 'done', summary: 'It was **done**.' },
      { kind: 'notice' },
    ])
  })

  test('loses only its damaged or unknown lines', () => {
    const { skipped, events } = read('{"type":"mess', { type: 'of the future' }, user({ text: 'a' }), '[]', 'null')
    expect(skipped).toBe(4)
    expect(transcriptOfEvents(events, facts).entries).toHaveLength(1)
  })

  test('has fallbacks for fields of the wrong type', () => {
    const odd = { role: 'user', content: [{ text: 7 }, 'x', null, { text: 'a', content: 'b', is_error: 1 }], time: 5 }
    const { entries } = chat({ type: 'message', message: odd })
    expect(entries).toMatchObject([{ kind: 'turn', prompt: 'a' }])
  })

  test('takes names that every object inherits for texts like any other', async () => {
    const whole = { id: 'c', name: 'bash', arguments: { command: 'ls' }, text: 'a', call_id: 'c', summary: 's' }
    const samples = [
      meta,
      user({ text: 'go' }),
      assistant(whole, { text: 'a' }),
      results({ call_id: 'c', content: [{ text: 'x' }] }),
      used(1, 2),
      { type: 'rename', title: 'x' },
      { type: 'compaction', messages: [{ role: 'user', content: [{ text: 'x' }], time: '', meta: { x: 'x' } }] },
    ]
    const lines = samples.flatMap(eachWithInheritedName).map(line => JSON.stringify(line))
    await expectCarried(read(...lines).events)
  })

  test('omits arguments that cannot be written', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const line = `{"type":"message","message":{"role":"assistant","content":[{"id":"c","name":"x","arguments":${deep}}]}}`
    const { events } = read(user({ text: 'a' }), line)
    expect(transcriptOfEvents(events, facts).entries).toMatchObject([{ parts: [{ name: 'x', arguments: null }] }])
  })
})

describe('a file that is not a session', () => {
  test.each<[name: string, lines: string[], words: RegExp]>([
    ['an empty file', [], /is empty/],
    ['blank lines', ['', ' '], /is empty/],
    ['something else', ['hello'], /is not a zot session/],
    ['other JSON', ['{"a":1}'], /is not a zot session/],
    ['a message first', ['{"type":"message","message":{"role":"user","content":[]}}'], /is not a zot session/],
    ['binary', ['\0\u0001\ufffd'], /is not a zot session/],
  ])('%s', (_name, lines, words) => {
    const said = refusal(fileOf(...lines))
    expect(said).toMatch(words)
    expect(said).not.toContain('\n')
  })

  test('is refused if it is a folder or does not exist', () => {
    const path = fileOf('')
    mkdirSync(`${path}.folder`)
    expect(refusal(`${path}.folder`)).toMatch(/is a folder\.$/)
    expect(refusal(`${path}.gone`)).toMatch(/cannot be read: ENOENT/)
  })

  test('may be cut or damaged anywhere: it is read or refused, without an exception', async () => {
    const text = await exported(sample, 'zotsession')
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), fc.string({ maxLength: 5 }), (end, at, noise) => {
        const cut = text.slice(0, end)
        const path = fileOf(cut.slice(0, at) + noise + cut.slice(at))
        try {
          fold(readZotsession(path).events)
        } catch (error) {
          if (!(error instanceof UserError)) throw error
        } finally {
          rmSync(path)
        }
      }),
      { numRuns: 60 },
    )
  })
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentEventSchema } from '../../../src/agent/event-schema.ts'
import type { AgentEvent, Content } from '../../../src/agent/event.ts'
import { annotated } from '../../../src/app/events/annotate.ts'
import { accepted, calls, fold, prompt, returns, step, stops, timed, type Told } from '../../conversation/events.ts'
import { makePng, samples } from '../../platform/images/samples.ts'
import { createStage } from '../stage.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zotui-annotate-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const result = ' line 7\n line 8\n line 9\n-old\n+new\n line 11\n line 12\n line 13\n...\n'
const lines = Array.from({ length: 30 }, (_, index) => (index === 9 ? 'new' : `line ${index + 1}`))
const file = lines.join('\n')
const edits = [{ oldText: 'old', newText: 'new' }]

const running = (name: string, args: unknown, asked = 'go'): Told[] => [
  prompt(asked),
  accepted,
  step(1),
  calls('e', name, args),
  stops('tool_use'),
]

/** The report of an edit of this file. */
function told(
  name: string,
  { tool = 'edit', words = result, failed = false, args = {}, asked = 'go' } = {},
): AgentEvent[] {
  const chat = fold(timed(running(tool, { path: name, edits, ...args }, asked)))
  const [finished] = timed([returns('e', words, failed)], 9000)
  return finished ? annotated(chat, finished, folder) : []
}

const located = (events: readonly AgentEvent[]): unknown => events.find(event => event.type === 'edit_located')

function put(name: string, words: string | Uint8Array): string {
  writeFileSync(path.join(folder, name), words)
  return name
}

describe('an edit is reported with its line numbers', () => {
  test('from the file in the folder, before the call ends, and without its text', () => {
    const events = told(put('plain.ts', file))
    expect(events.map(event => event.type)).toEqual(['edit_located', 'tool_finished'])
    expect(events[0]).toEqual({ type: 'edit_located', at: 10_000, id: 'e', lines: [7] })
    expect(agentEventSchema.parse(events[0])).toEqual(events[0])
  })

  test.each<[what: string, make: () => string]>([
    ['CRLF', () => put('crlf.ts', file.replaceAll('\n', '\r\n'))],
    ['a byte order mark', () => put('bom.ts', `\uFEFF${file}`)],
    ['a whole path', () => path.join(folder, put('whole.ts', file))],
    ['a link', () => (symlinkSync(path.join(folder, put('target.ts', file)), path.join(folder, 'link.ts')), 'link.ts')],
    ['a folder above', () => (mkdirSync(path.join(folder, 'sub')), put('above.ts', file), 'sub/../above.ts')],
    [
      'bytes that are no text behind it',
      () => put('bytes.ts', Buffer.concat([Buffer.from(`${file}\n`), Buffer.from([0xff, 0, 0xfe])])),
    ],
  ])('%s', (_what, make) => {
    expect(located(told(make()))).toMatchObject({ lines: [7] })
  })
})

describe('a change that an agent reports as a part of a file gets its line', () => {
  const chat = fold(timed([prompt('go'), accepted, step(1), { type: 'tool_drafted', id: 'e', name: 'Edit' }]))
  const described = (...diff: { path: string; before: string | null; after: string }[]): readonly AgentEvent[] => {
    const [event] = timed([{ type: 'tool_described', id: 'e', diff }], 9000)
    return event ? annotated(chat, event, folder) : []
  }
  const before = file.replace('new', 'old')

  test('before it is made and after it', () => {
    const change = { path: put('part.ts', before), before: 'old', after: 'new' }
    const events = described(change)
    expect(events.map(({ type }) => type)).toEqual(['tool_described', 'edit_located'])
    expect(events[1]).toEqual({ type: 'edit_located', at: 10_000, id: 'e', lines: [10] })
    put('part.ts', file)
    expect(located(described(change))).toMatchObject({ lines: [10] })
  })

  test('as a whole file and in several files, but not without such a file', () => {
    const whole = { path: put('whole-file.ts', before), before, after: file }
    const part = { path: put('other.ts', before), before: 'line 3\n', after: 'LINE 3\n' }
    const gone = { path: 'gone.ts', before: 'old', after: 'new' }
    expect(located(described(whole, part, gone))).toMatchObject({ lines: [1, 3, null] })
    expect(located(described(gone))).toBeUndefined()
  })

  test('but not outside of the folder', () => {
    expect(located(described({ path: '/etc/passwd', before: 'root', after: 'toor' }))).toBeUndefined()
  })
})

test.skipIf(process.platform === 'win32')('a file outside the folder is read only if the user has named it', () => {
  const here = '/etc/passwd'
  const words = `-old\n+${readFileSync(here, 'utf8').split('\n').at(-2)}\n`
  expect(located(told(here, { words, asked: `look at ${here}, please` }))).toBeDefined()
  expect(located(told(here, { words, asked: 'look at it' }))).toBeUndefined()
  symlinkSync(here, path.join(folder, 'away'))
  expect(located(told('away', { words }))).toBeUndefined()
})

describe('an edit is reported without line numbers', () => {
  test.each<[what: string, make: () => string]>([
    ['the file is gone', () => 'gone.ts'],
    ['it is a folder', () => '.'],
    ['it is a device', () => '/dev/zero'],
    ['it is a pipe, which nobody writes to', () => (execFileSync('mkfifo', [path.join(folder, 'pipe')]), 'pipe')],
    ['a link goes round', () => (symlinkSync('round', path.join(folder, 'round')), 'round')],
    ['it is too large', () => put('large.ts', `${file}\n${'x'.repeat(2 * 1024 * 1024)}`)],
    ['it says something else by now', () => put('other.ts', 'other')],
    ['the path is none', () => 'a\0b'],
    ['there is no path', () => ''],
    ['a home is not what zot knows', () => '~/.bashrc'],
  ])('%s', (_what, make) => {
    expect(told(make()).map(event => event.type)).toEqual(['tool_finished'])
  })

  test('for other tools, for failures, and for results that are no diff', () => {
    const name = put('good.ts', file)
    expect(located(told(name))).toBeDefined()
    expect(located(told(name, { tool: 'write' }))).toBeUndefined()
    expect(located(told(name, { failed: true }))).toBeUndefined()
    expect(located(told(name, { words: 'done' }))).toBeUndefined()
    expect(located(told(name, { args: { path: 7 } }))).toBeUndefined()
  })

  test('for every other event and for unknown calls', () => {
    for (const event of timed([...running('edit', { path: 'good.ts' }), returns('e', result)])) {
      expect(annotated(fold([]), event, folder)).toEqual([event])
    }
  })
})

const wrote = (name: string, calledAt: number): string[] => {
  const chat = fold(timed(running('write', { path: name, content: file }), calledAt - 5000))
  const [finished] = timed([returns('e', file)], calledAt)
  return finished ? annotated(chat, finished, folder).map(({ type }) => type) : []
}

describe('a write is reported with whether it made its file', () => {
  test('it did', () => {
    const { birthtimeMs } = statSync(path.join(folder, put('made.ts', file)))
    expect(wrote('made.ts', birthtimeMs)).toEqual(['file_created', 'tool_finished'])
  })

  test.each<[what: string, name: () => string]>([
    ['it was overwritten', () => put('older.ts', file)],
    ['it is gone', () => 'gone.ts'],
  ])('%s', (_what, name) => {
    expect(wrote(name(), Date.now() + 1000)).toEqual(['tool_finished'])
  })
})

const reading = (name: string) => fold(timed(running('read', { path: name })))

describe('an image that was read is reported with its file', () => {
  const image = { type: 'image', mimeType: 'image/png', bytes: 700 } as const
  const seen = (name: string, { content = [image] as Content[], failed = false } = {}): AgentEvent[] => {
    return annotated(reading(name), { type: 'tool_finished', at: 9000, id: 'e', failed, content }, folder)
  }

  test('with its kind and size, and no pixels', () => {
    const [found] = seen(put('seen.png', samples.png))
    const facts = { path: path.join(folder, 'seen.png'), mimeType: 'image/png', width: 300, height: 200 }
    expect(found).toEqual({ type: 'image_located', at: 9000, id: 'e', ...facts })
    const tool = fold(seen('seen.png'), reading('seen.png')).open
    expect(tool?.kind === 'turn' && tool.parts.get(0)).toMatchObject({ state: 'ok', image: facts })
  })

  test.each<[what: string, name: () => string]>([
    ['is gone', () => 'gone.png'],
    ['is a folder', () => '.'],
    ['is a device', () => '/dev/zero'],
    ['is no image', () => put('fake.png', 'no image')],
    ['is too large', () => put('large.png', makePng(3, 2, 4_000_000))],
  ])('but not if it %s', (_what, name) => {
    expect(seen(name()).map(event => event.type)).toEqual(['tool_finished'])
  })

  test('but not if the call failed or returned no image', () => {
    const name = put('seen.png', samples.png)
    expect(seen(name, { failed: true })).toHaveLength(1)
    expect(seen(name, { content: [{ type: 'text', text: 'words' }] })).toHaveLength(1)
  })
})

const lendTerminal = (run: () => Promise<void>): Promise<void> => run()

test('the annotation is folded and saved, so a resumed session does not need the file', async () => {
  const name = put('program.ts', file)
  const host = { folder, home: folder, env: {}, platform: process.platform, lendTerminal, suspend: null }
  const stage = createStage(undefined, { host })
  stage.controller.start(null)
  await stage.settle()
  await stage.say('go')
  stage.backend.tell(accepted, step(1), calls('e', 'edit', { path: name, edits }), stops('tool_use'))
  stage.backend.tell(returns('e', result))
  await stage.done()
  await stage.settle()
  const turn = stage.state().chat.entries.find(entry => entry.kind === 'turn')
  expect(turn?.parts.findLast(part => part.kind === 'tool')).toMatchObject({ state: 'ok', hunkLines: [7] })
})

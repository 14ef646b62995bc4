/** The pages of a program: opened, read and closed by keys. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { pageTable } from '../../../components/pages/table.ts'
import type { PageName } from '../../../src/app/pages/pages.ts'
import type { FileDiff } from '../../../src/tools/diff/change.ts'
import { paintedLines } from '../../helpers/lines.ts'
import { drawn } from '../draw.tsx'
import { boardRow } from '../../fleet/rows.ts'
import { boardRequest, fakeBoard } from './fake-board.ts'
import { fakeLocalServer, serveView } from '../../app/serve/fake-local-server.ts'
import { raceRequestFor } from './race/race-request.ts'
import { findRequestFor, passage } from './passages.ts'
import { folder, settled, size, stage, type Stage } from './stage.ts'

const openers: Record<PageName, (on: Stage) => void> = {
  transcript: ({ open }) => open('transcript', null),
  diff: ({ open }) =>
    open('diff', { subject: { kind: 'session' }, collect: async () => ({ list: oneFile, diffOf: async () => lines }) }),
  help: ({ open }) => open('help', { kind: 'keys' }),
  find: ({ open }) => open('find', findRequestFor([passage({}), passage({ title: 'Another' })])),
  serve: ({ open }) => open('serve', { server: fakeLocalServer(serveView({})) }),
  board: ({ open }) => open('board', boardRequest(fakeBoard([boardRow({ id: 'a' }), boardRow({ id: 'b' })]))),
  race: ({ open }) => open('race', raceRequestFor([{ step: 'done' }, { name: 'codex', step: 'working' }])),
  usage: ({ open }) => open('usage', { note: () => '', text: () => '', save: async () => '' }),
}
const oneFile = {
  session: [
    {
      file: join(folder, 'a.ts'),
      path: 'a.ts',
      from: null,
      kind: 'changed',
      form: 'text',
      added: 1,
      removed: 0,
      isEstimate: false,
      calls: 1,
    },
  ],
  before: [],
  unsure: 0,
  notes: [],
} as const
/** A line that is wider than the screen. */
const lines: FileDiff = {
  hunks: [{ title: '', lines: [{ sign: '+', text: `long ${'x'.repeat(100)} end`, before: null, after: 1 }] }],
  notes: [],
}

const names = Object.keys(pageTable) as PageName[]

describe.each(names)('%s', name => {
  test('opens with its keys, and Esc closes it', async () => {
    const on = await stage()
    openers[name](on)
    await settled()
    expect(on.page()).toBe(pageTable[name].keys.context)
    expect(on.rows()).toHaveLength(size.rows)
    await on.press('escape')
    expect([on.page(), on.isOpen()]).toEqual([null, false])
  })

  test('has a component that draws its rows', async () => {
    const on = await stage()
    openers[name](on)
    await settled()
    const { rows, element } = on.view()
    const node: ReactNode = element((Component, reading) => <Component reading={reading} />)
    expect(drawn(node, size.columns)).toEqual(paintedLines(rows()))
  })

  test('is one at a time, and ends with the program', async () => {
    const on = await stage()
    openers[name](on)
    on.open('help', { kind: 'text', title: 'Another', text: '' })
    expect(on.rows().join('\n')).not.toContain('Another')
    void on.controller.leave()
    expect([on.page(), on.isOpen()]).toEqual([null, false])
    openers[name](on)
    expect(on.isOpen()).toBe(false)
  })

  test('asks to be drawn when its state changes, and takes the wheel', async () => {
    const on = await stage()
    openers[name](on)
    await settled()
    const before = on.changes()
    on.source()?.mouse({ kind: 'wheel', by: 1 })
    on.source()?.mouse({ kind: 'click', x: 0, y: 1 })
    expect(on.changes()).toBeGreaterThan(before)
    expect(on.page()).toBe(pageTable[name].keys.context)
  })
})

test('the help begins at its top whenever it is opened', async () => {
  const on = await stage()
  await on.type('?')
  const [first] = on.rows()
  await on.press('end')
  expect(on.rows()[0]).not.toBe(first)
  await on.press('q')
  expect(on.page()).toBeNull()
  await on.type('?')
  expect(on.rows()[0]).toBe(first)
})

test('Esc leaves the list of turns, then the search, and then the transcript', async () => {
  const on = await stage()
  await on.press('ctrl+o')
  await on.type('/answer')
  await on.press('enter')
  expect(on.rows().at(-1)).toContain('for answer')
  await on.type('t')
  expect(on.rows()[0]).toContain('turns')
  await on.press('escape')
  expect(on.rows().at(-1)).toContain('for answer')
  await on.press('escape')
  expect(on.rows().at(-1)).not.toContain('for answer')
  expect(on.page()).toBe('viewer')
  await on.press('escape')
  expect(on.page()).toBeNull()
})

test('Esc leaves the keys of /diff, then the file, and then /diff; its layout stays for the next time', async () => {
  writeFileSync(join(folder, 'a.ts'), '')
  const on = await stage()
  openers.diff(on)
  await settled()
  await on.press('enter')
  expect(on.rows().join('\n')).not.toContain(' end')
  await on.type('w?')
  expect(on.rows()[0]).toBe('  keys')
  await on.press('escape')
  expect(on.rows()[0]).toContain('a.ts')
  expect(on.rows().join('\n')).toContain(' end')
  await on.press('escape')
  expect(on.rows()[0]).toContain('changed by this session')
  await on.press('escape')
  expect(on.page()).toBeNull()
  openers.diff(on)
  await settled()
  expect(on.rows()[0]).toContain('changed by this session')
  await on.press('enter')
  expect(on.rows().join('\n')).toContain(' end')
})

test('letters are keys on a page, unless it has a text field', async () => {
  const on = await stage()
  await on.press('ctrl+o')
  await on.type('?')
  expect(on.rows().join('\n')).toContain('a line up')
  await on.press('escape')
  await on.type('/q?')
  expect(on.rows().at(-1)).toContain('/q?')
  on.controller.paste('uit\nno')
  await settled()
  expect(on.rows().at(-1)).toContain('/q?uit')
  await on.press('escape')
  on.controller.paste('q')
  expect(on.page()).toBe('viewer')
})

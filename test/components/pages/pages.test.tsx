/** The pages of a program: opened, read and closed by keys, on an alternate screen that nobody looks at. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import type { ReactNode } from 'react'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageSource } from '../../../components/pages/alternate-screen.ts'
import { fullKeymap } from '../../../components/pages/keymap.ts'
import type { PageView } from '../../../components/pages/page.ts'
import { createPages, loadPages } from '../../../components/pages/pages.ts'
import { pageTable } from '../../../components/pages/table.ts'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import type { PageName, Pages } from '../../../src/app/pages/pages.ts'
import type { FileDiff } from '../../../src/tools/diff/change.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { initialState } from '../../../src/state/state.ts'
import { FakeBackend } from '../../app/fake-backend.ts'
import { accepted, answered, answering, ended, says, step, stops, text } from '../../conversation/events.ts'
import { paintedLines, textsOf } from '../../helpers/lines.ts'
import { startup, theme } from '../stage.ts'
import { drawn } from '../draw.tsx'

const folder = mkdtempSync(join(tmpdir(), 'zotui-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(loadPages)

const size = { columns: 80, rows: 12 }

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

/** A program with a turn that has ended. */
async function stage() {
  const backend = new FakeBackend(() => 0)
  const store = createAppStore(initialState(startup, 0))
  let source: PageSource | null = null
  let changes = 0
  let pages: Pages | null = null
  const screen = {
    show: (shown: PageSource) => void (source = shown),
    changed: () => void (changes += 1),
    leave: () => void (source = null),
  }
  const make = createPages({ store, screen, size, theme: () => theme, keymap: fullKeymap })
  const controller = createController({
    slashCommands,
    pickers: pickerTable,
    permissions: null,
    store,
    backend,
    now: () => 0,
    composerWidth: () => 78,
    screenRows: () => 24,
    pages: parts => (pages = make(parts)),
    keymap: fullKeymap,
    redraw: () => undefined,
    onLeave: () => undefined,
    host: {
      folder,
      home: folder,
      env: {},
      lendTerminal: run => run(),
      suspend: async () => undefined,
      platform: process.platform,
    },
  })
  controller.start(null)
  await settled()
  controller.type('go')
  controller.press('enter')
  await settled()
  backend.tell(accepted, step(1), answering, says('An answer.'))
  backend.end(answered(text('An answer.')), stops('end'), ended)
  await settled()
  const view = (): PageView => {
    const shown = source?.page(store.get(), size)
    if (!shown) throw new Error('no page is open')
    return shown
  }
  return {
    controller,
    open: ((name, request) => pages?.open(name, request)) satisfies Pages['open'],
    page: () => store.get().page,
    isOpen: () => source !== null,
    view,
    rows: () => textsOf(view().rows()),
    source: () => source,
    changes: () => changes,
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        controller.press(key)
        await settled()
      }
    },
    async type(letters: string) {
      controller.type(letters)
      await settled()
    },
  }
}

type Stage = Awaited<ReturnType<typeof stage>>

const openers: Record<PageName, (on: Stage) => void> = {
  transcript: ({ open }) => open('transcript', null),
  diff: ({ open }) => open('diff', { collect: async () => ({ list: oneFile, diffOf: async () => lines }) }),
  help: ({ open }) => open('help', { kind: 'keys' }),
  usage: ({ open }) => open('usage', { note: '', text: () => '', save: async () => '' }),
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

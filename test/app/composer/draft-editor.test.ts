import { spokenPages } from '../pages.ts'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import { characterFor, expand, withChipsAgain, type Chip } from '../../../src/state/composer/chips.ts'
import { initialState } from '../../../src/state/state.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { FakeBackend } from '../fake-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-draft-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A program with a terminal to lend, and an editor that does this. */
function stage(body: string) {
  const editor = join(folder, 'editor')
  writeFileSync(editor, `#!/bin/sh\n${body}\n`)
  chmodSync(editor, 0o755)
  const store = createAppStore(initialState({ version: '1', folder: '~', branch: null, demo: false }, 0))
  const { promise: lent, resolve: over } = Promise.withResolvers<void>()
  const controller = createController({
    slashCommands,
    pickers: pickerTable,
    permissions: null,
    store,
    backend: new FakeBackend(() => 0),
    now: () => 0,
    composerWidth: () => 78,
    screenRows: () => 24,
    redraw: () => undefined,
    pages: spokenPages,
    onLeave: () => undefined,
    host: {
      folder,
      home: folder,
      env: { PATH: process.env['PATH'], EDITOR: editor },
      platform: process.platform,
      async lendTerminal(run) {
        await run()
        setImmediate(over)
      },
      suspend: null,
    },
  })
  return { store, controller, lent }
}

describe.skipIf(process.platform === 'win32')('the editor', () => {
  test('gets the full text of a paste, and its result is one step to undo', async () => {
    const { store, controller, lent } = stage(`wc -l < "$1" | tr -d ' \\n' > "$1".count; mv "$1".count "$1"`)
    controller.paste('line\n'.repeat(30))
    controller.press('ctrl+g')
    await lent
    expect(store.get().editor.text).toBe('30')
    controller.press('ctrl+_')
    expect(store.get().editor.text.length).toBeLessThan(10)
  })

  test('that fails causes a warning, and the draft stays', async () => {
    const { store, controller, lent } = stage('exit 2')
    controller.type('draft')
    controller.press('ctrl+g')
    await lent
    expect(store.get().editor.text).toBe('draft')
    expect(store.get().chat.entries).toMatchObject([{ kind: 'notice', level: 'warn' }])
  })
})

test('an image is attached again when its label comes back from the editor', () => {
  const label = '[Image #1 2x2 $& 1 KB]'
  const chip: Chip = {
    kind: 'image',
    label,
    image: { mimeType: 'image/png', data: '' },
    bytes: 1,
    sha256: '',
    path: null,
  }
  const character = characterFor(label, new Map())
  const chips = new Map([[character, chip]])
  expect(withChipsAgain(`look at ${label}, please`, `look ${character}`, chips)).toBe(`look at ${character}, please`)
  expect(withChipsAgain('nothing left', `look ${character}`, chips)).toBe('nothing left')
})

test('a file is a chip again if the editor left its path unchanged', () => {
  const path = 'my notes/$&.md'
  const character = characterFor(`@${path}`, new Map())
  const chips = new Map<string, Chip>([[character, { kind: 'file', label: `@${path}`, path, lines: null }]])
  const { text } = expand(`see ${character}.`, chips)
  expect(text).toBe('see @"my notes/$&.md".')
  expect(withChipsAgain(`now ${text}`, `see ${character}.`, chips)).toBe(`now see ${character}.`)
})

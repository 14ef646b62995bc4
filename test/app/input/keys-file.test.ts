import { spokenPages } from '../pages.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import { allBindings, fullKeymap } from '../../../components/pages/keymap.ts'
import { loadKeymap } from '../../../src/app/input/keys-file.ts'
import { initialState } from '../../../src/state/state.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { FakeBackend } from '../fake-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-keys-'))
const path = join(folder, 'keys.json')
afterAll(() => rmSync(folder, { recursive: true }))

const load = (bindings: object) => {
  writeFileSync(path, JSON.stringify(bindings))
  return loadKeymap(allBindings, path)
}

test('without keys.json every key has its default action', async () => {
  const { keymap, warnings } = await loadKeymap(allBindings, join(folder, 'none.json'))
  expect(warnings).toEqual([])
  for (const { keys, context } of allBindings) {
    for (const key of keys) expect(keymap.actionFor(key, context)).toEqual(fullKeymap.actionFor(key, context))
  }
})

test('a key and a sequence of two keys have the actions of keys.json', async () => {
  const { keymap, warnings } = await load({
    composer: { 'alt+q': 'compact', 'ctrl+q ctrl+r': 'redraw', 'alt+k': '-compact' },
  })
  expect(warnings).toEqual([])
  expect(keymap.actionFor('alt+q', 'composer')).toEqual({ do: 'compact' })
  expect(keymap.actionFor('alt+k', 'composer')).toBeNull()
  expect(keymap.begins('ctrl+q', 'composer')).toBe(true)
  expect(keymap.actionFor('ctrl+q ctrl+r', 'composer')).toEqual({ do: 'redraw' })
})

test('mistakes in keys.json are reported, and the emergency exit stays bound', async () => {
  const { keymap, warnings } = await load({ composer: { 'ctrl+\\': 'redraw', 'alt+q': 'sumbit' } })
  expect(keymap.actionFor('ctrl+\\', 'composer')).toEqual({ do: 'force_quit' })
  expect(warnings.map(({ text }) => text).join('\n')).toMatch(
    /force_quit[\s\S]*^keys\.json line 1: .*sumbit; did you mean submit\?|^keys\.json line 1: .*sumbit; did you mean submit\?[\s\S]*force_quit/m,
  )
})

const stage = (keymap = fullKeymap, isMac = true) => {
  const store = createAppStore(initialState({ version: '1', folder: '~', branch: null, demo: false }, 0))
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
    keymap,
    readsMacOption: () => isMac,
  })
  controller.type('one two')
  return { controller, editor: () => store.get().editor }
}

describe('Option on a Mac', () => {
  test('counts as Alt if the table binds that key', () => {
    const { controller, editor } = stage()
    controller.type('∫')
    expect(editor()).toMatchObject({ text: 'one two', caret: 4 })
  })

  test('types its character if the key is unbound, and on other systems', async () => {
    const { keymap } = await load({ composer: { 'alt+b': '-move_word_left' } })
    for (const { controller, editor } of [stage(keymap), stage(fullKeymap, false)]) {
      controller.type('∫')
      expect(editor().text).toBe('one two∫')
    }
  })
})

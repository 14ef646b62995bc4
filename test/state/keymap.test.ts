import { describe, expect, test } from 'vitest'
import { allBindings, fullKeymap } from '../../components/pages/keymap.ts'
import { pageTable } from '../../components/pages/table.ts'
import { createChordMatcher } from '../../src/state/keymap.ts'
import type { KeyContext } from '../../src/state/binding.ts'
import { helpSections, helpText } from '../../src/state/help.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { keyLabel } from '../../src/text/key-hints.ts'

const { actionFor } = fullKeymap
const rows = allBindings.flatMap(binding => binding.keys.map(key => ({ key, ...binding })))

describe('every key of the keymap', () => {
  test.each(rows)('$key in the $context does its action', ({ key, context, action }) => {
    expect(actionFor(key, context)).toEqual(action)
  })

  test('has its modifiers in order', () => {
    const odd = rows.filter(
      ({ key }) => !key.split(' ').every(each => /^(ctrl\+)?(alt\+)?(shift\+)?([a-z]+|[^a-z]|-)$/.test(each)),
    )
    expect(odd.map(({ key }) => key)).toEqual([])
  })

  test.each<KeyContext>(['composer', 'popup', 'picker', 'viewer', 'diff'])('is bound once in the %s', context => {
    const keys = rows.filter(row => row.context === context).map(({ key }) => key)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })
})

describe('the open part gets a key first', () => {
  test('and a popup passes unused keys to the composer', () => {
    expect(actionFor('up', 'popup')).toEqual({ do: 'popup_up' })
    expect(actionFor('ctrl+a', 'popup')).toEqual(actionFor('ctrl+a', 'composer'))
    expect(actionFor('ctrl+c', 'popup')).toEqual({ do: 'interrupt' })
  })

  test('and a picker gets every key', () => {
    expect(actionFor('ctrl+k', 'picker')).toBeNull()
    expect(actionFor('ctrl+s', 'picker')).toBeNull()
    expect(actionFor('ctrl+c', 'picker')).toEqual({ do: 'picker_close' })
  })

  test.each<KeyContext>(['composer', 'popup', 'picker', 'viewer'])(
    'the emergency exit and the redraw work in the %s',
    context => {
      expect(actionFor('ctrl+\\', context)).toEqual({ do: 'force_quit' })
      expect(actionFor('ctrl+l', context)).toEqual({ do: 'redraw' })
    },
  )

  test('and an unbound key does nothing', () => {
    expect(actionFor('ctrl+q', 'composer')).toBeNull()
    expect(actionFor('constructor', 'composer')).toBeNull()
  })
})

describe('a sequence of two keys', () => {
  const edit = { do: 'edit_outside' }

  test('does its action', () => {
    const { match } = createChordMatcher(fullKeymap)
    expect(match('ctrl+x', 'composer')).toBe('waits')
    expect(match('ctrl+e', 'composer')).toEqual(edit)
    expect(match('ctrl+e', 'composer')).toEqual(actionFor('ctrl+e', 'composer'))
  })

  test('does the action of the second key alone if the sequence is unbound', () => {
    const { match } = createChordMatcher(fullKeymap)
    match('ctrl+x', 'popup')
    expect(match('ctrl+a', 'popup')).toEqual(actionFor('ctrl+a', 'composer'))
    match('ctrl+x', 'composer')
    expect(match('ctrl+x', 'composer')).toBe('waits')
    expect(match('ctrl+e', 'composer')).toEqual(edit)
  })

  test('is interrupted by text', () => {
    const { match, forget } = createChordMatcher(fullKeymap)
    match('ctrl+x', 'composer')
    forget()
    expect(match('ctrl+e', 'composer')).toEqual(actionFor('ctrl+e', 'composer'))
  })

  test('is not waited for in a picker', () => {
    expect(createChordMatcher(fullKeymap).match('ctrl+x', 'picker')).toBeNull()
  })
})

describe('the help', () => {
  test('lists every bound key and every command', () => {
    // It may be Markdown, in which some signs are escaped.
    const help = helpText(allBindings, slashCommands).replaceAll('\\', '')
    for (const { help: meaning } of allBindings.filter(({ isKnown }) => isKnown !== true))
      expect(help).toContain(meaning.replaceAll('\\', ''))
    for (const { name, aliases } of slashCommands) {
      for (const word of [name, ...aliases]) expect(help).toContain(`/${word}`)
    }
  })

  test('lists only keys that edit the draft under Editing', () => {
    const editing = helpSections(allBindings, [])
      .find(({ title }) => title === 'Editing')
      ?.rows.map(([, help]) => help)
    const edits: ReadonlySet<string> = new Set(['edit', 'copy', 'cut'])
    const others = new Set(allBindings.filter(({ action }) => !edits.has(action.do)).map(({ help }) => help))
    expect(editing).toContain('undo')
    expect(editing?.filter(help => others.has(help))).toEqual([])
  })

  test('is in groups, the most important at the top', () => {
    const titles = [...helpText(allBindings, slashCommands).matchAll(/^\*\*(.+)\*\*$/gm)].map(found => found[1])
    expect(titles).toEqual([
      'Sending',
      'Stopping',
      'Prompts',
      'When the agent asks',
      'Editing',
      'View and model',
      ...new Set(
        Object.values(pageTable)
          .flatMap(({ keys, field }) => (field ? [keys, field] : [keys]))
          .map(({ heading }) => heading),
      ),
      'The conversation',
      'The agent',
      'The program',
    ])
    expect(helpText(allBindings, [])).toMatch(/^\*\*Sending\*\*\n\n\| key \| does \|\n\|---\|---\|\n\| Enter \| send/)
  })

  test.each([
    ['ctrl+j', 'Ctrl+J'],
    ['escape', 'Esc'],
    ['alt+up', 'Alt+Up'],
    ['ctrl+\\', 'Ctrl+\\'],
    ['shift+tab', 'Shift+Tab'],
  ])('%s is written %s', (key, label) => {
    expect(keyLabel(key)).toBe(label)
  })
})

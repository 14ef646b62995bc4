import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHIP_COLUMNS,
  CHIP_NUMBERS,
  chipCharacter,
  chipColumns,
  chipsIn,
  replaceChips,
  withoutChips,
} from '../../src/composer/chips.ts'
import { createEditor, edit, type EditCommand } from '../../src/composer/editor.ts'
import { layout } from '../../src/composer/layout.ts'

const WIDTH = 40
const label = '[Pasted #1: 120 lines]'
const chip = chipCharacter(label.length, 0)

describe('a chip', () => {
  test('carries the width of its label', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: CHIP_COLUMNS }),
        fc.integer({ min: 0, max: CHIP_NUMBERS - 1 }),
        (columns, number) => {
          const character = chipCharacter(columns, number)
          expect(chipColumns(character)).toBe(columns)
          expect(chipsIn(`a${character}b`)).toEqual([character])
          expect(withoutChips(`a${character}b`)).toBe('ab')
        },
      ),
    )
  })

  test('is one character to the caret, to deleting and to undo', () => {
    const typed = edit(createEditor('look at '), { kind: 'chip', chip }, WIDTH)
    expect(typed.text).toBe(`look at ${chip}`)
    expect(edit(typed, { kind: 'move', to: 'left' }, WIDTH).caret).toBe(8)
    const deleted = edit(typed, { kind: 'deleteLeft' }, WIDTH)
    expect(deleted.text).toBe('look at ')
    expect(edit(deleted, { kind: 'undo' }, WIDTH).text).toBe(typed.text)
  })

  test('is killed and yanked with the text around it', () => {
    const typed = edit(createEditor('ab '), { kind: 'chip', chip }, WIDTH)
    const killed = edit(typed, { kind: 'killToLineStart' }, WIDTH)
    expect(edit(edit(killed, { kind: 'yank' }, WIDTH), { kind: 'yank' }, WIDTH).text).toBe(`ab ${chip}ab ${chip}`)
  })

  test('ends as a word after the marks that combine with it', () => {
    const end = edit({ ...createEditor(`${chip}\u0301a`), caret: 0 }, { kind: 'move', to: 'wordRight' }, WIDTH)
    expect(end.caret).toBe(3)
  })

  test('is a word of its own, though a word touches it', () => {
    const text = `see${chip}this${chip}`
    const at = (caret: number, command: EditCommand): string =>
      edit({ ...createEditor(text), caret }, command, WIDTH).text
    // A chip is two UTF-16 units.
    expect(at(3, { kind: 'killWordRight' })).toBe(`seethis${chip}`)
    expect(at(5, { kind: 'killWordRight' })).toBe(`see${chip}${chip}`)
    expect(at(9, { kind: 'deleteWordLeft' })).toBe(`see${chip}${chip}`)
    expect(at(9, { kind: 'killWordLeft' })).toBe(`see${chip}${chip}`)
    expect(at(11, { kind: 'killWordLeft' })).toBe(`see${chip}this`)
    expect(at(5, { kind: 'deleteWordLeft' })).toBe(`seethis${chip}`)
    const right = edit({ ...createEditor(text), caret: 3 }, { kind: 'move', to: 'wordRight' }, WIDTH)
    expect(right.caret).toBe(5)
    expect(edit(right, { kind: 'move', to: 'wordLeft' }, WIDTH).caret).toBe(3)
  })

  test('takes the columns of its label in the layout', () => {
    const text = `see ${chip} and say`
    expect(layout(text, text.length, 80, 5).caretColumn).toBe(`see ${label} and say`.length)
    const rows = layout(text, 0, 24, 5).rows.map(row => replaceChips(row.drawn, () => label))
    expect(rows).toEqual(['see ', `${label} `, 'and say'])
  })

  test('cannot be created by text from outside', () => {
    expect(edit(createEditor(), { kind: 'paste', text: `a${chip}b` }, WIDTH).text).toBe('ab')
    expect(edit(createEditor(), { kind: 'insert', text: chip }, WIDTH).text).toBe('')
  })
})

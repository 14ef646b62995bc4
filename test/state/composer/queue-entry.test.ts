import { describe, expect, test } from 'vitest'
import { commandEntry, entryText, promptEntry } from '../../../src/state/composer/queue-entry.ts'
import { entryOf, storedEntry } from '../../../src/state/composer/typed-entry.ts'
import { slashCommands } from '../../../src/commands/table.ts'

describe('a queue entry', () => {
  test.each([
    ['fix the parser', promptEntry('fix the parser')],
    [' /model opus', promptEntry(' /model opus')],
    ['/etc/hosts is wrong', promptEntry('/etc/hosts is wrong')],
    ['/reasoning high', commandEntry('reasoning', 'high')],
    ['/effort high', commandEntry('reasoning', 'high')],
    ['/review the parser', commandEntry('review', 'the parser')],
    ['/model a\nb', promptEntry('/model a\nb')],
  ])('is read from the typed text %j', (text, entry) => {
    expect(entryOf(text, slashCommands)).toEqual(entry)
    expect(entryOf(entryText(entry), slashCommands)).toEqual(entry)
  })

  test.each([
    ['and then the tests', promptEntry('and then the tests')],
    ['/compact', commandEntry('compact', '')],
    ['/review a\nb', commandEntry('review', 'a\nb')],
    ['/model a\nb', promptEntry('/model a\nb')],
  ])('is read from %j of a drafts file before prompt files are read', (text, entry) => {
    expect(storedEntry(text, slashCommands)).toEqual(entry)
  })
})

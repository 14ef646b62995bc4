import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addEntry, createHistory, emptyHistory, newer, older, type History } from '../../src/composer/history.ts'

/** Goes `o`lder and `n`ewer from a draft; a capital letter types it onto what is shown. Gives what was shown last. */
function walk(history: History, draft: string, steps: string): string {
  let now = { history, text: draft }
  for (const step of steps) {
    if (step === 'o') now = older(now.history, now.text) ?? now
    else if (step === 'n') now = newer(now.history, now.text) ?? now
    else now = { ...now, text: now.text + step }
  }
  return now.text
}

const isLeftOut = (entry: string): boolean => entry === 'waits'

describe('stepping through the history', () => {
  const history = createHistory(['one', 'two'])
  test.each<[steps: string, shown: string]>([
    ['', 'draft'],
    ['o', 'two'],
    ['oo', 'one'],
    ['ooo', 'one'],
    ['on', 'draft'],
    ['n', 'draft'],
    ['onn', 'draft'],
    ['oXon', 'twoX'],
    ['oXono', 'one'],
    ['oXn', 'draft'],
    ['oXno', 'twoX'],
    ['onYono', 'two'],
    ['onYon', 'draftY'],
    ['ooZn', 'two'],
    ['ooZno', 'oneZ'],
  ])('%s', (steps, shown) => {
    expect(walk(history, 'draft', steps)).toBe(shown)
  })

  test('passes over what is left out, unless it was changed', () => {
    const history = createHistory(['waits', 'one', 'waits', 'two', 'waits'])
    const two = older(history, 'draft', isLeftOut)
    const one = two && older(two.history, 'two', isLeftOut)
    expect([two?.text, one?.text]).toEqual(['two', 'one'])
    expect(one && older(one.history, 'one', isLeftOut)).toBeNull()
    expect(two && newer(two.history, 'two', isLeftOut)?.text).toBe('draft')
    const changed = older(history, 'draft')
    const back = changed && newer(changed.history, 'waits for me', isLeftOut)
    expect(back && older(back.history, 'draft', isLeftOut)?.text).toBe('waits for me')
  })

  test('returns null at both ends', () => {
    expect(older(emptyHistory, 'x')).toBeNull()
    expect(newer(history, 'x')).toBeNull()
  })

  test('keeps the edits of every entry', () => {
    const step = fc.constantFrom('o', 'n', 'X', 'Y')
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), fc.string(), fc.array(step), (entries, draft, steps) => {
        const texts = [...entries, draft]
        let at = entries.length
        for (const each of steps) {
          if (each === 'o') at = Math.max(0, at - 1)
          else if (each === 'n') at = Math.min(entries.length, at + 1)
          else texts[at] = `${texts[at]}${each}`
        }
        expect(walk(createHistory(entries), draft, steps.join(''))).toBe(texts[at])
      }),
    )
  })
})

describe('adding to the history', () => {
  test.each<[name: string, text: string, entries: string[]]>([
    ['a new entry is the newest', 'c', ['a', 'b', 'c']],
    ['the newest again is not added', 'b', ['a', 'b']],
    ['an older one again is', 'a', ['a', 'b', 'a']],
    ['blank text is not', ' \n', ['a', 'b']],
  ])('%s', (_, text, entries) => {
    expect(addEntry(createHistory(['a', 'b']), text).entries).toEqual(entries)
  })

  test('returns to an empty draft and forgets the edits of entries', () => {
    const there = older(createHistory(['one', 'two']), 'draft')
    const back = newer(there?.history ?? emptyHistory, 'changed')
    const added = addEntry(back?.history ?? emptyHistory, 'three')
    expect(added).toEqual(createHistory(['one', 'two', 'three']))
  })
})

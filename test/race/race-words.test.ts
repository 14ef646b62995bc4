import { expect, test } from 'vitest'
import { readRaceWords } from '../../src/race/race-words.ts'

test('names agents, each with a model if it has one, and the rest is the prompt', () => {
  expect(readRaceWords('claude,zot:openrouter/x:free,:opus  fix it\nand more')).toEqual({
    ok: true,
    entrants: [
      { agent: 'claude', model: null },
      { agent: 'zot', model: 'openrouter/x:free' },
      { agent: null, model: 'opus' },
    ],
    prompt: 'fix it\nand more',
  })
})

test('a number is that many of the present agent', () => {
  const words = readRaceWords('3 fix it')
  expect(words.ok && words.entrants).toEqual(Array.from({ length: 3 }, () => ({ agent: null, model: null })))
})

test.each([
  ['', /needs agents and a prompt/],
  ['claude,codex', /needs agents and a prompt/],
  ['claude fix it', /two agents or more/],
  ['0 fix it', /two agents or more/],
  ['9 fix it', /At most 8/],
  ['999999999999999999999 fix it', /At most 8/],
])('%j is refused with a sentence', (argument, why) => {
  const words = readRaceWords(argument)
  expect(words.ok ? '' : words.why).toMatch(why)
})

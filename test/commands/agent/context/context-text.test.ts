import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StartupContext, Skill } from '../../../../src/agent/startup-context.ts'
import { contextText, type ContextFacts } from '../../../../src/commands/agent/context/context-text.ts'
import { renderMarkdown } from '../../../../src/markdown/render.ts'
import { displayWidth } from '../../../../src/text/lines/width.ts'
import { accepted, costs, ended, fold, prompt, says, started, timed, type Told } from '../../../conversation/events.ts'
import { plainStyle } from '../../../markdown/corpus.ts'
import { textsOf } from '../../../helpers/lines.ts'

const skill = (name: string, state: Skill['state'] = 'taken'): Skill => ({
  name,
  description: '',
  path: `/home/.agents/skills/${name}/SKILL.md`,
  from: 'global (agents)',
  within: null,
  listedTokens: 40,
  loadedTokens: 900,
  state,
  note: null,
})

const reading: StartupContext = {
  systemPrompt: null,
  ownTokens: 900,
  instructions: {
    items: [
      { path: '/home/AGENTS.md', tokens: 1200, problem: null },
      { path: '/home/work/AGENTS.md', tokens: null, problem: 'is a folder' },
    ],
    read: 'yes',
    why: null,
  },
  skills: { items: [skill('review'), skill('deploy'), skill('wrong', 'broken')], read: 'yes', why: null },
  isWhole: true,
}

const talk: readonly Told[] = [
  started,
  prompt('What is this about? '.repeat(400)),
  accepted,
  says('It is about numbers. '.repeat(900)),
  costs({ input: 9000, cacheRead: 30_000, output: 5000, reasoning: 900 }),
  ended,
]

function drawn(width: number, more: Partial<ContextFacts> = {}, events = talk): string[] {
  const facts: ContextFacts = {
    chat: fold(timed(events)),
    reading,
    isOutdated: false,
    compactAt: 85,
    showsUnicode: true,
    showsGrid: true,
    columns: width - 2,
    label: path => path.replace('/home', '~'),
    ...more,
  }
  return textsOf(renderMarkdown(contextText(facts), { width, style: plainStyle, indent: 2 }))
}

describe('/context', () => {
  test('the grid, the kinds and the files are drawn in 80 columns', () =>
    expect(drawn(80).join('\n')).toMatchSnapshot())

  test('a terminal of 40 columns without Unicode gets the same in ASCII', () => {
    const lines = drawn(40, { showsUnicode: false })
    expect(Math.max(...lines.map(line => displayWidth(line)))).toBeLessThanOrEqual(40)
    expect(lines.join('\n')).toContain('. . . .')
  })

  test('what an old or a silent agent reads is listed as far as it is known', () => {
    const unknown = { ...reading.instructions, read: 'unknown', why: 'Who knows.' } as const
    const old = { ...reading.skills, read: 'no', why: 'It is too old.' } as const
    const words = drawn(80, { reading: { ...reading, instructions: unknown, skills: old, isWhole: false } }).join('\n')
    expect(words).toMatch(/AGENTS\.md +~1\.2k tokens, perhaps/)
    for (const said of ['Who knows.', 'It is too old.', 'more files than could be checked'])
      expect(words).toContain(said)
    expect(words).not.toMatch(/^ +i /m)
  })

  test('an unknown window has no grid, and an agent that reads no files has no list', () => {
    const small: Told = { type: 'model_changed', provider: 'x', model: 'y', contextWindow: null, reasoningLevels: [] }
    const lines = drawn(80, { reading: null }, [started, small])
    expect(lines.join('\n')).toContain('is unknown')
    expect(lines.join('\n')).not.toMatch(/share|zot reads|\d %/)
  })

  test('without automatic compaction no part of the window is reserved for it', () => {
    expect(drawn(80, { compactAt: 0 }).join('\n')).not.toContain('kept for compacting')
  })

  test('whatever files are called, each is one row and no line is too long', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.integer({ min: 40, max: 120 }), (names, width) => {
        const items = names.map(path => ({ path, tokens: 3, problem: null }))
        const files = { ...reading, instructions: { ...reading.instructions, items } }
        const lines = drawn(width, {
          reading: { ...files, skills: { ...reading.skills, items: names.map(each => skill(each)) } },
        })
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
        expect(lines.join('\n').split('~3 tokens').length - 1).toBe(names.length)
      }),
      { numRuns: 50 },
    )
  })
})

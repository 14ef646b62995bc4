import { describe, expect, test } from 'vitest'
import type { StartupContext, Skill } from '../../../src/agent/startup-context.ts'
import { factsLine } from '../../../src/style/facts-line.ts'
import { startupContextFacts } from '../../../components/header/startup-context.ts'

const startup = { version: '1', folder: '~/work/app', home: '/home/ada', branch: null, demo: false }

const skill = (name: string, state: Skill['state'] = 'taken'): Skill => ({
  name,
  description: '',
  path: '',
  from: '',
  within: null,
  listedTokens: 0,
  loadedTokens: 0,
  state,
  note: null,
})

type Given = {
  files?: readonly string[]
  empty?: readonly string[]
  skills?: readonly Skill[]
  read?: 'yes' | 'no' | 'unknown'
  system?: boolean
}

function line(width: number, { files = [], empty = [], skills = [], read = 'yes', system = false }: Given): string {
  const items = [
    ...files.map(path => ({ path, tokens: 1, problem: null })),
    ...empty.map(path => ({ path, tokens: 0, problem: 'is empty' })),
  ]
  const reading: StartupContext = {
    systemPrompt: system ? { path: '/home/ada/.zot/SYSTEM.md', tokens: 1, problem: null } : null,
    ownTokens: 0,
    instructions: { items, read, why: null },
    skills: { items: skills, read, why: null },
    isWhole: true,
  }
  return factsLine(startupContextFacts(reading, 'zot', startup), width).text
}

const files = ['/home/ada/.local/state/zot/AGENTS.md', '/home/ada/work/app/AGENTS.md']
const skills = [skill('review'), skill('deploy'), skill('hidden', 'hidden'), skill('wrong', 'broken')]

describe('the list of loaded files', () => {
  test.each([
    [
      140,
      'zot reads ~/.local/state/zot/AGENTS.md, AGENTS.md   skills review, deploy   1 skill left out   /context shows more',
    ],
    [104, 'zot reads ~/.local/state/zot/AGENTS.md, AGENTS.md   2 skills   1 skill left out   /context shows more'],
    [80, 'zot reads 2 AGENTS.md   2 skills   1 skill left out   /context shows more'],
    [60, 'zot reads 2 AGENTS.md   2 skills   1 skill left out'],
    [40, 'zot reads 2 AGENTS.md   2 skills'],
    [25, 'zot reads 2 AGENTS.md'],
  ])('in %i columns', (width, words) => expect(line(width, { files, skills })).toBe(words))

  test.each([
    ['nothing', {}, ''],
    ['nothing that counts', { empty: files, skills: [skill('x', 'hidden')] }, ''],
    ['one of the home', { files: ['/home/ada/AGENTS.md'] }, 'zot reads ~/AGENTS.md'],
    ['one of another home', { files: ['/home/adam/AGENTS.md'] }, 'zot reads /home/adam/AGENTS.md'],
    ['one of the top', { files: ['/AGENTS.md'] }, 'zot reads /AGENTS.md'],
    ['a system prompt', { system: true, files }, 'zot reads SYSTEM.md   ~/.local/state/zot/AGENTS.md, AGENTS.md'],
    ['one skill', { skills: [skill('review')] }, 'skill review'],
    ['many', { skills: 'abcdef'.split('').map(name => skill(name)) }, '6 skills'],
    [
      'an old agent',
      { files, skills, read: 'no' },
      '~/.local/state/zot/AGENTS.md, AGENTS.md not read   skills review, deploy not used',
    ],
    [
      'one that is not known',
      { skills: [skill('a')], files: files.slice(1), read: 'unknown' },
      'zot may read AGENTS.md   perhaps skill a',
    ],
    ['names that steer', { skills: [skill('a\u{1B}[2Jb\nc')] }, 'skill a␛[2Jb c'],
  ] as const)('%s', (_what, given, words) => {
    expect(line(200, given)).toBe(words === '' ? '' : `${words}   /context shows more`)
  })
})

/** The text of /sandbox. */
import { expect, test } from 'vitest'
import type { SandboxReport } from '../../../src/app/context/host.ts'
import { sandboxText, type SandboxTextFacts } from '../../../src/commands/agent/sandbox/sandbox-text.ts'

const AGENT = { folders: [], held: [], variables: [], hosts: [], notes: [] }

const report: SandboxReport = {
  level: 'on',
  setBy: '~/.config/zotui/config.json line 3',
  problem: null,
  writable: ['/home/me/project'],
  held: ['/home/me/project/.git/hooks'],
  hidden: { secrets: 3, sockets: 1 },
  home: '/home/me/.cache/zotui/sandbox/1',
  hosts: ['registry.npmjs.org'],
  problems: [],
  waiting: ['/home/me/project/.envrc'],
  agent: null,
}

function textOf(changed: Partial<SandboxReport> = {}, facts: Partial<SandboxTextFacts> = {}): string {
  const usual: SandboxTextFacts = {
    chat: { permissionMode: 'ask', wanted: [] },
    holdsCommands: true,
    name: 'zot',
    label: path => path.replace('/home/me', '~'),
  }
  // As it is read: a tilde would strike text through.
  return sandboxText({ ...report, ...changed }, { ...usual, ...facts }).replaceAll(String.raw`\~`, '~')
}

test('it says by whose word it is on, and what it allows', () => {
  const text = textOf()
  expect(text).toContain('on (~/.config/zotui/config.json line 3). It holds the commands of zot.')
  expect(text).toContain('- can write: ~/project')
  expect(text).toContain('- held as it is: ~/project/.git/hooks')
  expect(text).toContain('3 places with secrets, 1 socket')
  expect(text).toContain('- hosts: registry.npmjs.org; others ask')
  expect(text).toContain('wait for your answer, since they can run later: ~/project/.envrc')
  expect(text).toContain('Nothing was refused')
})

test.each<[string, Partial<SandboxReport>, Partial<SandboxTextFacts>, string]>([
  ['off', { level: 'off', setBy: 'the default' }, {}, 'off (the default). `/sandbox on` holds the commands of zot.'],
  ['closed', { level: 'closed' }, {}, 'closed, without a network'],
  ['closed, without hosts', { level: 'closed' }, {}, '- hosts: none'],
  [
    'off in mode contained',
    { level: 'off', setBy: 'the default' },
    { chat: { permissionMode: 'contained', wanted: [] } },
    'on, since the mode is contained',
  ],
  ['for an agent as a whole', { agent: AGENT }, { holdsCommands: false, name: 'claude' }, 'It holds claude.'],
  ['for an agent that it cannot hold', {}, { holdsCommands: false }, 'It holds nothing of zot'],
])('%s', (_state, changed, facts, words) => {
  expect(textOf(changed, facts)).toContain(words)
})

test('where there is none, it says why, and nothing of what it would allow', () => {
  const text = textOf({ problem: 'bubblewrap is not installed; install the package bubblewrap' })
  expect(text).toContain(
    'there is none here: Bubblewrap is not installed; install the package bubblewrap. Nothing runs in it.',
  )
  expect(text).not.toContain('can write')
})

test('it lists what commands wanted, and what became of it', () => {
  const text = textOf(
    {},
    {
      chat: {
        permissionMode: 'ask',
        wanted: [
          { want: { kind: 'host', host: 'example.org', port: 443 }, allowed: true },
          { want: { kind: 'outside', hint: 'a*b: Read-only file system', path: null }, allowed: false },
        ],
      },
    },
  )
  expect(text).toContain('- you allowed: the host example.org:443')
  expect(text).toContain(String.raw`- refused: to leave the sandbox: a\*b: Read-only file system`)
})

test('of an agent that is held as a whole, it shows what that has of its own', () => {
  const agent = {
    folders: ['/home/me/.codex'],
    held: ['/home/me/.codex/config.toml'],
    variables: ['OPENAI_API_KEY'],
    hosts: ['api.openai.com'],
    notes: ['Log in outside.'],
  }
  const text = textOf({ agent }, { holdsCommands: false, name: 'codex' })
  expect(text).toContain('What it can read, its commands can read, too.')
  expect(text).toContain('- also writes: ~/.codex')
  expect(text).toContain('- but not: ~/.codex/config.toml')
  expect(text).toContain('- its hosts: api.openai.com')
  expect(text).toContain('- Log in outside.')
})

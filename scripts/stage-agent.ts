/** An agent of the Agent Client Protocol for the pictures: it thinks, plans, reads a file, and asks before it edits one. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { call, ended, greeting, session, update, words } from '../test/fixtures/agents/acp-wire.ts'
import { listen, say } from '../test/fixtures/agents/rpc-wire.ts'
import type { Home } from '../test/helpers/home.ts'

const choices = (...names: string[]): object[] => names.map(name => ({ value: name.toLowerCase(), name }))
const option = (id: string, name: string, category: string, currentValue: string, options: object[]): object => {
  return { id, name, category, type: 'select', currentValue, options }
}

const configOptions = [
  option('mode', 'Mode', 'mode', 'ask', choices('Ask', 'Edit', 'Plan')),
  option('model', 'Model', 'model', 'large', choices('Large', 'Small')),
  option('effort', 'Effort', 'thought_level', 'medium', choices('Low', 'Medium', 'High')),
  option('search', 'Web search', 'other', 'off', choices('On', 'Off')),
]

const file = join(process.cwd(), 'src', 'parser.ts')
const before = '  const rest = line.slice(at)\n  return rest.length\n}'
const after = '  const rest = line.slice(at)\n  return [...segmenter.segment(rest)].length\n}'
const change = [{ type: 'diff', path: file, oldText: before, newText: after }]
const plan = (...states: string[]): object => {
  const texts = ['Find out why the test fails', 'Count graphemes in parser.ts', 'Run the tests']
  const entries = texts.map((content, index) => ({ content, priority: 'medium', status: states[index] }))
  return update('plan', { entries })
}

const toolCall = {
  toolCallId: 'edit',
  title: 'Count graphemes instead of UTF-16 units',
  kind: 'edit',
  locations: [{ path: file, line: 41 }],
  content: change,
  status: 'pending',
}
const options = [
  { optionId: 'once', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Yes, and all edits of this session', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

const thought = 'The test counts what a reader sees, and the parser counts UTF-16 units.'
const reads = { kind: 'read', title: 'src/parser.ts', locations: [{ path: file }], rawInput: { path: file } }

function work(): void {
  say(
    update('agent_thought_chunk', { content: { type: 'text', text: thought } }),
    plan('in_progress', 'pending', 'pending'),
    call('read', { ...reads, name: 'Read' }),
    ended('read', 'export function lengthOf(line: string, at: number): number {'),
    words('The length counts UTF-16 units, so a flag has a length of four. I will count graphemes instead.'),
    plan('completed', 'in_progress', 'pending'),
    call('edit', { ...toolCall, name: 'Edit', rawInput: { path: file } }),
    { id: 0, method: 'session/request_permission', params: { sessionId: session, toolCall, options } },
  )
}

/** Puts the agent into the folder `bin` of a home, under the name `my-agent`. Returns the variables for it. */
export function installStageAgent(home: Home): Record<string, string> {
  const folder = join(home.path, 'bin')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'my-agent')
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(import.meta.url)}'\n`)
  chmodSync(path, 0o755)
  return { PATH: `${folder}:/usr/bin:/bin` }
}

if (import.meta.main) {
  listen(({ id, method }) => {
    const agentInfo = { name: 'my-agent', title: 'My Agent', version: '1.4.0' }
    if (method === 'initialize') say({ id, result: { ...greeting, agentInfo } })
    else if (method === 'session/new') say({ id, result: { sessionId: session, configOptions } })
    else if (method === 'session/prompt') work()
    else if (method !== undefined && id !== undefined) say({ id, error: { code: -32601, message: 'not here' } })
  })
}

/** Earlier sessions for pictures of the list, and a zot that starts and says nothing. */
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { AgentEvent } from '../src/agent/event.ts'
import { openSessions } from '../src/storage/sessions/sessions.ts'
import type { Home } from '../test/helpers/home.ts'

/** The age of each session in days, its prompts and its cost. */
const past: readonly { days: number; prompts: readonly string[]; costUsd: number; name?: string }[] = [
  { days: 12, prompts: ['Why is the build slower since the last release?'], costUsd: 0.41, name: 'slow build' },
  { days: 3, prompts: ['Count characters as a person does', 'and in the tests, too'], costUsd: 1.87 },
  { days: 1, prompts: ['Write a changelog for 0.2.0'], costUsd: 0.09 },
  { days: 0.1, prompts: ['Fix the failing parser test'], costUsd: 0.32 },
]

const agent = fileURLToPath(new URL('../test/fixtures/agents/echo.ts', import.meta.url))

/** What was said and run in sessions of several folders, for a picture of the search. */
const said: readonly {
  days: number
  folder: string
  agent: string
  prompt: string
  command: Command
  answer: string
}[] = [
  {
    days: 16,
    folder: 'site',
    agent: 'codex',
    prompt: 'Why does the deploy fail?',
    command: { line: 'npm run deploy', output: 'deploy: the token has expired', failed: true },
    answer: 'The deploy token in the CI settings has expired in October. A new one needs the scope `deploy:write`.',
  },
  {
    days: 6,
    folder: 'app',
    agent: 'zot',
    prompt: 'Rotate the deploy token',
    command: { line: 'gh secret set DEPLOY_TOKEN', output: 'Set secret DEPLOY_TOKEN', failed: false },
    answer: 'The deploy token is replaced, and the old one is revoked. The next deploy uses it.',
  },
  {
    days: 2,
    folder: 'app',
    agent: 'claude',
    prompt: 'Deploy the release, and watch it',
    command: { line: './deploy.sh --watch', output: 'deployed 0.2.0 in 41s', failed: false },
    answer: 'Release 0.2.0 is deployed. The first requests are answered in 120 ms.',
  },
]

type Command = { line: string; output: string; failed: boolean }

/** Stores them in the home; returns the environment variables that the program then needs. */
export function prepareSessions(home: Home, today: number): Record<string, string> {
  for (const { days, prompts, costUsd, name } of past) {
    const turns = prompts.map(
      (text, index) => (at: number) => turn(text, at + (index + 1) * 60_000, costUsd / prompts.length),
    )
    keep(home, { folder: home.project, begun: today - days * 86_400_000, turns, name })
  }
  return zotOf(home)
}

/** Stores those to be found. */
export function prepareFound(home: Home, today: number): Record<string, string> {
  for (const { days, folder, agent: name, prompt, command, answer } of said)
    keep(home, {
      folder: folder === 'app' ? home.project : path.join(home.path, folder),
      begun: today - days * 86_400_000,
      turns: [at => [started(name, at), ...working(prompt, command, answer, at)]],
    })
  return zotOf(home)
}

type Kept = {
  folder: string
  begun: number
  turns: readonly ((at: number) => AgentEvent[])[]
  name?: string | undefined
}

function keep(home: Home, { folder, begun, turns, name }: Kept): void {
  const sessions = openSessions({
    stateFolder: path.join(home.path, '.local', 'state', 'zotui'),
    projectFolder: folder,
    now: () => begun,
    timers: { after: () => () => undefined },
    onProblem(words) {
      throw new Error(words)
    },
  })
  for (const events of turns) sessions.add(events(begun))
  if (name !== undefined) sessions.rename(sessions.current().id, name)
  sessions.close()
}

function zotOf(home: Home): Record<string, string> {
  const zot = path.join(home.path, 'zot')
  writeFileSync(zot, `#!/bin/sh\nexec '${process.execPath}' '${agent}' "$@"\n`)
  chmodSync(zot, 0o755)
  return { ZOTUI_ZOT: zot }
}

function started(name: string, at: number): AgentEvent {
  const model = { provider: '', model: '', contextWindow: null, reasoning: null, reasoningLevels: [] }
  return { type: 'agent_started', at, agent: name, version: '', ...model }
}

function working(prompt: string, { line, output, failed }: Command, answer: string, at: number): AgentEvent[] {
  const id = 'call_1'
  return [
    { type: 'prompt_sent', at, text: prompt, images: [] },
    { type: 'prompt_accepted', at },
    { type: 'step_started', at, step: 1 },
    { type: 'tool_called', at, id, name: 'bash', arguments: { command: line } },
    { type: 'tool_finished', at, id, failed, content: [{ type: 'text', text: output }] },
    { type: 'step_ended', at, stop: 'tool_use' },
    { type: 'step_started', at, step: 2 },
    { type: 'answer_started', at },
    { type: 'answer_finished', at, content: [{ type: 'text', text: answer }] },
    { type: 'step_ended', at, stop: 'end' },
    { type: 'turn_ended', at },
  ]
}

function turn(text: string, at: number, costUsd: number): AgentEvent[] {
  const usage = { input: 12_000, output: 800, cacheRead: 0, cacheWrite: 0, costUsd, reasoning: null }
  return [
    { type: 'prompt_sent', at, text, images: [] },
    { type: 'prompt_accepted', at },
    { type: 'step_started', at, step: 1 },
    { type: 'usage_reported', at, usage, auxiliary: false },
    { type: 'step_ended', at, stop: 'end' },
    { type: 'turn_ended', at },
  ]
}

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

/** Stores them in the home; returns the environment variables that the program then needs. */
export function prepareSessions(home: Home, today: number): Record<string, string> {
  for (const { days, prompts, costUsd, name } of past) {
    let now = today - days * 86_400_000
    const sessions = openSessions({
      stateFolder: path.join(home.path, '.local', 'state', 'zotui'),
      projectFolder: home.project,
      now: () => now,
      timers: { after: () => () => undefined },
      onProblem(words) {
        throw new Error(words)
      },
    })
    for (const text of prompts) {
      now += 60_000
      sessions.add(turn(text, now, costUsd / prompts.length))
    }
    if (name !== undefined) sessions.rename(sessions.current().id, name)
    sessions.close()
  }
  const zot = path.join(home.path, 'zot')
  writeFileSync(zot, `#!/bin/sh\nexec '${process.execPath}' '${agent}' "$@"\n`)
  chmodSync(zot, 0o755)
  return { ZOTUI_ZOT: zot }
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

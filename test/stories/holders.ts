/** Conversations in the background for the stories: a home of theirs, who holds them, and what the shell says of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, onTestFinished } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { alive, type Process } from '../helpers/processes.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { installZot, lastingHome, program, quick, type Outcome } from './stage.ts'

/** A home with an agent; whatever still runs in the background is killed at the end. */
export function homeOf(agent: string): { home: Home; env: Record<string, string> } {
  const home = lastingHome()
  onTestFinished(() => {
    for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
  })
  return { home, env: { ZOTUI_ZOT: installZot(home, agent), ZOTUI_PERMISSIONS: 'allow' } }
}

export const demoHome = (): { home: Home; env: Record<string, string> } => ({ ...homeOf('echo'), env: quick })

export const recordsIn = (home: Home): string => join(home.path, '.local', 'state', 'zotui', 'held')

export type StoredRecord = { id: string; pid: number; socket: string }

export function holders(home: Home): StoredRecord[] {
  const folder = recordsIn(home)
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name, 'record.json')
    if (!existsSync(path)) return []
    const { id, owner, socket } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
    return [{ id: id ?? '', pid: Number(owner?.split('-')[1]), socket: socket ?? '' }]
  })
}

export async function zotui(home: Home, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
    cwd: home.project,
    env: environment(home.path, env),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 15_000,
  })
  return { code: exitCode, stdout, stderr }
}

/** Begins a conversation and returns its ID. */
export async function begin(home: Home, args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await zotui(home, ['-p', '--background', ...args], env)
  expect([code, stderr]).toEqual([0, expect.stringContaining('zotui attach')])
  return stdout.trim()
}

/** The window is so large that a growing answer fits for a while. */
export const attach = (home: Home, id: string): Promise<Screen> =>
  open({ home, args: ['attach', id], columns: 160, rows: 60 })

export type Listed = {
  id: string
  state: string
  title: string
  folder: string
  lastLine: string
  costUsd: number | null
  call: { id: string } | null
}

export async function listed(home: Home): Promise<Listed[]> {
  return JSON.parse((await zotui(home, ['conversations', '--json'])).stdout) as Listed[]
}

export async function inState(home: Home, state: string): Promise<Listed> {
  let first: Listed | undefined
  await expect
    .poll(async () => {
      ;[first] = await listed(home)
      return first?.state
    })
    .toBe(state)
  return first ?? expect.unreachable()
}

/** Waits until nothing runs in the background, and nothing of it is left. */
export async function allEnded(home: Home, processes: readonly Process[] = []): Promise<void> {
  await expect.poll(() => [readdirSync(recordsIn(home)), processes.filter(alive)]).toEqual([[], []])
}

/** Opens the list of conversations. */
export async function openList(zotui: Screen): Promise<void> {
  await zotui.press('alt+a')
  await zotui.see(/Enter or a digit/)
}

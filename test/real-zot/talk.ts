/** Shared by the tests of this folder: zotui in a terminal, with a real zot and a scripted model for it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { startModel, type Model, type ModelRequest, type Step } from '../helpers/model.ts'
import type { Process } from '../helpers/processes.ts'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'

/** The zot to test with; without it there is nothing to test. */
export const zot = process.env['ZOTUI_ZOT'] ?? ''

export type Talk = { zotui: Screen; model: Model; project: string }

type TalkOptions = {
  args?: readonly string[]
  env?: Record<string, string>
  /** The home folder to use again. */
  home?: Home
  /** The folder to start in. */
  cwd?: string
  /** The text that shows that it has started, or failed to. */
  ready?: string
}

/** Starts zotui on a zot whose model says `script`, in an empty project, and waits until both are ready. */
export async function talk(script: readonly Step[], options: TalkOptions = {}): Promise<Talk> {
  const { args = [], env = {}, ready = 'anthropic/claude-sonnet-4-5' } = options
  const model = await startModel(script)
  const zotui = await openZot({ args: [...model.flags, ...args], env })
  await zotui.see(ready)
  return { zotui, model, project: zotui.cwd }
}

/** Starts zotui on the real zot with only `args`, isolated from zot's data on this machine. */
export async function openZot({ args, env = {}, home, cwd }: TalkOptions): Promise<Screen> {
  return open({
    columns: 100,
    rows: 30,
    args: args ?? [],
    ...(home && { home }),
    ...(cwd !== undefined && { cwd }),
    env: ({ path: folder }) => ({ ZOTUI_ZOT: zot, ZOT_HOME: path.join(folder, '.zot'), ...env }),
  })
}

/** Types a line, waits until it stands in the composer, and sends it. */
export async function say(zotui: Screen, line: string): Promise<void> {
  await zotui.type(line)
  await zotui.see(line)
  await zotui.press('enter')
}

/** Waits until nothing is running: the working line is then gone. */
export async function idle(zotui: Screen): Promise<void> {
  await zotui.gone(/\ds\s+Esc stops|stopping\s+\d/)
}

const isZot = ({ command }: Process): boolean => command.includes(' rpc')

/** The zot that this zotui started. */
export async function zotOf(zotui: Screen): Promise<Process> {
  await zotui.until('a running zot', { check: () => zotui.children().some(isZot) })
  const found = zotui.children().find(isZot)
  if (!found) throw new Error('zot ended again')
  return found
}

/** The conversation as a request carried it to the model. */
export function messagesOf({ body }: ModelRequest): { role: string; content: unknown }[] {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return []
  return body.messages as { role: string; content: unknown }[]
}

/** Reads the session files of this home. */
export function keptSessions({ home }: Screen): string {
  const folder = path.join(home.path, '.local', 'state', 'zotui')
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return files
    .filter(file => file.includes('sessions') && file.endsWith('.jsonl'))
    .map(file => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')
}

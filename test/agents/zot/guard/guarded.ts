/** A guarded zot behind the backend, and what it did. Shared by the tests on a stand-in and on real zots. */
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import type { Backend } from '../../../../src/agent/backend.ts'
import type { AgentEvent, EventOf } from '../../../../src/agent/event.ts'
import type { Judge, ToolRequest } from '../../../../src/agent/permission.ts'
import { createZotBackend } from '../../../../src/agents/zot/backend.ts'
import type { GuardBeat } from '../../../../src/agents/zot/guard/link/guard-link.ts'
import { launchGuardedZot, type GuardedZot, type GuardLaunch } from '../../../../src/agents/zot/guard/guarded-launch.ts'
import { launchZot } from '../../../../src/agents/zot/program/zot-process.ts'
import type { ZotLimits } from '../../../../src/agents/zot/limits.ts'
import type { ZotOptions } from '../../../../src/agents/zot/program/options.ts'
import { createLocalTools } from '../../../../src/local-tools/local-tools.ts'
import { zotTools } from '../../../../src/local-tools/as-zot/zot-tools.ts'

export const guardScript = fileURLToPath(new URL('../../../../src/agents/zot/guard/zotui-guard.ts', import.meta.url))

export type GuardedOptions = {
  /** The zot to start. */
  zot: string
  options?: ZotOptions
  env?: NodeJS.ProcessEnv
  limits?: Partial<ZotLimits>
  beat?: GuardBeat
  script?: string
  judge?: Judge
  /** Without a guard, as `--no-guard`. */
  isBare?: boolean
}

export type Guarded = {
  backend: Backend
  events: AgentEvent[]
  /** The folder that zot works in. */
  project: string
  /** The places of the guards' folders. */
  places: string
  /** The guarded zots so far, newest last. */
  zots: GuardedZot[]
  /** The requests that were judged. */
  judged: ToolRequest[]
  /** The options of the launched zots, for a program that launches them itself. */
  launch: Omit<GuardLaunch, 'toolsOf'>
  /** Waits for an event of the type, after those that `next` returned before. */
  next: <Type extends AgentEvent['type']>(type: Type) => Promise<EventOf<Type>>
  /** The text of the result of the call. */
  result: (callId?: string) => string | undefined
  types: () => string[]
}

const running = new Set<Guarded>()
afterEach(async () => {
  const left: string[] = []
  for (const guarded of running) {
    await guarded.backend.kill()
    running.delete(guarded)
    left.push(...readdirSync(guarded.places))
    for (const folder of [guarded.project, guarded.places]) rmSync(folder, { recursive: true, force: true })
  }
  if (left.length > 0) throw new Error(`the guard left ${left.join(', ')}`)
})

export const ask: Judge = () => ({ verdict: 'ask', because: 'the test asks' })
export const allow: Judge = () => ({ verdict: 'allow', because: 'the test allows' })
export const refuse: Judge = () => ({ verdict: 'refuse', because: 'the test refuses', words: 'no such calls here' })

export function guarded(given: GuardedOptions): Guarded {
  const { zot, options = {}, limits, beat, script = guardScript, judge = ask, isBare = false } = given
  const project = realpathSync(mkdtempSync(path.join(tmpdir(), 'project-')))
  const places = realpathSync(mkdtempSync(path.join(tmpdir(), 'p-')))
  const env = {
    PATH: process.env['PATH'],
    HOME: project,
    ZOT_HOME: path.join(places, '..', path.basename(project), '.zot'),
    ...given.env,
  }
  const zots: GuardedZot[] = []
  const judged: ToolRequest[] = []
  const launch = (start: ZotOptions) => ({ path: zot, options: { cwd: project, ...options, ...start }, env })
  const backend = createZotBackend({
    connect: start => launchZot(launch(start)),
    ...(!isBare && {
      connectGuarded: (start: ZotOptions) => {
        const started = launchGuardedZot({
          ...launch(start),
          places: { script, node: process.execPath, parents: [places] },
          toolsOf: folder => createLocalTools({ folder, env, tools: zotTools }),
          home: env.ZOT_HOME,
          ...(beat && { beat }),
        })
        zots.push(started)
        return started
      },
    }),
    modeNote: mode => `mode ${mode}`,
    ...(limits && { limits }),
  })
  backend.judgeWith(request => {
    judged.push(request)
    return judge(request)
  })
  const events: AgentEvent[] = []
  const seen = new Map<string, number>()
  const listeners = new Set<() => void>()
  backend.subscribe(event => {
    events.push(event)
    for (const listener of listeners) listener()
  })
  const stage: Guarded = {
    backend,
    events,
    project,
    places,
    zots,
    judged,
    launch: { ...launch({}), places: { script, node: process.execPath, parents: [places] }, home: env.ZOT_HOME },
    types: () => events.map(({ type }) => type),
    next: async type =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const index = events.findIndex((event, at) => at >= (seen.get(type) ?? 0) && event.type === type)
          if (index === -1) return
          seen.set(type, index + 1)
          clearTimeout(deadline)
          listeners.delete(look)
          resolve(events[index] as EventOf<typeof type>)
        }
        const deadline = setTimeout(
          () => reject(new Error(`no ${type} within 20 s: ${JSON.stringify(events, null, 1)}`)),
          20_000,
        )
        listeners.add(look)
        look()
      }),
    result(callId) {
      const found = events.findLast(
        event => event.type === 'tool_finished' && (callId === undefined || event.id === callId),
      )
      if (found?.type !== 'tool_finished') return undefined
      return found.content.map(part => (part.type === 'text' ? part.text : `(${part.mimeType})`)).join('\n')
    },
  }
  running.add(stage)
  return stage
}

/** The containers of this machine on the board that no zotui works in: nothing that zotui has started runs unseen. */
import { messageOf, UserError } from '../../platform/errors.ts'
import { quietTimers, type Timers } from '../../platform/timers.ts'
import { clonedFolder, clonesLeft } from '../../places/container/clone.ts'
import { startedContainers, type StartedContainer } from '../../places/container/containers.ts'
import { endContainer } from '../../places/container/end-container.ts'
import { containerPrograms } from '../../places/container/engine.ts'
import { containerTemplates } from '../../places/container/template.ts'
import { isUsed } from '../../places/container/uses.ts'
import { templateNames } from '../../places/template.ts'
import type { BoardRow } from '../board-row.ts'
import type { BoardHost, BoardSource } from '../board-source.ts'

/** Milliseconds between two looks, and the most while no engine answers. */
const LOOK = 5000
const SLOWEST = 60_000

export type ContainersSourceOptions = {
  env: NodeJS.ProcessEnv
  /** The folder of this program: engines that belong to it are not run. */
  folder: string
  configFolder: string
  stateFolder: string
  /** The program and the arguments that start zotui. */
  zotui: { file: string; args: readonly string[] }
  timers?: Timers
}

const NAME = 'containers'

/** Null for a person who has no template: then no engine is asked. */
export function createContainersSource(options: ContainersSourceOptions): BoardSource | null {
  const { env, folder, configFolder, stateFolder, zotui, timers = quietTimers } = options
  if (templateNames(configFolder, containerTemplates).length === 0 && clonesLeft(stateFolder).length === 0) return null
  let host: BoardHost = { name: NAME, state: 'connecting', problem: '', rows: [] }
  let found: readonly StartedContainer[] = []
  let pause = LOOK
  let cancel: (() => void) | null = null
  let onChange: (() => void) | null = null
  let looks = 0
  const closing = new AbortController()

  async function look(): Promise<void> {
    cancel?.()
    const number = (looks += 1)
    const next = await lookNow()
    // Another look has begun meanwhile, and knows more.
    if (closing.signal.aborted || number !== looks) return
    const isChanged = JSON.stringify(next) !== JSON.stringify(host)
    host = next
    pause = host.state === 'connected' ? LOOK : Math.min(pause * 2, SLOWEST)
    cancel = timers.after(pause, () => void look())
    if (isChanged) onChange?.()
  }

  /** Of all engines that answer. Where none does, the first one says why. */
  async function lookNow(): Promise<BoardHost> {
    const programs = containerPrograms(env, folder)
    const answers = await Promise.all(programs.map(each => startedContainers(each, closing.signal)))
    const lists = answers.flatMap(each => (each instanceof UserError ? [] : [each]))
    const problem = answers.find(each => each instanceof UserError)?.message ?? 'There is no docker and no podman here.'
    if (lists.length === 0) {
      const state = host.state === 'connected' || host.state === 'lost' ? 'lost' : 'failed'
      return { ...host, state, problem }
    }
    found = lists.flat()
    const clones = clonesLeft(stateFolder).filter(name => !found.some(each => each.name === name))
    const rows = [...found.map(rowOf), ...clones.map(name => cloneRow(name, clonedFolder(stateFolder, name) ?? ''))]
    return { name: NAME, state: 'connected', problem: '', rows: rows.filter(({ id }) => !isUsed(stateFolder, id)) }
  }

  return {
    name: NAME,
    start(changed) {
      onChange = changed
      void look()
    },
    host: () => host,
    async act(row, action) {
      if (!host.rows.some(({ id }) => id === row))
        return { ok: false, why: 'gone', message: 'This container is gone, or a zotui works in it.' }
      if (action.do !== 'end')
        return { ok: false, why: 'forbidden', message: 'A container can only be opened and ended.' }
      try {
        await endContainer(row, { progress() {}, signal: closing.signal, env, configFolder, stateFolder })
      } catch (error) {
        return { ok: false, why: 'failed', message: messageOf(error) }
      }
      void look()
      return { ok: true, how: 'done' }
    },
    opens(row) {
      const container = found.find(({ name }) => name === row)
      if (!container?.isRunning) return null
      return { file: zotui.file, args: [...zotui.args, '--on', `container:${container.template}/${row}`] }
    },
    close() {
      cancel?.()
      closing.abort()
    },
  }
}

const plain = {
  kind: 'container',
  pid: null,
  attach: null,
  session: null,
  worktreeOf: null,
  branch: null,
  agent: '',
  model: '',
  costUsd: null,
  mode: null,
  changes: null,
  questions: [],
} as const

function rowOf({ name, template, folder, image, isRunning, state, since }: StartedContainer): BoardRow {
  return {
    ...plain,
    id: name,
    folder,
    title: `container:${template}/${name}`,
    state: isRunning ? 'resting' : 'failed',
    since,
    lastLine: isRunning ? `no zotui works in it (${image})` : state,
    can: isRunning ? ['attach', 'end'] : ['end'],
  }
}

function cloneRow(name: string, folder: string): BoardRow {
  const lastLine = 'its clone has not come back: end it to get it'
  return { ...plain, id: name, folder, title: name, state: 'failed', since: null, lastLine, can: ['end'] }
}

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
import type { BoardSource } from '../board-source.ts'
import { noConversation, pollHost } from './polled-host.ts'

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

/** Null for a person who has no template: then no engine is asked. */
export function createContainersSource(options: ContainersSourceOptions): BoardSource | null {
  const { env, folder, configFolder, stateFolder, zotui, timers = quietTimers } = options
  if (templateNames(configFolder, containerTemplates).length === 0 && clonesLeft(stateFolder).length === 0) return null
  let found: readonly StartedContainer[] = []

  /** Of all engines that answer. Where none does, the first one says why. */
  async function rows(signal: AbortSignal): Promise<readonly BoardRow[]> {
    const programs = containerPrograms(env, folder)
    const answers = await Promise.all(programs.map(each => startedContainers(each, signal)))
    const lists = answers.flatMap(each => (each instanceof UserError ? [] : [each]))
    if (lists.length === 0)
      throw answers.find(each => each instanceof UserError) ?? new UserError('There is no docker and no podman here.')
    found = lists.flat()
    const clones = clonesLeft(stateFolder).filter(name => !found.some(each => each.name === name))
    const all = [...found.map(rowOf), ...clones.map(name => cloneRow(name, clonedFolder(stateFolder, name) ?? ''))]
    return all.filter(({ id }) => !isUsed(stateFolder, id))
  }

  const polled = pollHost('containers', rows, timers)
  return {
    ...polled,
    async act(row, action) {
      if (!polled.host().rows.some(({ id }) => id === row))
        return { ok: false, why: 'gone', message: 'This container is gone, or a zotui works in it.' }
      if (action.do !== 'end')
        return { ok: false, why: 'forbidden', message: 'A container can only be opened and ended.' }
      try {
        await endContainer(row, { progress() {}, signal: polled.signal, env, configFolder, stateFolder })
      } catch (error) {
        return { ok: false, why: 'failed', message: messageOf(error) }
      }
      polled.look()
      return { ok: true, how: 'done' }
    },
    opens(row) {
      const container = found.find(({ name }) => name === row)
      if (!container?.isRunning) return null
      return { file: zotui.file, args: [...zotui.args, '--on', `container:${container.template}/${row}`] }
    },
  }
}

function rowOf({ name, template, folder, image, isRunning, state, since }: StartedContainer): BoardRow {
  return {
    ...noConversation,
    kind: 'container',
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
  return {
    ...noConversation,
    kind: 'container',
    id: name,
    folder,
    title: name,
    state: 'failed',
    since: null,
    lastLine,
    can: ['end'],
  }
}

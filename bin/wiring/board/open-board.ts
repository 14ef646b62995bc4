/** The board of this person: this machine, the hosts of the setting `boardHosts`, and the places that zotui has started. */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import type { BoardSource } from '../../../src/fleet/board-source.ts'
import { createBoard, type FleetBoard } from '../../../src/fleet/board.ts'
import { createHostSource } from '../../../src/fleet/sources/host-source.ts'
import { createLocalSource } from '../../../src/fleet/sources/local-source.ts'
import { createLocalWays, type LocalWaysOptions } from '../../../src/fleet/sources/local-ways.ts'
import { elapsedHere } from '../../../src/platform/ages.ts'
import { readableNamesIn } from '../../../src/platform/folders.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import { statePath } from '../../../src/storage/log.ts'

export type OpenBoardOptions = {
  /** The names of ssh of other machines. */
  hosts: readonly string[]
  /** The conversations of this very process; null for a program without any. */
  own: LocalWaysOptions['own']
  /** `here`: this machine alone. `demo`: it reaches no other machine, and makes two of them up. */
  looksAt: 'all' | 'here' | 'demo'
}

export type OpenedBoard = {
  board: FleetBoard
  /** Resolves when the rows of this machine are there, apart from their changed lines; within about a second. */
  known: Promise<void>
  /** Resolves when the conversations of this machine are known, within about a second. */
  listed: Promise<void>
}

/** Milliseconds between the starts of two connections. */
const BETWEEN = 10

export function openBoard({ hosts, own, looksAt }: OpenBoardOptions): OpenedBoard {
  const clocks = { now: Date.now, elapsed: elapsedHere, after: quietTimers.after }
  const ways = createLocalWays({ ...clocks, stateFolder: statePath(), home: homedir(), env: process.env, own })
  const local = createLocalSource(ways)
  const named = looksAt === 'all' ? [...new Set(hosts)] : []
  const others = named.flatMap(
    (host, at) => createHostSource({ ...clocks, host, env: process.env, delay: at * BETWEEN }) ?? [],
  )
  const later = { here: undefined, demo: madeUp, all: placesOfPerson }[looksAt]
  const board = createBoard({ ...clocks, sources: [local, ...others], ...(later && { later: later() }) })
  return { board, known: local.known, listed: local.listed }
}

async function madeUp(): Promise<readonly BoardSource[]> {
  const { demoHosts } = await import('../../../src/fleet/sources/demo-hosts.ts')
  return demoHosts({ now: Date.now, after: quietTimers.after })
}

/** The containers and Jobs that zotui has started, if there are templates for them. Never rejects. */
async function placesOfPerson(): Promise<readonly BoardSource[]> {
  try {
    const configFolder = dirname(userSettingsPath())
    const of = { configFolder, stateFolder: statePath(), env: process.env, folder: process.cwd() }
    const zotui = { file: process.execPath, args: [...process.execArgv, process.argv[1] ?? ''] }
    // The code for places is larger than the board: most people have none.
    const [hasContainers, hasJobs] = [
      [join(configFolder, 'containers'), join(statePath(), 'places', 'clones')],
      [join(configFolder, 'jobs')],
    ].map(folders => folders.some(folder => readableNamesIn(folder).length > 0))
    const containers = hasContainers
      ? (await import('../../../src/fleet/sources/containers-source.ts')).createContainersSource({ ...of, zotui })
      : null
    const jobs = hasJobs
      ? (await import('../../../src/fleet/sources/jobs-source.ts')).createJobsSources({ of, zotui, now: Date.now })
      : []
    return [...(containers ? [containers] : []), ...jobs]
  } catch {
    // A part of zotui is gone, or the folder: the board has the rest.
    return []
  }
}

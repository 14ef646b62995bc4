/** The board of this person: this machine, the hosts of the setting `boardHosts`, and the places that zotui has started. */
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import process from 'node:process'
import { createBoard, type FleetBoard } from '../../../src/fleet/board.ts'
import type { BoardSource } from '../../../src/fleet/board-source.ts'
import { createHostSource } from '../../../src/fleet/host-source.ts'
import { createLocalSource } from '../../../src/fleet/local-source.ts'
import { createJobsSources } from '../../../src/fleet/jobs-source.ts'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import { createLocalWays, type LocalWaysOptions } from '../../../src/fleet/local-ways.ts'
import { elapsedHere } from '../../../src/platform/ages.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import { statePath } from '../../../src/storage/log.ts'

export type OpenBoardOptions = {
  /** The names of ssh of other machines. */
  hosts: readonly string[]
  /** The conversations of this very process; null for a program without any. */
  own: LocalWaysOptions['own']
}

export type OpenedBoard = {
  board: FleetBoard
  /** Resolves when the conversations of this machine are known, within about a second. */
  listed: Promise<void>
}

export function openBoard({ hosts, own }: OpenBoardOptions): OpenedBoard {
  const clocks = { now: Date.now, elapsed: elapsedHere, after: quietTimers.after }
  const ways = createLocalWays({ ...clocks, stateFolder: statePath(), home: homedir(), env: process.env, own })
  const local = createLocalSource(ways)
  const others = [...new Set(hosts)].flatMap(host => createHostSource({ ...clocks, host, env: process.env }) ?? [])
  const sources = [local, ...others, ...startedPlaces()]
  return { board: createBoard({ ...clocks, sources }), listed: local.listed }
}

/** What zotui has started elsewhere, and may have left. Nothing is asked where the person has no template. */
function startedPlaces(): BoardSource[] {
  const configFolder = dirname(userSettingsPath())
  const where = { env: process.env, folder: process.cwd(), configFolder, stateFolder: statePath() }
  const zotui = { file: process.execPath, args: [...process.execArgv, process.argv[1] ?? ''] }
  return createJobsSources({ of: where, zotui, now: Date.now })
}

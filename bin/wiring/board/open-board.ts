/** The board of this person: this machine, the hosts of the setting `boardHosts`, and the places that zotui has started. */
import { homedir } from 'node:os'
import process from 'node:process'
import { createBoard, type FleetBoard } from '../../../src/fleet/board.ts'
import { createHostSource } from '../../../src/fleet/sources/host-source.ts'
import { createLocalSource } from '../../../src/fleet/sources/local-source.ts'
import { createLocalWays, type LocalWaysOptions } from '../../../src/fleet/sources/local-ways.ts'
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
  return { board: createBoard({ ...clocks, sources: [local, ...others] }), listed: local.listed }
}

/** The memory of all processes of zotui at the prompt. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { MEGABYTE, type Figure } from '../figures.ts'
import { hasProportionalShare, proportionalShare, treeOf } from '../process-usage.ts'
import type { Stage } from '../stage.ts'

/** A while for what is loaded behind the prompt. */
const SETTLING = 2500

/**
 * zotui, its watchdog and its guard. A page that several processes share counts once, in parts, so all of them run a copy of Node
 * that no other program on the machine shares. zot itself is left out: that of the bench is a program of Node, and a real one is not.
 */
export async function tree(stage: Stage): Promise<Figure[]> {
  if (!hasProportionalShare) return []
  const folder = mkdtempSync(join(tmpdir(), 'zotui-bench-node-'))
  try {
    const node = join(folder, 'node')
    cpSync(process.execPath, node)
    const ui = stage.open({ node, isGuarded: true })
    await ui.ready()
    await pause(SETTLING)
    const processes = treeOf(ui.pid).filter(({ command }) => !command.includes(`${stage.zot} rpc`))
    const value = sumOf(processes)
    const guard = sumOf(processes.filter(({ command }) => command.includes('zotui-guard')))
    await ui.end()
    const bare = stage.node(['-e', 'process.stdout.write("x"); setInterval(() => {}, 1e6)'], node)
    await bare.shown('one byte', () => true)
    await pause(SETTLING)
    const floor = sumOf(treeOf(bare.pid))
    await bare.end()
    return [
      { name: 'tree at the prompt', unit: 'MB', value: value / MEGABYTE, floor: floor / MEGABYTE },
      { name: 'guard', unit: 'MB', value: guard / MEGABYTE, floor: floor / MEGABYTE },
      { name: 'processes', unit: 'count', value: processes.length },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sumOf(processes: readonly { pid: number }[]): number {
  return processes.reduce((sum, { pid }) => sum + proportionalShare(pid), 0)
}

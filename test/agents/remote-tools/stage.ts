/** A machine whose shell is one of this machine, with a home folder of its own, and the tools there. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { launchTools } from '../../../src/agents/remote-tools/launch.ts'
import { createRemoteTools, type RemoteToolsOptions } from '../../../src/agents/remote-tools/remote-tools.ts'
import { processIds } from '../../../src/platform/processes.ts'
import { createMachine, type RemoteMachine } from '../../../src/platform/remote/machine.ts'
import { BOOT } from '../../../src/platform/remote/quoting.ts'
import type { Target } from '../../../src/platform/remote/target.ts'
import { quoted } from '../../../src/platform/shell/quoting.ts'

export type There = { folder: string; machine: RemoteMachine }

/** `shell` starts a shell there with its words; by default it is one of this machine. */
export function machineThere(shell?: (folder: string) => Pick<Target, 'file' | 'args'>): There {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-there-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = { file: '/bin/sh', args: ['-c', BOOT] }
  const target: Target = { name: 'ssh:far', identity: '', folder: null, ...(shell?.(folder) ?? own) }
  const machine = createMachine(target, { PATH: process.env['PATH'], HOME: folder })
  onTestFinished(() => machine.close())
  return { folder, machine }
}

/** The words of a shell behind a real sshd. */
export const behindSshd = (bin: string) => (folder: string) => ({
  file: join(bin, 'ssh'),
  args: ['-T', '--', 'far', `env HOME=${folder} sh -c ${quoted(BOOT)}`],
})

export function toolsOf({ folder, machine }: There, limits: RemoteToolsOptions['limits'] = {}) {
  const place = { machine, survey: { folder }, node: process.execPath }
  let started = 0
  const tools = createRemoteTools({
    folder,
    machine: 'ssh:far',
    limits,
    connect() {
      started += 1
      return launchTools(place)
    },
  })
  onTestFinished(() => tools.close?.())
  return { tools, started: () => started }
}

/** The processes with these words in their arguments, and none of this test. */
export function processesWith(words: string): number[] {
  return processIds().filter(pid => {
    try {
      return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').includes(words)
    } catch {
      return false
    }
  })
}

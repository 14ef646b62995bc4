/**
 * Checks for a newer zotui: asks npm, with the user's configuration, at most once a day, after the end of a turn and never at
 * the start.
 */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { makeFolder } from '../../../src/platform/folders.ts'
import type { AppStore } from '../../../src/state/app-store.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { findProgram, helperEnvironment } from '../../../src/platform/programs.ts'

/** In milliseconds. */
const DAY = 24 * 60 * 60 * 1000

export type UpdateNoticeOptions = {
  store: AppStore
  settings: SettingsStore
  statePath: string
  version: string
  env: NodeJS.ProcessEnv
  /** The folder that zotui works in. */
  folder: string
  addNotice: (words: string) => void
}

export function noticeUpdates({
  store,
  settings,
  statePath,
  version,
  env,
  folder,
  addNotice,
}: UpdateNoticeOptions): void {
  let asked = false
  store.subscribe(() => {
    if (asked || !settings.values().updateNotice) return
    const { open, entries } = store.get().chat
    if (open !== null || !entries.some(entry => entry.kind === 'turn')) return
    asked = true
    if (isDue(statePath)) void look()
  })

  async function look(): Promise<void> {
    const newest = await newestVersion(env, folder)
    if (newest !== null && isNewer(newest, version)) addNotice(`zotui ${newest} is available; this is ${version}.`)
  }
}

/** Whether the last check is a day old. It is marked as done at once, so that several programs check only once. */
function isDue(statePath: string): boolean {
  const mark = join(statePath, 'looked-for-update')
  const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - last < DAY) return false
  try {
    makeFolder(statePath)
    writeFileSync(mark, '', { mode: 0o600 })
    return true
  } catch {
    // Without the mark every start would check.
    return false
  }
}

async function newestVersion(own: NodeJS.ProcessEnv, folder: string): Promise<string | null> {
  const npm = findProgram('npm', own, folder)
  if (npm === null) return null
  // npm is a script, whose interpreter is looked up in PATH.
  const env = helperEnvironment(own, folder)
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: 10_000, reject: false, maxBuffer: 10_000 } as const
  const { stdout, exitCode } = await execa(npm, ['view', 'zotui', 'version'], options)
  return exitCode === 0 && /^\d+\.\d+\.\d+$/.test(stdout.trim()) ? stdout.trim() : null
}

function isNewer(found: string, own: string): boolean {
  const [theirs = [], ours = []] = [found, own].map(version => version.split('.').map(Number))
  const at = theirs.findIndex((part, index) => part !== ours[index])
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0)
}

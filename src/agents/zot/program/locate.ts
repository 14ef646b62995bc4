/** Finds the zot to start. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { explain } from '../explain.ts'
import type { Explanation } from '../explain.ts'

export type LocatedZot =
  | { ok: true; path: string }
  /** The message if none was found: what is wrong and what to do. */
  | ({ ok: false } & Explanation)

/**
 * Looks for zot at the given path (`explicit`), else at `ZOTUI_ZOT`, else in `PATH`. A name without a slash is looked up in
 * `PATH`, and then where `go install` puts programs, which is often not in it. A given zot that is missing is an error: another one
 * would be a surprise. Nothing is awaited: the first frame needs the answer, and Node's promises of files take 8 ms to load.
 */
export function locateZot(explicit: string | undefined, env: NodeJS.ProcessEnv): LocatedZot {
  const given = explicit ?? (env['ZOTUI_ZOT'] || undefined)
  const name = given ?? 'zot'
  let denied = false
  for (const path of candidates(name, env)) {
    const state = examine(path)
    if (state === 'executable') return { ok: true, path }
    denied ||= state === 'not executable'
  }
  const { reason, hint } = notStarted(denied ? 'EACCES' : 'ENOENT')
  return { ok: false, reason: given === undefined ? reason : `${reason}: ${given}`, hint }
}

function candidates(name: string, env: NodeJS.ProcessEnv): string[] {
  if (/[/\\]/u.test(name)) return [resolve(name)]
  const file = process.platform === 'win32' && !name.endsWith('.exe') ? `${name}.exe` : name
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  return [...folders, ...goFolders(env)].map(folder => join(folder, file))
}

/** The folders in which `go install` puts programs: `$GOBIN`, else `bin` of `$GOPATH`, else `~/go/bin`. */
function goFolders({ GOBIN, GOPATH, HOME }: NodeJS.ProcessEnv): string[] {
  if (GOBIN) return [GOBIN]
  const homes = GOPATH ? GOPATH.split(delimiter) : HOME ? [join(HOME, 'go')] : []
  return homes.filter(home => home !== '').map(home => join(home, 'bin'))
}

function examine(path: string): 'executable' | 'not executable' | 'absent' {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return 'absent'
  } catch {
    // A file that cannot be checked cannot be run either.
    return 'absent'
  }
  try {
    accessSync(path, constants.X_OK)
    return 'executable'
  } catch {
    return 'not executable'
  }
}

function notStarted(spawnError: string): Explanation {
  const ending = { code: null, signal: null, spawnError, outputClosed: false, lastWords: [] }
  return explain({ ending, cause: null, started: false, version: null })
}

/** Finds the zot to start. */
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { onlyInProject, searchProgram } from '../../../platform/programs.ts'
import type { Explanation } from '../../host/explain-end.ts'
import { explainSpawnError } from './explain-spawn.ts'

export type LocatedZot =
  | { ok: true; path: string }
  /** The message if none was found: what is wrong and what to do. */
  | ({ ok: false } & Explanation)

/**
 * Looks for zot at the path `explicit`, else at `ZOTUI_ZOT`, else in `PATH`. A name without a slash is looked up in
 * `PATH`, and then where `go install` puts programs, which is often not in it. A zot that was named and is missing is an error: another one
 * would be a surprise. A zot of the project in `folder` is taken only by its path. Nothing is awaited: the first frame needs the answer,
 * and Node's promises of files take 8 ms to load.
 */
export function locateZot(
  explicit: string | undefined,
  env: NodeJS.ProcessEnv,
  folder: string = process.cwd(),
): LocatedZot {
  const chosen = explicit ?? (env['ZOTUI_ZOT'] || undefined)
  const name = chosen ?? 'zot'
  const isPath = /[/\\]/u.test(name)
  const found = searchProgram(isPath ? resolve(name) : name, env, folder, { others: goFolders(env) })
  if (found.path !== null) return { ok: true, path: found.path }
  const { reason, hint } = explainSpawnError(found.isDenied ? 'EACCES' : 'ENOENT')
  return {
    ok: false,
    reason: chosen === undefined ? reason : `${reason}: ${chosen}`,
    hint: found.ofProject === null ? hint : onlyInProject(found.ofProject),
  }
}

/** The folders in which `go install` puts programs: `$GOBIN`, else `bin` of `$GOPATH`, else `~/go/bin`. */
function goFolders({ GOBIN, GOPATH, HOME }: NodeJS.ProcessEnv): string[] {
  if (GOBIN) return [GOBIN]
  const homes = GOPATH ? GOPATH.split(delimiter) : HOME ? [join(HOME, 'go')] : []
  return homes.filter(home => home !== '').map(home => join(home, 'bin'))
}

/** Finds the zot to start, its version and its models. */
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { execa } from 'execa'
import { readRegularFile } from '../../../platform/regular-file.ts'
import { createCredentialLookup } from './credentials.ts'
import { explain } from '../explain.ts'
import type { Explanation } from '../explain.ts'
import type { Model, Reply } from '../../../agent/backend.ts'
import { parseModelList } from '../model-list.ts'

export type LocatedZot =
  | { ok: true; path: string }
  /** Not found: what is wrong and what to do. */
  | ({ ok: false } & Explanation)

/**
 * Looks for zot at the given path (`explicit`), else at `ZOTUI_ZOT`, else in `PATH`. A name without a slash is looked up in
 * `PATH`. A given zot that is missing is an error: another one would be a surprise.
 */
export async function locateZot(explicit: string | undefined, env: NodeJS.ProcessEnv): Promise<LocatedZot> {
  const given = explicit ?? (env['ZOTUI_ZOT'] || undefined)
  const name = given ?? 'zot'
  let denied = false
  for (const path of candidates(name, env)) {
    const state = await examine(path)
    if (state === 'executable') return { ok: true, path }
    denied ||= state === 'not executable'
  }
  const { reason, hint } = notStarted(denied ? 'EACCES' : 'ENOENT')
  return { ok: false, reason: given === undefined ? reason : `${reason}: ${given}`, hint }
}

/** Reads `zot --version`, without the leading name; null if there is no answer within `limit` milliseconds. */
export async function zotVersion(path: string, env: NodeJS.ProcessEnv, limit = 3000): Promise<string | null> {
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: limit, reject: false, maxBuffer: 10_000 } as const
  const { stdout, exitCode } = await execa(path, ['--version'], options)
  const [line = ''] = stdout.trim().split('\n')
  return exitCode === 0 && line !== '' ? line.replace(/^zot /u, '') : null
}

/** The largest credentials file that is read, in bytes. */
const LARGEST_FILE = 1_000_000

/** Lists the models of every provider that zot knows, and whether it has a key for each. It needs no key itself. */
export async function zotModels(
  path: string,
  { env, home, limit = 10_000 }: { env: NodeJS.ProcessEnv; home: string; limit?: number },
): Promise<Reply<Model[]>> {
  const options = { env, extendEnv: false, stdin: 'ignore', timeout: limit, reject: false } as const
  const [{ stdout, exitCode }, file] = await Promise.all([
    execa(path, ['--list-models'], options),
    readRegularFile(join(home, 'auth.json'), LARGEST_FILE),
  ])
  const hasKey = createCredentialLookup(env, file.ok ? file.bytes.toString('utf8') : null)
  const listed = exitCode === 0 ? parseModelList(stdout) : []
  const models = listed.map(model => Object.assign(model, { hasKey: hasKey(model.provider) }))
  return models.length > 0 ? { ok: true, value: models } : { ok: false, message: 'zot did not list its models' }
}

function candidates(name: string, env: NodeJS.ProcessEnv): string[] {
  if (/[/\\]/u.test(name)) return [resolve(name)]
  const file = process.platform === 'win32' && !name.endsWith('.exe') ? `${name}.exe` : name
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')
  return folders.map(folder => join(folder, file))
}

async function examine(path: string): Promise<'executable' | 'not executable' | 'absent'> {
  try {
    if (!(await stat(path)).isFile()) return 'absent'
  } catch {
    // A file that we cannot look at cannot be run either.
    return 'absent'
  }
  return access(path, constants.X_OK).then(
    () => 'executable',
    () => 'not executable',
  )
}

function notStarted(spawnError: string): Explanation {
  const ending = { code: null, signal: null, spawnError, outputClosed: false, lastWords: [] }
  return explain({ ending, cause: null, started: false, version: null })
}

/** Asks a zot for its version and its models, without starting a session. */
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import type { Model, Reply } from '../../../agent/backend.ts'
import { startedProgram } from '../../../platform/programs.ts'
import { readRegularFile } from '../../../platform/regular-file.ts'
import { parseModelList } from '../model-list.ts'
import { createCredentialLookup } from './credentials.ts'

/** Reads `zot --version`, without the leading name; null if there is no answer within `limit` milliseconds. */
export async function zotVersion(path: string, env: NodeJS.ProcessEnv, limit = 3000): Promise<string | null> {
  const { stdout, exitCode } = await asked(path, '--version', env, { timeout: limit, maxBuffer: 10_000 })
  const [line = ''] = stdout.trim().split('\n')
  return exitCode === 0 && line !== '' ? line.replace(/^zot /u, '') : null
}

async function asked(
  path: string,
  flag: string,
  own: NodeJS.ProcessEnv,
  limits: { timeout: number; maxBuffer?: number },
): Promise<{ stdout: string; exitCode: number | undefined }> {
  const { file, before, env } = startedProgram(path, own, process.cwd())
  const options = { env, extendEnv: false, stdin: 'ignore', reject: false, ...limits } as const
  const { stdout, exitCode } = await execa(file, [...before, flag], options)
  return { stdout, exitCode }
}

/** The providers of the models that zot lists, each as often as it has models; empty if it lists none in time. */
export async function zotProviders(path: string, env: NodeJS.ProcessEnv, limit: number): Promise<string[]> {
  const { stdout, exitCode } = await asked(path, '--list-models', env, { timeout: limit })
  return exitCode === 0 ? parseModelList(stdout).map(({ provider }) => provider) : []
}

/** The largest credentials file that is read, in bytes. */
const LARGEST_FILE = 1_000_000

/** Lists the models of every provider that zot supports, and whether it has a key for each. It needs no key itself. */
export async function zotModels(
  path: string,
  { env, home, limit = 10_000 }: { env: NodeJS.ProcessEnv; home: string; limit?: number },
): Promise<Reply<Model[]>> {
  const [{ stdout, exitCode }, file] = await Promise.all([
    asked(path, '--list-models', env, { timeout: limit }),
    readRegularFile(join(home, 'auth.json'), LARGEST_FILE),
  ])
  const hasKey = createCredentialLookup(env, file.ok ? file.bytes.toString('utf8') : null)
  const listed = exitCode === 0 ? parseModelList(stdout) : []
  const models = listed.map(model => Object.assign(model, { hasKey: hasKey(model.provider) }))
  return models.length > 0 ? { ok: true, value: models } : { ok: false, message: 'zot did not list its models' }
}

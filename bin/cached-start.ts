/** Starts the program with its compiled code. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from './cache-folder.ts'
import type * as program from './run.ts'
import { createScriptLoader, type ScriptLoader } from './script-loader.ts'
import { checkFolders } from './wiring/start/check-folders.ts'

/** A start has then ended, and few of its functions have been dropped; in milliseconds. */
const START = 60_000

/**
 * @param file the shipped file of `run.ts`
 * @param argv the arguments after the name of the program
 * @param kind of the start: each has its own compiled code
 */
export async function start(file: string, argv: readonly string[], kind: string): Promise<void> {
  const folder = fileURLToPath(new URL('chunks', import.meta.url))
  const programOf = (loader: ScriptLoader) => loader.load(file) as typeof program
  const cache = await cacheFolder(kind, async path => {
    await checkFolders([path], silent => programOf(createScriptLoader(folder, null)).tellSilent(silent))
  })
  const loader = createScriptLoader(folder, cache)
  process.once('exit', () => loader.save())
  setTimeout(() => loader.save(), START).unref()
  // An argument may be a key or a private prompt, and every user can read the list of processes.
  process.title = 'zotui'
  await programOf(loader).run(argv)
}

/** Starts the program with its compiled code. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from './cache-folder.ts'
import type * as program from '../dispatch.ts'
import { createScriptLoader, type ScriptLoader } from './script-loader.ts'
import { checkFolders } from '../wiring/start/check-folders.ts'

/** The delay of the first save, in milliseconds. The start is over then, and V8 has dropped the code of few of its functions. */
const SAVE_AFTER = 60_000

/**
 * @param file the shipped file of `dispatch.ts`
 * @param argv the arguments after the name of the program
 * @param kind of the start: each has its own compiled code
 */
export async function start(file: string, argv: readonly string[], kind: string): Promise<void> {
  const folder = fileURLToPath(new URL('chunks', import.meta.url))
  const programOf = (loader: ScriptLoader) => loader.load(file) as typeof program
  // The folder that does not respond may be that of the cache.
  const cache = await cacheFolder(kind, async path => {
    await checkFolders([path], silent => programOf(createScriptLoader(folder, null)).reportSilent(silent))
  })
  const loader = createScriptLoader(folder, cache)
  for (const ending of ['beforeExit', 'exit']) process.once(ending, () => loader.save())
  setTimeout(() => loader.save(), SAVE_AFTER).unref()
  // An argument may be a key or a private prompt, and every user can read the list of processes.
  process.title = 'zotui'
  await programOf(loader).dispatch(argv)
}

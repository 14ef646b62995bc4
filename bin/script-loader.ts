/**
 * Runs the shipped files, which the build makes scripts of (`scripts/scripts.ts`), and keeps their compiled code. Node's own
 * cache of compiled modules has a file as it was before it ran: V8 then compiles each function again when it is called, which
 * took a third of the time to the first frame. This one is written after the functions of a start have run.
 */
import { readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

export type ScriptLoader = {
  /** The exports of a file, which runs once; a promise of them if it waits for something. */
  load: (name: string) => unknown
  /** Writes the compiled code that the cache lacks. */
  save: () => void
}

/** In milliseconds. */
const MONTH = 30 * 24 * 60 * 60 * 1000

/** A script: a function of Node's own modules, of the files that it needs at once or later, and of its URL. */
type Compiled = (
  builtin: (name: string) => unknown,
  load: ScriptLoader['load'],
  loadLater: (name: string) => Promise<unknown>,
  meta: { readonly url: string },
) => unknown

/**
 * @param folder the folder of the files
 * @param cache a private folder for compiled code of this version of Node; null for none. What is in it is run.
 */
export function createScriptLoader(folder: string, cache: string | null): ScriptLoader {
  // Node 22.0 to 22.2 lacks `getBuiltinModule`.
  const ofOlder = createRequire(import.meta.url)
  const builtin = (name: string): unknown => process.getBuiltinModule?.(name) ?? ofOlder(name)
  const loaded = new Map<string, unknown>()
  let compiled: [name: string, script: Script][] = []

  function compile(name: string, path: string): Script {
    const cachedData = cache === null ? undefined : read(join(cache, name))
    // V8 refuses code of another version, or of other flags. It does not look at the source: names contain its hash.
    const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData })
    if (cache !== null && script.cachedDataRejected !== false) compiled.push([name, script])
    return script
  }

  function load(name: string): unknown {
    if (loaded.has(name)) return loaded.get(name)
    const path = join(folder, name)
    const run = compile(name, path).runInThisContext() as Compiled
    const meta = {
      get url() {
        return pathToFileURL(path).href
      },
    }
    const exports = run(builtin, load, async other => load(other), meta)
    loaded.set(name, exports)
    return exports
  }

  return {
    load,
    save() {
      const unsaved = compiled
      compiled = []
      if (cache === null || unsaved.length === 0) return
      try {
        for (const [name, script] of unsaved) write(join(cache, name), script.createCachedData())
        removeOld(cache)
      } catch {
        // The disk is full or read-only: the next start compiles again.
      }
    },
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Other versions of zotui have other files. One that this version still needs is written again. */
function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (Date.now() - statSync(path).mtimeMs > MONTH) unlinkSync(path)
  }
}

/** Writes it to the disk before it gets its name: V8 trusts what is there. */
function write(path: string, data: Buffer): void {
  const next = `${path}.${process.pid}`
  writeFileSync(next, data, { mode: 0o600, flush: true })
  renameSync(next, path)
}

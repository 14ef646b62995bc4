/**
 * Runs the shipped files, which the build makes scripts of (`scripts/modules-to-scripts.ts`), and keeps their compiled code. Node's own
 * cache of modules stores code compiled before execution: V8 then compiles each function again when it is called, which took
 * a third of the time to the first frame. This cache is written after the start, so it includes the functions that ran.
 */
import { closeSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { devNull } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { isMissing, ReplacedError } from '../../src/platform/errors.ts'

export type ScriptLoader = {
  /**
   * The exports of a script, which runs once; a promise of them if it waits for something. Scripts do not import each other in a circle.
   *
   * @throws what the script throws.
   */
  load: (name: string) => unknown
  /** Writes the compiled code that the cache lacks: of new scripts and, if there are any, of those that have run many more functions. */
  save: () => void
}

/** In milliseconds. */
const MONTH = 30 * 24 * 60 * 60 * 1000

/**
 * Code is written again when it has grown by this factor. The first start may have run few functions; V8 would compile the others at
 * each later start. Code of functions that few starts run costs more than it saves.
 */
const GROWN = 1.5

/** A script that is loaded on demand while too many files are open is tried again after so many milliseconds, so often at most. */
const TRY_AFTER = 20
const MOST_TRIES = 50

/** The function that a script is. It gets Node's own modules, other scripts at once and on demand, and its URL. */
type ScriptFunction = (
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
  /** The scripts that run from the cache or belong there, with the bytes of their code in it. */
  const compiled = new Map<string, { script: Script; size: number }>()
  /** Whether there are scripts whose code the cache lacks. Only then the others are looked at, which takes 7 ms for each megabyte. */
  let hasNew = false
  /** The last error of a script that could not be read because too many files were open. */
  let unread: unknown
  const withSpare = createSpare()

  function compile(name: string, path: string): Script {
    const cachedData = cache === null ? undefined : compiledCode(() => withSpare(() => readFileSync(join(cache, name))))
    // V8 refuses code of another version, of other flags, or of a source of another length. The name has the source's hash.
    const script = new Script(source(path), { filename: path, cachedData })
    const size = script.cachedDataRejected === false ? (cachedData?.length ?? 0) : 0
    if (cache !== null) compiled.set(name, { script, size })
    if (size === 0) hasNew = true
    return script
  }

  function source(path: string): string {
    try {
      return withSpare(() => readFileSync(path, 'utf8'))
    } catch (error) {
      if (isFull(error)) unread = error
      // What has run was there.
      throw loaded.size > 0 && isMissing(error) ? new ReplacedError(error) : error
    }
  }

  function load(name: string): unknown {
    if (loaded.has(name)) return loaded.get(name)
    const path = join(folder, name)
    const run = compile(name, path).runInThisContext() as ScriptFunction
    const meta = {
      get url() {
        return pathToFileURL(path).href
      },
    }
    const exports = run(builtin, load, loadLater, meta)
    loaded.set(name, exports)
    if (exports instanceof Promise) exports.catch(() => loaded.delete(name))
    return exports
  }

  /** Too many files may be open only for a moment: an agent that starts opens six. */
  async function loadLater(name: string): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await load(name)
      } catch (error) {
        // An error of a script itself is not one of reading it.
        if (error !== unread || tries === MOST_TRIES) throw error
      }
      await pause(TRY_AFTER)
    }
  }

  return {
    load,
    save() {
      if (cache === null || !hasNew) return
      hasNew = false
      try {
        for (const [name, { script, size }] of compiled) {
          const code = script.createCachedData()
          if (code.length <= size * GROWN) continue
          write(join(cache, name), code)
          compiled.set(name, { script, size: code.length })
        }
        removeOld(cache)
      } catch {
        // The folder has gone, or is none any more; or another start removes the same files.
      }
    },
  }
}

/**
 * Reserves a descriptor, with which a file is read while too many are open. A script that another one needs at once cannot wait until
 * there is one: nothing else goes on meanwhile. The result calls a function that opens one file, a second time if it has to.
 */
function createSpare(): <Result>(read: () => Result) => Result {
  let spare = openSpare()
  return read => {
    try {
      return read()
    } catch (error) {
      if (spare === null || !isFull(error)) throw error
      closeSync(spare)
    }
    try {
      return read()
    } finally {
      spare = openSpare()
    }
  }
}

/** Null if there is none left. */
function openSpare(): number | null {
  try {
    return openSync(devNull, 'r')
  } catch {
    return null
  }
}

/** Whether this process, or the system, has too many files open. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}

/** The bytes before the code, which hold its sum. V8 reads code at multiples of eight bytes. */
const HEAD = 8

/** Undefined if there is no code, or if it is damaged. */
function compiledCode(read: () => Buffer): Buffer | undefined {
  try {
    const bytes = read()
    const code = bytes.subarray(HEAD)
    return bytes.readUInt32LE(0) === sumOf(code) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * V8 checks the length of code, and runs damaged code until it crashes. A disk loses blocks of 512 bytes or more: one word of each 64
 * bytes shows that, and takes a sixteenth of the time.
 */
function sumOf(code: Buffer): number {
  const words = new Uint32Array(code.buffer, code.byteOffset, code.length >> 2)
  let [sum, order] = [code.length, 0]
  for (let at = 0; at < words.length; at += 16) {
    sum = (sum + (words[at] ?? 0)) | 0
    order = (order + sum) | 0
  }
  return (sum ^ order) >>> 0
}

/** Gives the file its name when its bytes are on the disk. Writes nothing if the disk is full or read-only. */
function write(path: string, code: Buffer): void {
  const next = `${path}.${process.pid}`
  const head = Buffer.alloc(HEAD)
  // V8's buffer may begin anywhere.
  head.writeUInt32LE(sumOf(Buffer.from(new Uint8Array(code).buffer)))
  try {
    writeFileSync(next, Buffer.concat([head, code]), { mode: 0o600, flush: true })
    renameSync(next, path)
  } catch {
    rmSync(next, { force: true })
  }
}

/**
 * Removes code that is older than a month, and such folders of other versions of Node: other versions of zotui have other files. Code
 * that is still used is written again.
 */
function removeOld(cache: string): void {
  for (const folder of [cache, dirname(cache)])
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (Date.now() - statSync(path).mtimeMs > MONTH) rmSync(path, { recursive: true, force: true })
    }
}

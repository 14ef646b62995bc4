/** One of the two machines of a move, with the few things that a move does to its files. The same steps run on both. */
import { lookup } from '../text/lookup.ts'
import { randomBytes } from 'node:crypto'
import { constants, existsSync, mkdirSync, readdirSync, statSync, statfsSync } from 'node:fs'
import { copyFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGit, MARK, withoutPrograms, type AskGit, type GitOptions } from '../changes/run-git.ts'
import { codeOf } from '../platform/errors.ts'
import { entriesIn, makeFolder, namesIn } from '../platform/folders.ts'
import type { ProjectFiles } from '../platform/project-files.ts'
import { realPath } from '../platform/real-path.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { endScript } from '../platform/remote/given-up.ts'
import type { RemoteMachine } from '../platform/remote/machine.ts'
import { quoted } from '../platform/shell/quoting.ts'
import { makeTemporaryFolder } from '../platform/shell/temporary-folder.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { MoveProblem } from './problem.ts'

export type MoveSide = {
  /** '' for this machine; else such as `ssh:build`. Not sanitised. */
  name: string
  home: string
  /** Git in a folder. It runs no program that the repository's settings name. */
  git: (folder: string, variables?: Readonly<Record<string, string>>) => Promise<AskGit>
  /** Ends a git that was given up and still runs. Never rejects. */
  settle: () => Promise<void>
  /** A new folder that only the person can open. @throws MoveProblem */
  temporary: () => Promise<OwnFolder>
  /** What is at a path. A link counts as what it leads to. @throws MoveProblem */
  kind: (path: string) => Promise<'nothing' | 'empty folder' | 'folder' | 'other'>
  /** The names in a folder. @throws MoveProblem */
  names: (folder: string) => Promise<readonly string[]>
  /** Makes a folder and the missing ones above; false if it is there already. @throws MoveProblem */
  make: (path: string) => Promise<boolean>
  /** A copy that is as old as the file; nothing if there is no file. @throws MoveProblem */
  copy: (from: string, to: string) => Promise<void>
  /** @throws MoveProblem */
  size: (path: string) => Promise<number>
  /** The bytes that are free where a path is or would be; null if the system does not say. */
  room: (path: string) => Promise<number | null>
  /** The path without links. @throws MoveProblem */
  real: (path: string) => Promise<string>
  /** A variable of the environment that programs get there; '' if it is not set. @throws MoveProblem */
  variable: (name: string) => Promise<string>
  /** The regular file some folders below one, whose path has this end; null for none. @throws MoveProblem */
  find: (folder: string, ending: string) => Promise<string | null>
  /** Writes a short file, and makes the folder that it is in. @throws MoveProblem */
  note: (path: string, text: string) => Promise<void>
  /** The beginning of a short file; null for none. @throws MoveProblem */
  noted: (path: string) => Promise<string | null>
  /** Removes what is in a folder, the folder `.git` last and the file `last` at the very end. Resolves to whether nothing is left. Never rejects. */
  empty: (folder: string, last: string) => Promise<boolean>
  /** Removes files and folders. Resolves to whether nothing is left. Never rejects. */
  remove: (path: string) => Promise<boolean>
}

export type OwnFolder = {
  path: string
  /** Resolves to whether nothing is left. Never rejects. */
  remove: () => Promise<boolean>
}

/** Milliseconds of one step of git: checking out a large repository takes minutes. */
const LIMIT = 600_000
const SHORT = 1024 * 1024

type GitFacts = Pick<GitOptions, 'limit' | 'writes'>
const FACTS: GitFacts = { limit: LIMIT, writes: true }

/** `signal` is asked before each step: what is undone after a stop must not be stopped, too. */
export type HereOptions = { env: NodeJS.ProcessEnv; home: string; stateFolder: string; signal: () => AbortSignal }

export function sideHere({ env, home, stateFolder, signal }: HereOptions): MoveSide {
  return {
    name: '',
    home: realPath(home),
    git: async (folder, variables) =>
      withoutPrograms(await createGit({ ...FACTS, folder, env, signal: signal(), ...(variables && { variables }) })),
    // They end with their signal.
    settle: async () => undefined,
    async temporary() {
      const parent = join(stateFolder, 'moves')
      return said(() => {
        makeFolder(parent)
        const { path, remove } = makeTemporaryFolder(parent)
        return {
          path,
          async remove() {
            remove()
            return !existsSync(path)
          },
        }
      })
    },
    async kind(path) {
      const stats = statSync(path, { throwIfNoEntry: false })
      if (!stats) return 'nothing'
      if (!stats.isDirectory()) return 'other'
      return said(() => (readdirSync(path).length === 0 ? 'empty folder' : 'folder'))
    },
    names: async folder => said(() => readdirSync(folder)),
    async make(path) {
      return said(() => {
        if (dirname(path) !== path) makeFolder(dirname(path), 0o755)
        try {
          mkdirSync(path)
          return true
        } catch (error) {
          if (codeOf(error) === 'EEXIST') return false
          throw error
        }
      })
    },
    async copy(from, to) {
      if (!existsSync(from)) return
      const { atime, mtime } = await stat(from)
      await copyFile(from, to, constants.COPYFILE_EXCL)
      await utimes(to, atime, mtime)
    },
    size: async path => said(() => statSync(path).size),
    async room(path) {
      for (let at = path; ; at = dirname(at)) {
        try {
          const { bavail, bsize } = statfsSync(at)
          return bavail * bsize
        } catch {
          if (dirname(at) === at) return null
        }
      }
    },
    real: async path => realPath(path),
    variable: async name => lookup(env, name) ?? '',
    find: async (folder, ending) => findBelow(folder, ending, DEPTH),
    async note(path, text) {
      said(() => {
        mkdirSync(dirname(path), { recursive: true })
        replaceFile(path, text)
      })
    },
    async noted(path) {
      return existsSync(path) ? said(() => readTextSync(path, MOST_NOTED)) : null
    },
    async empty(folder) {
      const gone = namesIn(folder).map(async name => removeHere(join(folder, name)))
      return (await Promise.all(gone)).every(Boolean)
    },
    remove: removeHere,
  }
}

function removeHere(path: string): Promise<boolean> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 }).then(
    () => true,
    () => false,
  )
}

/** Bytes of a note. */
const MOST_NOTED = 4096

/** Folders below that in which a file is looked for. */
const DEPTH = 4

function findBelow(folder: string, ending: string, depth: number): string | null {
  for (const { name, kind } of entriesIn(folder, MOST_ENTRIES) ?? []) {
    const path = join(folder, name)
    if (kind === 'other' && path.endsWith(ending)) return path
    const found = kind === 'folder' && depth > 0 ? findBelow(path, ending, depth - 1) : null
    if (found !== null) return found
  }
  return null
}

const MOST_ENTRIES = 100_000

/** @throws MoveProblem with the words of the system */
function said<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new MoveProblem(error instanceof Error ? error.message : String(error))
  }
}

export type ThereOptions = { machine: RemoteMachine; files: ProjectFiles; home: string; signal: () => AbortSignal }

export function sideThere({ machine, files, home, signal }: ThereOptions): MoveSide {
  const { name } = machine.target
  let pidFile: string | undefined
  return {
    name,
    home,
    async git(folder, variables) {
      const place = { folder, env: {}, remote: { machine, files }, signal: signal(), pidFile }
      return withoutPrograms(await createGit({ ...FACTS, ...place, ...(variables && { variables }) }))
    },
    async settle() {
      if (pidFile !== undefined) await machine.ask(endScript(pidFile, MARK))
    },
    async temporary() {
      const own = `zotui-move-${randomBytes(6).toString('hex')}`
      const made = await ask(
        `umask 077; d=\${TMPDIR:-/tmp}; d=\${d%/}; find "$d" -maxdepth 1 -name 'zotui-move-*' -user "$(id -u)" -mtime +1 -exec rm -rf {} + 2>/dev/null; d=$d/${own}; mkdir -- "$d" && CDPATH= cd -- "$d" && pwd -P`,
      )
      const path = made.replace(/\n$/, '')
      pidFile = `${path}/pid`
      return {
        path,
        async remove() {
          pidFile = undefined
          return remove(path)
        },
      }
    },
    async kind(path) {
      const at = quoted(path)
      const answer = await ask(
        `if [ -d ${at} ]; then if [ "$(ls -A ${at} | head -n 1)" ]; then echo folder; else echo empty; fi; elif [ -e ${at} ] || [ -L ${at} ]; then echo other; else echo nothing; fi`,
      )
      const word = answer.trim()
      return word === 'folder' ? 'folder' : word === 'empty' ? 'empty folder' : word === 'nothing' ? 'nothing' : 'other'
    },
    names: async folder => (await ask(`ls -A ${quoted(folder)}`)).split('\n').filter(each => each !== ''),
    async make(path) {
      const at = quoted(path)
      const above = quoted(dirname(path))
      return (
        (await ask(`mkdir -p ${above} && if mkdir ${at} 2>/dev/null; then echo made; else [ -e ${at} ]; fi`)) !== ''
      )
    },
    async copy(from, to) {
      await ask(`[ ! -f ${quoted(from)} ] || cp -p ${quoted(from)} ${quoted(to)}`)
    },
    async size(path) {
      return Number((await ask(`wc -c <${quoted(path)}`)).trim())
    },
    async room(path) {
      const script = `d=${quoted(path)}; while [ ! -d "$d" ] && [ "$d" != "\${d%/*}" ]; do d=\${d%/*}; done; df -Pk "\${d:-/}" 2>/dev/null | tail -n 1`
      const [, free] = /^.*\s+\d+\s+\d+\s+(\d+)\s+\d+%/.exec(await ask(script)) ?? []
      return free === undefined ? null : Number(free) * 1024
    },
    async real(path) {
      return (await ask(`readlink -f ${quoted(path)}`)).replace(/\n$/, '')
    },
    async variable(name) {
      return await ask(`printf %s "\${${name}:-}"`)
    },
    async find(folder, ending) {
      const at = quoted(folder)
      const pattern = quoted(`*${ending}`)
      const script = `[ -d ${at} ] || exit 0; find ${at} -type f -path ${pattern} -print 2>/dev/null | head -n 1`
      const found = (await ask(script)).replace(/\n$/, '')
      return found === '' ? null : found
    },
    async note(path, text) {
      const [at, fresh] = [quoted(path), quoted(`${path}.new`)]
      // Nothing is written through a link that somebody has put there.
      const parts = [
        `mkdir -p ${quoted(dirname(path))}`,
        `rm -rf -- ${fresh}`,
        `(set -C; printf %s ${quoted(text)} >${fresh})`,
        `{ { [ -f ${at} ] && [ ! -L ${at} ]; } || rm -rf -- ${at}; }`,
        `mv -f -- ${fresh} ${at}`,
      ]
      await ask(parts.join(' && '))
    },
    async noted(path) {
      const text = await ask(`[ ! -f ${quoted(path)} ] || head -c ${MOST_NOTED} ${quoted(path)}`)
      return text === '' ? null : text
    },
    async empty(folder, last) {
      const script = `cd ${quoted(folder)} && ${removingBut('.', '.git')} && { [ ! -d .git ] || ${removingBut('.git', last)}; } && rm -rf .git && [ -z "$(ls -A)" ]`
      const answer = await machine.ask(script)
      return answer.ok && answer.code === 0
    },
    remove,
  }

  async function remove(path: string): Promise<boolean> {
    const answer = await machine.ask(`rm -rf -- ${quoted(path)}; [ ! -e ${quoted(path)} ]`)
    return answer.ok && answer.code === 0
  }

  async function ask(script: string): Promise<string> {
    const answer = await machine.ask(script, { most: SHORT, signal: signal() })
    if (!answer.ok) {
      throw new MoveProblem(answer.why === 'stopped' ? 'it was stopped' : `the connection to ${name} was lost`)
    }
    if (answer.code !== 0) throw new MoveProblem(`${name}: ${lastLine(answer.words) || 'a command failed there'}`)
    return answer.bytes.toString('utf8')
  }
}

function lastLine(words: string): string {
  return words.trimEnd().split('\n').at(-1) ?? ''
}

/** Removes what is in a folder, but for one name. */
function removingBut(folder: string, name: string): string {
  return `find ${folder} -mindepth 1 -maxdepth 1 ! -name ${quoted(name)} -exec rm -rf -- {} +`
}

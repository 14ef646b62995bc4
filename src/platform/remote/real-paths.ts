/** The targets of paths on another machine. They are looked up in advance, because the answer is needed at once. */
import { posix } from 'node:path'
import type { RemoteMachine } from './machine.ts'
import { quoted } from '../shell/quoting.ts'

export type RemotePaths = {
  /** Looks up paths, and the words of a command that may be some. Afterwards `resolve` knows them as they are now. Never rejects. */
  learn: (paths: readonly string[], command: string) => Promise<void>
  /** The target of a path. A path that was not looked up leads out of every folder. */
  resolve: (path: string) => string
  /** Whether a target that was looked up is a file with more than one name (hard links). */
  hasOtherNames: (target: string) => boolean
}

/** Nothing is below it. */
const UNKNOWN = '/(not looked up)'
/** Words of a command that may be paths, and the characters of each. */
const MOST_WORDS = 100
const LONGEST_WORD = 1000
/** Paths that are kept. */
const MOST_KNOWN = 5000
/** Milliseconds for looking up the paths of one call. */
const LIMIT = 3000

/** `folder` is without links, so it leads to itself. */
export function createRemotePaths(
  machine: Pick<RemoteMachine, 'ask'>,
  { folder, home }: { folder: string; home: string },
): RemotePaths {
  const known = new Map<string, string>([[folder, folder]])
  const shared = new Set<string>()
  return {
    async learn(paths, command) {
      const wanted = [...new Set([...paths, ...wordsOf(command).map(word => absolute(word, folder, home))])].filter(
        path => path !== folder && path.length < LONGEST_WORD && !path.includes('\0'),
      )
      for (const path of wanted) known.delete(path)
      if (wanted.length === 0) return
      const answer = await machine.ask(lookUp(wanted), { limit: LIMIT })
      const ends = answer.ok && answer.code === 0 ? answer.bytes.toString('utf8').split('\0') : []
      if (known.size > MOST_KNOWN) known.clear()
      known.set(folder, folder)
      if (ends.length !== 2 * wanted.length + 1) return
      for (const [at, path] of wanted.entries()) {
        const [target = UNKNOWN, links = ''] = ends.slice(2 * at)
        known.set(path, target)
        if (links === '' || links === '1') shared.delete(target)
        else shared.add(target)
      }
    },
    resolve: path => known.get(path) ?? UNKNOWN,
    hasOtherNames: target => shared.has(target),
  }
}

function absolute(word: string, folder: string, home: string): string {
  if (word === '~' || word.startsWith('~/')) return posix.resolve(home, word.slice(2))
  return posix.resolve(folder, word)
}

/** Roughly: a word that is missed is a path that leads out. */
function wordsOf(command: string): string[] {
  return command
    .split(/[\s;|&<>()'"`=]+/)
    .filter(word => word !== '' && !word.startsWith('-') && word.length < LONGEST_WORD)
    .slice(0, MOST_WORDS)
}

/** Resolves the links of each path, or of its nearest part that exists, and counts the names of a file; '' for what is none. */
function lookUp(paths: readonly string[]): string {
  return [
    `rp() { p=$1; t=; while ! q=$(readlink -f "$p" 2>/dev/null && printf x); do`,
    `t=/\${p##*/}$t; p=\${p%/*}; [ "$p" ] || p=/; [ "$p$t" != "//" ] || return; done`,
    `q=\${q%??}; n=; if [ ! "$t" ] && [ -f "$q" ]; then set -- $(ls -ld "$q"); n=\${2:-?}; fi`,
    `printf '%s%s\\000%s\\000' "\${q%/}" "$t" "$n"; }`,
    'set -f',
    ...paths.map(path => `rp ${quoted(path)}`),
  ].join('\n')
}

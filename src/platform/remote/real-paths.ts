/** The targets of paths on another machine. They are looked up in advance, because the answer is needed at once. */
import { posix } from 'node:path'
import type { RemoteMachine } from './machine.ts'
import { quoted } from '../shell/quoting.ts'

export type RemotePaths = {
  /** Looks up paths, and the words of a command that may be some. Afterwards `resolve` knows them as they are now. Never rejects. */
  learn: (paths: readonly string[], command: string) => Promise<void>
  /** Whether there is something at a path, even a link that leads nowhere. True for a path that was not looked up. */
  exists: (path: string) => boolean
  /** The target of a path. A path that was not looked up leads out of every folder. */
  resolve: (path: string) => string
  /** Whether a target that was looked up is a file with more than one name (hard links). */
  hasOtherNames: (target: string) => boolean
}

type FoundPath = { real: string; exists: boolean }

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
  const known = new Map<string, FoundPath>([[folder, { real: folder, exists: true }]])
  const shared = new Set<string>()
  return {
    async learn(paths, command) {
      const unknown = [...new Set([...paths, ...wordsOf(command).map(word => absolute(word, folder, home))])].filter(
        path => path !== folder && path.length < LONGEST_WORD && !path.includes('\0'),
      )
      for (const path of unknown) known.delete(path)
      if (unknown.length === 0) return
      const answer = await machine.ask(lookUp(unknown), { limit: LIMIT })
      const ends = answer.ok && answer.code === 0 ? answer.bytes.toString('utf8').split('\0') : []
      if (known.size > MOST_KNOWN) known.clear()
      known.set(folder, { real: folder, exists: true })
      if (ends.length !== 2 * unknown.length + 1) return
      for (const [at, path] of unknown.entries()) {
        const [found = '', names = ''] = ends.slice(2 * at)
        const real = found.slice(1) || '/'
        // `/srv/app/../x` is not in /srv/app.
        if (posix.resolve(real) !== real) continue
        known.set(path, { real, exists: !found.startsWith('-') })
        if (names === '' || names === '1') shared.delete(real)
        else shared.add(real)
      }
    },
    exists: path => known.get(path)?.exists ?? true,
    resolve: path => known.get(path)?.real ?? UNKNOWN,
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

/**
 * Resolves the links of each path, or of its nearest part that exists. A `+` stands before one that does itself, a `-` before others.
 * The number of names follows if it is a file, '' if not.
 */
function lookUp(paths: readonly string[]): string {
  return [
    `rp() { p=$1; t=; e=-; if [ -e "$p" ] || [ -L "$p" ]; then e=+; fi; while ! q=$(readlink -f "$p" 2>/dev/null && printf x); do`,
    `t=/\${p##*/}$t; p=\${p%/*}; [ "$p" ] || p=/; [ "$p$t" != "//" ] || return; done`,
    `q=\${q%??}; n=; if [ ! "$t" ] && [ -f "$q" ]; then set -- $(ls -ld "$q"); n=\${2:-?}; fi`,
    `printf '%s%s%s\\000%s\\000' "$e" "\${q%/}" "$t" "$n"; }`,
    'set -f',
    ...paths.map(path => `rp ${quoted(path)}`),
  ].join('\n')
}

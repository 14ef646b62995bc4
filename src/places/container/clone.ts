/**
 * A clone of the person's repository for a container. It lies in a folder of zotui, which the container has at the path of the person's own
 * folder. Only git in the container works in it: whoever works there decides what its settings say. Commits go in and come back as bundles.
 */
import { closeSync, constants, lstatSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGit, withoutPrograms, type AskGit, type GitAnswer } from '../../changes/run-git.ts'
import { isMissing, messageOf, UserError } from '../../platform/errors.ts'
import { makeFolder, readableNamesIn } from '../../platform/folders.ts'
import { holdFolder, openWithoutLinks, pathOfOpen } from '../../platform/held-folder.ts'
import { realPath } from '../../platform/real-path.ts'
import { readRegularFileSync } from '../../platform/regular-file.ts'
import type { RemoteMachine } from '../../platform/remote/machine.ts'
import { enter } from '../../platform/remote/machine.ts'
import { quoted } from '../../platform/shell/quoting.ts'
import { makeTemporaryFolder } from '../../platform/shell/temporary-folder.ts'
import { sentence } from '../../text/sentence.ts'

const LONGEST_PATH = 64 * 1024
/** Milliseconds for a clone, and for what comes back. */
const LIMIT = 10 * 60_000
const MOST_WORDS = 64 * 1024
/** Files in the clone, by their names there. */
const IN = '.zotui-in.bundle'
const OUT = 'zotui-out.bundle'
const OUT_REF = 'refs/zotui/out'

/** Never onto something that is there, and a link is. */
const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE

/** It takes objects that are as they should be, and nothing but the names that it is told. */
const CHECKED = ['-c', 'fetch.fsckObjects=true', '-c', 'transfer.fsckObjects=true']
const QUIET = '--quiet --no-tags --no-write-fetch-head --no-recurse-submodules --no-auto-maintenance'.split(' ')
const FETCH = [...CHECKED, 'fetch', ...QUIET]

export type ContainerClone = {
  /** The clone, on this machine. */
  folder: string
  /** Fills it, once. @throws UserError where that fails. */
  fill: (machine: Pick<RemoteMachine, 'ask'>, signal: AbortSignal) => Promise<void>
  /** Brings back what is new, as a branch, and removes the clone. Resolves to what happened, as a sentence; '' for nothing new. Never rejects. */
  bringBack: (machine: Pick<RemoteMachine, 'ask'>) => Promise<{ ok: boolean; words: string }>
}

export const cloneFolder = (stateFolder: string, container: string): string =>
  join(stateFolder, 'places', 'clones', container)

/** Names the person's folder that it is a clone of. */
const folderFile = (stateFolder: string, container: string): string => `${cloneFolder(stateFolder, container)}.folder`

/** The person's folder that the clone of a container belongs to; null without a clone. */
export function clonedFolder(stateFolder: string, container: string): string | null {
  if (!lstatSync(cloneFolder(stateFolder, container), { throwIfNoEntry: false })) return null
  return readRegularFileSync(folderFile(stateFolder, container), LONGEST_PATH)?.toString() ?? null
}

/** The containers whose clones have not come back. */
export function clonesLeft(stateFolder: string): string[] {
  return readableNamesIn(join(stateFolder, 'places', 'clones')).filter(name => !name.endsWith('.folder'))
}

export function containerClone({
  container,
  folder,
  stateFolder,
  env,
}: {
  container: string
  folder: string
  stateFolder: string
  env: NodeJS.ProcessEnv
}): ContainerClone {
  const own = cloneFolder(stateFolder, container)
  const branch = `zotui/${container.replace(/^zotui-/, '')}`
  const gitHere = async (writes: boolean, signal?: AbortSignal): Promise<AskGit> => {
    // A bundle is a file.
    const variables = writes ? { GIT_ALLOW_PROTOCOL: 'file' } : {}
    const git = await createGit({ folder, env, limit: LIMIT, writes, variables, ...(signal && { signal }) })
    return withoutPrograms(git)
  }

  return {
    folder: own,
    async fill(machine, signal) {
      makeFolder(own)
      writeFileSync(folderFile(stateFolder, container), folder, { mode: 0o600 })
      if (lstatSync(join(own, '.git'), { throwIfNoEntry: false })?.isDirectory() === true) return
      const git = await gitHere(false, signal)
      const head = text(await git(['symbolic-ref', '--short', '-q', 'HEAD']))
      await apart(async place => {
        const bundle = await git(['bundle', 'create', '--quiet', place, 'HEAD'])
        if (!bundle.ok) throw new UserError(sentence(`${folder} cannot be cloned: ${whyOf(bundle)}`), '', 2)
        await putIn(place)
      })
      const [name, email] = [text(await git(['config', 'user.name'])), text(await git(['config', 'user.email']))]
      const filled = await machine.ask(fillScript({ folder, head, name, email }), { limit: LIMIT, most: MOST_WORDS })
      if (filled.ok && filled.code === 0) return
      const words = filled.words.trim().split('\n').at(-1) ?? ''
      throw new UserError(sentence(`git in the container cannot clone: ${words || 'it does not answer'}`), '', 2)
    },
    async bringBack(machine) {
      try {
        const packed = await machine.ask(packScript(folder), { limit: LIMIT, most: MOST_WORDS })
        if (!packed.ok || packed.code !== 0)
          return kept(packed.words.trim().split('\n').at(-1) || 'git in the container does not answer')
        return await apart(async place => {
          if (!(await takeOut(place))) return gone('')
          const git = await gitHere(true)
          const refs = [`${OUT_REF}:refs/heads/${branch}`, `refs/heads/*:refs/zotui/places/${container}/*`]
          const fetched = await git([...FETCH, place, ...refs])
          if (!fetched.ok) return kept(whyOf(fetched))
          return gone(`what is new in ${container} is the branch ${branch} now`)
        })
      } catch (error) {
        return kept(messageOf(error))
      }
    },
  }

  /** Git works with a file that the container cannot reach: in its own folder that may be a link, or another one a moment later. */
  async function apart<Value>(work: (place: string) => Promise<Value>): Promise<Value> {
    makeFolder(join(stateFolder, 'places'))
    const temporary = makeTemporaryFolder(join(stateFolder, 'places'))
    try {
      return await work(join(temporary.path, 'bundle'))
    } finally {
      temporary.remove()
    }
  }

  async function putIn(place: string): Promise<void> {
    const target = holdFolder(realPath(own))
    try {
      rmSync(target.at(IN), { force: true })
      await copyFile(place, target.at(IN), COPY)
    } catch (error) {
      throw new UserError(sentence(`${folder} cannot be cloned: ${messageOf(target.named(error))}`), '', 2)
    } finally {
      target.close()
    }
  }

  /** Resolves to whether there is one. @throws for a link, a pipe, and what the system throws. */
  async function takeOut(place: string): Promise<boolean> {
    const path = join(realPath(own), '.git', OUT)
    let source: number
    try {
      source = openWithoutLinks(path)
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
    try {
      await copyFile(pathOfOpen(source, path), place, COPY)
      return true
    } finally {
      closeSync(source)
    }
  }

  function kept(why: string): { ok: false; words: string } {
    return { ok: false, words: sentence(`what is new in ${container} did not come back (${why}); it stays in ${own}`) }
  }

  function gone(words: string): { ok: true; words: string } {
    try {
      rmSync(own, { recursive: true, force: true })
      rmSync(folderFile(stateFolder, container), { force: true })
      return { ok: true, words: sentence(words) }
    } catch {
      return { ok: true, words: sentence([words, `${own} can be removed`].filter(each => each !== '').join('; ')) }
    }
  }
}

/** Makes the files that mounts need. */
export function emptyPlaces(stateFolder: string): { file: string; folder: string } {
  const [file, folder] = [join(stateFolder, 'places', 'empty-file'), join(stateFolder, 'places', 'empty')]
  makeFolder(folder)
  if (lstatSync(file, { throwIfNoEntry: false })?.size !== 0) writeFileSync(file, '', { mode: 0o444 })
  return { file, folder }
}

const text = (answer: GitAnswer): string => (answer.ok ? answer.bytes.toString().trim() : '')

function whyOf(answer: Exclude<GitAnswer, { ok: true }>): string {
  const { why, words } = answer
  if (why === 'missing') return 'git is not installed here'
  const [last = ''] = words.split('\n').slice(-1)
  return last.replace(/^fatal: /, '') || (why === 'slow' ? 'it takes too long' : why)
}

type Fill = { folder: string; head: string; name: string; email: string }

function fillScript({ folder, head, name, email }: Fill): string {
  return [
    'set -e',
    `${enter(folder)} || { echo 'the folder is not there' >&2; exit 1; }`,
    "command -v git >/dev/null || { echo 'there is no git in the image' >&2; exit 1; }",
    'git init -q .',
    `git fetch -q ./${IN} HEAD`,
    head === '' ? 'git checkout -q --detach FETCH_HEAD' : `git checkout -q -B ${quoted(head)} FETCH_HEAD`,
    'git update-ref refs/zotui/base FETCH_HEAD',
    ...setting('user.name', name),
    ...setting('user.email', email),
    `rm -f ./${IN}`,
  ].join('\n')
}

const setting = (key: string, value: string): string[] => (value === '' ? [] : [`git config ${key} ${quoted(value)}`])

/** Packs what is not in the commits that went in. Uncommitted changes become a commit of their own, beside the branch. */
function packScript(folder: string): string {
  return [
    'set -e',
    `${enter(folder)} || { echo 'the folder is not there' >&2; exit 1; }`,
    `d=$(git rev-parse --absolute-git-dir); rm -f "$d/${OUT}"`,
    'h=$(git rev-parse --verify -q HEAD); i=$d/zotui-index',
    // A copy of the index: the person's choice of what is staged stays, if this fails.
    '[ ! -e "$d/index" ] || cp "$d/index" "$i"',
    'GIT_INDEX_FILE=$i git add -A',
    't=$(GIT_INDEX_FILE=$i git write-tree); rm -f "$i"',
    'if [ "$t" != "$(git rev-parse "$h^{tree}")" ]; then',
    'n=$(git config user.name || echo zotui); e=$(git config user.email || echo zotui@localhost)',
    'h=$(GIT_AUTHOR_NAME=$n GIT_AUTHOR_EMAIL=$e GIT_COMMITTER_NAME=$n GIT_COMMITTER_EMAIL=$e git commit-tree "$t" -p "$h" -m "Uncommitted changes")',
    'fi',
    `git update-ref ${OUT_REF} "$h"`,
    `[ "$(git rev-list --count ${OUT_REF} --branches --not refs/zotui/base)" != 0 ] || exit 0`,
    `git bundle create -q "$d/${OUT}" ${OUT_REF} --branches --not refs/zotui/base`,
  ].join('\n')
}

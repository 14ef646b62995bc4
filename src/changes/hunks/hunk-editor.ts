/**
 * Reverts, stages and unstages changes that were shown, and undoes that. Nothing is done if the file is no longer as it was shown. A change
 * of a file is one exchange of its content; git writes only to its index.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { here, type ProjectFiles } from '../../platform/project-files.ts'
import { pathWithin } from '../../platform/within.ts'
import type { DiffLine } from '../../text/diff-line.ts'
import type { FileChange, FileDiff, StagedPart } from '../../tools/diff/change.ts'
import { byteHunk, changedLines, joinLines, reverted, splitLines, type LineSet } from './byte-hunks.ts'
import {
  openIndex,
  HunkRefusal,
  type GitIndex,
  type IndexEntry,
  type IndexPlace,
  type IndexState,
} from './git-index.ts'
import { readInGit, stagedParts, UNMERGED, withStaged } from './staged.ts'
import { takeHunks } from './take-hunks.ts'

export type HunkRequest = {
  change: FileChange
  /** Its diff as it is shown, with secrets masked. */
  shown: FileDiff
  /** Reads the diff again. */
  fresh: () => Promise<FileDiff>
  /** Masks secrets as in the diff that is shown. */
  redact: (diff: FileDiff) => FileDiff
  /** Indexes of lines by the index of their hunk; null for the whole file. */
  lines: ReadonlyMap<number, LineSet> | null
}

/** What brings back the state before. `path` is the one that is shown. */
export type HunkUndo =
  | { kind: 'file'; file: string; path: string; before: Buffer | null; after: string | null; mode: number | null }
  | { kind: 'index'; file: string; path: string; entries: readonly UndoneEntry[] }
/** `head`: what the last commit had. */
type UndoneEntry = { path: string; before: IndexState; after: IndexState; head: IndexEntry | null }

/** `words` says what was done, and `why` why nothing was: both are whole sentences. */
export type HunkAnswer = { ok: true; words: string; undo: HunkUndo } | { ok: false; why: string; isStale?: true }

export type EditPlace = IndexPlace & {
  /** The user's folder, absolute: paths that are shown begin there. */
  folder: string
  /** Called right before a file is changed, with what is about to happen. Resolves to why nothing could be kept; null otherwise. */
  keep: (label: string, file: string) => Promise<string | null>
  /** The worktree of zotui's that a file is in, with the project that it was made from; null for none. */
  worktreeOf?: (file: string) => { folder: string; project: string } | null
  /** Does the writing, and notes the file as written for the user. */
  writing: <Value>(file: string, work: () => Promise<Value>) => Promise<Value>
}

/** No method rejects. They run one after another. */
export type HunkEditor = {
  revert: (request: HunkRequest) => Promise<HunkAnswer>
  stage: (request: HunkRequest) => Promise<HunkAnswer>
  unstage: (request: HunkRequest) => Promise<HunkAnswer>
  /** Takes changes of a worktree into the same file of the project. */
  take: (request: HunkRequest) => Promise<HunkAnswer>
  /** Undoes one of these. The undo in its answer does that one again. */
  undo: (undo: HunkUndo) => Promise<HunkAnswer>
  /** For each hunk, how much of it is staged; none if that is not known. */
  staged: (change: FileChange, diff: FileDiff) => Promise<readonly StagedPart[]>
}

/** Bytes of the largest file that is changed: it is read, compared and kept for the undo. */
const MOST_BYTES = 16 * 1024 * 1024

class Stale extends HunkRefusal {}

export function createHunkEditor(place: EditPlace): HunkEditor {
  const files = place.remote?.files ?? here
  let last: Promise<unknown> = Promise.resolve()
  return {
    revert: request => alone(() => revert(request, place, files)),
    stage: request => alone(() => changeIndex(request, place, 'stage')),
    unstage: request => alone(() => changeIndex(request, place, 'unstage')),
    take: request => alone(() => take(request, place, files)),
    undo: undo => alone(() => (undo.kind === 'file' ? undoFile(undo, place, files) : undoIndex(undo, place))),
    async staged(change, diff) {
      try {
        if (whyNot(change, diff) !== null) return []
        const index = await openIndex(change.file, place)
        return index ? stagedParts(await readInGit(index, change, diff)) : []
      } catch {
        // It is not known: the hunks have no mark.
        return []
      }
    },
  }

  function alone(work: () => Promise<HunkAnswer>): Promise<HunkAnswer> {
    const done = last.then(async (): Promise<HunkAnswer> => {
      try {
        return await work()
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        if (error instanceof HunkRefusal) return { ok: false, why, ...(error instanceof Stale && { isStale: true }) }
        return { ok: false, why: `It was not done: ${why}` }
      }
    })
    last = done
    return done
  }
}

/** Why the lines of a change are only looked at; null if they can be worked with. */
function whyNot({ form, kind, file }: FileChange, { exact, hunks }: FileDiff): string | null {
  if (form === 'submodule') return 'A submodule is not changed here.'
  if (form === 'link') return 'A link is not changed here.'
  if (file.split(/[/\\]/).includes('.git')) return "git's own files are not changed here."
  if (form === 'binary') return 'The lines of a binary file are not known: git restore brings back the whole file.'
  if (kind === 'written' || !exact || hunks.some(({ title }) => title !== ''))
    return 'What it was before is only known from the calls of the agent, which may not be exact.'
  if (hunks.length === 0) return 'No lines differ.'
  return null
}

function requireExact(change: FileChange, diff: FileDiff): asserts diff is FileDiff & { exact: object } {
  const why = whyNot(change, diff)
  if (why !== null) throw new HunkRefusal(why)
}

/** The present diff, if it is the one that was shown. */
async function stillShown({ change, shown, fresh, redact }: HunkRequest): Promise<FileDiff> {
  const now = await fresh()
  const isSame = linesIn(redact(now)) === linesIn(shown)
  if (!isSame) throw new Stale(changedWords(change.path))
  return now
}

const linesIn = ({ hunks }: FileDiff): string => JSON.stringify(hunks.map(({ lines }) => lines))

const changedWords = (path: string): string => `${path} has changed since it was shown: nothing was done.`

async function revert(request: HunkRequest, place: EditPlace, files: ProjectFiles): Promise<HunkAnswer> {
  const { change, lines } = request
  const { file, path, kind } = change
  if (lines === null && kind === 'renamed')
    throw new HunkRefusal('A renamed file is not reverted as a whole: open it and revert its changes.')
  const diff = await stillShown(request)
  requireExact(change, diff)
  const { exact } = diff
  const hunks = diff.hunks.map(hunk => byteHunk(hunk, exact.encoding))
  const without = hunks.flatMap((hunk, at) => {
    if (!hunk) throw new HunkRefusal('The place of these lines in the file is not known.')
    const all = changedLines(hunk)
    const chosen = lines === null ? all : all.filter(index => lines.get(at)?.has(index) === true)
    return chosen.length > 0 ? [{ hunk, without: new Set(chosen), isWhole: chosen.length === all.length }] : []
  })
  if (without.length === 0) throw new HunkRefusal('No changed line is chosen.')
  const isWhole = without.length === hunks.length && without.every(each => each.isWhole)
  const index = await openIndex(file, place).catch((error: unknown) => {
    // Without git, bytes that were compared here are still exact.
    if (exact.by === 'git') throw error
    return null
  })
  if (index) await requireUnfiltered(index, change, exact.by)
  const own = await realPlace(file, files)
  const before = kind === 'deleted' ? null : await readNow(own, path, files)
  if (before && exact.size !== undefined && before.length !== exact.size) throw new Stale(changedWords(path))
  const result = reverted(before ? splitLines(before) : [], without, exact.by)
  if (result === null) throw new Stale(changedWords(path))
  const isRemoved = kind === 'new' && isWhole
  if (isRemoved && result.length > 0) throw new Stale(changedWords(path))
  const bytes = joinLines(result)
  const isMade = before === null && exact.by === 'git' && index !== null
  const after = isRemoved ? null : isMade ? await index.asFile(index.pathOf(file), bytes) : bytes
  const unkept = await place.keep(`Before reverting ${path}`, file)
  const mode = exact.wasExecutable === true ? 0o755 : 0o644
  const done = await place.writing(file, () => files.exchangeFile(own, { before, after, mode }))
  if (!done.isDone) throw new Stale(changedWords(path))
  const what = isRemoved ? 'is removed again' : before === null ? 'is there again' : ''
  const words = what === '' ? `Reverted ${countWords(without)} of ${path}.` : `${path} ${what}.`
  return {
    ok: true,
    words: unkept === null ? words : `${words} No checkpoint was made: ${unkept}.`,
    undo: { kind: 'file', file, path, before, after: after && digestOf(after), mode: done.mode },
  }
}

const TAKEN_WHOLE = 'is only taken with all of the worktree, by a merge of it.'

/** The file of the project keeps what else it has: it gets only the chosen lines, or nothing where it has others in their place. */
async function take(request: HunkRequest, place: EditPlace, files: ProjectFiles): Promise<HunkAnswer> {
  const { change, lines } = request
  const { file, path, kind, form } = change
  const worktree = place.worktreeOf?.(file) ?? null
  const within = worktree && pathWithin(worktree.folder, file)
  if (worktree === null || within === null) throw new HunkRefusal('This file is in no worktree of zotui.')
  if (kind === 'renamed') throw new HunkRefusal(`A renamed file ${TAKEN_WHOLE}`)
  if (form === 'binary') throw new HunkRefusal(`A binary file ${TAKEN_WHOLE}`)
  const diff = await stillShown(request)
  requireExact(change, diff)
  const index = await openIndex(file, place)
  if (index) await requireUnfiltered(index, change, diff.exact.by)
  const target = await realPlace(join(worktree.project, within), files)
  const other = kind === 'deleted' ? null : await readNow(await realPlace(file, files), path, files)
  const before = (await files.stats(target)) === null ? null : await readNow(target, path, files)
  const whole = new Map(diff.hunks.map(({ lines: all }, at) => [at, changedSet(all)]))
  const { bytes, taken } = takeHunks(before, other, { diff, chosen: lines ?? whole, path })
  const after = kind === 'deleted' && bytes.length === 0 ? null : bytes
  const unkept = await place.keep(`Before taking changes of ${path}`, target)
  const mode = other && isExecutable(file) ? 0o755 : 0o644
  const done = await place.writing(target, () => files.exchangeFile(target, { before, after, mode }))
  if (!done.isDone) throw new HunkRefusal(`Your ${path} has changed meanwhile: nothing was taken. Try again.`)
  const count = taken.reduce((sum, { size }) => sum + size, 0)
  const words = `Took ${count === 1 ? 'a line' : `${count} lines`} of ${path} into your folder.`
  return {
    ok: true,
    words: unkept === null ? words : `${words} No checkpoint was made: ${unkept}.`,
    undo: { kind: 'file', file: target, path, before, after: after && digestOf(after), mode: done.mode },
  }
}

function changedSet(lines: readonly DiffLine[]): LineSet {
  return new Set([...lines.keys()].filter(index => lines[index]?.sign !== ' '))
}

function isExecutable(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o100) !== 0
}

function countWords(chosen: readonly { without: LineSet; isWhole: boolean }[]): string {
  const count = chosen.reduce((sum, { without }) => sum + without.size, 0)
  if (chosen.every(({ isWhole }) => isWhole)) return chosen.length === 1 ? 'a change' : `${chosen.length} changes`
  return count === 1 ? 'a line' : `${count} lines`
}

/** With a filter, the lines that git compares are not those of the file. */
async function requireUnfiltered(index: GitIndex, { file }: FileChange, by: 'git' | 'bytes'): Promise<void> {
  const path = index.pathOf(file)
  if ((await index.stateOf(path)).kind === 'unmerged') throw new HunkRefusal(UNMERGED)
  if (by !== 'git') return
  const filter = await index.attribute(path, 'filter')
  if (filter !== null) throw new HunkRefusal(filterWords(filter))
  const encoding = await index.attribute(path, 'working-tree-encoding')
  if (encoding !== null)
    throw new HunkRefusal(`git has this file in another encoding than ${encoding}: use git itself.`)
}

const filterWords = (filter: string): string =>
  `A filter of git (${filter}) makes this file, and zotui runs none: use git itself.`

/** The file's place without links; its folder may be missing. */
async function realPlace(file: string, files: ProjectFiles): Promise<string> {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    if ((await files.stats(folder)) === null) continue
    if ((await files.realPath(folder)) !== folder) throw new HunkRefusal('The file is behind a link now.')
    break
  }
  if ((await files.linkTarget(file)) !== null) throw new HunkRefusal('A link is not changed here.')
  return file
}

async function readNow(file: string, path: string, files: ProjectFiles): Promise<Buffer> {
  const read = await files.resolved.readFile(file, MOST_BYTES)
  if (!read.ok) throw new HunkRefusal(`${path} ${read.reason}.`)
  return read.bytes
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function undoFile(
  undo: Extract<HunkUndo, { kind: 'file' }>,
  place: EditPlace,
  files: ProjectFiles,
): Promise<HunkAnswer> {
  const { file, path, before, after, mode } = undo
  const own = await realPlace(file, files)
  const now = after === null ? null : await readNow(own, path, files)
  if (now && digestOf(now) !== after) throw new HunkRefusal(`${path} has changed since then: it is not undone.`)
  const unkept = await place.keep(`Before undoing a change of ${path}`, file)
  const exchange = { before: now, after: before, ...(mode !== null && { mode }) }
  const done = await place.writing(file, () => files.exchangeFile(own, exchange))
  if (!done.isDone) throw new HunkRefusal(`${path} has changed since then: it is not undone.`)
  const words = `${path} is as it was before.`
  return {
    ok: true,
    words: unkept === null ? words : `${words} No checkpoint was made: ${unkept}.`,
    undo: { kind: 'file', file, path, before: now, after: before && digestOf(before), mode: done.mode },
  }
}

async function changeIndex(request: HunkRequest, place: EditPlace, how: 'stage' | 'unstage'): Promise<HunkAnswer> {
  const { change, lines } = request
  const { file, path, form } = change
  if (form === 'submodule') throw new HunkRefusal('A submodule is not staged here.')
  const index = await openIndex(file, place)
  if (!index) throw new HunkRefusal('This file is in no git repository.')
  const own = index.pathOf(file)
  if (own.split('/').includes('.git')) throw new HunkRefusal("git's own files are not staged.")
  const filter = await index.attribute(own, 'filter')
  if (filter !== null) throw new HunkRefusal(filterWords(filter))
  if (lines === null) return changeWhole(request, { index, place, how })
  if (change.kind === 'renamed') throw new HunkRefusal(`A renamed file is ${how}d as a whole, in the list.`)
  const diff = await stillShown(request)
  requireExact(change, diff)
  const inGit = await readInGit(index, change, diff)
  const bytes = withStaged(inGit, lines, how)
  const isEmpty = bytes.length === 0
  const isGone = isEmpty && (how === 'stage' ? change.kind === 'deleted' : inGit.head === null)
  // Until git has an entry, the lines are those of the folder.
  const isFromFolder = diff.exact.by === 'bytes' && inGit.state.kind !== 'entry'
  const oid = isGone ? '' : await (isFromFolder ? index.storeFile(own, bytes) : index.store(bytes))
  // Another git may have staged something meanwhile.
  if (!isSameState(await index.stateOf(own), inGit.state))
    throw new HunkRefusal(`The index has changed meanwhile: nothing was ${how}d. Try again.`)
  const after: IndexState = isGone
    ? { kind: 'none' }
    : { kind: 'entry', entry: { mode: await modeOf(index, inGit), oid } }
  await index.put(own, after)
  const chosen = [...lines.values()].map(without => ({ without, isWhole: false }))
  const words = `${how === 'stage' ? 'Staged' : 'Unstaged'} ${countWords(chosen)} of ${path}.`
  return { ok: true, words, undo: undoOf(change, [{ path: own, before: inGit.state, after, head: inGit.head }]) }
}

/** git says whether a new file may be executed. */
async function modeOf(index: GitIndex, { path, state, head }: Awaited<ReturnType<typeof readInGit>>): Promise<string> {
  if (state.kind === 'entry') return state.entry.mode
  if (head) return head.mode
  if (state.kind === 'none') await index.intend(path)
  const intended = await index.stateOf(path)
  return intended.kind === 'intent' ? intended.entry.mode : '100644'
}

type Whole = { index: GitIndex; place: EditPlace; how: 'stage' | 'unstage' }

async function changeWhole(request: HunkRequest, { index, place, how }: Whole): Promise<HunkAnswer> {
  const { change } = request
  const { file, path, from } = change
  const names = [index.pathOf(file), ...(from === null ? [] : [index.pathOf(resolve(place.folder, from))])]
  const before = await Promise.all(
    names.map(async name => ({ name, state: await index.stateOf(name), head: await index.headEntry(name) })),
  )
  if (before.some(({ state }) => state.kind === 'unmerged')) throw new HunkRefusal(UNMERGED)
  if (how === 'stage') await addAll(index, request, before)
  else
    for (const { name, head } of before)
      await index.put(name, head === null ? { kind: 'none' } : { kind: 'entry', entry: head })
  const entries = await Promise.all(
    before.map(async ({ name, state, head }) => ({
      path: name,
      before: state,
      after: await index.stateOf(name),
      head,
    })),
  )
  if (entries.every(each => isSameState(each.before, each.after)))
    throw new HunkRefusal(how === 'stage' ? `${path} is staged already.` : `Nothing of ${path} is staged.`)
  const words = `${how === 'stage' ? 'Staged' : 'Unstaged'} ${path}.`
  return { ok: true, words, undo: undoOf(change, entries) }
}

async function addAll(
  index: GitIndex,
  request: HunkRequest,
  before: readonly { name: string; state: IndexState }[],
): Promise<void> {
  if (request.change.form !== 'binary') await stillShown(request)
  const [own, from] = before
  if (own && request.change.kind === 'deleted') await index.put(own.name, { kind: 'none' })
  else if (own) await index.add(own.name)
  if (from) await index.put(from.name, { kind: 'none' })
}

function undoOf({ file, path }: FileChange, entries: readonly UndoneEntry[]): HunkUndo {
  return { kind: 'index', file, path, entries }
}

const isSameState = (a: IndexState, b: IndexState): boolean => JSON.stringify(a) === JSON.stringify(b)

async function undoIndex(undo: Extract<HunkUndo, { kind: 'index' }>, place: EditPlace): Promise<HunkAnswer> {
  const { file, path, entries } = undo
  const index = await openIndex(file, place)
  if (!index) throw new HunkRefusal('This file is in no git repository.')
  for (const entry of entries)
    if (!isSameState(await index.stateOf(entry.path), entry.after))
      throw new HunkRefusal(`The index has changed since then: ${path} is not undone.`)
  for (const { path: name, head } of entries)
    if (JSON.stringify(await index.headEntry(name)) !== JSON.stringify(head))
      throw new HunkRefusal(`${path} was committed since then: it is not undone.`)
  for (const entry of entries) await index.put(entry.path, entry.before)
  const again = entries.map(({ path: of, head, ...each }) => ({
    path: of,
    before: each.after,
    after: each.before,
    head,
  }))
  return { ok: true, words: `The index has ${path} as it was before.`, undo: { ...undo, entries: again } }
}

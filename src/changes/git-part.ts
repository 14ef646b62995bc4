/** The changes that git reports: since the session began, and from before it. */
import { join } from 'node:path'
import { isAsKept, type Baseline, type BaselineFile } from './baseline.ts'
import type { FileChange, ChangeForm, ChangeKind, FileDiff } from '../tools/diff/change.ts'
import { readContent } from './file-content.ts'
import { comparedEntry, type ChangeEntry } from './change-entry.ts'
import type { GitListedFile } from './git-listing.ts'
import type { GitQuestion, Repository } from './repository.ts'

export type GitPart = {
  session: readonly ChangeEntry[]
  before: readonly ChangeEntry[]
  /** The files in `before` that may have changed since then. */
  unsure: ReadonlySet<string>
  notes: readonly string[]
  /** Whether git answered: then files that it does not mention are unchanged. */
  isAnswered: boolean
}

type GitSources = {
  git: { repository: Repository; baseline: Baseline }
  show: (file: string) => string
}

/** Beyond this many, files are counted but not listed. */
const MOST_FILES = 2000
/** Bytes of one untracked file, and of all of them, whose lines are counted. */
const MOST_OF_ONE = 4 * 1024 * 1024
const MOST_OF_ALL = 64 * 1024 * 1024

export const nothing: GitPart = { session: [], before: [], unsure: new Set(), notes: [], isAnswered: false }

/** Collects git's changes. Never rejects; the notes say what is missing. */
export async function collectGit(git: GitSources['git'], show: GitSources['show']): Promise<GitPart> {
  const { repository, baseline } = git
  const part: GitSources = { git, show }
  const [head, listed, untracked] = [
    await repository.head(),
    await listedSince(repository, baseline),
    await repository.untracked(),
  ]
  if (!listed.ok) return { ...nothing, notes: [reasonOf(listed)] }
  if (!untracked.ok) return { ...nothing, notes: [reasonOf(untracked)] }
  const notes: string[] = []
  const isMoved = head.ok && head.value !== baseline.head && !baseline.isChosen
  if (isMoved && head.value !== null) notes.push(movedNote(baseline.head, head.value))
  const followed = listed.value.map(stillThere(untracked.value))
  const known = new Set([...baseline.dirty.keys(), ...followed.map(({ path }) => path)])
  const fresh = untracked.value.filter(path => !known.has(path))
  const session = followed.filter(({ path }) => !baseline.dirty.has(path)).map(file => gitEntry(file, part))
  const added = await newEntries(fresh.slice(0, MOST_FILES), part)
  const kept = await keptEntries(followed, part)
  const all = [...session, ...added, ...kept.session]
  const left = Math.max(0, all.length - MOST_FILES) + Math.max(0, fresh.length - MOST_FILES)
  if (left > 0) notes.push(`${left} more changed files are not listed.`)
  return { ...kept, session: all.slice(0, MOST_FILES), notes, isAnswered: true }
}

/** A sentence that says why git gave no answer. */
export function reasonOf(answer: Exclude<GitQuestion<unknown>, { ok: true }>): string {
  switch (answer.why) {
    case 'held':
      return `${answer.words}: ${UNLISTED}`
    case 'none':
      return NO_REPOSITORY
    case 'missing':
      return `git was not found: ${UNLISTED}`
    case 'slow':
      return `git did not answer in time: ${UNLISTED}`
    case 'large':
      return `git's answer is too large: ${UNLISTED}`
    case 'stopped':
      return `git was stopped: ${UNLISTED}`
    case 'failed':
      if (/not a git repository/i.test(answer.words)) return NO_REPOSITORY
      if (answer.words === '') return `git failed: ${UNLISTED}`
      return `git failed (${answer.words.split('\n')[0] ?? ''}): ${UNLISTED}`
  }
}

export const UNLISTED = 'changes made by commands are not listed.'
const NO_REPOSITORY = `This folder is not in a git repository: ${UNLISTED}`

function movedNote(before: string | null, now: string): string {
  const was = before === null ? 'there was no commit' : `it was ${before.slice(0, 7)}`
  return `The current commit is ${now.slice(0, 7)}; when the session began, ${was}.`
}

/** Corrects the status of a file that is no longer tracked: git reports it as deleted though it still exists. */
function stillThere(others: readonly string[]): (file: GitListedFile) => GitListedFile {
  const there = new Set(others)
  return file =>
    file.status === 'D' && there.has(file.path)
      ? { ...file, status: 'M', added: null, removed: null, isLeft: true }
      : file
}

/** Lists changes; without renames if one side of a rename already differed, so that the two are seen apart. */
async function listedSince(
  { changedSince }: Repository,
  { head, dirty }: Baseline,
): Promise<GitQuestion<GitListedFile[]>> {
  const listed = await changedSince(head)
  const isKept = ({ from, path }: GitListedFile): boolean => from !== null && (dirty.has(from) || dirty.has(path))
  return listed.ok && listed.value.some(isKept) ? changedSince(head, false) : listed
}

const KINDS: Readonly<Record<GitListedFile['status'], ChangeKind>> = {
  A: 'new',
  D: 'deleted',
  M: 'changed',
  R: 'renamed',
  T: 'changed',
  U: 'changed',
}

function gitEntry(listed: GitListedFile, { git: { repository, baseline }, show }: GitSources): ChangeEntry {
  const { path, from, status, added, removed, isLeft } = listed
  const file = join(repository.top, path)
  const change: FileChange = {
    file,
    path: show(file),
    from: from === null ? null : show(join(repository.top, from)),
    kind: KINDS[status],
    form: formOf(listed),
    added,
    removed,
    isEstimate: false,
    calls: 0,
  }
  const leftDiff: FileDiff = { hunks: [], notes: ['git no longer tracks this file; it still exists.'] }
  const paths = from === null ? [path] : [from, path]
  if (isLeft) return { change, load: async () => leftDiff }
  const asked = { repository, commit: baseline.head, paths }
  return { change, load: () => diffFrom(repository, baseline.head, paths), ...(paths.every(isUtf8) && { asked }) }
}

function formOf({ modes, status, added, isLeft }: GitListedFile): ChangeForm {
  if (modes.includes('160000')) return 'submodule'
  if (modes[1] === '120000' || (status === 'D' && modes[0] === '120000')) return 'link'
  return added === null && status !== 'U' && !isLeft ? 'binary' : 'text'
}

/** The bytes of a name that is not UTF-8 are lost, so git cannot be asked for it. */
const isUtf8 = (path: string): boolean => !path.includes('\uFFFD')

async function diffFrom(repository: Repository, commit: string | null, paths: readonly string[]): Promise<FileDiff> {
  if (!paths.every(isUtf8)) return { hunks: [], notes: ['The file name is not UTF-8.'] }
  const answer = await repository.diff(commit, paths)
  if (answer.ok) return answer.value
  const why = answer.why === 'large' ? 'The diff is too large to show.' : reasonOf(answer)
  return { hunks: [], notes: [why] }
}

/** Untracked files that are new. */
async function newEntries(paths: readonly string[], { git: { repository }, show }: GitSources): Promise<ChangeEntry[]> {
  const entries: ChangeEntry[] = []
  let room = MOST_OF_ALL
  for (const path of paths) {
    const file = join(repository.top, path)
    // Git reports a nested repository as a folder.
    if (path.endsWith('/')) {
      entries.push(repositoryEntry(file, show(file)))
      continue
    }
    const content = await readContent(file, Math.min(room, MOST_OF_ONE), repository.files)
    room -= content.kind === 'text' ? content.text.length : 0
    if (content.kind !== 'none') entries.push(comparedEntry({ file, path: show(file) }, { kind: 'none' }, content))
  }
  return entries
}

function repositoryEntry(file: string, path: string): ChangeEntry {
  const counts = { added: null, removed: null, isEstimate: false, calls: 0 }
  const change: FileChange = { file, path, from: null, kind: 'new', form: 'submodule', ...counts }
  return { change, load: async () => ({ hunks: [], notes: ['This is a separate git repository.'] }) }
}

/** Files that already differed from the commit when the session began, sorted by whether they changed since then. */
async function keptEntries(
  listed: readonly GitListedFile[],
  part: GitSources,
): Promise<Pick<GitPart, 'session' | 'before' | 'unsure'>> {
  const { repository, baseline } = part.git
  const known = new Map(listed.map(file => [file.path, file]))
  const [session, before]: [ChangeEntry[], ChangeEntry[]] = [[], []]
  const unsure = new Set<string>()
  for (const [path, kept] of baseline.dirty) {
    if (path.endsWith('/')) continue
    const file = join(repository.top, path)
    const isAsBefore = await isAsKept(file, kept, MOST_OF_ONE, repository.files)
    if (isAsBefore === null) unsure.add(file)
    const found = known.get(path)
    if (isAsBefore === false) session.push(await changedSinceKept(path, kept, found, part))
    else if (found) before.push(gitEntry(found, part))
    else before.push(...(await newEntries([path], part)))
  }
  return { session, before, unsure }
}

async function changedSinceKept(
  path: string,
  kept: BaselineFile,
  listed: GitListedFile | undefined,
  part: GitSources,
): Promise<ChangeEntry> {
  const { repository } = part.git
  const file = join(repository.top, path)
  if (kept.content.kind !== 'unread') {
    const now = await readContent(file, MOST_OF_ONE, repository.files)
    // It is unknown whether a late file already differed at the beginning.
    const isLate = part.git.baseline.late.includes(path)
    return comparedEntry({ file, path: part.show(file) }, kept.content, now, isLate ? [] : [WAS_DIFFERENT])
  }
  // Its content at that time is unknown: all differences from the commit are shown, with a note.
  const entry = listed
    ? gitEntry(listed, part)
    : comparedEntry(
        { file, path: part.show(file) },
        { kind: 'none' },
        await readContent(file, MOST_OF_ONE, repository.files),
      )
  return {
    change: { ...entry.change, isEstimate: true },
    async load() {
      const diff = await entry.load()
      return { ...diff, notes: [`It ${kept.content.kind === 'unread' ? kept.content.why : ''}.`, ...diff.notes] }
    },
  }
}

const WAS_DIFFERENT = 'It already differed from the last commit when this session began: only later changes are shown.'

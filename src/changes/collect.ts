/** Combines the changes that git reports with those of the agent's own calls. */
import type { ToolCall } from '../conversation/part.ts'
import { countCalls } from '../tools/changed-calls.ts'
import { diffOfCalls } from './call-diff.ts'
import type { CallsByFile } from './calls-by-file.ts'
import type { FileChange, ChangeList, FileDiff } from '../tools/diff/change.ts'
import { comparedEntry, type ChangeEntry } from './change-entry.ts'
import { collectGit, nothing, type GitPart } from './git-part.ts'
import type { Baseline } from './baseline.ts'
import type { ProjectFiles } from '../platform/project-files.ts'
import { isWithin } from '../platform/within.ts'
import { isSame, readContent, type FileContent } from './file-content.ts'
import { below, pathShower } from './shown-path.ts'
import type { Repository } from './repository.ts'

export type ChangeSources = {
  /** The user's folder, absolute and without links. */
  folder: string
  /** Null if there is no repository, or git did not answer. */
  git: { repository: Repository; baseline: Baseline } | null
  /** The folders that the user has opened beside it, each with the repository that it is in. */
  others?: readonly (NonNullable<ChangeSources['git']> & { within: string })[]
  called: CallsByFile
  /** The content of files before this program's first edit or write, by absolute path. */
  befores: ReadonlyMap<string, FileContent>
  /** The start of this program, in milliseconds since the Unix epoch: earlier calls belong to a resumed session. */
  startedAt: number
  /** The files of the machine that they are on; this one by default. */
  files?: ProjectFiles | undefined
}

export type CollectedChanges = {
  list: ChangeList
  /** Loads the lines of one change. Never rejects. */
  diffOf: (change: FileChange) => Promise<FileDiff>
  /** Loads those of several with as few questions as possible; absent where that would not be faster. Never rejects. */
  diffsOf?: (changes: readonly FileChange[]) => Promise<readonly FileDiff[]>
}

/** Bytes of a file that is compared here instead of by git. */
const MOST_COMPARED = 4 * 1024 * 1024

/** Never rejects. */
export async function collectChanges(sources: ChangeSources): Promise<CollectedChanges> {
  const { folder, git, called } = sources
  const show = pathShower(folder, git?.repository.top ?? null)
  const part = await withOthers(git ? await collectGit(git, show) : nothing, sources, show)
  const entries = new Map(part.session.map(entry => [entry.change.file, entry]))
  const unfollowed = await filesUnfollowed(
    sources,
    [...called.keys()].filter(file => !entries.has(file)),
  )
  for (const [file, calls] of called) {
    const known = entries.get(file)
    const isGits = part.isAnswered && !unfollowed.has(file)
    const entry = known ?? (isGits ? null : await entryOfCalls(file, { calls, sources, path: show(file) }))
    const earlier = calls.filter(call => (call.endedAt ?? 0) < sources.startedAt)
    const whole = withEarlier(entry, earlier, { file, path: show(file) })
    if (whole) entries.set(file, { ...whole, change: { ...whole.change, calls: calls.length } })
  }
  const session = [...entries.values()].toSorted(byPath)
  const before = part.before.filter(({ change }) => !entries.has(change.file)).toSorted(byPath)
  const loads = new Map([...before, ...session].map(entry => [entry.change.file, entry]))
  return {
    list: {
      session: session.map(({ change }) => change),
      before: before.map(({ change }) => change),
      unsure: before.filter(({ change }) => part.unsure.has(change.file)).length,
      notes: part.notes,
    },
    diffOf: async change => (await loads.get(change.file)?.load()) ?? missing,
    diffsOf: changes => loadTogether(changes.map(({ file }) => loads.get(file))),
  }
}

const missing: FileDiff = { hunks: [], notes: ['This file is no longer in the list.'] }

/** Files of the same repository and commit are loaded by one question to git; what that does not answer, one by one. */
async function loadTogether(entries: readonly (ChangeEntry | undefined)[]): Promise<FileDiff[]> {
  const groups = new Map<string, ChangeEntry[]>()
  for (const entry of entries) {
    if (!entry?.asked) continue
    const { repository, commit } = entry.asked
    const key = `${repository.top}\0${commit ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  const found = new Map<ChangeEntry, FileDiff>()
  for (const group of groups.values()) {
    const [first] = group
    if (!first?.asked || group.length === 1) continue
    const { repository, commit } = first.asked
    const answer = await repository.diffs(
      commit,
      group.map(({ asked }) => asked?.paths ?? []),
    )
    if (!answer.ok) continue
    for (const [index, entry] of group.entries()) {
      const diff = answer.value[index]
      if (diff) found.set(entry, diff)
    }
  }
  const diffs: FileDiff[] = []
  for (const entry of entries) diffs.push((entry && (found.get(entry) ?? (await entry.load()))) ?? missing)
  return diffs
}

/** What git reports, with what it reports of opened folders: there nothing beside them is listed. */
async function withOthers(
  part: GitPart,
  { others = [] }: ChangeSources,
  show: (file: string) => string,
): Promise<GitPart> {
  const known = new Set([...part.session, ...part.before].map(({ change }) => change.file))
  const [session, before, unsure, notes] = [[...part.session], [...part.before], new Set(part.unsure), [...part.notes]]
  for (const { within, ...git } of others) {
    const there = await collectGit(git, show)
    const isNew = ({ change: { file } }: ChangeEntry): boolean => isWithin(within, file) && !known.has(file)
    session.push(...there.session.filter(isNew))
    before.push(...there.before.filter(isNew))
    for (const file of there.unsure) if (isWithin(within, file)) unsure.add(file)
    for (const note of there.notes) notes.push(`${within}: ${note}`)
    for (const { change } of [...there.session, ...there.before])
      if (isWithin(within, change.file)) known.add(change.file)
  }
  return { ...part, session, before, unsure, notes }
}

const byPath = (a: ChangeEntry, b: ChangeEntry): number =>
  a.change.path < b.change.path ? -1 : a.change.path > b.change.path ? 1 : 0

/** The files among these that git does not track: they are outside the repository, or ignored. */
async function filesUnfollowed({ git }: ChangeSources, files: readonly string[]): Promise<ReadonlySet<string>> {
  if (!git) return new Set(files)
  const { top, unfollowed } = git.repository
  const inside = files.flatMap(file => {
    const path = below(top, file)
    return path === null ? [] : [{ file, path }]
  })
  const answer = await unfollowed(inside.map(({ path }) => path))
  const ignored = answer.ok ? new Set(answer.value) : null
  const followed = new Set(inside.flatMap(({ file, path }) => (ignored?.has(path) === false ? [file] : [])))
  return new Set(files.filter(file => !followed.has(file)))
}

type OfCalls = { calls: readonly ToolCall[]; sources: ChangeSources; path: string }

/** The change of a file that git does not track: a comparison with its earlier content, if known. */
async function entryOfCalls(file: string, { calls, sources, path }: OfCalls): Promise<ChangeEntry | null> {
  const here = calls.filter(call => (call.endedAt ?? 0) >= sources.startedAt)
  const before = sources.befores.get(file)
  if (here.length === 0) return null
  if (before === undefined || before.kind === 'unread') return callsEntry(file, path, here)
  const now = await readContent(file, MOST_COMPARED, sources.files)
  return isSame(before, now) ? null : comparedEntry({ file, path }, before, now)
}

function callsEntry(file: string, path: string, calls: readonly ToolCall[]): ChangeEntry {
  const firstDiff = calls[0]?.diffs[0]
  const kind = firstDiff
    ? firstDiff.before === null
      ? 'new'
      : 'changed'
    : calls[0]?.name === 'write'
      ? 'written'
      : 'changed'
  const change: FileChange = { file, path, from: null, kind, form: 'text', ...countCalls(calls), calls: calls.length }
  return { change, load: async () => diffOfCalls(calls) }
}

/** Adds the changes that the session had made before this program resumed it. */
function withEarlier(
  entry: ChangeEntry | null,
  earlier: readonly ToolCall[],
  { file, path }: { file: string; path: string },
): ChangeEntry | null {
  if (earlier.length === 0) return entry
  if (!entry) return callsEntry(file, path, earlier)
  const { added, removed } = countCalls(earlier)
  const { change } = entry
  return {
    change: {
      ...change,
      added: change.added === null ? null : change.added + added,
      removed: change.removed === null ? null : change.removed + removed,
      isEstimate: true,
    },
    async load() {
      const [first, then] = [diffOfCalls(earlier, 'earlier in this session: '), await entry.load()]
      return { ...then, hunks: [...first.hunks, ...then.hunks], notes: [...first.notes, ...then.notes] }
    },
  }
}

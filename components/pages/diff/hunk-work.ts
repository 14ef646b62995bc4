/** What /diff does with changes beyond showing them: it reverts, stages and unstages hunks, lines and files. */
import type { HunkAnswer, HunkRequest, HunkUndo, HunkEditor } from '../../../src/app/changes/hunk-editor.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import { keyed } from '../../../src/text/key-hints.ts'
import type { FileChange, FileDiff, StagedPart } from '../../../src/tools/diff/change.ts'
import { isOnDisk, type DiffSubject } from '../../../src/tools/diff/subject.ts'
import { hasChanges } from './commented-files.ts'
import { cursorTarget, type CursorTarget } from './reading.ts'
import type { FeatureParts } from './feature.ts'

export type HunkAct = 'revert' | 'stage' | 'unstage' | 'take'

export type HunkWork = {
  /** The hunk of the cursor, the lines of the range, or only the line of the cursor; in the list the whole file. */
  act: (how: HunkAct, isLineOnly?: boolean) => Promise<void>
  /** The diff with the marks of its staged hunks, as far as they are known. */
  marked: (change: FileChange, diff: FileDiff) => FileDiff
  /** Asks git which hunks of the shown file are staged. */
  mark: (change: FileChange) => Promise<void>
}

/** Of a conversation: what does the work, and what it has done, which is undone also after the page was closed. */
type WorkOfConversation = { work: HunkEditor | null; done: HunkUndo[] }

const keptOf = new WeakMap<AppContext, WorkOfConversation>()
/** Each may have the bytes of a file. */
const MOST_DONE = 100

function keptIn(context: AppContext): WorkOfConversation {
  const kept = keptOf.get(context) ?? { work: null, done: [] }
  keptOf.set(context, kept)
  return kept
}

async function workIn(context: AppContext): Promise<HunkEditor | null> {
  const kept = keptIn(context)
  kept.work ??= (await import('../../../src/app/changes/hunk-editor.ts')).openHunkEditor(context)
  return kept.work
}

/** Does something, and keeps what undoes it. */
export async function performHunk(context: AppContext, how: HunkAct, request: HunkRequest): Promise<HunkAnswer> {
  const answer = await (await workIn(context))?.[how](request)
  if (answer?.ok !== true) return answer ?? NO_FOLDER
  const { done } = keptIn(context)
  done.push(answer.undo)
  if (done.length > MOST_DONE) done.shift()
  return answer
}

/** What can be undone, the last one last. */
export function undoableHunks(context: AppContext): readonly HunkUndo[] {
  return keptIn(context).done
}

/** Undoes something that is then no longer undoable. */
export async function undoHunk(context: AppContext, undo: HunkUndo): Promise<HunkAnswer> {
  const answer = await (await workIn(context))?.undo(undo)
  if (answer?.ok !== true) return answer ?? NO_FOLDER
  const { done } = keptIn(context)
  const at = done.indexOf(undo)
  if (at >= 0) done.splice(at, 1)
  return answer
}

const NO_FOLDER: HunkAnswer = { ok: false, why: 'There is no project folder here.' }

export function createHunkWork(feature: FeatureParts): HunkWork {
  const { page, parts, request, undos, reload, fresh, redacted, isOpen } = feature
  const { context } = parts
  /** What git said last of each file. */
  const marks = new Map<string, readonly StagedPart[]>()
  /** The file that is reverted as a whole when the key is pressed again. */
  let armed: string | null = null
  let marking: Promise<void> = Promise.resolve()
  for (const undo of undoableHunks(context)) undos.push(() => takeBack(undo))

  return {
    async act(asked, isLineOnly = false) {
      // A worktree has an index of its own, which is of no use to the person: what is chosen there goes into their folder.
      const how = asked === 'stage' && request.subject.kind === 'worktree' ? 'take' : asked
      const why = whyNoHunks(context, request.subject, how)
      if (why !== null) return context.hint(why)
      const target = cursorTarget(page.reading())
      const shown = target && hasChanges(target.change) && (await shownDiff(target.change))
      if (!target || !shown) return context.hint('There is no change here.')
      const lines = linesOf(target, shown, isLineOnly)
      if (lines?.size === 0) return context.hint('No changed line is chosen.')
      if (how === 'revert' && lines === null && armed !== target.change.file) {
        armed = target.change.file
        return context.hint(`${named('{diff.revert} again')} reverts all of ${target.change.path}.`)
      }
      armed = null
      await perform(how, {
        change: target.change,
        shown,
        lines,
        fresh: async () => (await fresh(target.change)) ?? { hunks: [], notes: [] },
        redact: redacted,
      })
    },
    marked,
    mark(change) {
      // One after the other, and not of files that were only passed.
      marking = marking.then(() => (page.state().file === change.file ? ask(change) : undefined))
      return marking
    },
  }

  async function ask(change: FileChange): Promise<void> {
    if (!isOpen() || whyNoHunks(context, request.subject, 'stage') !== null) return
    const shown = page.state().changes.diffs.get(change.file)
    const diff = shown?.exact ? shown : await fresh(change)
    if (!diff?.exact) return
    const found = await (await workIn(context))?.staged(change, diff)
    const known = page.state().changes.diffs.get(change.file)
    if (!found || !known || !isOpen()) return
    marks.set(change.file, found)
    const state = page.state()
    const diffs = new Map(state.changes.diffs).set(change.file, marked(change, known))
    if (diffs.get(change.file) !== known) page.set({ ...state, changes: { ...state.changes, diffs } })
  }

  function marked({ file }: FileChange, diff: FileDiff): FileDiff {
    const found = marks.get(file)
    if (found?.length !== diff.hunks.length) return diff
    const isSame = diff.hunks.every(({ staged = 'none' }, at) => staged === found[at])
    return isSame ? diff : { ...diff, hunks: diff.hunks.map((hunk, at) => ({ ...hunk, staged: found[at] ?? 'none' })) }
  }

  /** The diff that the user looks at; in the list the one that would be shown. */
  function shownDiff(change: FileChange): Promise<FileDiff | null> | FileDiff | null {
    return page.state().changes.diffs.get(change.file) ?? (page.state().file === null ? feature.diffOf(change) : null)
  }

  async function perform(how: HunkAct, asked: HunkRequest): Promise<void> {
    const answer = await performHunk(context, how, asked)
    if (answer.ok) {
      undos.push(() => takeBack(answer.undo))
      if (isOpen()) page.set({ ...page.state(), anchor: null })
    }
    context.hint(answer.ok ? `${answer.words} ${named('{diff.undo} undoes it.')}`.trim() : answer.why)
    if (isOpen() && (answer.ok || answer.isStale)) await reload()
  }

  async function takeBack(undo: HunkUndo): Promise<string | { refused: string }> {
    const answer = await undoHunk(context, undo)
    if (isOpen()) void reload()
    return answer.ok ? answer.words : { refused: answer.why }
  }

  function named(words: string): string {
    return keyed(context.state().keyNames, words)
  }
}

/** Why changes are only looked at here; null if they can be worked with. */
export function whyNoHunks({ state }: AppContext, subject: DiffSubject, how: HunkAct): string | null {
  if (state().startup.demo) return 'This is the demo: no file is really changed.'
  if (!isOnDisk(subject)) return 'A pull request is not on this disk: nothing is reverted or staged.'
  if (how === 'take') return subject.kind === 'worktree' ? null : 'Only changes of a worktree are taken.'
  if (how !== 'revert' && subject.kind === 'worktree') return 'Take the worktree first: its changes are staged then.'
  return null
}

/** Indexes of lines by their hunks; null for the whole file. */
function linesOf(
  { hunk, lines, isRange }: CursorTarget,
  { hunks }: FileDiff,
  isLineOnly: boolean,
): ReadonlyMap<number, ReadonlySet<number>> | null {
  const own = hunk === null ? undefined : hunks[hunk]
  if (hunk === null || !own) return null
  const isChosen = new Set(lines)
  const chosen = [...own.lines.keys()].filter(index => {
    const line = own.lines[index]
    return line !== undefined && line.sign !== ' ' && (!(isRange || isLineOnly) || isChosen.has(line))
  })
  return new Map(chosen.length > 0 ? [[hunk, new Set(chosen)]] : [])
}

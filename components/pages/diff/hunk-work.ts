/** What /diff does with changes beyond showing them: it reverts, stages and unstages hunks, lines and files. */
import type { HunkRequest, HunkUndo, HunkWork } from '../../../src/app/changes/hunk-work.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import { keyed } from '../../../src/text/key-hints.ts'
import type { FileChange, FileDiff, StagedPart } from '../../../src/tools/diff/change.ts'
import { isOnDisk, type DiffSubject } from '../../../src/tools/diff/subject.ts'
import { cursorTarget, type CursorTarget } from './reading.ts'
import type { RoomParts } from './room.ts'

type Act = 'revert' | 'stage' | 'unstage'

export type HunkWorks = {
  /** The hunk of the cursor, the lines of the range, or only the line of the cursor; in the list the whole file. */
  act: (how: Act, isLineOnly?: boolean) => Promise<void>
  /** The diff with the marks of its staged hunks, as far as they are known. */
  marked: (change: FileChange, diff: FileDiff) => FileDiff
  /** Asks git which hunks of the shown file are staged. */
  mark: (change: FileChange) => Promise<void>
}

/** What was done in each conversation: it is undone also after the page was closed, the last one first. */
const done = new WeakMap<AppContext, HunkUndo[]>()
const works = new WeakMap<AppContext, HunkWork>()

export function hunkWorks(room: RoomParts): HunkWorks {
  const { page, parts, request, undos, reload, fresh, redacted, isOpen } = room
  const { context } = parts
  const undoable = done.get(context) ?? []
  done.set(context, undoable)
  /** What git said last of each file. */
  const marks = new Map<string, readonly StagedPart[]>()
  /** The file that is reverted as a whole when the key is pressed again. */
  let armed: string | null = null
  for (const undo of undoable) undos.push(() => takeBack(undo))

  return {
    async act(how, isLineOnly = false) {
      const why = whyNot(context, request.subject, how)
      if (why !== null) return context.hint(why)
      const target = cursorTarget(page.reading())
      const shown = target && (await shownDiff(target.change))
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
    async mark(change) {
      if (whyNot(context, request.subject, 'stage') !== null) return
      const shown = page.state().changes.diffs.get(change.file)
      const diff = shown?.exact ? shown : await fresh(change)
      if (!diff?.exact) return
      const found = await (await work())?.staged(change, diff)
      const known = page.state().changes.diffs.get(change.file)
      if (!found || !known || !isOpen()) return
      marks.set(change.file, found)
      const diffs = new Map(page.state().changes.diffs).set(change.file, marked(change, known))
      if (diffs.get(change.file) !== known) page.set({ ...page.state(), changes: { ...page.state().changes, diffs } })
    },
  }

  function marked({ file }: FileChange, diff: FileDiff): FileDiff {
    const found = marks.get(file)
    if (found?.length !== diff.hunks.length) return diff
    const isSame = diff.hunks.every(({ staged = 'none' }, at) => staged === found[at])
    return isSame ? diff : { ...diff, hunks: diff.hunks.map((hunk, at) => ({ ...hunk, staged: found[at] ?? 'none' })) }
  }

  async function work(): Promise<HunkWork | null> {
    const known = works.get(context)
    if (known) return known
    const made = (await import('../../../src/app/changes/hunk-work.ts')).openHunkWork(context)
    if (made) works.set(context, made)
    return made
  }

  /** The diff that the user looks at; in the list the one that would be shown. */
  function shownDiff(change: FileChange): Promise<FileDiff | null> | FileDiff | null {
    return page.state().changes.diffs.get(change.file) ?? (page.state().file === null ? room.diffOf(change) : null)
  }

  async function perform(how: Act, wanted: HunkRequest): Promise<void> {
    const answer = await (await work())?.[how](wanted)
    if (!answer) return context.hint('There is no project folder here.')
    if (answer.ok) {
      undoable.push(answer.undo)
      undos.push(() => takeBack(answer.undo))
      if (isOpen()) page.set({ ...page.state(), anchor: null })
    }
    context.hint(answer.ok ? `${answer.words} ${named('{diff.undo} undoes it.')}`.trim() : answer.why)
    if (isOpen() && (answer.ok || answer.isStale)) await reload()
  }

  async function takeBack(undo: HunkUndo): Promise<string> {
    const answer = await (await work())?.undo(undo)
    if (!answer) return 'There is no project folder here.'
    const at = undoable.indexOf(undo)
    if (at >= 0) undoable.splice(at, 1)
    if (isOpen()) void reload()
    return answer.ok ? answer.words : answer.why
  }

  function named(words: string): string {
    return keyed(context.state().keyNames, words)
  }
}

/** Why changes are only looked at here; null if they can be worked with. */
function whyNot({ state }: AppContext, subject: DiffSubject, how: Act): string | null {
  if (state().startup.demo) return 'This is the demo: no file is really changed.'
  if (!isOnDisk(subject)) return 'A pull request is not on this disk: nothing is reverted or staged.'
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

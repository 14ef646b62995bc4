/** What /diff does beyond moving: it collects the changes, reads the lines of a file when that is shown, copies and edits. */
import { openKeptFileInEditor } from '../../../src/app/context/open-in-editor.ts'
import type { DiffRequest, PageParts } from '../../../src/app/pages/pages.ts'
import { patchText } from '../../../src/tools/diff/change-text.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { isOnDisk, subjectTitle } from '../../../src/tools/diff/subject.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import { CommentWork } from './comment-work.ts'
import { hasChanges } from './commented-files.ts'
import { DiffLoader, redactedDiff, type Collected } from './loading.ts'
import type { PaintedDiff } from './painted-diff.ts'
import { createHunkWork } from './hunk-work.ts'
import { Undos, type FeatureParts } from './feature.ts'
import { shownLine, type DiffReading } from './reading.ts'
import { afterSeeking } from './searching.ts'
import { createSeenWork } from './seen-work.ts'
import { filesToLoad } from './load-next.ts'
import { chosenChange, shownChange, titled, type Changes, type DiffState, type DiffWork } from './state.ts'

/** Milliseconds to wait for more changes before they are collected. */
const GATHER = 300

export function diffEffects(
  page: OpenPage<DiffState, DiffReading>,
  parts: PageParts,
  request: DiffRequest,
): PageEffects<DiffWork> {
  const { context, clipboard, followChanges } = parts
  const { collect, first } = request
  const { hint } = context
  let asked = 0
  let gathering: NodeJS.Timeout | undefined
  let isOpen = true
  const undos = new Undos()
  /** What the features of the page get: each makes its works of it. */
  const loader = new DiffLoader({
    texts: page.shown().texts,
    redact: context.redact,
    isOpen: () => isOpen,
    toLoad: () => filesToLoad(page.reading(), change => loader.known(change) !== null),
    onLoaded: () => change({ digests: loader.digests() }),
  })
  const fresh = (of: FileChange): Promise<FileDiff | null> => loader.loadAgain(of)
  const redacted = (diff: FileDiff): FileDiff => redactedDiff(diff, context.redact)
  const feature: FeatureParts = { page, parts, request, undos, reload, diffOf, fresh, redacted, isOpen: () => isOpen }
  const hunks = createHunkWork(feature)
  const comments = new CommentWork(feature)
  const seen = createSeenWork(feature, loader)
  // A pull request does not change with the files.
  const follow = isOnDisk(request.subject) ? followChanges : () => () => undefined
  const unfollow = follow(() => {
    gathering ??= setTimeout(() => void reload(), GATHER)
  })
  return {
    works: {
      edit: () => void edit(),
      copy: () => void copy(),
      reload: () => void reload(),
      undo: () => void undo(),
      // A key that several features share is for the first of them that has something to do there.
      revert: () => void (comments.remove() || hunks.act('revert')),
      revert_line: () => void (comments.refuses() || hunks.act('revert', true)),
      stage: () => void (comments.keepFinding() || hunks.act('stage')),
      unstage: () => void (comments.refuses() || hunks.act('unstage')),
      send: () => comments.send(),
      keep: () => comments.keep(),
      close: () => comments.close(),
      edit_outside: () => void comments.editOutside(),
      seen: () => void seen.toggle().then(moved),
    },
    opened() {
      page.set({ ...page.state(), folder: context.host?.folder ?? '' })
      comments.opened()
      seen.opened()
      void reload()
    },
    moved,
    work() {
      if (page.state().search?.seeking) {
        const state = afterSeeking(page.reading())
        if (state) page.set(state)
        moved()
      }
      const shown = page.shown()
      return shown.found?.step(shown.files, shown.texts) || drawAhead(shown)
    },
    closed() {
      comments.closed()
      // A closed page needs no answers from git.
      isOpen = false
      unfollow()
      seen.closed()
      clearTimeout(gathering)
    },
  }

  /** Another file may be shown or near now. */
  function moved(): void {
    comments.moved()
    void readShown()
    void loader.work()
  }

  /** Shows the changes known from calls at once, and those from git later. Of two reloads the later one counts. */
  async function reload(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    const number = (asked += 1)
    if (first && loader.collected === null) await take(number, await first(), true)
    else change({ isAsking: true })
    await take(number, await collect(), false)
  }

  async function take(number: number, collected: Collected, isAsking: boolean): Promise<void> {
    if (number !== asked || !isOpen) return
    loader.begin(collected)
    const { file, changes } = page.state()
    // The shown lines stay until they have been read again.
    const before = file === null ? undefined : changes.diffs.get(file)
    const list = titled(collected.list, subjectTitle(request.subject))
    const { areWhole = false } = changes
    change({
      list,
      isAsking,
      areWhole: areWhole || !isAsking,
      diffs: new Map(file !== null && before ? [[file, before]] : []),
    })
    const shown = shownChange(page.state())
    if (shown) await read(shown)
    if (!isAsking) void loader.work()
  }

  function change(part: Partial<Changes>): void {
    if (!isOpen) return
    const state = page.state()
    page.set({ ...state, changes: { ...state.changes, ...part } })
  }

  async function readShown(): Promise<void> {
    const shown = shownChange(page.state())
    if (shown && !page.state().changes.diffs.has(shown.file)) await read(shown)
  }

  async function read(shown: FileChange): Promise<void> {
    // What is known already is shown with the next frame.
    const diff = loader.known(shown) ?? (await loader.load(shown))
    if (!diff) return
    const marked = hunks.marked(shown, diff)
    change({ diffs: new Map(page.state().changes.diffs).set(shown.file, marked), digests: loader.digests() })
    void hunks.mark(shown)
  }

  async function diffOf(of: FileChange): Promise<FileDiff | null> {
    return page.state().changes.diffs.get(of.file) ?? (await loader.load(of))
  }

  async function copy(): Promise<void> {
    const chosen = chosenChange(page.state())
    if (!chosen || !hasChanges(chosen)) return hint('There is nothing to copy here.')
    const diff = await diffOf(chosen)
    if (diff) hint(await clipboard.copy(patchText(chosen, diff), `the diff of ${chosen.path}`))
  }

  async function edit(): Promise<void> {
    const chosen = chosenChange(page.state())
    if (!chosen) return hint('There is no file to open here.')
    await openKeptFileInEditor(context, { file: chosen.file, name: chosen.path, line: shownLine(page.reading()) })
    if (isOpen) void reload()
  }

  async function undo(): Promise<void> {
    hint((await feature.undos.takeBack()) ?? 'There is nothing to undo here.')
  }
}

/** Draws some rows around the window, or the first ones of the next file. False if all of these are drawn. */
function drawAhead({ window, body, files, selected, shown, paintedOf }: DiffReading): boolean {
  if (shown && window) {
    const { rows, top } = window
    const first = rows.below(top.row)
    const near = [first + body, first - 1, first + 2 * body, first - body, 0]
    if (near.some(row => draw(rows.painted, row))) return true
  }
  const others = shown ? [selected + 1, selected - 1] : [selected]
  return others.some(index => {
    const change = files[index]
    const painted = change && paintedOf(change)
    return painted ? [0, body].some(row => draw(painted, painted.firstChangeOf(0) + row)) : false
  })
}

/** True if a row had to be drawn. */
function draw(painted: PaintedDiff, row: number): boolean {
  const index = Math.max(0, Math.min(painted.rows.length - 1, row))
  // Headings are drawn each time; the row below one is not.
  const line = painted.rows[index]?.kind === 'head' ? index + 1 : index
  if (painted.isDrawn(line)) return false
  painted.linesOf(line)
  return true
}

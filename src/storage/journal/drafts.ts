/** Saves unsent text. It comes back at the next start in the same folder, however the program ended. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../platform/folders.ts'
import type { Timers } from '../../platform/timers.ts'
import { attempt, createReporter } from '../failures.ts'
import { storedFolderName } from '../folder-name.ts'
import { leftName, ownName } from '../../platform/owner.ts'
import { isOwnerDead } from '../../platform/owner-state.ts'
import {
  dropTaken,
  gatherImages,
  isEmpty,
  release,
  readJournal,
  removeIfBare,
  removeState,
  takeOver,
  takenIn,
  writeState,
} from './unsent.ts'
import { keptPath, type KeptImage } from './kept-images.ts'
import type { SavedUnsent, Unsent } from './unsent.ts'

export type { UnsentImage } from './kept-images.ts'
export type { Unsent } from './unsent.ts'

/** Milliseconds in which changes are gathered: less than the promised 200. */
const DELAY = 170
/** After this many milliseconds without a write a change is written at once. While somebody types, there is none so long. */
const PAUSE = 500
/** A text with more characters is written when the typing pauses, since writing it takes longer than a frame. */
const LARGE = 500_000
/** The longest wait for such a pause, in milliseconds. */
const LARGE_DELAY = 2000

export type DraftsOptions = {
  stateFolder: string
  projectFolder: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  timers: Timers
  /** Takes the older drafts for the history, oldest first, with their images. */
  remember: (text: string, images: readonly KeptImage[]) => void
  /** Called at most once, with one line. The program continues without a journal. */
  onProblem: (words: string) => void
}

/** An image in adopted text, and the path of its file, which may be gone. */
export type AdoptedImage = KeptImage & { file: string }

export type Drafts = {
  /** The text that ended programs left. Its queue is paused. It stays on disk in this journal until `save` replaces it. */
  adopted: (Omit<Unsent, 'held' | 'images'> & { images?: readonly AdoptedImage[] }) | null
  /** Call this at each change; it is cheap. */
  save: (state: Unsent) => void
  /** Writes pending changes at once, for exits and crashes. */
  flushSync: () => void
  /** Writes, and releases the journal to the next program in this folder. Nothing is written afterwards. */
  close: () => void
}

/** Opens a journal and adopts the text of ended programs. Nothing here throws. */
export function openDrafts(options: DraftsOptions): Drafts {
  const { stateFolder, projectFolder, now, remember } = options
  const parent = join(stateFolder, 'drafts', storedFolderName(projectFolder))
  const name = ownName()
  const journal: Journal = { folder: join(parent, name), taken: [], holds: nothing }
  const report = createReporter('Unsent text cannot be saved', options.onProblem)
  const guarded = (work: () => void): void => attempt(report, undefined, work)
  const writer = createWriter(options, state => guarded(() => put(journal, state, now())))
  let adopted: Drafts['adopted'] = null
  guarded(() => {
    const merged = adopt(parent, journal, now(), { remember, report })
    if (isEmpty(merged)) return
    const { images = [], held: _held, ...texts } = merged
    const found = images.map(image => withFile(image, journal.folder))
    adopted = { ...texts, ...(found.length > 0 && { images: found }) }
    // If this fails, the content is still safe in the folder that it was moved to.
    put(journal, merged, now())
  })
  let closed = false
  return {
    adopted,
    save: state => {
      if (!closed) writer.save(state)
    },
    flushSync: writer.flushSync,
    close() {
      if (closed) return
      writer.flushSync()
      closed = true
      guarded(() => release(journal.folder, join(parent, leftName(name))))
    },
  }
}

function withFile(image: KeptImage, folder: string): AdoptedImage {
  return { ...image, file: image.path ?? keptPath(folder, image.sha256) }
}

/** The state of this program's journal on disk. */
type Journal = {
  readonly folder: string
  /** Journals that were taken over and whose content is now part of the state. Only these may be removed. */
  taken: readonly string[]
  holds: Unsent
}

const nothing: Unsent = { draft: '', queue: [], held: false }

/** Decides when to write. */
function createWriter(
  { now, timers }: DraftsOptions,
  write: (state: Unsent) => void,
): Pick<Drafts, 'save' | 'flushSync'> {
  let unwritten: Unsent | null = null
  let since = 0
  let written = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | null = null

  function flushSync(): void {
    cancel?.()
    cancel = null
    const state = unwritten
    unwritten = null
    if (state === null) return
    written = now()
    write(state)
  }

  function save(state: Unsent): void {
    if (unwritten === null) since = now()
    unwritten = state
    // A small state is written soon after its first change. Each change delays a large one, up to a limit.
    const isLarge = sizeOf(state) > LARGE
    if (cancel !== null && !isLarge) return
    cancel?.()
    const isTyping = now() - written < PAUSE
    const wait = isLarge ? Math.min(DELAY, since + LARGE_DELAY - now()) : isTyping ? DELAY : 0
    cancel = timers.after(Math.max(0, wait), flushSync)
  }

  return { save, flushSync }
}

/** Writes a state to a journal. An empty state removes the journal with its content. */
function put(journal: Journal, state: Unsent, at: number): void {
  if (isSame(state, journal.holds) && journal.taken.length === 0) return
  const { folder, taken } = journal
  if (isEmpty(state)) removeState(folder, taken)
  else writeState(folder, { ...state, at, includes: taken })
  journal.holds = state
  dropTaken(folder, taken)
  journal.taken = []
  if (isEmpty(state)) removeIfBare(folder)
}

type AdoptOptions = { remember: DraftsOptions['remember']; report: (error: unknown) => void }

/** Takes over the journals of ended programs, and merges them into one state. */
function adopt(parent: string, journal: Journal, now: number, { remember, report }: AdoptOptions): Unsent {
  const orphans = namesIn(parent).filter(name => isOwnerDead(name, () => touched(join(parent, name)), now))
  if (orphans.length === 0) return nothing
  takeOver(parent, orphans, journal.folder, report)
  gatherImages(journal.folder)
  const taken = takenIn(journal.folder)
  const states = readJournal(journal.folder).toSorted((a, b) => a.at - b.at)
  const merged = merge(states, remember)
  // From here on the program holds the content of these journals.
  journal.taken = taken
  if (isEmpty(merged)) put(journal, merged, now)
  return merged
}

/** Keeps the newest draft of each kind, moves older ones to the history, and joins all queues. */
function merge(states: readonly SavedUnsent[], remember: DraftsOptions['remember']): Unsent {
  const draft = newestOf('draft', states, remember)
  const stash = newestOf('stash', states, remember)
  const behind = newestOf('behind', states, remember)
  const queue: string[] = []
  const waiting: KeptImage[] = []
  for (const state of states) {
    for (const image of state.images ?? []) {
      if (typeof image.in === 'number') waiting.push({ ...image, in: queue.length + image.in })
    }
    queue.push(...state.queue)
  }
  const images = [...draft.images, ...stash.images, ...behind.images, ...waiting]
  return {
    draft: draft.text,
    ...(stash.text !== '' && { stash: stash.text }),
    ...(behind.text !== '' && { behind: behind.text }),
    queue,
    held: true,
    ...(images.length > 0 && { images }),
  }
}

function newestOf(
  kind: 'draft' | 'stash' | 'behind',
  states: readonly SavedUnsent[],
  remember: DraftsOptions['remember'],
): { text: string; images: readonly KeptImage[] } {
  const those = states.filter(state => (state[kind] ?? '').trim() !== '')
  const newest = those.pop()
  const text = newest?.[kind] ?? ''
  const imagesOf = (state: SavedUnsent | undefined) => state?.images?.filter(image => image.in === kind) ?? []
  for (const older of those) if (older[kind] !== text) remember(older[kind] ?? '', imagesOf(older))
  return { text, images: imagesOf(newest) }
}

/** A journal that another program has taken counts as touched just now. */
function touched(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
}

function sizeOf(state: Unsent): number {
  return [state.stash ?? '', state.behind ?? '', ...state.queue].reduce(
    (sum, text) => sum + text.length,
    state.draft.length,
  )
}

function isSame(a: Unsent, b: Unsent): boolean {
  const sameQueue = a.queue.length === b.queue.length && a.queue.every((text, at) => text === b.queue[at])
  const sameImages = JSON.stringify(a.images) === JSON.stringify(b.images)
  return (
    sameQueue && sameImages && a.draft === b.draft && a.stash === b.stash && a.behind === b.behind && a.held === b.held
  )
}

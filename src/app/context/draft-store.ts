/** What is kept on disk between two starts: the prompts that were sent, and what was typed and not sent. */
import { withoutChips } from '../../composer/chips.ts'
import { addEntry, createHistory } from '../../composer/history.ts'
import { normalisePaste } from '../../composer/paste.ts'
import type { Drafts, Unsent, UnsentImage } from '../../storage/journal/drafts.ts'
import type { HistoryJournal, PastImage } from '../../storage/journal/history.ts'
import { expand, placedImages, withImageChips, type Chips, type ImageChip } from '../../state/chips.ts'
import type { FoundPrompt } from '../../state/picker.ts'
import type { AppEvent } from '../../state/reduce.ts'
import type { AppState } from '../../state/state.ts'
import type { Store } from '../../state/store.ts'

/** How many prompts of before are at hand. */
const RECENT = 1000
const FOUND = 3000

export type Journals = {
  history: HistoryJournal
  drafts: Pick<Drafts, 'adopted' | 'save' | 'flushSync'>
}

/** An image that stands in what was put back, by its chip, and the file that has it, or had. */
export type RestoredImage = { character: string; file: string }

export type DraftStore = {
  /** Puts back what an earlier program left. Returns what that was, in one line; null for nothing. */
  restore: () => string | null
  /** The images in what was put back: they have to be read. */
  images: () => readonly RestoredImage[]
  /** A prompt of before with its images in it again, as far as they are in files: `added`, which have to be read. */
  withImages: (text: string) => { text: string; chips: Chips; added: readonly RestoredImage[] }
  /** Adds a prompt or a draft that was put away; blank ones are not kept. */
  remember: (text: string) => void
  /** The prompts of this folder or of all, the newest first. */
  prompts: (scope: 'folder' | 'all') => FoundPrompt[]
  /** Writes what is typed and not sent, now: after a prompt has gone, and on the way out. */
  flush: () => void
}

/** Without journals nothing goes to the disk, and all else works. */
export function createDraftStore(
  store: Store<AppState>,
  dispatch: (event: AppEvent) => void,
  journals?: Journals,
): DraftStore {
  let saved: AppState | null = null
  let restored = false
  const images: RestoredImage[] = []
  /** The images in the prompts of before, by their text; read when the first of them is taken. */
  let past: ReadonlyMap<string, readonly PastImage[]> | null = null

  /** Cheap where nothing changed that is kept, such as while an answer streams. */
  function save(): void {
    const state = store.get()
    if (!restored || (saved !== null && isSame(state, saved))) return
    saved = state
    journals?.drafts.save(unsentOf(state))
  }
  if (journals) store.subscribe(save)

  function remember(text: string): void {
    const { chips } = store.get()
    const known = placedImages(text, chips).flatMap(({ chip: { label, sha256, path }, at }) =>
      path === null ? [] : [{ label, at, sha256, path }],
    )
    journals?.history.append(expand(text, chips).text, known)
  }

  return {
    restore() {
      if (!journals) return null
      restored = true
      const { adopted } = journals.drafts
      const before = createHistory(journals.history.recent(RECENT).map(clean))
      let chips: Chips = new Map()
      const again = (text: string, place: UnsentImage['in']): string => {
        const those = adopted?.images?.filter(image => image.in === place) ?? []
        const placed = withImageChips(clean(text), those, chips)
        chips = placed.chips
        for (const [character, { file }] of placed.added) images.push({ character, file })
        return placed.text
      }
      const draft = again(adopted?.draft ?? '', 'draft')
      const aside = again(adopted?.stash ?? '', 'stash')
      const queue = (adopted?.queue ?? []).map(again)
      const behind = again(adopted?.behind ?? '', 'behind')
      const history = addEntry(before, behind)
      dispatch({ type: 'restored', history, draft, stash: aside === '' ? null : aside, queue, chips })
      if (behind !== '') remember(behind)
      return restoredText({ draft, aside, behind, queued: queue.length })
    },
    images: () => images,
    withImages(text) {
      const { chips } = store.get()
      past ??= new Map(
        [...(journals?.history.images(RECENT) ?? [])].map(([each, found]) => [clean(each), found] as const),
      )
      const placed = withImageChips(text, past.get(text) ?? [], chips)
      const added = [...placed.added].map(([character, { path }]) => ({ character, file: path }))
      return { text: placed.text, chips: placed.chips, added }
    },
    remember,
    prompts(scope) {
      const { history, chips } = store.get()
      const own = history.entries.map(text => ({ text: expand(text, chips).text, place: '' })).toReversed()
      return unlike([...(journals ? kept(journals.history, scope) : []), ...own])
    },
    flush() {
      save()
      journals?.drafts.flushSync()
    },
  }
}

/**
 * What is typed and not sent: a message that is being edited is in its place, chips are what they stand for. A draft that was put
 * aside is the draft where there is no other.
 */
export function unsentOf(state: AppState): Unsent {
  const { editor, queue, edited, chips } = state
  const entries = edited ? withEntry(queue.entries, edited.at, editor.text) : queue.entries
  const [draft = '', stash = '', behind = ''] = draftsOf(state).filter(text => text.trim() !== '')
  const full = (text: string): string => expand(text, chips).text
  const images = [
    ...unsentImages(draft, 'draft', chips),
    ...unsentImages(stash, 'stash', chips),
    ...unsentImages(behind, 'behind', chips),
    ...entries.flatMap((text, place) => unsentImages(text, place, chips)),
  ]
  return {
    draft: full(draft),
    ...(stash !== '' && { stash: full(stash) }),
    ...(behind !== '' && { behind: full(behind) }),
    queue: entries.map(full),
    held: queue.held,
    ...(images.length > 0 && { images }),
  }
}

function unsentImages(text: string, place: UnsentImage['in'], chips: Chips): UnsentImage[] {
  return placedImages(text, chips).map(({ chip, at }) => unsentImage(chip, at, place))
}

function unsentImage({ label, image, sha256, path }: ImageChip, at: number, place: UnsentImage['in']): UnsentImage {
  const known = { label, at, in: place, sha256 }
  if (path !== null) return { ...known, path }
  return { ...known, content: () => image && Buffer.from(image.data, 'base64') }
}

/** The queue with a text at a place; a blank text is no message. */
export function withEntry(entries: readonly string[], at: number, text: string): readonly string[] {
  return text.trim() === '' ? entries : entries.toSpliced(at, 0, text)
}

/**
 * The drafts that there are, the one in use first. While a prompt of before is looked at, the draft is what was typed until
 * then; where that prompt was changed, both are drafts.
 */
function draftsOf({ editor, edited, history, stash }: AppState): string[] {
  const aside = stash ?? ''
  if (edited) return [edited.draft, aside]
  if (history.at === null) return [editor.text, aside]
  const isChanged = history.entries[history.at] !== editor.text
  return isChanged ? [editor.text, aside, history.draft] : [history.draft, aside]
}

function kept(history: HistoryJournal, scope: 'folder' | 'all'): FoundPrompt[] {
  const here = history.recent(RECENT).map(text => ({ text: clean(text), place: '' }))
  if (scope === 'folder') return here.toReversed()
  const local = new Set(here.map(prompt => prompt.text))
  const all = history.all(FOUND).map(({ text, folder }) => {
    const own = clean(text)
    return { text: own, place: local.has(own) ? '' : (folder.split(/[\\/]/).at(-1) ?? '') }
  })
  return all.toReversed()
}

function unlike(prompts: readonly FoundPrompt[]): FoundPrompt[] {
  const byText = new Map<string, FoundPrompt>()
  for (const prompt of prompts) if (!byText.has(prompt.text)) byText.set(prompt.text, prompt)
  return [...byText.values()]
}

/** Files on disk are no better than a paste. */
function clean(text: string): string {
  return withoutChips(normalisePaste(text))
}

function isSame(a: AppState, b: AppState): boolean {
  const sameText = a.editor.text === b.editor.text && a.chips === b.chips
  return sameText && a.queue === b.queue && a.edited === b.edited && a.stash === b.stash && a.history === b.history
}

type RestoredTexts = { draft: string; aside: string; behind: string; queued: number }

function restoredText({ draft, aside, behind, queued }: RestoredTexts): string | null {
  const messages = queued === 1 ? '1 queued message, held' : `${queued} queued messages, held`
  const what = [
    draft.trim() === '' ? '' : 'your draft',
    aside === '' ? '' : 'the one put aside, which Ctrl+S brings',
    behind === '' ? '' : 'another one, which Up brings',
    queued === 0 ? '' : messages,
  ].filter(part => part !== '')
  if (what.length === 0) return null
  return `Back from before: ${what.slice(0, -1).join(', ')}${what.length > 1 ? ' and ' : ''}${what.at(-1)}.`
}

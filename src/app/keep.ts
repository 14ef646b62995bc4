/** What is kept on disk between two starts: the prompts that were sent, and what was typed and not sent. */
import { withoutChips } from '../composer/chips.ts'
import { createHistory } from '../composer/history.ts'
import { normalisePaste } from '../composer/paste.ts'
import type { Drafts, KeptImage, Unsent } from '../journal/drafts.ts'
import type { HistoryJournal } from '../journal/history.ts'
import { expand, imageFilesIn } from './chips.ts'
import type { FoundPrompt } from './picker.ts'
import type { AppEvent } from './reduce.ts'
import type { AppState } from './state.ts'
import type { Store } from './store.ts'

/** How many prompts of before are at hand. */
const RECENT = 1000
const FOUND = 3000

export type Journals = {
  history: HistoryJournal
  drafts: Pick<Drafts, 'adopted' | 'save' | 'flushSync'>
}

export type Keep = {
  /** Puts back what an earlier program left. Returns what that was, in one line; null for nothing. */
  restore: () => string | null
  /** The images of what was put back: there is only their label in it yet. */
  images: () => readonly KeptImage[]
  /** Adds a prompt or a draft that was put away; blank ones are not kept. */
  remember: (text: string) => void
  /** The prompts of this folder or of all, the newest first. */
  prompts: (scope: 'folder' | 'all') => FoundPrompt[]
  /** Writes what is typed and not sent, now: after a prompt has gone, and on the way out. */
  flush: () => void
}

/** Without journals nothing goes to the disk, and all else works. */
export function createKeep(store: Store<AppState>, dispatch: (event: AppEvent) => void, journals?: Journals): Keep {
  let saved: AppState | null = null
  let restored = false

  /** Cheap where nothing changed that is kept, such as while an answer streams. */
  function save(): void {
    const state = store.get()
    if (!restored || (saved !== null && isSame(state, saved))) return
    saved = state
    journals?.drafts.save(withImages(unsentOf(state), journals.drafts.adopted?.images ?? []))
  }
  if (journals) store.subscribe(save)

  return {
    restore() {
      if (!journals) return null
      restored = true
      const { adopted } = journals.drafts
      const history = createHistory(journals.history.recent(RECENT).map(clean))
      const draft = clean(adopted?.draft ?? '')
      const queue = (adopted?.queue ?? []).map(clean)
      dispatch({ type: 'restored', history, draft, queue })
      return restoredText(draft, queue.length)
    },
    images: () => journals?.drafts.adopted?.images ?? [],
    remember: text => journals?.history.append(expand(text, store.get().chips).text),
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

/** What is typed and not sent: a message that is being edited is in its place, chips are what they stand for. */
export function unsentOf(state: AppState): Unsent {
  const { editor, queue, edited, stash, chips } = state
  const drafts = [edited ? edited.draft : draftOf(state), stash ?? '']
  const entries = edited ? withEntry(queue.entries, edited.at, editor.text) : queue.entries
  const full = (text: string): string => expand(text, chips).text
  const draft = drafts.find(text => text.trim() !== '') ?? ''
  const images = imageFilesIn([draft, ...entries], chips)
  return {
    draft: full(draft),
    ...(images.length > 0 && { images }),
    queue: entries.map(full),
    held: queue.held,
  }
}

/** With those of before whose label still stands there: they are being read, or cannot be read just now. */
function withImages(unsent: Unsent, before: readonly KeptImage[]): Unsent {
  const own = unsent.images ?? []
  const texts = [unsent.draft, ...unsent.queue]
  const labels = new Set(own.map(image => image.label))
  const others = before.filter(({ label }) => !labels.has(label) && texts.some(text => text.includes(label)))
  return others.length === 0 ? unsent : { ...unsent, images: [...own, ...others] }
}

/** The queue with a text at a place; a blank text is no message. */
export function withEntry(entries: readonly string[], at: number, text: string): readonly string[] {
  return text.trim() === '' ? entries : entries.toSpliced(at, 0, text)
}

/** While a prompt of before is looked at, the draft is what was typed until then. */
function draftOf({ editor, history }: AppState): string {
  const recalled = history.at === null ? null : history.entries[history.at]
  return recalled === editor.text ? history.draft : editor.text
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

function restoredText(draft: string, queued: number): string | null {
  const hasDraft = draft.trim() !== ''
  if (!hasDraft && queued === 0) return null
  const messages = queued === 1 ? '1 queued message, held' : `${queued} queued messages, held`
  const what = [hasDraft ? 'your draft' : '', queued > 0 ? messages : ''].filter(part => part !== '')
  return `Back from before: ${what.join(' and ')}.`
}

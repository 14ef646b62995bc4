/** Stores sent prompts and unsent drafts for the next start. */
import { withoutChips } from '../../composer/chips.ts'
import { addEntry, createHistory } from '../../composer/history.ts'
import { normalisePaste } from '../../composer/paste.ts'
import type { Drafts, Unsent, UnsentImage } from '../../storage/journal/drafts.ts'
import type { HistoryJournal, PastImage } from '../../storage/journal/history.ts'
import { expand, placedImages, withImageChips, type Chips, type ImageChip } from '../../state/composer/chips.ts'
import type { FoundPrompt } from '../../state/pickers/picker.ts'
import { entryText } from '../../state/composer/queue-entry.ts'
import { storedEntry } from '../../state/composer/typed-entry.ts'
import type { AppEvent } from '../../state/reduce.ts'
import type { SlashCommand } from '../../state/slash.ts'
import type { AppState } from '../../state/state.ts'
import type { AppStore } from '../../state/app-store.ts'
import { keyed, type KeyNames } from '../../text/key-hints.ts'

/** The maximum of earlier prompts of this folder, and of all folders, that are loaded. */
const RECENT = 1000
const FOUND = 3000

export type Journals = {
  history: HistoryJournal
  drafts: Pick<Drafts, 'adopted' | 'save' | 'flushSync'>
}

/** An image in a restored text: its chip, and its file, which may be gone. */
export type RestoredImage = { character: string; file: string }

export type DraftStore = {
  /** Restores the drafts of an earlier zotui. Returns a line about them; null if there were none. */
  restore: () => string | null
  /** The images in the restored texts: they have to be read. */
  images: () => readonly RestoredImage[]
  /** An earlier prompt with chips for its images from files. These are `added`, and have to be read. */
  withImages: (text: string) => { text: string; chips: Chips; added: readonly RestoredImage[] }
  /** Adds a prompt or an archived draft to the history; blank ones are not stored. */
  remember: (text: string) => void
  /** The prompts of this folder or of all folders, newest first. */
  prompts: (scope: 'folder' | 'all') => FoundPrompt[]
  /** Writes the drafts now: after a prompt was sent, and on exit. */
  flush: () => void
}

/** Without journals nothing is written to disk. */
export function createDraftStore(
  store: AppStore,
  dispatch: (event: AppEvent) => void,
  journals: Journals | undefined,
  commands: () => readonly SlashCommand[],
): DraftStore {
  let saved: AppState | null = null
  let restored = false
  const images: RestoredImage[] = []
  /** The images in earlier prompts, by their text; read when they are first needed. */
  let past: ReadonlyMap<string, readonly PastImage[]> | null = null

  /** Cheap while no draft changes, such as while an answer streams. */
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
      const stashed = again(adopted?.stash ?? '', 'stash')
      const queue = (adopted?.queue ?? []).map((text, place) => storedEntry(again(text, place), commands()))
      const behind = again(adopted?.behind ?? '', 'behind')
      const history = addEntry(before, behind)
      dispatch({ type: 'restored', history, draft, stash: stashed === '' ? null : stashed, queue, chips })
      if (behind !== '') remember(behind)
      return restoredText({ draft, stashed, behind, queued: queue.length }, store.get().keyNames)
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
 * Unsent text: a message that is being edited is in its place in the queue, and chips are replaced by their content. If
 * there is no other draft, the stashed one is the draft.
 */
export function unsentOf(state: AppState): Unsent {
  const { editor, waitingDraft, queue, onItsWay, steers, edited, chips } = state
  const texts = queue.entries.map(entryText)
  const isBack = edited !== null && editor.text.trim() !== ''
  const waiting = isBack ? texts.toSpliced(edited.at, 0, editor.text) : texts
  const sent = [...(onItsWay ? [onItsWay] : []), ...steers.map(({ entry }) => entry)].map(entryText)
  const entries = [...sent, ...(waitingDraft ? [waitingDraft.text] : []), ...waiting]
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
    held: queue.paused,
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

/**
 * All drafts, the current one first. While an earlier prompt is in the composer, the draft is the text from before
 * that; if the prompt was changed, both are drafts.
 */
function draftsOf({ editor, edited, history, stash }: AppState): string[] {
  const stashed = stash ?? ''
  if (edited) return [edited.draft, stashed]
  if (history.at === null) return [editor.text, stashed]
  const isChanged = history.entries[history.at] !== editor.text
  return isChanged ? [editor.text, stashed, history.draft] : [history.draft, stashed]
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

/** Files on disk are as untrusted as a paste. */
function clean(text: string): string {
  return withoutChips(normalisePaste(text))
}

function isSame(a: AppState, b: AppState): boolean {
  const sameText = a.editor.text === b.editor.text && a.waitingDraft === b.waitingDraft && a.chips === b.chips
  const sameQueue = a.queue === b.queue && a.onItsWay === b.onItsWay && a.steers === b.steers && a.edited === b.edited
  return sameText && sameQueue && a.stash === b.stash && a.history === b.history
}

type RestoredTexts = { draft: string; stashed: string; behind: string; queued: number }

function restoredText({ draft, stashed, behind, queued }: RestoredTexts, names: KeyNames): string | null {
  const messages = queued === 1 ? '1 queued message (paused)' : `${queued} queued messages (paused)`
  const what = [
    draft.trim() === '' ? '' : 'your draft',
    stashed === '' ? '' : `a stashed draft${keyed(names, ' ({composer.stash})')}`,
    behind === '' ? '' : `another draft${keyed(names, ' ({composer.up})')}`,
    queued === 0 ? '' : messages,
  ].filter(part => part !== '')
  if (what.length === 0) return null
  return `Restored ${what.slice(0, -1).join(', ')}${what.length > 1 ? ' and ' : ''}${what.at(-1)}.`
}

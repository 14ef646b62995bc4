/** Browsing earlier prompts. Unsent text and changed entries are kept for the way back. */

export interface History {
  /** Oldest first. */
  readonly entries: readonly string[]
  /** The composer's place in the entries; null while it holds the draft. */
  readonly at: number | null
  /** The unsent text; while `at` is null, the text in the composer is newer. */
  readonly draft: string
  /** Recalled entries that were changed, by their place; forgotten when something is added. */
  readonly changed: ReadonlyMap<number, string>
}

/** The composer's text after a move. */
export interface Recalled {
  readonly history: History
  readonly text: string
}

export const emptyHistory: History = createHistory([])

/** `entries` are oldest first. */
export function createHistory(entries: readonly string[]): History {
  return { entries, at: null, draft: '', changed: new Map() }
}

/** Adds a sent prompt as the newest entry and returns to an empty draft. Blank text and a repeat of the newest add nothing. */
export function addEntry(history: History, text: string): History {
  if (text.trim() === '' || text === history.entries.at(-1)) return createHistory(history.entries)
  return createHistory([...history.entries, text])
}

/** An entry that is passed over; a changed one never is. */
export type IsLeftOut = (entry: string) => boolean

/** One entry back; null at the oldest. `text` is the text in the composer, which is kept for the way forward. */
export function older(history: History, text: string, isLeftOut: IsLeftOut = () => false): Recalled | null {
  let at = (history.at ?? history.entries.length) - 1
  while (at >= 0 && isPassed(history, at, isLeftOut)) at -= 1
  return at < 0 ? null : moved(history, text, at)
}

/** One entry forward, and finally the draft; null if the composer has the draft. */
export function newer(history: History, text: string, isLeftOut: IsLeftOut = () => false): Recalled | null {
  if (history.at === null) return null
  let at = history.at + 1
  while (isPassed(history, at, isLeftOut)) at += 1
  return moved(history, text, at)
}

/** Returns to the draft. `text` is the text in the composer, which is kept for the way through the entries. */
export function backAtDraft(history: History, text: string): Recalled {
  if (history.at === null) return { history, text }
  return { history: { ...keep(history, text), at: null }, text: history.draft }
}

/** Replaces the text of the entry in the composer, such as when its images become chips; a changed one stays. */
export function atEntry(history: History, text: string): History {
  const { at, entries, changed } = history
  return at === null || changed.has(at) ? history : { ...history, entries: entries.with(at, text) }
}

/** Unsent texts that are not in the composer: changed entries, and the draft while an entry is shown. */
export function leftBehind({ at, draft, changed }: History): string[] {
  const others = [...changed].flatMap(([place, text]) => (place === at ? [] : [text]))
  return [...others, ...(at === null ? [] : [draft])].filter(text => text.trim() !== '')
}

function isPassed({ entries, changed }: History, at: number, isLeftOut: IsLeftOut): boolean {
  const entry = entries[at]
  return entry !== undefined && !changed.has(at) && isLeftOut(entry)
}

function moved(history: History, text: string, to: number): Recalled {
  const kept = keep(history, text)
  const entry = kept.entries[to]
  if (entry === undefined) return { history: { ...kept, at: null }, text: kept.draft }
  return { history: { ...kept, at: to }, text: kept.changed.get(to) ?? entry }
}

function keep(history: History, text: string): History {
  if (history.at === null) return { ...history, draft: text }
  const changed = new Map(history.changed)
  if (text === history.entries[history.at]) changed.delete(history.at)
  else changed.set(history.at, text)
  return { ...history, changed }
}

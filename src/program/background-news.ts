/** Follows conversations in the background that this zotui has begun, listed or left, and keeps what is new about them. */
import type { Background } from '../app/context/background.ts'
import { isNews } from '../state/conversations/news.ts'
import type { News } from '../state/conversations/conversations.ts'
import type { ConversationRow } from '../state/conversations/conversations.ts'

export type BackgroundNews = {
  /** Follows one until its process ends; `begun` are its first prompt and its folder if it was begun here. */
  follow: (id: string, begun?: { prompt: string; folder: string }) => void
  /** Those with news that this zotui does not show itself. */
  news: () => readonly News[]
  /** Drops the news about one: the user goes there. */
  drop: (id: string) => void
  /** Ends all connections. */
  stop: () => void
}

export type BackgroundNewsOptions = {
  background: Background | null
  isAttached: (id: string) => boolean
  /** Called after a change. */
  onChange: () => void
  /** Called when one asks something or has ended its turn, after this many milliseconds. */
  onNews: (row: ConversationRow, milliseconds: number) => void
  now: () => number
}

/** Characters of a prompt that names one. */
const TITLE = 80

type Followed = { row: ConversationRow | null; since: number; stop: () => void }

export function createBackgroundNews(options: BackgroundNewsOptions): BackgroundNews {
  const { background, isAttached, onChange, onNews, now } = options
  const followed = new Map<string, Followed>()
  /** The last rows of those whose processes have ended. */
  const ended = new Map<string, News>()

  return {
    follow(id, begun) {
      if (!background || followed.has(id)) return
      const own: Followed = { row: null, since: now(), stop: () => undefined }
      followed.set(id, own)
      ended.delete(id)
      own.stop = background.follow(
        id,
        row => take(id, own, row),
        () => end(id, own, begun),
      )
    },
    news() {
      const live = [...followed.values()].flatMap(({ row, since }) => (row ? [{ row, at: since }] : []))
      return [...live, ...ended.values()].filter(
        ({ row }) => isNews(row) && row.backgroundId !== undefined && !isAttached(row.backgroundId),
      )
    },
    drop(id) {
      followed.get(id)?.stop()
      followed.delete(id)
      ended.delete(id)
      onChange()
    },
    stop() {
      for (const { stop } of followed.values()) stop()
      followed.clear()
    },
  }

  function take(id: string, own: Followed, row: ConversationRow): void {
    const before = own.row
    own.row = row
    if (before?.state === row.state && before.call?.id === row.call?.id) return
    const lasted = now() - own.since
    own.since = now()
    if (before && before.state !== row.state && isNews(row) && !isAttached(id)) onNews(row, lasted)
    onChange()
  }

  function end(id: string, own: Followed, begun?: { prompt: string; folder: string }): void {
    if (followed.get(id) !== own) return
    followed.delete(id)
    const row = own.row ?? (begun && unseen(id, begun))
    if (row && !isAttached(id)) {
      const isOver = row.state === 'done' || row.state === 'failed'
      // One that worked until its process ended was ended or killed.
      const last: ConversationRow = isOver ? row : { ...row, state: 'failed', call: null }
      if (!own.row) onNews(last, 0)
      ended.set(id, { row: last, at: isOver && own.row ? own.since : now() })
    }
    onChange()
  }
}

/** One whose process had ended before it could be asked: how it ended is unknown. */
function unseen(id: string, { prompt, folder }: { prompt: string; folder: string }): ConversationRow {
  const place = { number: 0, isShown: false, backgroundId: id, folder: '', path: folder, branch: null }
  return {
    ...place,
    title: prompt.slice(0, TITLE),
    state: 'done',
    since: null,
    lastLine: '',
    costUsd: null,
    call: null,
  }
}

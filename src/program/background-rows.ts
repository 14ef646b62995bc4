/** The conversations in the background as rows of the open list, without those that this zotui shows itself. */
import type { Background } from '../app/context/background.ts'
import type { ConversationRow } from '../state/conversations/conversations.ts'

export type BackgroundRows = {
  /** The rows as of the last update. */
  rows: () => readonly ConversationRow[]
  refresh: () => void
}

export type BackgroundRowsOptions = {
  background: Background | null
  isAttached: (id: string) => boolean
  /** Called after an update. */
  onFound: () => void
}

export function createBackgroundRows({ background, isAttached, onFound }: BackgroundRowsOptions): BackgroundRows {
  let found: readonly ConversationRow[] = []
  let isLooking = false
  return {
    rows: () => found.filter(({ backgroundId }) => backgroundId !== undefined && !isAttached(backgroundId)),
    refresh() {
      if (!background || isLooking) return
      isLooking = true
      void look(background)
    },
  }

  async function look({ list }: Background): Promise<void> {
    found = await list()
    isLooking = false
    onFound()
  }
}

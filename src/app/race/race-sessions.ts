/** The sessions and the processes of a race, found by what is on the disk. */
import { createFold } from '../../conversation/fold.ts'
import type { ChatState } from '../../conversation/state.ts'
import type { Race } from '../../race/race-record.ts'
import type { FoundEntrant } from '../../race/race-steps.ts'
import { eventsOf, readSessionInPieces } from '../../storage/sessions/read-session.ts'
import { openSessionFiles } from '../../storage/sessions/session-files.ts'
import { workFolder } from '../../worktrees/record.ts'
import type { RaceParts } from './race-parts.ts'

/** The conversation of a session; null if it is not on the disk. */
export async function readChat(stateFolder: string, session: string): Promise<ChatState | null> {
  try {
    const path = openSessionFiles(stateFolder, '').pathOf(session)
    if (path === null) return null
    const fold = createFold()
    await readSessionInPieces(path, lines => {
      fold.add(eventsOf(lines))
      return true
    })
    return fold.chat()
  } catch {
    // It was deleted meanwhile, or the disk does not give it.
    return null
  }
}

/**
 * What there is of each: a kill may have come between the making of a worktree, or the start of a conversation, and the record of that. One
 * worktree is made at a time.
 */
export async function findLost(
  { entrants, folder, prompt, at }: Race,
  { worktrees, background, stateFolder, redact }: RaceParts,
): Promise<FoundEntrant[]> {
  const [listed, rows] = [await worktrees.list(folder), await background.list()]
  const known = new Set(entrants.map(({ worktree }) => worktree?.folder))
  const words = redact(prompt)
  const lost = (listed.ok ? listed.value : [])
    .map(({ worktree }) => worktree)
    .find(each => each.prompt === words && each.at >= at && !known.has(each.folder))
  return entrants.map(({ step, worktree, session }) => {
    const own =
      worktree ??
      (step === 'making' && lost ? { folder: lost.folder, branch: lost.branch, work: workFolder(lost) } : null)
    if (own === null || session !== null) return { session, worktree: own }
    const live = rows.find(({ path }) => path === own.work)?.backgroundId
    return { session: live ?? newestIn(stateFolder, own.work), worktree: own }
  })
}

function newestIn(stateFolder: string, folder: string): string | null {
  try {
    return openSessionFiles(stateFolder, folder).newest()
  } catch {
    // There are none, or the disk does not give them.
    return null
  }
}

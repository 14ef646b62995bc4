/** What comes next in a race, and what is known of one whose program has ended. Pure. */
import type { Entrant, Race } from './race-record.ts'

export const isAtWork = ({ step }: Pick<Entrant, 'step'>): boolean =>
  step === 'making' || step === 'starting' || step === 'working'

/** Whether nothing happens any more unless the person wants it. */
export function isOver({ entrants, checkCommand }: Race): boolean {
  return entrants.every(each => !isAtWork(each) && each.step !== 'waiting' && !isCheckDue(each, checkCommand))
}

/** Whether it is over, and nothing of it waits for the person: each worktree was taken, was discarded, or is gone. */
export function isSettled(race: Race, hasWorktree: (folder: string) => boolean): boolean {
  const { entrants } = race
  const isLeft = ({ worktree, isPicked, isDiscarded }: Entrant): boolean =>
    worktree !== null && !isPicked && !isDiscarded && hasWorktree(worktree.folder)
  return isOver(race) && !entrants.some(isLeft)
}

/** The check runs once, after a turn that has come to its end. */
function isCheckDue({ step, check, isDiscarded }: Entrant, checkCommand: string | null): boolean {
  if (checkCommand === null || isDiscarded) return false
  return (step === 'done' && check === null) || check?.state === 'running'
}

/** The one whose check runs next: one at a time, so that they do not disturb each other; -1 for none. */
export function nextCheck({ entrants, checkCommand }: Race): number {
  if (entrants.some(({ check }) => check?.state === 'running')) return -1
  return entrants.findIndex(each => isCheckDue(each, checkCommand))
}

/** The one that begins next while there is room for a turn; -1 for none. */
export function nextToBegin({ entrants }: Race): number {
  return entrants.findIndex(({ step }) => step === 'waiting')
}

export function withEntrant(race: Race, at: number, change: Partial<Entrant>): Race {
  return { ...race, entrants: race.entrants.map((each, index) => (index === at ? { ...each, ...change } : each)) }
}

/** What is there of an entrant whose program was killed: its conversation if one works in its worktree, and its worktree. */
export type FoundEntrant = { session: string | null; worktree: Entrant['worktree'] }

/** An entrant after the program that ran the race has ended. Nothing begins again by itself: that would cost money unasked. */
export function recovered(entrant: Entrant, found: FoundEntrant): Entrant {
  const { step, check } = entrant
  const kept: Entrant = { ...entrant, check: check?.state === 'running' ? { ...check, state: 'cut' } : check }
  const worktree = entrant.worktree ?? found.worktree
  const session = entrant.session ?? found.session
  if (step === 'making' || step === 'starting') {
    if (session !== null) return { ...kept, worktree, session, step: 'working' }
    const where = worktree === null ? '' : ' Its worktree is there, with nothing in it.'
    return { ...kept, worktree, step: 'failed', problem: `zotui ended before its agent had started.${where}` }
  }
  return { ...kept, worktree, session }
}

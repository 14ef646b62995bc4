/**
 * The mark of a move that is not over, a file beside git's own in the folder there. By it the next move knows what a killed zotui has left:
 * half a folder goes, and anything in which an agent may have worked stays.
 */
import { posix } from 'node:path'
import { isOwnerDead } from '../platform/owner-state.ts'
import { ownName } from '../platform/owner.ts'
import { MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'

const NAME = 'zotui-move'

/** `half`: files are being written. `whole`: all are there, and the agent is being started. */
type MoveState = 'half' | 'whole'

export const markIn = (gitDir: string): string => posix.join(gitDir, NAME)

/** @throws MoveProblem */
export async function writeMark(side: MoveSide, gitDir: string, state: MoveState): Promise<void> {
  await side.note(markIn(gitDir), `${state} ${ownName()}`)
}

/** The words of the mark if half of a folder is there that nobody writes any more; null if there is no mark. @throws MoveProblem */
export async function leftHalf(side: MoveSide, folder: string): Promise<string | null> {
  const mark = await side.noted(markIn(posix.join(folder, '.git')))
  if (mark === null) return null
  const [state, owner = ''] = mark.split(' ')
  // A program of another machine cannot be seen.
  if (state === 'half' && isOwnerDead(owner, Date.now, Date.now())) return mark
  const what = state === 'half' ? 'is the folder of a move that is not over' : 'came with a move that was cut off'
  throw new MoveProblem(`${folder} on ${side.name} ${what}`, 'Remove it there if nobody uses it, or name another one.')
}

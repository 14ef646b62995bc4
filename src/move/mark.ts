/**
 * The mark of a move that is not over, a file beside git's own in the folder there. By it the next move knows what a killed zotui has left:
 * half a folder goes, a checkout becomes what it was, and anything in which an agent may have worked stays.
 */
import { posix } from 'node:path'
import { z } from 'zod'
import { isOwnerDead } from '../platform/owner-state.ts'
import { ownName } from '../platform/owner.ts'
import { parseJson } from '../text/json.ts'
import { MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'

const NAME = 'zotui-move'

/** `half`: files are being written. `whole`: all are there, and the agent is being started. */
type MoveState = 'half' | 'whole'

/** The branches that moves make in checkouts begin with this. */
export const OWN_BRANCH = 'zotui-moved-'

const oid = z.string().regex(/^[\da-f]{40,64}$/)
const branch = z.string().regex(/^[^-][^\p{Cc} ~^:?*[\\]*$/u)

/** What a move does to a checkout that was there before. */
const checkoutSchema = z.object({
  /** The branch and the commit that were checked out; null for a commit without a branch. */
  before: branch.nullable(),
  former: oid,
  /** The branch that the move makes, its commit of all files, and the last real one. */
  branch: branch.startsWith(OWN_BRANCH),
  commit: oid,
  head: oid,
})

export type MarkedCheckout = z.infer<typeof checkoutSchema>

export type MoveMark = {
  /** All of it, as it is in the file. */
  text: string
  state: MoveState
  /** Whether the zotui that wrote it has ended. One of another machine cannot be seen. */
  isLeft: boolean
  /** Null for a folder that the move has made. */
  checkout: MarkedCheckout | null
}

/** What git has written in a repository that a move makes, until an agent or a person works there. */
const OF_HALF =
  /^(?:HEAD|ORIG_HEAD|config|index|logs|objects|refs|reftable|sharedindex\..+|.+\.lock|zotui-move(?:\.new)?)$/

export const markIn = (gitDir: string): string => posix.join(gitDir, NAME)

/** @throws MoveProblem */
export async function writeMark(
  side: MoveSide,
  gitDir: string,
  state: MoveState,
  checkout?: MarkedCheckout,
): Promise<void> {
  const more = checkout ? ` ${JSON.stringify(checkout)}` : ''
  await side.note(markIn(gitDir), `${state} ${ownName()}${more}`)
}

/** Null if there is none. One that cannot be read counts as that of a move which goes on. @throws MoveProblem */
export async function readMark(side: MoveSide, gitDir: string): Promise<MoveMark | null> {
  const text = await side.noted(markIn(gitDir))
  if (text === null) return null
  const [, state, owner = '', more] = /^(half|whole) ([\da-f]{8}-\S+)(?: ([^]+))?$/.exec(text) ?? []
  const checkout = more === undefined ? null : checkoutSchema.safeParse(parseJson(more))
  return {
    text,
    state: state === 'whole' ? 'whole' : 'half',
    isLeft: checkout?.success !== false && isOwnerDead(owner, Date.now, Date.now()),
    checkout: checkout?.data ?? null,
  }
}

/** A folder that the move has made, and that nobody writes any more: the text of its mark; null if it has none. @throws MoveProblem */
export async function leftHalf(side: MoveSide, folder: string): Promise<string | null> {
  const mark = await readMark(side, posix.join(folder, '.git'))
  if (mark === null || mark.checkout !== null) return null
  if (mark.state === 'half' && mark.isLeft) {
    // The commands of an agent can write such a mark, too.
    const others = (await side.names(posix.join(folder, '.git'))).filter(name => !OF_HALF.test(name))
    if (others.length === 0) return mark.text
    throw new MoveProblem(
      `${folder} on ${side.name} has the mark of a move that was cut off, and .git/${others[0]}, which no move makes`,
      `Look there what it has. If it is yours, remove ${markIn('.git')} there.`,
    )
  }
  throw new MoveProblem(
    `${folder} on ${side.name} ${mark.state === 'half' ? GOES_ON : CUT_OFF}`,
    'Remove it there if nobody uses it, or name another one.',
  )
}

export const GOES_ON = 'is the folder of a move that is not over'
export const CUT_OFF = 'came with a move that was cut off'

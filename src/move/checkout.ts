/** A checkout on the other side that half of a move has changed becomes what it was, unless somebody has worked in it since. */
import { quoted } from '../platform/shell/quoting.ts'
import { isCleanLook, lookAt, type MoveLook } from './look.ts'
import { CUT_OFF, GOES_ON, markIn, readMark, type MarkedCheckout } from './mark.ts'
import { filesBetweenTrees, sealAt } from './pack.ts'
import { answerFrom, lineFrom, MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'

/** The text of the mark of half a move in a checkout that nobody writes any more; null for none. @throws MoveProblem */
export async function leftInCheckout(side: MoveSide, look: MoveLook): Promise<string | null> {
  const mark = await readMark(side, look.gitDir)
  if (mark === null) return null
  const place = `${look.top} on ${side.name}`
  if (mark.isLeft && mark.state === 'half') return mark.text
  if (mark.state === 'half')
    throw new MoveProblem(`${place} ${GOES_ON}`, `Remove ${markIn(look.gitDir)} there if none runs.`)
  // Who has left its branch has looked at its work.
  if (mark.checkout === null || look.branch !== mark.checkout.branch) return null
  const back = mark.checkout.before ?? mark.checkout.former
  throw new MoveProblem(
    `the branch ${mark.checkout.branch} in ${place} ${CUT_OFF}, and an agent may have worked on it`,
    `Save there what you want to keep, and then: git checkout ${quoted(back)}.`,
  )
}

/** Makes it what it was. Resolves to how it is then. @throws MoveProblem if something in it is neither as before nor as the move made it. */
export async function restoreCheckout(
  side: MoveSide,
  look: MoveLook,
  left: string,
  temporary: string,
): Promise<MoveLook> {
  const mark = await readMark(side, look.gitDir)
  const { checkout } = mark ?? { checkout: null }
  if (mark?.text !== left || checkout === null) throw changed(side, look)
  const { before, former, branch } = checkout
  const now = await lookAt(side, look.top)
  const trees = await treesOf(side, now, checkout, temporary)
  await requireUntouched(side, now, checkout, trees)
  // The index of the seal lists every file as it is now, so that git leaves alone whatever has changed.
  const own = await side.git(look.top, { GIT_INDEX_FILE: `${temporary}/index` })
  await answerFrom(own, ['read-tree', '-m', '-u', trees.now, trees.before], side.name)
  const git = await side.git(look.top)
  const head = before === null ? ['update-ref', '--no-deref', 'HEAD', former] : ['symbolic-ref', 'HEAD', ref(before)]
  if (now.branch !== before) await answerFrom(git, head, side.name)
  await answerFrom(git, ['reset', '--quiet', '--mixed', former, '--'], side.name)
  await git(['branch', '-D', '--quiet', '--', branch])
  const after = await lookAt(side, look.top)
  if (!isCleanLook(after) || after.head !== former || after.branch !== before) throw changed(side, look)
  if (!(await side.remove(markIn(look.gitDir)))) throw changed(side, look)
  return after
}

const ref = (branch: string): string => `refs/heads/${branch}`

const changed = (side: MoveSide, { top }: MoveLook): MoveProblem =>
  new MoveProblem(`${top} on ${side.name} has changed since the move that was cut off`, 'Look there what it has.')

type CheckoutTrees = { before: string; target: string; now: string }

async function treesOf(
  side: MoveSide,
  look: MoveLook,
  { former, commit }: MarkedCheckout,
  temporary: string,
): Promise<CheckoutTrees> {
  const git = await side.git(look.top)
  const before = await lineFrom(git, ['rev-parse', '--verify', `${former}^{tree}`], side.name)
  // Its commits may not have arrived.
  const target = await git(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`])
  const { tree: now } = await sealAt(side, look, temporary)
  return { before, target: target.ok ? target.bytes.toString().trim() : before, now }
}

/** @throws MoveProblem */
async function requireUntouched(
  side: MoveSide,
  look: MoveLook,
  { before, former, branch, commit, head }: MarkedCheckout,
  trees: CheckoutTrees,
): Promise<void> {
  const git = await side.git(look.top)
  const tip = async (name: string): Promise<string> => {
    const answer = await git(['rev-parse', '--verify', '--quiet', ref(name)])
    return answer.ok ? answer.bytes.toString().trim() : ''
  }
  const isOwn = look.branch === branch ? [commit, head].includes(look.head) : look.branch === before
  const isSame = isOwn && (look.branch === branch || look.head === former)
  const isFormer = before === null || (await tip(before)) === former
  if (!isSame || !isFormer || !['', commit, head].includes(await tip(branch))) throw changed(side, look)
  const [differing, others] = await Promise.all([
    filesBetweenTrees(side, look.top, trees.before, trees.now),
    filesBetweenTrees(side, look.top, trees.now, trees.target),
  ])
  const unlike = new Set(others.map(({ path }) => path))
  const found = differing.find(({ path }) => unlike.has(path))
  if (found)
    throw new MoveProblem(
      `${found.path} in ${look.top} on ${side.name} is neither as before the move that was cut off nor as that made it`,
      'Look there what it has.',
    )
}

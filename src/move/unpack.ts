/** Unpacks a folder on the other side: into a new repository, or on a new branch of a clean one. Undone, it leaves nothing behind. */
import { posix } from 'node:path'
import { leftInCheckout, restoreCheckout } from './checkout.ts'
import { lookAt, isCleanLook, type MoveLook } from './look.ts'
import { leftHalf, markIn, OWN_BRANCH, writeMark, type MarkedCheckout } from './mark.ts'
import { sealAt, type MovePack } from './pack.ts'
import { answerFrom, lineFrom, MoveProblem } from './problem.ts'
import type { MoveSide } from './side.ts'
import type { Undoing } from './undoing.ts'

/** Where a folder would be unpacked. */
export type MovePlace =
  /** `isMade`: the folder is there already, and empty. `left`: it has half of a move that was cut off, by this mark. */
  | { kind: 'new'; folder: string; isMade: boolean; left: string | null }
  /** `left`: half of a move that was cut off has changed it, by this mark. */
  | { kind: 'repository'; look: MoveLook; left: string | null }

/** What is at the place. Nothing is ever overwritten. @throws MoveProblem if it is of no use. */
export async function placeAt(side: MoveSide, folder: string): Promise<MovePlace> {
  const kind = await side.kind(folder)
  const { name } = side
  if (kind === 'other') throw new MoveProblem(`${folder} on ${name} is no folder`, OTHER)
  if (kind !== 'folder') return { kind: 'new', folder, isMade: kind === 'empty folder', left: null }
  const left = await leftHalf(side, folder)
  if (left !== null) return { kind: 'new', folder, isMade: false, left }
  if (!(await side.names(folder)).includes('.git'))
    throw new MoveProblem(`${folder} on ${name} has files, and is not the top of a git repository`, OTHER)
  const look = await lookAt(side, folder)
  const half = await leftInCheckout(side, look)
  if (half === null && !isCleanLook(look))
    throw new MoveProblem(`${folder} on ${name} has ${look.changed + look.fresh} uncommitted files`, OTHER)
  return { kind: 'repository', look, left: half }
}

/** Takes back what half of a move has left in a checkout, so that it is as it was before. @throws MoveProblem */
export async function clearedPlace(side: MoveSide, place: MovePlace, temporary: string): Promise<MovePlace> {
  if (place.kind === 'new' || place.left === null) return place
  return { ...place, look: await restoreCheckout(side, place.look, place.left, temporary), left: null }
}

const OTHER = 'Name another folder there: /move ssh:HOST:DIR.'

export type UnpackedFolder = {
  /** The topmost folder of the working tree, without links. */
  top: string
  branch: string | null
  /** Says that all of it is there, and that an agent may work there from now on. @throws MoveProblem */
  markWhole: () => Promise<void>
  /** The move is over. */
  unmark: () => Promise<void>
}

/**
 * `bundle` is the path of the bundle on this side. Afterwards the working tree is as it was packed: what was not committed is not committed
 * here either.
 *
 * @throws MoveProblem. What was done by then is in `undoing`.
 */
export async function unpackAt(
  side: MoveSide,
  place: MovePlace,
  { pack, bundle, temporary, undoing }: { pack: MovePack; bundle: string | null; temporary: string; undoing: Undoing },
): Promise<UnpackedFolder> {
  const { name: where } = side
  const top = place.kind === 'new' ? place.folder : place.look.top
  const gitDir = place.kind === 'new' ? posix.join(top, '.git') : place.look.gitDir
  const checkout = place.kind === 'new' ? undefined : await markedFor(side, place.look, pack)
  if (place.kind === 'new') await begin(side, place, pack, undoing)
  else {
    undoing.add(`the file ${markIn(gitDir)}`, async () => side.remove(markIn(gitDir)))
    await writeMark(side, gitDir, 'half', checkout)
  }
  const git = await side.git(top)
  if (bundle !== null) {
    const hash = await lineFrom(git, ['hash-object', '--no-filters', '--', bundle], where)
    if (hash !== pack.hash) throw new MoveProblem('the bundle has changed on its way')
    await answerFrom(git, ['bundle', 'unbundle', bundle], where)
  }
  const branch = await checkOut(side, place, pack, { name: checkout?.branch ?? pack.branch, undoing })
  const look = await lookAt(side, top)
  const { tree } = await sealAt(side, look, temporary)
  if (tree !== pack.tree || look.head !== pack.head)
    throw new MoveProblem(`the files${where === '' ? '' : ` on ${where}`} differ from those that were packed`)
  return {
    top: look.top,
    branch,
    markWhole: async () => writeMark(side, gitDir, 'whole', checkout),
    unmark: async () => void (await side.remove(markIn(gitDir))),
  }
}

async function markedFor(side: MoveSide, look: MoveLook, { commit, head, branch }: MovePack): Promise<MarkedCheckout> {
  return { before: look.branch, former: look.head, branch: await freeBranch(side, look.top, branch), commit, head }
}

async function begin(
  side: MoveSide,
  { folder, isMade, left }: Extract<MovePlace, { kind: 'new' }>,
  { format }: MovePack,
  undoing: Undoing,
): Promise<void> {
  if (left !== null) await clear(side, folder, left)
  // Of two programs that make it at once, one gets it.
  const isOurs = left !== null || (!isMade && (await side.make(folder)))
  if (!isOurs && (await side.kind(folder)) !== 'empty folder')
    throw new MoveProblem(`${folder}${side.name === '' ? '' : ` on ${side.name}`} is not empty any more`)
  undoing.add(`the folder ${folder}`, async () =>
    isOurs ? side.remove(folder) : side.empty(folder, posix.basename(markIn(''))),
  )
  await writeMark(side, posix.join(folder, '.git'), 'half')
  const git = await side.git(folder)
  await answerFrom(git, ['init', '--quiet', '--template=', `--object-format=${format}`], side.name)
}

/** Removes half of a move that was cut off. @throws MoveProblem */
async function clear(side: MoveSide, folder: string, left: string): Promise<void> {
  const isSame = (await leftHalf(side, folder)) === left
  if (!isSame) throw new MoveProblem(`${folder} on ${side.name} has changed since you were asked`)
  if (await side.empty(folder, posix.basename(markIn('')))) return
  throw new MoveProblem(`what a move that was cut off has left in ${folder} on ${side.name} cannot be removed`)
}

async function checkOut(
  side: MoveSide,
  place: MovePlace,
  { commit, head }: MovePack,
  { name, undoing }: { name: string | null; undoing: Undoing },
): Promise<string | null> {
  const { name: where } = side
  const isNew = place.kind === 'new'
  const git = await side.git(isNew ? place.folder : place.look.top)
  const way = name === null ? ['--detach'] : ['--no-track', '-b', name]
  if (!isNew && name !== null)
    undoing.add(`the branch ${name} in ${place.look.top}`, async () =>
      leaveBranch(side, place.look, { name, commit, head }),
    )
  await answerFrom(git, ['checkout', '--quiet', '--no-overwrite-ignore', ...way, commit, '--'], where)
  // The branch ends with the last real commit, and what was not committed is so here, too.
  await answerFrom(git, ['reset', '--quiet', '--mixed', head, '--'], where)
  return name
}

/** Checks out what was there before, and removes the branch. Whatever is not as we made it stays: then this resolves to false. */
async function leaveBranch(
  side: MoveSide,
  { top, branch: before, head: former }: MoveLook,
  { name, commit, head }: { name: string; commit: string; head: string },
): Promise<boolean> {
  const git = await side.git(top)
  const refs = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`])
  if (!refs.ok) return refs.why === 'failed' && refs.words === ''
  const tip = refs.bytes.toString().trim()
  if (tip !== commit && tip !== head) return false
  const current = await git(['symbolic-ref', '--quiet', 'HEAD'])
  if (current.ok && current.bytes.toString().trim() === `refs/heads/${name}`) {
    const target = before === null ? ['--detach', former] : [before]
    // With the commit of all files nothing is uncommitted, so that git refuses to lose what somebody has changed.
    const isReady = (await git(['reset', '--quiet', '--mixed', commit, '--'])).ok
    if (!isReady || !(await git(['checkout', '--quiet', '--no-overwrite-ignore', ...target, '--'])).ok) return false
  }
  return (await git(['branch', '-D', '--quiet', '--', name])).ok
}

/** A name like that of the branch that no branch has. @throws MoveProblem */
async function freeBranch(side: MoveSide, top: string, branch: string | null): Promise<string> {
  const git = await side.git(top)
  const refs = (await lineFrom(git, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'], side.name)).split('\n')
  const own = `${OWN_BRANCH}${(branch ?? 'commit').replaceAll('/', '-')}`
  for (let number = 1; number < 1000; number += 1) {
    const name = number === 1 ? own : `${own}-${number}`
    if (!refs.some(each => each === name || each.startsWith(`${name}/`))) return name
  }
  throw new MoveProblem(`there are too many branches named ${own}`)
}

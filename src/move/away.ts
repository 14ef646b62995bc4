/** Carries a folder to another machine: first what would happen, and then that. Here nothing but objects of git is added. */
import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { RemoteMachine } from '../platform/remote/machine.ts'
import { lookAt, type MoveLook } from './look.ts'
import { knownCommits, packAt, sealAt, tipsOf, type MovePack } from './pack.ts'
import { answerFrom, MoveProblem } from './problem.ts'
import { keptRef } from './record.ts'
import type { MoveSide, OwnFolder } from './side.ts'
import { sendFile } from './transfer.ts'
import { createUndoing, type Undoing } from './undoing.ts'
import { clearedPlace, placeAt, unpackAt, type MovePlace, type UnpackedFolder } from './unpack.ts'

export type MoveAway = {
  /** Names the move in git's references. */
  id: string
  look: MoveLook
  place: MovePlace
  pack: MovePack
  undoing: Undoing
  /** Removes what was only needed for the move. Never rejects. */
  end: () => Promise<void>
  own: OwnFolder
}

export type MoveSides = { here: MoveSide; there: MoveSide; machine: RemoteMachine }

/** Bytes that must be free beside what is sent. */
const SPARE = 16 * 1024 * 1024

/** Finds what would go, and packs it here. Nothing is written there. @throws MoveProblem */
export async function prepareAway(
  { here, there }: MoveSides,
  { folder, folderThere }: { folder: string; folderThere: string },
): Promise<MoveAway> {
  const look = await lookAt(here, folder)
  await answerFrom(await there.git(there.home), ['version'], there.name)
  const place = await placeAt(there, folderThere)
  const known = place.kind === 'repository' ? await commonCommits({ here, there }, look, place.look) : []
  const own = await here.temporary()
  const undoing = createUndoing()
  try {
    const seal = await sealAt(here, look, own.path)
    const id = randomBytes(8).toString('hex')
    const pack = await packAt(here, look, seal, { temporary: own.path, known, id })
    const room = await there.room(folderThere)
    // The bundle, its objects, and the files.
    if (room !== null && room < 3 * pack.bytes + SPARE)
      throw new MoveProblem(`there is too little room on ${there.name}`)
    return { id, look, place, pack, undoing, own, end: async () => void (await own.remove()) }
  } catch (error) {
    await own.remove()
    throw error
  }
}

/** The commits that both have. Without one it is another repository. @throws MoveProblem */
async function commonCommits(
  { here, there }: Pick<MoveSides, 'here' | 'there'>,
  look: MoveLook,
  other: MoveLook,
): Promise<string[]> {
  if (look.format !== other.format) throw new MoveProblem(`${other.top} on ${there.name} is another repository`)
  const theirs = await knownCommits(here, look.top, await tipsOf(there, other.top))
  const ours = await knownCommits(there, other.top, await tipsOf(here, look.top))
  const both = [...new Set([...theirs, ...ours])]
  if (both.length > 0) return both
  throw new MoveProblem(
    `${other.top} on ${there.name} is another repository`,
    'Name another folder there: /move ssh:HOST:DIR.',
  )
}

/** Sends it and unpacks it there. What was done by then is in `undoing` of `away` if it fails. @throws MoveProblem */
export async function carryAway(
  { here, there, machine }: MoveSides,
  { id, look, place, pack, undoing }: MoveAway,
  { progress, signal }: { progress: (share: number) => void; signal: AbortSignal },
): Promise<UnpackedFolder & { folder: string }> {
  const other = await there.temporary()
  undoing.add(`the folder ${other.path}`, async () => other.remove())
  undoing.add('a git that still runs', async () => {
    await there.settle()
    return true
  })
  const cleared = await clearedPlace(there, place, other.path)
  const bundle = pack.bundle === null ? null : posix.join(other.path, 'bundle')
  if (pack.bundle !== null && bundle !== null)
    await sendFile({ machine, here: pack.bundle, there: bundle, bytes: pack.bytes, progress, signal })
  const unpacked = await unpackAt(there, cleared, { pack, bundle, temporary: other.path, undoing })
  await other.remove()
  // Here git keeps the files as they were, so that what comes back can be compared.
  const git = await here.git(look.top)
  await answerFrom(git, ['update-ref', keptRef({ id }), pack.commit], here.name)
  undoing.add(
    'a reference of git',
    async () => (await (await here.git(look.top))(['update-ref', '-d', keptRef({ id })])).ok,
  )
  return { ...unpacked, folder: posix.join(unpacked.top, look.prefix) }
}

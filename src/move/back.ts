/** Fetches a folder from another machine, where it moved to. Here only objects of git are added until the person has been asked. */
import { join, posix } from 'node:path'
import type { MoveSides } from './away.ts'
import { bringInto, bringToWorktree, planBringing, takeIn, type BringPlan } from './bring.ts'
import { lookAt, type MoveLook } from './look.ts'
import { knownCommits, packAt, sealAt, tipsOf, type MovePack } from './pack.ts'
import { MoveProblem } from './problem.ts'
import { keptRef, type MoveRecord } from './record.ts'
import { fetchFile } from './transfer.ts'
import type { OwnFolder } from './side.ts'

export type MoveBack = {
  /** The folder there as it is. */
  look: MoveLook
  pack: MovePack
  plan: BringPlan
  /** Carries out the plan for the person's own folder. Resolves to how it is undone: to whether that worked. @throws MoveProblem */
  into: () => Promise<() => Promise<boolean>>
  /** Fills a new worktree. Resolves to the last commit that both have; null for none. @throws MoveProblem */
  toWorktree: (folder: string) => Promise<string | null>
  /** Removes what was only needed for the move; with `isDone` also the references that kept the files. Never rejects. */
  end: (isDone: boolean) => Promise<void>
}

/** @throws MoveProblem, and leaves nothing then. */
export async function fetchBack(
  sides: MoveSides,
  record: MoveRecord,
  how: { progress: (share: number) => void; signal: AbortSignal },
): Promise<MoveBack> {
  const { here } = sides
  const own = await here.temporary()
  try {
    return await fetched(sides, record, own, how)
  } catch (error) {
    await own.remove()
    throw error
  }
}

async function fetched(
  { here, there, machine }: MoveSides,
  record: MoveRecord,
  own: OwnFolder,
  { progress, signal }: { progress: (share: number) => void; signal: AbortSignal },
): Promise<MoveBack> {
  if ((await here.kind(record.top)) !== 'folder') throw new MoveProblem(`the folder ${record.top} is gone here`)
  const look = await lookAt(there, record.there.folder)
  const { pack, bundle } = await packThere()
  const ref = `${keptRef(record)}-back`
  await takeIn(here, { top: record.top, ref }, pack, bundle)
  const plan = await planBringing(here, record, pack, own.path)
  return {
    look,
    pack,
    plan,
    async into() {
      if (plan.way !== 'into') throw new MoveProblem(plan.why)
      return bringInto(here, record, pack, { shown: plan, temporary: own.path })
    },
    toWorktree: async folder => (await bringToWorktree(here, folder, pack)).base,
    async end(isDone) {
      await own.remove()
      if (!isDone) return
      const git = await here.git(record.top)
      for (const each of [ref, keptRef(record)]) await git(['update-ref', '-d', each])
    },
  }

  async function packThere(): Promise<{ pack: MovePack; bundle: string | null }> {
    const temporary = await there.temporary()
    try {
      const known = [
        ...(await knownCommits(there, look.top, [record.commit, ...(await tipsOf(here, record.top))])),
        ...(await knownCommits(here, record.top, await tipsOf(there, look.top))),
      ]
      const seal = await sealAt(there, look, temporary.path)
      const options = { temporary: temporary.path, known: [...new Set(known)], id: record.id }
      const pack = await packAt(there, look, seal, options)
      requireNames(pack, record, there.name)
      if (pack.bundle === null) return { pack, bundle: null }
      const room = await here.room(own.path)
      if (room !== null && room < 2 * pack.bytes) throw new MoveProblem('there is too little room here')
      const bundle = join(own.path, 'bundle')
      const from = posix.join(temporary.path, posix.basename(pack.bundle))
      await fetchFile({ machine, here: bundle, there: from, bytes: pack.bytes, progress, signal })
      return { pack, bundle }
    } finally {
      await there.settle()
      await temporary.remove()
    }
  }
}

/** Git takes an argument that begins with a dash for a flag, some of which write files. What the other machine says must be names of objects. */
function requireNames({ tree, commit, head, bundle, hash, bytes }: MovePack, record: MoveRecord, where: string): void {
  const names = [tree, commit, head, ...(bundle === null ? [] : [hash])]
  const areNames = names.every(name => /^[\da-f]+$/.test(name) && name.length === record.head.length)
  if (!areNames || !Number.isSafeInteger(bytes)) throw new MoveProblem(`${where} says what no git says`)
}

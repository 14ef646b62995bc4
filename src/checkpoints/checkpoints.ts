/** Checkpoints: earlier states of a folder's files, to compare with and to restore. */
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { messageOf } from '../platform/errors.ts'
import { isWithin } from '../platform/within.ts'
import { openOwnWrites } from '../storage/journal/own-writes.ts'
import { claim, claimedAt, isOpen } from '../storage/sessions/claim.ts'
import { importChanged, patchOf } from './compare.ts'
import { changedByUser, makePlan, type RestorePlan } from './plan.ts'
import { localDisk, type Disk } from './disk.ts'
import { beginWriting, cleanUp, endInPart, endWriting, unfinishedName } from './interrupted.ts'
import { findProject, type Project } from './project.ts'
import { prune } from './prune.ts'
import {
  readAll,
  remove,
  store,
  type ChangeAuthor,
  type Checkpoint,
  type CheckpointFacts,
  type CheckpointLink,
} from './record.ts'
import { remoteDisk, type OtherMachine } from './remote-disk.ts'
import type { Restored } from './restore.ts'
import { answerOf, durably, openShadow, removeLocks, shadowFolder, shadowsFolder, type Shadow } from './shadow.ts'
import { takeSnapshot, TooBig, type Snapshot, type SnapshotLimits } from './snapshot.ts'

export type CheckpointOptions = {
  folder: string
  stateFolder: string
  /** The user's home folder, on the machine of the folder. */
  home: string
  /** The folder's machine, if it is not this one. Checkpoints are stored there. */
  remote?: OtherMachine | undefined
  env: NodeJS.ProcessEnv
  now: () => number
  limits?: Partial<SnapshotLimits>
  /** The time limit of each git command, in milliseconds. */
  gitLimit?: number
}

/** `why` completes a sentence: `Files are not kept: ...`. */
export type CheckpointAnswer<Value> = { ok: true; value: Value } | { ok: false; why: string }

export type Moment = {
  /** The author of the changes since the previous checkpoint. */
  by: ChangeAuthor
  session: string | null
  /** A label, such as the prompt. */
  label: string
  /** The folders that the user has opened beside the project's, without links. */
  folders?: readonly string[]
}

export type RestorePreview = RestorePlan & {
  checkpoint: Checkpoint
  /** The folder that the paths are relative to. */
  root: string
  /** The current state of the files. A restore is refused if they have changed since. */
  present: string
  /** The same of opened folders, whose files have absolute paths here. */
  inFolders?: readonly { root: string; present: string }[]
}

export type RestoreOptions = {
  session: string | null
  /** `present` of the preview. */
  expected?: string
  /** Paths that stay as they are. */
  keep?: readonly string[]
  /** The folders that are open beside the project's. */
  folders?: readonly string[]
  /** `inFolders` of the preview. */
  inFolders?: RestorePreview['inFolders']
}

export type RestoreResult = Restored & { checkpoint: string; undo: string }

/** No method rejects. Requests run one after another, even across processes that use the same folder. */
export type Checkpoints = {
  /** Reads the files in advance, so that the first checkpoint is quick. */
  read: (folders?: readonly string[]) => Promise<CheckpointAnswer<null>>
  /** Makes a checkpoint. If nothing has changed, returns the previous one. `unsaved` are opened folders that could not be saved with it. */
  make: (
    moment: Moment,
  ) => Promise<CheckpointAnswer<Checkpoint & { unsaved?: readonly { folder: string; why: string }[] }>>
  /** Oldest first. */
  list: () => Promise<CheckpointAnswer<readonly Checkpoint[]>>
  /** The effect of a restore. Changes that are not in a checkpoint yet count as the user's. */
  preview: (id: string, folders?: readonly string[]) => Promise<CheckpointAnswer<RestorePreview>>
  /** Makes a checkpoint, and then restores another one. */
  restore: (id: string, options: RestoreOptions) => Promise<CheckpointAnswer<RestoreResult>>
  /** The checkpoint that undoes the last restore. */
  lastUndo: () => Promise<CheckpointAnswer<string | null>>
  /** The unified diff from a checkpoint to the files as they are now. */
  diff: (id: string, paths?: readonly string[], folders?: readonly string[]) => Promise<CheckpointAnswer<Buffer>>
  /** Removes old checkpoints, and more where they take more than `most` bytes. Returns how many. */
  prune: (options: {
    most: number
    age: number
    isKept: (session: string) => boolean
  }) => Promise<CheckpointAnswer<number>>
}

/** The checkpoints of one folder. Its methods know nothing of other folders, except for links to their checkpoints. */
export type FolderCheckpoints = Omit<Checkpoints, 'make' | 'preview' | 'restore'> & {
  make: (
    moment: Omit<Moment, 'folders'> & { links?: readonly CheckpointLink[] },
  ) => Promise<CheckpointAnswer<Checkpoint>>
  /** With `within`, only files in these folders are restored. */
  preview: (id: string, within?: readonly string[]) => Promise<CheckpointAnswer<RestorePreview>>
  restore: (
    id: string,
    options: RestoreOptions & { within?: readonly string[]; links?: readonly CheckpointLink[] },
  ) => Promise<CheckpointAnswer<RestoreResult>>
  /** Where the files are kept from: the folder, or the repository that it is in. */
  place: () => Promise<CheckpointAnswer<{ root: string; isRepository: boolean }>>
}

type FolderRestore = Parameters<FolderCheckpoints['restore']>[1]

const LIMITS: SnapshotLimits = { mostOfOne: 100 * 2 ** 20, mostOfAll: 1024 * 2 ** 20, mostFiles: 200_000 }
/** Milliseconds of one question to git, and of waiting for another program. */
const GIT_LIMIT = 120_000
const LOCK_LIMIT = 30_000

export function createCheckpoints(options: CheckpointOptions): FolderCheckpoints {
  const { stateFolder, now, gitLimit = GIT_LIMIT } = options
  const limits = { ...LIMITS, ...options.limits }
  // Files of another machine are not looked at here.
  const ownWrites = options.remote ? null : openOwnWrites({ stateFolder, now })
  let opening: Disk | null = null
  let found: Promise<Project> | null = null
  let opened: Promise<Shadow> | null = null
  let last: Promise<unknown> = Promise.resolve()

  return {
    read: () =>
      alone(async shadow => {
        await takeSnapshot(shadow, limits)
        return null
      }),
    make: moment => alone(shadow => makeOne(shadow, moment)),
    list: () => alone(readAll),
    preview: (id, within) => alone(shadow => previewOf(shadow, id, within)),
    restore: (id, how) => alone(shadow => restore(shadow, id, how)),
    lastUndo: () =>
      alone(async shadow => (await readAll(shadow)).findLast(({ by }) => by === 'restore')?.restored?.undo ?? null),
    diff: (id, paths) =>
      alone(async shadow => {
        const target = await find(shadow, id)
        const { tree } = await takeSnapshot(shadow, limits)
        return patchOf(shadow, target.tree, tree, paths)
      }),
    place: () => alone(async ({ project: { root, git } }) => ({ root, isRepository: git !== null })),
    prune: ({ most, age, isKept }) =>
      alone(async shadow => {
        const isUsed = (folder: string): boolean =>
          isOpen(locksIn(stateFolder), lockName(shadow.disk, folder), claimedAt, now())
        return prune(shadow, { now: now(), most, age, isKept, isUsed })
      }),
  }

  function alone<Value>(work: (shadow: Shadow) => Promise<Value>): Promise<CheckpointAnswer<Value>> {
    const done = last.then(async (): Promise<CheckpointAnswer<Value>> => {
      try {
        const disk = openDisk()
        const project = await findFolder(disk)
        const release = await lock(lockName(disk, shadowFolder(disk, project)))
        try {
          opened ??= openShadow(project, { disk, limit: gitLimit })
          const shadow = await opened
          await removeLocks(shadow)
          await cleanUp(shadow)
          return { ok: true, value: await work(shadow) }
        } finally {
          release()
        }
      } catch (error) {
        found = null
        opened = null
        return { ok: false, why: messageOf(error) }
      }
    })
    last = done
    return done
  }

  /** @throws what the system throws */
  function openDisk(): Disk {
    const { remote, env } = options
    opening ??= remote ? remoteDisk(remote, options) : localDisk(shadowsFolder(stateFolder), env)
    return opening
  }

  async function findFolder(disk: Disk): Promise<Project> {
    found ??= findProject({ ...options, disk }).then(answer => {
      if (!answer.ok) throw new TooBig(answer.off)
      return answer.project
    })
    return found
  }

  async function lock(name: string): Promise<() => void> {
    const until = performance.now() + LOCK_LIMIT
    for (;;) {
      const claimed = claim(locksIn(stateFolder), name, claimedAt, now())
      if (claimed) return claimed.release
      if (performance.now() > until) throw new TooBig('another zotui is using them')
      // If two try at once, neither gets it.
      await wait(10 + Math.random() * 40)
    }
  }

  async function makeOne(
    shadow: Shadow,
    { links, ...moment }: Parameters<FolderCheckpoints['make']>[0],
  ): Promise<Checkpoint> {
    const snapshot = await takeSnapshot(shadow, limits)
    return keep(shadow, snapshot, { ...moment, ...linksOf(links) })
  }

  async function keep(
    shadow: Shadow,
    snapshot: Snapshot,
    moment: Pick<CheckpointFacts, 'by' | 'session' | 'label' | 'folders'>,
    restored: CheckpointFacts['restored'] = null,
    begun?: CheckpointFacts['begun'],
  ): Promise<Checkpoint> {
    const before = (await readAll(shadow)).at(-1)
    // A checkpoint goes with its session, so each session has its own.
    const isSame =
      before?.tree === snapshot.tree &&
      before.session === moment.session &&
      before.left.join('\0') === snapshot.left.join('\0') &&
      JSON.stringify(before.folders) === JSON.stringify(moment.folders)
    if (isSame && restored === null) return before
    const modes = new Map(Object.entries(before?.modes ?? {}))
    for (const path of snapshot.changed) modes.delete(path)
    for (const [path, mode] of snapshot.modes) modes.set(path, mode)
    const facts: CheckpointFacts = {
      version: 1,
      at: now(),
      ...moment,
      modes: Object.fromEntries(modes),
      left: [...snapshot.left],
      rules: shadow.project.rules,
      restored,
      ...(begun && { begun }),
    }
    const made = await store(shadow, snapshot.tree, facts)
    if (before) await importChanged(shadow, before.tree, snapshot.tree)
    return made
  }

  async function previewOf(shadow: Shadow, id: string, within?: readonly string[]): Promise<RestorePreview> {
    const checkpoint = await find(shadow, id)
    const { tree, left } = await takeSnapshot(shadow, limits)
    const users = await changedByUser(shadow, await readAll(shadow), id, { tree, by: 'user' })
    const plan = planWithin(await makePlan(shadow, checkpoint, { tree, left }, users), shadow.project.root, within)
    return {
      ...plan,
      files: withOwn(plan.files, shadow.project.root, checkpoint.at),
      checkpoint,
      root: shadow.project.root,
      present: tree,
    }
  }

  /** The files; what zotui wrote for the user while the agent worked is the user's, too. A restore is nobody's change. */
  function withOwn(files: RestorePlan['files'], root: string, since: number): RestorePlan['files'] {
    const named = files.map(({ path }) => join(root, path))
    const standing = ownWrites?.standing(named, since) ?? new Map<string, string>()
    const isUsers = (index: number): boolean => {
      const kind = standing.get(named[index] ?? '')
      return kind !== undefined && kind !== 'restore'
    }
    return files.map((file, index) => (isUsers(index) ? { ...file, byUser: true } : file))
  }

  async function restore(shadow: Shadow, id: string, how: FolderRestore): Promise<RestoreResult> {
    const { session, expected, within, keep: kept = [] } = how
    const target = await find(shadow, id)
    // From here on nothing of the files that are there may be lost, even if the machine stops.
    const durable = durably(shadow)
    const present = await takeSnapshot(durable, limits)
    if (expected !== undefined && expected !== present.tree) throw new TooBig('files have changed since the preview')
    const before = { by: 'user', session, label: `Before restoring ${id}`, ...linksOf(how.links) } as const
    const undo = await keep(durable, present, before)
    const whole = await makePlan(shadow, target, present, new Set())
    const { files, stay: staying } = planWithin(whole, shadow.project.root, within)
    const chosen = files.filter(({ path }) => !kept.includes(path))
    const link = { id, undo: undo.id }
    const beside = whole.files.filter(file => !files.includes(file))
    const stay = [...kept, ...[...staying, ...beside].map(({ path }) => path)]
    const begun = await keep(durable, present, { by: 'restore', session, label: `Restoring ${id}` }, link, {
      kept: stay,
    })
    await beginWriting(shadow, begun.id)
    const place = {
      root: shadow.project.root,
      variables: shadow.variables,
      contentOf: contentIn(shadow),
      unfinished: unfinishedName(begun.id),
    }
    const writing = (): Promise<Restored> => shadow.disk.restore(place, chosen, target.modes)
    const written = chosen.map(({ path }) => join(shadow.project.root, path))
    const done = await (ownWrites ? ownWrites.during('restore', written, writing) : writing())
    try {
      await (done.failed.length > 0 ? endInPart(shadow, begun) : endWriting(shadow))
      const after = await takeSnapshot(shadow, limits)
      await keep(shadow, after, { by: 'restore', session, label: `Restored ${id}` }, link)
      await remove(shadow, [begun.id])
    } catch {
      // The files are restored, and the next checkpoint contains them.
    }
    return { ...done, checkpoint: id, undo: undo.id }
  }
}

const linksOf = (links: readonly CheckpointLink[] = []): Pick<CheckpointFacts, 'folders'> =>
  links.length === 0 ? {} : { folders: [...links] }

/** What a plan does in these folders; all of it without them. */
function planWithin({ files, stay }: RestorePlan, root: string, within?: readonly string[]): RestorePlan {
  const isInside = ({ path }: { path: string }): boolean =>
    within?.some(folder => isWithin(folder, join(root, path))) ?? true
  return { files: files.filter(isInside), stay: stay.filter(isInside) }
}

const lockName = ({ name }: Disk, folder: string): string => name + basename(folder)

const locksIn = (stateFolder: string): string => join(shadowsFolder(stateFolder), 'in-use')

async function find(shadow: Shadow, id: string): Promise<Checkpoint> {
  const found = (await readAll(shadow)).find(each => each.id === id)
  if (!found) throw new TooBig(`there is no checkpoint ${id} here`)
  return found
}

/** Bytes of the largest file that is written back. */
const MOST_OF_ONE = 1024 * 1024 * 1024

const contentIn =
  ({ gitWithProject }: Shadow) =>
  async (oid: string): Promise<Buffer> =>
    answerOf(gitWithProject(['cat-file', 'blob', oid], MOST_OF_ONE))

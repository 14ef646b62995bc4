/**
 * The checkpoints of the project's folder, together with those of the folders that the user has opened beside it. Each folder keeps its own;
 * a checkpoint of the project names those of the others that belong to it, so that one id stands for all.
 */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { isWithin, pathWithin } from '../platform/within.ts'
import type {
  CheckpointAnswer,
  Checkpoints,
  FolderCheckpoints,
  Moment,
  RestoreOptions,
  RestorePreview,
  RestoreResult,
} from './checkpoints.ts'
import type { CheckpointLink } from './record.ts'

/** Milliseconds after which a failure is slow, and the slow failures in a row after which a folder holds up no more prompts. */
const SLOW = 500
const MOST_SLOW = 3

/** A place whose files are kept beside the project's: an opened folder, or the repository that it is in. */
type Opened = {
  root: string
  store: FolderCheckpoints
  /** The opened folders in it: nothing beside them is restored. */
  within: readonly string[]
}

type UnsavedFolder = { folder: string; why: string }

/** `open` makes the checkpoints of a folder. No method rejects. */
export function withFolders(own: FolderCheckpoints, open: (folder: string) => FolderCheckpoints): Checkpoints {
  const stores = new Map<string, FolderCheckpoints>()
  const slow = new Map<string, number>()

  return {
    ...own,
    async read(folders = []) {
      const answer = await own.read()
      const { there } = await openedOf(folders)
      for (const { store } of there) await store.read()
      return answer
    },
    make,
    preview,
    restore,
    async diff(id, paths, folders = []) {
      if (!paths?.some(isAbsolute)) return own.diff(id, paths)
      const { linked } = await linkedOf(id, folders)
      const patches: Buffer[] = []
      for (const { opened, link } of linked) {
        const inside = pathsIn(opened.root, paths)
        const answer = inside.length === 0 ? null : await opened.store.diff(link.id, inside)
        if (answer?.ok === false) return answer
        if (answer) patches.push(answer.value)
      }
      return { ok: true, value: Buffer.concat(patches) }
    },
    async prune(options) {
      const all = await own.list()
      const links = all.ok ? all.value.flatMap(({ folders = [] }) => folders) : []
      // What goes with a session goes in each folder. The limit of all is held once, by the project's.
      for (const root of new Set(links.map(link => link.root)))
        await storeOf(root).prune({ ...options, most: Infinity })
      const answer = await own.prune(options)
      // They may have been removed as a whole.
      stores.clear()
      return answer
    },
  }

  function storeOf(folder: string): FolderCheckpoints {
    const store = stores.get(folder) ?? open(folder)
    stores.set(folder, store)
    return store
  }

  /** The places of the opened folders, each once, without what the project's own checkpoints have. */
  async function openedOf(folders: readonly string[]): Promise<{ there: Opened[]; not: UnsavedFolder[] }> {
    const there: Opened[] = []
    const not: UnsavedFolder[] = []
    const mine = folders.length === 0 ? null : await own.place()
    if (!mine?.ok) return { there, not }
    // A folder comes before those in it.
    for (const folder of folders.toSorted((a, b) => a.length - b.length)) {
      const isSame = (await realpath(folder).catch(() => null)) === folder
      const place = isSame ? await storeOf(folder).place() : null
      if (!place) not.push({ folder, why: 'another folder is at its place now' })
      else if (!place.ok) not.push({ folder, why: place.why })
      else if (!has(mine.value.root, place.value)) {
        const { root } = place.value
        const known = there.findIndex(each => has(each.root, place.value))
        const before = there[known]
        if (before) there[known] = { ...before, within: [...before.within, folder] }
        else there.push({ root, store: storeOf(folder), within: [folder] })
      }
    }
    return { there, not }
  }

  async function make(moment: Moment): ReturnType<Checkpoints['make']> {
    const { there, not } = await openedOf(moment.folders ?? [])
    const links: CheckpointLink[] = []
    const unsaved = [...not]
    const { by, session, label } = moment
    for (const { root, store } of there) {
      if ((slow.get(root) ?? 0) >= MOST_SLOW) continue
      const begun = performance.now()
      const made = await store.make({ by, session, label })
      if (made.ok) links.push({ root, id: made.value.id })
      else unsaved.push({ folder: root, why: made.why })
      const isSlow = !made.ok && performance.now() - begun > SLOW
      slow.set(root, isSlow ? (slow.get(root) ?? 0) + 1 : 0)
    }
    const made = await own.make({ by, session, label, links })
    return made.ok ? { ok: true, value: { ...made.value, unsaved } } : made
  }

  /** The checkpoints of opened folders that belong to one of the project's. */
  async function linkedOf(id: string, folders: readonly string[]) {
    const all = await own.list()
    const links = (all.ok ? all.value.find(each => each.id === id)?.folders : null) ?? []
    const { there } = links.length === 0 ? { there: [] } : await openedOf(folders)
    const linked: { opened: Opened; link: CheckpointLink }[] = []
    const closed: string[] = []
    for (const link of links) {
      const opened = there.find(({ root }) => root === link.root)
      if (opened) linked.push({ opened, link })
      else closed.push(link.root)
    }
    return { linked, closed }
  }

  async function preview(id: string, folders: readonly string[] = []): Promise<CheckpointAnswer<RestorePreview>> {
    const answer = await own.preview(id)
    if (!answer.ok) return answer
    const { linked, closed } = await linkedOf(id, folders)
    const files = [...answer.value.files]
    const stay = [...answer.value.stay, ...closed.map(path => ({ path, why: 'is not open any more' }))]
    const inFolders: { root: string; present: string }[] = []
    for (const { opened, link } of linked) {
      const { root, store, within } = opened
      const there = await store.preview(link.id, within)
      if (!there.ok) {
        stay.push({ path: root, why: `cannot be restored: ${there.why}` })
        continue
      }
      for (const file of there.value.files) files.push({ ...file, path: join(root, file.path) })
      for (const { path, why } of there.value.stay) stay.push({ path: join(root, path), why })
      inFolders.push({ root, present: there.value.present })
    }
    return { ok: true, value: { ...answer.value, files, stay, inFolders } }
  }

  /** Restores nothing anywhere if a folder has changed since the preview, or cannot be kept as it is. */
  async function restore(id: string, how: RestoreOptions): Promise<CheckpointAnswer<RestoreResult>> {
    const { session, keep = [], folders = [], inFolders } = how
    const previewed = new Map(inFolders?.map(({ root, present }) => [root, present]))
    const { linked, closed } = await linkedOf(id, folders)
    const lost = closed.find(root => previewed.has(root))
    if (lost !== undefined) return { ok: false, why: `${lost} is not open any more` }
    const links: CheckpointLink[] = []
    const ready: { opened: Opened; id: string; expected: string }[] = []
    for (const { opened, link } of linked) {
      const { root, store, within } = opened
      const shown = previewed.get(root)
      if (inFolders && shown === undefined) continue
      const present = await store.preview(link.id, within)
      if (!present.ok) return { ok: false, why: `${root}: ${present.why}` }
      const expected = shown ?? present.value.present
      if (expected !== present.value.present)
        return { ok: false, why: `files in ${root} have changed since the preview` }
      const undo = await store.make({ by: 'user', session, label: `Before restoring ${id}` })
      if (!undo.ok) return { ok: false, why: `${root}: ${undo.why}` }
      links.push({ root, id: undo.value.id })
      ready.push({ opened, id: link.id, expected })
    }
    const done = await own.restore(id, { ...how, keep: keep.filter(path => !isAbsolute(path)), links })
    if (!done.ok) return done
    let { count } = done.value
    const failed = [...done.value.failed]
    for (const { opened, id: there, expected } of ready) {
      const { root, store, within } = opened
      const answer = await store.restore(there, { session, expected, within, keep: pathsIn(root, keep) })
      if (!answer.ok) {
        failed.unshift({ path: root, why: `was not restored: ${answer.why}` })
        continue
      }
      count += answer.value.count
      for (const { path, why } of answer.value.failed) failed.push({ path: join(root, path), why })
    }
    return { ok: true, value: { ...done.value, count, failed } }
  }
}

/** Whether the checkpoints of `root` have the files of a place, too. A repository in a folder keeps its own. */
function has(root: string, place: { root: string; isRepository: boolean }): boolean {
  return place.root === root || (!place.isRepository && isWithin(root, place.root))
}

/** The absolute ones among the paths that are in the folder, from there. */
function pathsIn(root: string, paths: readonly string[]): string[] {
  return paths.flatMap(path => (isAbsolute(path) ? (pathWithin(root, path) ?? []) : []))
}

/**
 * The box for a command that runs without a question because it only reads: no file can be changed, and there is no network, no socket,
 * no other process and no secret of the person. The permissions read the command line; the system holds it to what they read.
 */
import { statSync } from 'node:fs'
import process from 'node:process'
import type { CommandBox } from '../platform/shell/run.ts'
import type { NoBox } from './box-maker.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { readPolicy } from './read-places.ts'
import { boxForReading, workingBoxMaker } from './working-box.ts'

/** The place of a command. `env` is the environment that it would have outside. */
type ReadPlace = { folder: string; env: NodeJS.ProcessEnv; runsGit: boolean }

const reported = new Set<string>()

/**
 * Makes the box for one command, or says why this machine has none. `isNew`: for the first time in this run of zotui.
 *
 * @throws an error with words for the model if that is not known: then nothing may run.
 */
export async function readBox(place: ReadPlace): Promise<CommandBox | (NoBox & { isNew: boolean })> {
  const maker = await workingBoxMaker(place)
  if ('unknown' in maker) throw new Error(maker.unknown)
  if (!('kind' in maker)) return reportedOnce(maker)
  const none = unreachable(place.folder)
  if (none) return reportedOnce(none)
  return boxForReading(
    maker,
    readPolicy(place.folder, place.env),
    cleanEnvironment(place.env, { runsGit: place.runsGit }),
  )
}

function reportedOnce(none: NoBox): NoBox & { isNew: boolean } {
  const isNew = !reported.has(none.why)
  reported.add(none.why)
  return { ...none, isNew }
}

/** In a box root has no rights over the files of others. */
function unreachable(folder: string): NoBox | null {
  const stats = process.getuid?.() === 0 ? statSync(folder, { throwIfNoEntry: false }) : undefined
  const isOpen = stats === undefined || stats.uid === 0 || (stats.mode & 0o005) === 0o005
  return isOpen
    ? null
    : { why: 'root cannot look into this folder of another user in a box', so: 'run zotui as that user' }
}

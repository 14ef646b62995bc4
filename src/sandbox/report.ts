/** What there is to say of the sandbox after a command in it: to the model, and to the user as a question. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { realPath } from '../platform/real-path.ts'
import { isWithin } from '../platform/within.ts'
import type { RefusedHost } from './network/pass.ts'
import { hostWithPort } from '../text/host.ts'
import { limitsNote } from '../text/sandbox-note.ts'
import type { BoxedResult, BoxReport } from './command-sandbox.ts'
import { refusalIn, type SandboxRefusal } from './refusal.ts'
import { kindOf } from './places.ts'
import { isOpenable } from './write-places.ts'

type ReportPlace = {
  folder: string
  env: NodeJS.ProcessEnv
  /** Besides the folder. */
  writable: readonly string[]
  hasNetwork: boolean
  /** The hosts that were refused. */
  hosts: readonly RefusedHost[]
  /** New names in the home folder of the box. */
  leftAtHome: readonly string[]
}

/** Characters of a path. */
const LONGEST_PATH = 4096

/** Folders of the system of which a box has its own. */
const OWN = ['/tmp', '/var/tmp', '/dev', '/run']

const ENDED =
  '[sandbox] The programs that it left in the background have ended: none outlives its command here. Start a server and use it in one command.'

export function reportOf({ exitCode, output, endedOthers }: BoxedResult, place: ReportPlace): Omit<BoxReport, 'left'> {
  const { folder, writable, hasNetwork, hosts, leftAtHome } = place
  // Who was asked about a host says how it was answered.
  const unasked = hosts.filter(({ why }) => why !== 'unlisted')
  const lines = unasked.map(
    ({ host, port }) => `[sandbox] The connection to ${hostWithPort({ host, port })} was refused.`,
  )
  if (leftAtHome.length > 0) {
    const names = leftAtHome.map(name => JSON.stringify(`~/${name}`)).join(', ')
    lines.push(`[sandbox] The home folder here is the sandbox's own: nothing was written to ${names} of the user.`)
  }
  if (endedOthers && exitCode !== null) lines.push(ENDED)
  if (exitCode === 0 || exitCode === null) return { note: lines.join('\n'), refused: null }
  const network = hasNetwork ? 'It reaches only hosts that the user allows.' : 'It has no network.'
  lines.push(limitsNote([folder, ...writable], network))
  return { note: lines.join('\n'), refused: refusedIn(output, place) }
}

function refusedIn(output: string, { folder, env, writable, hasNetwork, hosts }: ReportPlace): SandboxRefusal | null {
  const isWritable = (path: string): boolean => [folder, ...OWN, ...writable].some(place => isWithin(place, path))
  const refused = refusalIn(output, { folder, isWritable, exists: existsSync })
  if (refused === null) return null
  if (refused.path !== null) return { ...refused, path: folderToOpen(refused.path, folder, env) }
  // A host that was refused was asked about, and without a network there is none to ask for.
  return hasNetwork && hosts.length === 0 ? refused : null
}

/** The folder in which a write was refused, if it may be opened to commands; null for a held part of the project. */
function folderToOpen(path: string, project: string, env: NodeJS.ProcessEnv): string | null {
  // No system takes such a path, and none can be looked at.
  if (path.includes('\0') || path.length > LONGEST_PATH) return null
  let folder = path
  while (kindOf(folder) !== 'folder' && dirname(folder) !== folder) folder = dirname(folder)
  const real = realPath(folder)
  return isWithin(project, path) || isWithin(real, project) || !isOpenable(real, env) ? null : real
}

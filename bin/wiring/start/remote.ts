/** Another machine, as `--on` or `--via` names it. zotui connects to it and surveys it before anything begins there. */
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import process from 'node:process'
import { keyVariables, withoutKeys } from '../../../src/agents/zot/program/credentials.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import type { StartedPlace } from '../../../src/places/started-place.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { createMachine, surveyMachine, type RemoteMachine, type Survey } from '../../../src/platform/remote/machine.ts'
import { createRemotePaths, type RemotePaths } from '../../../src/platform/remote/real-paths.ts'
import { placeOf, readOn, readVia, type Target } from '../../../src/platform/remote/target.ts'
import { quotedWord } from '../../../src/platform/shell/quoting.ts'
import { statePath } from '../../../src/storage/log.ts'
import { sentence } from '../../../src/text/sentence.ts'
import type { Arguments } from '../../cli/argument-types.ts'
import { openPlaceFor, startsPlace } from './places.ts'

export type Remote = {
  machine: RemoteMachine
  survey: Survey
  paths: RemotePaths
  /** The name of the machine, such as `ssh:build`. Not sanitised. */
  name: string
  /** Machine and folder, as shown. Not sanitised. */
  label: string
  /** The folder under which sessions, drafts and answers are kept here. It is no folder of this machine. */
  key: string
  /** The value of `--on` for this machine and folder; null for one of `--via`. */
  on: string | null
  /** The flags that start zotui with this machine and folder again, quoted for a shell. */
  flags: string
  /** The keys that agents there get: none unless the user wants to send them. */
  variables: Readonly<Record<string, string>>
  /** Whether zotui has started the place. */
  isStarted: boolean
  /** Closes the connections, and ends a place that zotui has started. Resolves to what was left running, as a sentence; null for nothing. */
  close: () => Promise<string | null>
}

/** What names the machine. */
export type RemoteWords = Pick<Arguments, 'on' | 'via' | 'cwd'>

export type RemoteStart = {
  settings: SettingsStore
  /** The name or path of zot there, if the user has named one. */
  zot: string | null
  /** The folder of the person here, absolute. */
  folder: string
  /** What happens, in a few words. Not sanitised. */
  progress: (words: string) => void
  signal: AbortSignal
}

/** How each of the machines that are open is left at the exit. One listener does it: many would count as a mistake. */
const leaving = new Set<() => void>()

function leaveAtExit(leave: () => void): void {
  process.off('exit', leaveAll)
  process.on('exit', leaveAll)
  leaving.add(leave)
}

function leaveAll(): void {
  for (const leave of leaving) leave()
  leaving.clear()
}

/** The time for the first connection, in milliseconds. */
const CONNECT_LIMIT = 30_000

/** @throws UserError if the machine cannot be reached, or is not as it must be. */
export async function openRemote(words: RemoteWords, start: RemoteStart): Promise<Remote> {
  const place = words.on !== null && startsPlace(words.on) ? await startedPlace(words, words.on, start) : null
  const target = place?.target() ?? targetOf(words)
  const sendsKeys = start.settings.values().sendKeys
  const { env } = process
  // docker and kubectl do not pass variables on, and may need a key themselves.
  const keeps = sendsKeys || place !== null || ['docker', 'kubectl'].includes(target.file)
  const machine = createMachine(place ?? target, keeps ? env : withoutKeys(env))
  const leave = (): void => {
    machine.close()
    place?.leave()
  }
  leaveAtExit(leave)
  const close = async (): Promise<string | null> => {
    leaving.delete(leave)
    machine.close()
    return (await place?.end()) ?? null
  }
  try {
    const survey = await reached(machine, target, start)
    const again = place?.again ?? onAgain(words, survey.folder)
    return {
      machine,
      survey,
      paths: createRemotePaths(machine, survey),
      name: target.name,
      label: `${target.name}:${folderLabel(survey.folder, survey.home)}`,
      key: `/${target.name}${markOf(target.identity)}:${survey.folder}`,
      on: again,
      flags: again === null ? viaFlags(words, survey.folder) : `--on ${quotedWord(again)}`,
      variables: sendsKeys ? keyVariables(env) : {},
      isStarted: place !== null,
      close,
    }
  } catch (error) {
    const left = await close()
    if (left === null || !(error instanceof UserError)) throw error
    throw new UserError(`${error.message} ${left}`, error.hint, error.exitCode)
  }
}

async function reached(machine: RemoteMachine, target: Target, { zot, signal }: RemoteStart): Promise<Survey> {
  const stop = (): void => machine.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const trouble = await machine.connect(CONNECT_LIMIT)
    if (signal.aborted) throw new UserError(`The connection to ${target.name} was stopped.`)
    if (trouble) throw usage(trouble)
    const found = await surveyMachine(machine, { folder: target.folder, zot })
    if (!found.ok) throw usage(found)
    return found.survey
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** zotui starts the place, and tells what happens. */
async function startedPlace(words: RemoteWords, on: string, start: RemoteStart): Promise<StartedPlace> {
  if (words.via !== null) throw both()
  return openPlaceFor(on, {
    folder: start.folder,
    progress: start.progress,
    signal: start.signal,
    env: process.env,
    configFolder: dirname(userSettingsPath()),
    stateFolder: statePath(),
  })
}

function markOf(identity: string): string {
  return identity === '' ? '' : `-${createHash('sha256').update(identity).digest('hex').slice(0, 8)}`
}

function targetOf({ on, via, cwd }: RemoteWords): Target {
  if (on !== null && via !== null) throw both()
  const read = on === null ? readVia(via ?? '') : readOn(on)
  if (!read.ok) throw usage(read)
  const { target } = read
  if (cwd === undefined) return target
  if (target.folder === null) return { ...target, folder: cwd }
  throw new UserError('--on names a folder, and --cwd another one.', 'Omit one of them.', 2)
}

const both = (): UserError => new UserError('--on and --via cannot be used together.', 'Omit one of them.', 2)

function usage({ reason, hint }: { reason: string; hint: string }): UserError {
  return new UserError(sentence(reason), sentence(hint), 2)
}

function onAgain({ on }: RemoteWords, folder: string): string | null {
  if (on === null) return null
  return `${placeOf(on)}:${folder}`
}

const viaFlags = ({ via }: RemoteWords, folder: string): string =>
  `--via ${quotedWord(via ?? '')} --cwd ${quotedWord(folder)}`

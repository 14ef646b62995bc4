/** The other machine that `--on` or `--via` names. zotui connects to it and surveys it before anything else begins. */
import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import type { AgentChoice } from '../../../src/agents/index.ts'
import { keyVariables, withoutKeys } from '../../../src/agents/zot/program/credentials.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { createMachine, surveyMachine, type RemoteMachine, type Survey } from '../../../src/platform/remote/machine.ts'
import { createRemotePaths, type RemotePaths } from '../../../src/platform/remote/real-paths.ts'
import { readOn, readVia, type Target } from '../../../src/platform/remote/target.ts'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import type { StartedPlace } from '../../../src/places/started-place.ts'
import { statePath } from '../../../src/storage/log.ts'
import { quotedWord } from '../../../src/platform/shell/quoting.ts'
import { sentence } from '../../../src/text/sentence.ts'
import type { Arguments } from '../../cli/argument-types.ts'
import { writeMessage } from '../../standard-streams.ts'
import { zotOptions } from './agent/zot-options.ts'

export type Remote = {
  machine: RemoteMachine
  survey: Survey & { zot: string }
  paths: RemotePaths
  /** The name of the machine, such as `ssh:build`. Not sanitised. */
  name: string
  /** Machine and folder, as shown. Not sanitised. */
  label: string
  /** The folder under which sessions, drafts and answers are kept here. It is no folder of this machine. */
  key: string
  /** The flags that start zotui with this machine and folder again, quoted for a shell. */
  flags: string
  /** Whether zot runs behind the guard, which needs a Node there. */
  isGuarded: boolean
  choice: AgentChoice
}

/** The time for the first connection, in milliseconds. */
const CONNECT_LIMIT = 30_000
/** The guard needs no newer Node than this. */
const OLDEST_NODE = 18

/** @throws UserError if the machine cannot be reached, or lacks what zotui needs. */
export async function openRemote(args: Arguments, settings: SettingsStore): Promise<Remote> {
  refuseOthers(args, settings)
  const place = await startedPlace(args)
  const target = place?.target() ?? targetOf(args)
  const sendsKeys = settings.values().sendKeys
  const { env } = process
  // docker and kubectl do not pass variables on, and may need a key themselves.
  const keeps = sendsKeys || ['docker', 'kubectl'].includes(target.file)
  const machine = createMachine(place ?? target, keeps ? env : withoutKeys(env))
  process.once('exit', () => {
    machine.close()
    place?.leave()
  })
  const trouble = await machine.connect(CONNECT_LIMIT)
  if (trouble) throw usage(trouble)
  const named = settings.sourceOf('zot').kind === 'flag' ? settings.values().zot : null
  const found = await surveyMachine(machine, { folder: target.folder, zot: named })
  if (!found.ok) throw usage(found)
  const { zot, node } = found.survey
  if (zot === null)
    throw usage({
      reason: `there is no ${named ?? 'zot'} on ${target.name}`,
      hint: 'install zot there, or name its path there with --zot',
    })
  const survey = { ...found.survey, zot }
  const isGuarded = !args.noGuard && node !== null && node.major >= OLDEST_NODE
  const isAllowed = settings.sourceOf('permissions').kind === 'flag' && settings.values().permissions === 'allow'
  if (!isGuarded && !isAllowed) throw usage(unguarded(target, node, args.noGuard))
  const paths = createRemotePaths(machine, survey)
  const variables = sendsKeys ? keyVariables(env) : {}
  return {
    machine,
    survey,
    paths,
    name: target.name,
    label: `${target.name}:${folderLabel(survey.folder, survey.home)}`,
    key: `/${target.name}${markOf(target.identity)}:${survey.folder}`,
    flags: place ? `--on ${quotedWord(place.again)}` : flagsOf(args, survey.folder),
    isGuarded,
    choice: { agent: 'remote-zot', zot: { machine, survey, variables }, options: zotOptions(args, settings) },
  }
}

/** The place that zotui starts for `--on`, with what happens on standard error; null for a machine that is there. Ctrl+C ends the start. */
async function startedPlace({ on, cwd }: Arguments): Promise<StartedPlace | null> {
  const { openPlaceFor, startsPlace } = await import('./places.ts')
  if (on === null || !startsPlace(on)) return null
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  process.once('SIGINT', stop)
  try {
    return await openPlaceFor(on, {
      folder: resolve(cwd ?? process.cwd()),
      progress: words => writeMessage(`${on}: ${words}`),
      signal: stopping.signal,
      env: process.env,
      configFolder: dirname(userSettingsPath()),
      stateFolder: statePath(),
    })
  } finally {
    process.off('SIGINT', stop)
  }
}

function markOf(identity: string): string {
  return identity === '' ? '' : `-${createHash('sha256').update(identity).digest('hex').slice(0, 8)}`
}

function targetOf({ on, via, cwd }: Arguments): Target {
  if (on !== null && via !== null)
    throw new UserError('--on and --via cannot be used together.', 'Omit one of them.', 2)
  const read = on === null ? readVia(via ?? '') : readOn(on)
  if (!read.ok) throw usage(read)
  const { target } = read
  if (cwd === undefined) return target
  if (target.folder === null) return { ...target, folder: cwd }
  throw new UserError('--on names a folder, and --cwd another one.', 'Omit one of them.', 2)
}

/** Only zot runs on another machine: nothing there could keep other agents from running calls without asking. */
function refuseOthers({ demo }: Arguments, settings: SettingsStore): void {
  const { agent } = settings.values()
  if (demo) throw new UserError('--demo runs on this machine only.', 'Omit --on and --via, or --demo.', 2)
  if (agent === null || agent.trim() === 'zot') return
  throw new UserError(`Only zot can run on another machine, not ${agent}.`, 'Add --agent zot.', 2)
}

function unguarded({ name }: Target, node: Survey['node'], noGuard: boolean): { reason: string; hint: string } {
  const hint = 'with --permissions allow zot runs everything there without asking'
  if (noGuard) return { reason: 'without the guard zot never asks', hint }
  const what = node === null ? 'no Node' : `only Node ${node.major}`
  return {
    reason: `there is ${what} on ${name}, so zotui cannot ask before calls run`,
    hint: `install Node 18 or newer there; ${hint}`,
  }
}

function usage({ reason, hint }: { reason: string; hint: string }): UserError {
  return new UserError(sentence(reason), sentence(hint), 2)
}

function flagsOf({ on, via }: Arguments, folder: string): string {
  if (on === null) return `--via ${quotedWord(via ?? '')} --cwd ${quotedWord(folder)}`
  const [place = ''] = /^[a-z]+:(?:\[[^\]]*\]|[^:]*)/.exec(on) ?? []
  return `--on ${quotedWord(`${place}:${folder}`)}`
}

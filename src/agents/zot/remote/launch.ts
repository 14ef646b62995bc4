/** Starts zot on another machine, with or without a guard there. */
import { randomBytes } from 'node:crypto'
import { createLocalTools } from '../../../local-tools/local-tools.ts'
import type { LocalTools } from '../../../local-tools/tool.ts'
import type { CommandSandbox } from '../../../sandbox/command-sandbox.ts'
import { zotTools } from '../../../local-tools/as-zot/zot-tools.ts'
import { OWN_PATH } from '../../../platform/remote/helper-path.ts'
import { enter, type RemoteMachine, type Survey } from '../../../platform/remote/machine.ts'
import { quoted } from '../../../platform/shell/quoting.ts'
import { createRemoteFiles } from '../../../platform/remote/remote-files.ts'
import { readTextSync } from '../../../platform/regular-file.ts'
import { createRemoteTransport } from '../../transport/remote-process.ts'
import type { Transport } from '../../transport/transport.ts'
import { mayBeShortened } from '../long-results.ts'
import { guardedOptions, type GuardedZot } from '../guard/guarded-launch.ts'
import { createGuardLink, DEFAULT_BEAT } from '../guard/link/guard-link.ts'
import { guardPlaces } from '../guard/places.ts'
import { startRelay } from '../guard/link/relayed.ts'
import { zotArguments, type ZotOptions } from '../program/options.ts'

/** A zot on another machine. */
export type RemoteZot = {
  machine: RemoteMachine
  /** Its folder, and the absolute paths of the programs there. */
  survey: Survey & { zot: string }
  /** Environment variables for zot there: none unless the user wants to send API keys. */
  variables: Readonly<Record<string, string>>
}

export type RemoteLaunch = {
  zot: RemoteZot
  options: ZotOptions
  watch?: ((leader: number) => () => void) | undefined
  /** No box can be made there: while it is on, no command runs. */
  sandbox?: CommandSandbox | null
}

/** Starts it without a guard. */
export function launchRemoteZot({ zot, options, watch }: RemoteLaunch): Transport {
  const script = zotScript(zot, options, null)
  return createRemoteTransport({ machine: zot.machine, script, watch, shortens: mayBeShortened })
}

/** Starts it with a guard there. If the guard cannot be started, zot does not start either. */
export function launchGuardedRemoteZot({ zot, options, watch, sandbox = null }: RemoteLaunch): GuardedZot {
  const { machine, survey } = zot
  const files = createRemoteFiles(machine, machine.target.name)
  const folder = `${survey.temporary.replace(/\/+$/, '')}/zotui-guard-${randomBytes(16).toString('hex')}`
  const relay = startRelay({ machine, folder, node: survey.node?.path ?? 'node', programs: guardPrograms(), watch })
  const { runCommand } = relay
  const toolsOf = (at: string): LocalTools =>
    createLocalTools({ folder: at, env: {}, files, runCommand, tools: zotTools, sandbox })
  const guarded = guardedOptions(options, toolsOf(survey.folder).definitions)
  const link = createGuardLink({
    open: relay.open,
    tools: guarded.registered,
    beat: DEFAULT_BEAT,
    onClose: () => relay.close(),
  })
  const own = { ...guarded.options, ext: [folder, ...(options.ext ?? [])] }
  const script = zotScript(zot, own, `${folder}/socket`)
  const transport = createRemoteTransport({ machine, script, watch, shortens: mayBeShortened })
  return {
    transport,
    link,
    toolsOf,
    folder: survey.folder,
    extensionsOff: [],
  }
}

/** `socket` is the guard's. zot starts only when it exists, because it would start without a guard otherwise. */
function zotScript(
  { survey: { folder, zot }, variables }: RemoteZot,
  options: ZotOptions,
  socket: string | null,
): string {
  const args = zotArguments({ ...options, cwd: undefined })
  return [
    `${enter(folder)} || { echo 'zot: the working folder is gone' >&2; exit 1; }`,
    'unset ZOTCORE_RPC_TOKEN',
    ...Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}; export ${name}`),
    ...(socket === null ? [] : [waitFor(socket)]),
    OWN_PATH,
    [zot, ...args].map(quoted).join(' '),
  ].join('\n')
}

function waitFor(socket: string): string {
  return [
    `n=0; until [ -S ${quoted(socket)} ]; do n=$((n+1))`,
    `[ $n -le 60 ] || { echo 'zot: the guard that asks before calls run could not be started there' >&2; exit 1; }`,
    'sleep 0.1 2>/dev/null || sleep 1; done',
  ].join('\n')
}

/** The texts of the programs that are copied there. */
function guardPrograms(): { guard: string; relay: string; ending: string } {
  const { script } = guardPlaces()
  const [, ending = 'js'] = /\.([jt]s)$/.exec(script) ?? []
  const relay = script.replace(/zotui-guard\.[jt]s$/, `zotui-relay.${ending}`)
  return { guard: readTextSync(script), relay: readTextSync(relay), ending: `m${ending}` }
}

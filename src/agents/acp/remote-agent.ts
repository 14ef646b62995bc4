/** An agent on another machine: how its program is found and started there, and how its own login is run there. */
import { OWN_PATH } from '../../platform/remote/helper-path.ts'
import { enter, WITH_MORE_PATHS, type RemoteMachine, type Survey } from '../../platform/remote/machine.ts'
import { quoted, splitWords } from '../../platform/shell/quoting.ts'
import { createRemoteTransport } from '../transport/remote-process.ts'
import type { Transport } from '../transport/transport.ts'
import type { AgentProgram } from './find-agent.ts'
import { knownAgents } from './known-agents.ts'
import { mayBeShortened } from './launch.ts'

/** Another machine as an agent gets it. */
export type RemotePlace = {
  machine: RemoteMachine
  survey: Pick<Survey, 'folder'>
  /** What is sent there: none unless the user wants to send API keys. */
  variables: Readonly<Record<string, string>>
}

/** A program there. */
export type FoundProgram = {
  /** Its absolute path. */
  path: string
  /** The words before it: the interpreter that it asks for by name, which is not looked for in the project. */
  before: readonly string[]
}

export type FoundRemoteAgent =
  | { ok: true; agent: AgentProgram; program: FoundProgram }
  /** `isLost`: the machine did not answer. */
  | { ok: false; command: string; isLost: boolean }
  | { ok: false; command: null }

/** Finds the agent for the words of `--agent` there. A path is relative to the folder there. */
export async function findRemoteAgent(words: string, place: RemotePlace): Promise<FoundRemoteAgent> {
  const known = knownAgents.find(({ name }) => name === words.trim()) ?? null
  const [command, ...args] = known ? [known.command, ...known.args] : (splitWords(words) ?? [])
  if (command === undefined) return { ok: false, command: null }
  const found = await findRemotePrograms([command], place)
  const program = found?.get(command)
  if (!program) return { ok: false, command, isLost: found === null }
  const name = known?.name ?? command.slice(command.lastIndexOf('/') + 1).replace(/\.(?:js|ts|mjs)$/i, '')
  return { ok: true, agent: { name, file: program.path, args, known }, program }
}

/** Milliseconds to look for programs there. */
const FIND_LIMIT = 15_000

/** The programs there that have these names, or paths from the folder there; null if the machine does not answer. */
export async function findRemotePrograms(
  names: readonly string[],
  { machine, survey }: Pick<RemotePlace, 'machine' | 'survey'>,
): Promise<ReadonlyMap<string, FoundProgram> | null> {
  const answer = await machine.ask(findScript(names, survey.folder), { limit: FIND_LIMIT })
  if (!answer.ok || answer.code !== 0) return null
  const ends = answer.bytes.toString('utf8').split('\0')
  const found = new Map<string, FoundProgram>()
  for (const [at, name] of names.entries()) {
    const [path = '', options = '', interpreter = ''] = ends.slice(3 * at)
    if (!path.startsWith('/')) continue
    const [, ...more] = splitWords(options) ?? []
    found.set(name, { path, before: interpreter.startsWith('/') ? [interpreter, ...more] : [] })
  }
  return found
}

/** Looks in PATH without the folders of the project, and for the interpreter of `#!/usr/bin/env NAME` first beside the program. */
function findScript(names: readonly string[], folder: string): string {
  return [
    `${enter(folder)} || exit 1`,
    WITH_MORE_PATHS,
    'for n in "$@"; do',
    'a=$(command -v "$n") || a=; i=; o=',
    `case $n in /*|[!/]*/*) case $a in /*) ;; ?*) a=$(pwd -P)/$a;; esac; b=;; *) b=\${a%/*}:;; esac`,
    `case $a in /*) l=$(head -c 200 "$a" 2>/dev/null | head -n 1 | tr -d '\\000\\r') ;; *) l=;; esac`,
    `case $l in '#!/usr/bin/env '*) o=\${l#'#!/usr/bin/env '}; o=\${o#-S }; i=\${o%% *}; i=$(PATH=$b$PATH; command -v "$i") || i=;; esac`,
    `printf '%s\\000%s\\000%s\\000' "$a" "$o" "$i"`,
    'done',
  ]
    .join('\n')
    .replace('for n in "$@"', `for n in ${names.map(quoted).join(' ')}`)
}

/** Those of the variables that are set there. */
export async function remoteVariables(
  names: readonly string[],
  { machine }: Pick<RemotePlace, 'machine'>,
): Promise<string[]> {
  if (names.length === 0) return []
  const script = names.map(name => `[ -z "\${${name}:-}" ] || echo ${name}`).join('\n')
  const answer = await machine.ask(`${script}\n:`, { limit: FIND_LIMIT })
  const said = answer.ok ? answer.bytes.toString('utf8').split('\n') : []
  return names.filter(name => said.includes(name))
}

export type RemoteAgentLaunch = {
  agent: Pick<AgentProgram, 'name' | 'args'>
  program: FoundProgram
  place: RemotePlace
  /** Variables of the mode; those that are undefined are taken away. */
  variables: Readonly<Record<string, string | undefined>>
  watch?: ((leader: number) => () => void) | undefined
  /** A folder to make for it first, which nobody else may read. */
  ownFolder?: string
  /** The long lines that may be shortened: by default those of the Agent Client Protocol. */
  shortens?: (beginning: string) => boolean
}

/** Starts the agent there. Never throws: the transport's `ended` says why it did not start. */
export function launchRemoteAgent(launch: RemoteAgentLaunch): Transport {
  const { agent, program, place, variables, watch, ownFolder, shortens = mayBeShortened } = launch
  const { machine, survey } = place
  const script = [
    ...begin(agent.name, survey.folder),
    // The program then says that it cannot write there.
    ...(ownFolder === undefined ? [] : [`(umask 077; mkdir -p -- ${quoted(ownFolder)} 2>/dev/null)`]),
    ...Object.entries({ ...place.variables, ...variables }).map(([name, value]) =>
      value === undefined ? `unset ${name}` : `${name}=${quoted(value)}; export ${name}`,
    ),
    untilInputEnds([...program.before, program.path, ...agent.args]),
  ].join('\n')
  return createRemoteTransport({ machine, script, watch, shortens })
}

/** A login of the agent's own, there, in the user's terminal; null where no terminal can be had. */
export function remoteTerminal(
  { machine, survey }: Pick<RemotePlace, 'machine' | 'survey'>,
  { agent, program }: { agent: AgentProgram; program: FoundProgram },
  command: { file: string; args: readonly string[] },
): { file: string; args: readonly string[]; env: NodeJS.ProcessEnv } | null {
  const words = command.file === agent.file ? [...program.before, command.file] : [command.file]
  return machine.terminal(
    [...begin(agent.name, survey.folder, OWN), `exec ${[...words, ...command.args].map(quoted).join(' ')}`].join('\n'),
  )
}

/** Nothing has set another PATH in the user's terminal. */
const OWN = ':'

function begin(name: string, folder: string, path = OWN_PATH): string[] {
  const gone = quoted(`${name}: the working folder is gone`)
  return [`${enter(folder)} || { echo ${gone} >&2; exit 1; }`, path, WITH_MORE_PATHS]
}

/** The seconds that an agent has to end by itself when its input has ended, as at a lost connection, and those after SIGTERM. */
const GRACE = 5
const KILL_GRACE = 2

/**
 * Runs a program, and ends it with all of its session when its input has ended: some agents go on without any, and then nobody would see or
 * stop them. Its input goes through a pipe, because only one process can read to the end of it.
 */
function untilInputEnds(words: readonly string[]): string {
  return [
    `d=$(mktemp -d) && mkfifo -m 600 "$d/in" || { echo 'no pipe can be made there' >&2; exit 1; }`,
    'exec 3<&0',
    `sh -c ${quoted(WATCH)} zotui-watch $$ "$d/in" >/dev/null 2>&1 & w=$!`,
    'exec 3<&-',
    `( exec ${words.map(quoted).join(' ')} ) <"$d/in"; s=$?`,
    `kill -KILL $w 2>/dev/null; rm -rf "$d"; (exit $s)`,
  ].join('\n')
}

/**
 * Passes the input on, and ends the rest of the session once it has ended. A session that did not begin with the group of its shell has
 * processes that are not ours: then only the group ends.
 */
const WATCH = [
  // Its own children end at such a signal.
  'trap : TERM HUP INT',
  'cat <&3 >"$2"; exec 3<&-; rm -rf "${2%/in}"',
  `n=0; while [ $n -lt ${GRACE * 5} ] && kill -0 $1 2>/dev/null; do sleep 0.2 2>/dev/null && n=$((n+1)) || { sleep 1; n=$((n+5)); }; done`,
  'of() { IFS= read -r l </proc/$1/stat || return; set -- ${l##*) }; g=$3; s=$4; }',
  's=; g=; of $1 2>/dev/null; own=$s; group=$g',
  'for k in TERM KILL; do',
  'if [ "$own" ] && [ "$own" = "$group" ] && [ "$own" -gt 1 ]; then',
  'for p in /proc/[0-9]*; do p=${p#/proc/}; [ $p != $$ ] || continue; s=; of $p 2>/dev/null; [ "$s" = "$own" ] && kill -$k $p 2>/dev/null; done',
  'else kill -$k 0; fi',
  `sleep ${KILL_GRACE}`,
  'done',
].join('\n')

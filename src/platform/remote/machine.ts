/** Another machine: the folder there, and the connections to it. */
import { posix } from 'node:path'
import process from 'node:process'
import { ownGitLines } from '../git/switches.ts'
import { findProgram, helperEnvironment, NO_PROGRAM } from '../programs.ts'
import { helperPath } from './helper-path.ts'
import { openLane, type Lane, type ScriptAnswer, type ScriptOptions } from './lane.ts'
import { asLine } from './quoting.ts'
import { BASH, isTriedAnswer, isTriedFile, SH, WHICH_SHELL } from '../shell/tried-shell.ts'
import { quoted } from '../shell/quoting.ts'
import type { Target } from './target.ts'
import { troubleOf, type LineEnd, type Trouble } from './trouble.ts'

/** A program that is run here, and the first line of its input: together they run a script there. */
export type RemoteProgram = { file: string; args: readonly string[]; firstLine: string; env: NodeJS.ProcessEnv }

export type RemoteMachine = {
  /** How a shell is started there at this moment. Its name stays. */
  readonly target: Target
  /** Runs a script there and waits for all of its output. Connects again where the connection was lost. Never rejects. */
  ask(script: string, options?: ScriptOptions): Promise<ScriptAnswer>
  /**
   * A connection of its own for a script that goes on: its standard streams are those of the program. It begins with a PATH for our own
   * programs; `OWN_PATH` gives what follows that of the machine.
   */
  program(script: string): RemoteProgram
  /** The program to run here so that a script runs there in the user's terminal; null where that is not known. */
  terminal(script: string): { file: string; args: readonly string[]; env: NodeJS.ProcessEnv } | null
  /** Connects; null if that worked. */
  connect(limit: number): Promise<Trouble | null>
  /** Before an agent is started there again: waits for a place that can come back. Resolves to why it does not; null if it is there. */
  comeBack(): Promise<string | null>
  close(): void
}

/** One is enough for most work: a second is opened where a question waits for a slow one. */
const MOST_LANES = 3

/** A machine that may be replaced by another one of the same name, as a pod is. */
type Replaceable = { target: () => Target; comeBack: (signal: AbortSignal) => Promise<string | null> }

const bootOf = ({ folder }: Target): string => helperPath(folder === null ? ':' : enter(folder))

/** `own` is the environment of the program that connects. */
export function createMachine(place: Target | Replaceable, own: NodeJS.ProcessEnv): RemoteMachine {
  const now = (): Target => ('comeBack' in place ? place.target() : place)
  // The folder may be deleted later.
  const here = process.cwd()
  const env = helperEnvironment(own, here)
  const fileOf = ({ file }: Target): string | null => findProgram(file, env, here)
  const idle: Lane[] = []
  const waiting: ((lane: Lane) => void)[] = []
  const open = new Set<Lane>()

  const gone = new AbortController()

  return {
    get target() {
      return now()
    },
    async ask(script, options = {}) {
      const lane = await take()
      const answer = await lane.ask(script, options)
      give(lane)
      return answer
    },
    program(script) {
      const target = now()
      const firstLine = `${asLine(`${bootOf(target)}\n${script}`)}\n`
      return { file: fileOf(target) ?? NO_PROGRAM, args: target.args, firstLine, env }
    },
    terminal(script) {
      const target = now()
      if (!target.terminal) return null
      const { args, joins } = target.terminal
      const words = joins ? [`sh -c ${quoted(script)}`] : ['sh', '-c', script]
      return { file: fileOf(target) ?? NO_PROGRAM, args: [...args, ...words], env }
    },
    async connect(limit) {
      const lane = await take()
      const timer = setTimeout(() => lane.close(), limit)
      const end = await lane.opened
      clearTimeout(timer)
      give(lane)
      return end === null ? null : explained(end)
    },
    comeBack: async () => ('comeBack' in place ? place.comeBack(gone.signal) : null),
    close() {
      gone.abort()
      for (const lane of open) lane.close()
      open.clear()
      idle.length = 0
    },
  }

  async function take(): Promise<Lane> {
    for (let lane = idle.pop(); lane; lane = idle.pop()) {
      if (lane.isOpen) return lane
      open.delete(lane)
    }
    for (const lane of open) if (!lane.isOpen) open.delete(lane)
    if (open.size >= MOST_LANES) return new Promise(resolve => waiting.push(resolve))
    const target = now()
    const fresh = openLane({ file: fileOf(target), args: target.args, boot: bootOf(target) }, env)
    open.add(fresh)
    return fresh
  }

  function give(lane: Lane): void {
    if (!lane.isOpen) open.delete(lane)
    const next = waiting.shift()
    if (!next) return void (lane.isOpen && idle.push(lane))
    if (lane.isOpen) next(lane)
    else void handOn(next)
  }

  async function handOn(next: (lane: Lane) => void): Promise<void> {
    next(await take())
  }

  function explained(end: LineEnd): Trouble {
    const target = now()
    const silent = end.code === null && end.spawnError === null && end.words.every(line => line === '')
    return silent ? { reason: `the machine ${target.name} does not answer`, hint: '' } : troubleOf(target, end)
  }
}

/** The facts about a machine and its folder before zot is started. */
export type Survey = {
  /** The folder there, absolute and without links. */
  folder: string
  home: string
  /** The folder for temporary folders. */
  temporary: string
  /** The branch, or a short commit; null outside of a repository and without git. */
  branch: string | null
  /** The absolute path of zot; null if it was not found. */
  zot: string | null
  /** The absolute path of Node and its version; null if there is none. */
  node: { path: string; major: number } | null
  /** Whether grep is a name of busybox or toybox there, as in Alpine. */
  hasBusybox: boolean
  /** Whether the shell there is one in which lines for reading were tried. */
  isTriedShell: boolean
}

/** The folders in which programs are looked for, besides PATH: a shell without a login does not know the user's own. */
const MORE_PATHS = [
  '$HOME/.local/bin',
  '$HOME/go/bin',
  '$HOME/.cargo/bin',
  '$HOME/bin',
  '$HOME/.npm-global/bin',
  '$HOME/.volta/bin',
  '$HOME/.bun/bin',
  '$HOME/.opencode/bin',
  '$HOME/.local/share/mise/shims',
  '$HOME/.asdf/shims',
  '/usr/local/bin',
  '/opt/homebrew/bin',
].join(':')

/** Adds these folders to PATH, and those of nvm. */
export const WITH_MORE_PATHS = [
  `PATH="$PATH:${MORE_PATHS}"`,
  'for q in "$HOME"/.nvm/versions/node/*/bin; do [ ! -d "$q" ] || PATH=$PATH:$q; done',
].join('\n')

/** Looks at the machine. `zot` is its name or path there. */
export async function surveyMachine(
  machine: RemoteMachine,
  { folder, zot }: { folder: string | null; zot: string | null },
): Promise<{ ok: true; survey: Survey } | ({ ok: false } & Trouble)> {
  const { name } = machine.target
  const answer = await machine.ask(surveyScript(folder, zot ?? 'zot'))
  if (!answer.ok) return { ok: false, reason: `the connection to ${name} was lost`, hint: '' }
  if (answer.code === NO_FOLDER) {
    return { ok: false, reason: `there is no folder ${folder ?? ''} on ${name}`, hint: 'name one that exists there' }
  }
  const [at = '', home = '', temporary = '', branch = '', path = '', node = '', version = '', grep = '', ...shell] =
    answer.bytes.toString('utf8').split('\0')
  // A path with dots would lead to what is kept here for another folder.
  if (answer.code !== 0 || !at.startsWith('/') || posix.resolve(at) !== at) {
    return { ok: false, reason: `the shell of ${name} does not answer as expected`, hint: answer.words.slice(0, 200) }
  }
  const major = Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0)
  return {
    ok: true,
    survey: {
      folder: at,
      home,
      temporary: temporary.startsWith('/') ? temporary : '/tmp',
      branch: branch === '' ? null : branch,
      zot: path.startsWith('/') ? path : null,
      node: node.startsWith('/') && major > 0 ? { path: node, major } : null,
      hasBusybox: /(?:busybox|toybox)[^/]*$/.test(grep),
      isTriedShell: isTriedFile(shell[0] ?? '') || isTriedAnswer(shell[1] ?? ''),
    },
  }
}

const NO_FOLDER = 43

function surveyScript(folder: string | null, zot: string): string {
  return [
    ...(folder === null ? [] : [`${enter(folder)} || exit ${NO_FOLDER}`]),
    WITH_MORE_PATHS,
    'f=$(pwd -P; printf x); f=${f%??}',
    `b=$(${ownGitLines()}\ngit symbolic-ref --short -q HEAD 2>/dev/null || git rev-parse --short HEAD 2>/dev/null)`,
    `z=$(command -v ${quoted(zot)}) || z=`,
    // A name with a slash is taken from the folder.
    'case $z in /*) ;; */*) z=$f/$z;; esac',
    'n=$(command -v node) || n=',
    'v=; [ -z "$n" ] || v=$("$n" --version </dev/null)',
    // A shell of busybox may have a grep of its own, which has no path.
    'g=$(command -v grep) || g=; case $g in /*) g=$(readlink -f "$g") || g=;; ?*) g=/busybox;; esac',
    `s=${SH}; [ ! -e ${BASH} ] || s=${BASH}`,
    `k=$(env -i "$s" -c ${quoted(WHICH_SHELL)} </dev/null) || k=`,
    's=$(readlink -f "$s") || s=',
    `printf '%s\\000' "$f" "$HOME" "\${TMPDIR:-/tmp}" "$b" "$z" "$n" "$v" "$g" "$s" "$k"`,
  ].join('\n')
}

/** Goes to a folder, whatever its name is; `~/` is the home folder there. */
export function enter(folder: string): string {
  if (folder === '~') return 'cd'
  if (folder.startsWith('~/')) return `cd -- "$HOME"/${quoted(folder.slice(2))} 2>/dev/null`
  // `cd -` would be the former folder, and CDPATH is not for us.
  const path = folder.startsWith('/') ? folder : `./${folder}`
  return `CDPATH= cd -- ${quoted(path)} 2>/dev/null`
}

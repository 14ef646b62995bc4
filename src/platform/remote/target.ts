/** The place where zot is to run, as `--on` and `--via` say. Pure. */
import { quoted, splitWords } from '../shell/quoting.ts'
import { BOOT } from './quoting.ts'
import { lookup } from '../../text/lookup.ts'

/** Another machine or container, and how a shell is started there. */
export type Target = {
  /** For the user, such as `ssh:build`. Not sanitised. */
  name: string
  /** Distinguishes two targets of one name. */
  identity: string
  /** The program that is run here, and its arguments: it starts a shell there that runs `BOOT`. */
  file: string
  args: readonly string[]
  /** The folder there as it was typed; null for the one in which a shell begins. */
  folder: string | null
  /** How `file` runs a command in the user's terminal; absent where that is not known. */
  terminal?: TargetTerminal
}

/** The arguments before the command, and whether they are joined with it to a line for a shell there. */
export type TargetTerminal = { args: readonly string[]; joins: boolean }

export type ReadTarget = { ok: true; target: Target } | { ok: false; reason: string; hint: string }

const HOW = 'Use ssh:HOST[:DIR], docker:CONTAINER[:DIR] or kubectl:POD[:DIR].'
/** The shell there, for programs that pass their arguments on one by one. */
const SHELL = ['sh', '-c', BOOT]

type RemoteWay = {
  what: string
  args: (place: string) => readonly string[]
  terminal: (place: string) => TargetTerminal
}

/** The ways of `--on`: what each calls its place, and how it starts a shell there. */
const WAYS: Readonly<Record<string, RemoteWay>> = {
  ssh: {
    what: 'host',
    args: place => ['-T', '--', place, `sh -c ${quoted(BOOT)}`],
    terminal: place => ({ args: ['-t', place], joins: true }),
  },
  docker: {
    what: 'container',
    args: place => ['exec', '-i', place, ...SHELL],
    terminal: place => ({ args: ['exec', '-it', place], joins: false }),
  },
  kubectl: {
    what: 'pod',
    args: place => ['exec', '-i', place, '--', ...SHELL],
    terminal: place => ({ args: ['exec', '-it', place, '--'], joins: false }),
  },
}

/** Programs that join their arguments to a line for a shell there. */
const JOINING = /^(?:ssh|autossh|gcloud|sshpass)$/

/** The part of `--on` before the folder, such as `ssh:build`. */
export function placeOf(on: string): string {
  return /^[a-z]+:(?:\[[^\]]*\]|[^:]*)/.exec(on)?.[0] ?? ''
}

/** Reads `--on`. A host that holds colons, such as an IPv6 address, stands in brackets. */
export function readOn(text: string): ReadTarget {
  const [, way = '', rest = ''] = /^([a-z]+):([^]*)$/.exec(text) ?? []
  const found = lookup(WAYS, way)
  if (!found) return wrong(`--on does not understand "${text}"`, HOW)
  const { what } = found
  const [, bracketed, bare = '', folder = null] = /^(?:\[([^\]]*)\]|([^:[]*))(?::([^]*))?$/.exec(rest) ?? []
  const place = bracketed ?? bare
  if (place === '') return wrong(`--on ${way} needs a ${what}`, HOW)
  // After a name of a user, too: ssh gives the rest to programs such as that of ProxyCommand.
  if (/^(?:.*@)?-/.test(place)) return wrong(`The ${what} "${place}" begins with a dash`, 'It would be read as a flag.')
  if (/[\s\p{Cc}]/u.test(place)) return wrong(`The ${what} "${place}" contains spaces or control characters`, '')
  const folderThere = folder === '' ? null : folder
  if (folderThere?.includes('\0')) return wrong('The folder contains a NUL character', '')
  const target = { name: `${way}:${place}`, identity: '', file: way, args: found.args(place), folder: folderThere }
  return { ok: true, target: { ...target, terminal: found.terminal(place) } }
}

/** Reads `--via`: a command to which a shell and its script are added. */
export function readVia(text: string): ReadTarget {
  const [file = '', ...args] = splitWords(text) ?? []
  if (splitWords(text) === null) return wrong('--via has a quote that is left open', 'Close it.')
  if (file === '') return wrong('--via needs a command', 'zotui appends a shell command to it.')
  if (file.startsWith('-')) return wrong(`The command of --via begins with a dash: ${file}`, 'Name a program first.')
  if (text.includes('\0')) return wrong('The command of --via contains a NUL character', '')
  const own = file.slice(file.lastIndexOf('/') + 1)
  const shell = JOINING.test(own) ? [`sh -c ${quoted(BOOT)}`] : SHELL
  // Its arguments may hold what is not for the screen.
  const target = { name: `via:${own}`, identity: text, file, args: [...args, ...shell], folder: null }
  return { ok: true, target: own === 'ssh' ? { ...target, terminal: { args: ['-t', ...args], joins: true } } : target }
}

function wrong(reason: string, hint: string): ReadTarget {
  return { ok: false, reason, hint }
}

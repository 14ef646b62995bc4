/** The permission modes: their order, and their descriptions for the user and for the model. */
import { permissionModes, type PermissionMode } from '../agent/permission.ts'

/**
 * The next mode (Shift+Tab). `contained` is included where commands can be held in the sandbox, and `allow` once the user has confirmed
 * it; `read` stays `read`.
 */
export function nextMode(
  mode: PermissionMode,
  { allowConfirmed, hasSandbox }: { allowConfirmed: boolean; hasSandbox: boolean },
): PermissionMode {
  if (mode === 'read') return mode
  const isIn = { ask: true, edits: true, contained: hasSandbox, plan: true, allow: allowConfirmed, read: false }
  const cycle = permissionModes.filter(each => isIn[each])
  return cycle[cycle.indexOf(mode) + 1] ?? 'ask'
}

export type ModeWords = {
  /** For the status line: `ask`, `edits`. */
  name: string
  /** For lists, without a full stop: `asks before commands and edits`. */
  about: string
  /** Text for the model, sent with the next prompt: what it can do in this mode, and what it must not try. */
  note: string
}

const words: Readonly<Record<PermissionMode, Omit<ModeWords, 'name'>>> = {
  ask: {
    about: 'asks before every edit and every command that does more than read',
    note: 'Permission mode: ask. The user is asked before each edit and each command that does more than read.',
  },
  edits: {
    about: 'edits files in this folder without asking; asks before commands',
    note: 'Permission mode: edits. Edits inside the working folder run at once. The user is asked before each command that does more than read.',
  },
  contained: {
    about:
      'runs commands in the sandbox and edits files in this folder without asking; asks before anything beyond that',
    note: 'Permission mode: contained. Edits inside the working folder run at once. Commands run at once in a sandbox: they can change only the working folder and reach only some hosts. The user is asked about anything beyond that.',
  },
  allow: {
    about: 'runs everything without asking',
    note: 'Permission mode: allow. Everything runs at once.',
  },
  plan: {
    about: 'reads only, and ends with a plan that you can accept',
    note: 'Permission mode: plan. Only read and think: edits and commands that do more than read are refused. Do not try them. End your answer with a complete plan in Markdown; the user will accept, change or reject it.',
  },
  read: {
    about: 'reads only, and refuses the rest',
    note: 'Permission mode: read-only. Edits and commands that do more than read are refused, and the user will not be asked. Do not try them; say what you would have changed.',
  },
}

export function wordsOfMode(mode: PermissionMode): ModeWords {
  return { name: mode, ...words[mode] }
}

/** The ways to log in that an agent reports: in a terminal, with a key, or by the agent itself. Pure. */
import type { LoginMethod } from '../../../agent/session-events.ts'
import type { WireGreeting } from '../frame.ts'
import type { AgentProgram } from '../find-agent.ts'
import type { KnownAgent } from '../known-agents.ts'

/** The arguments that start the protocol, which a login does not need. */
const SPEAKS_ACP = new Set(['acp', '--acp', '--experimental-acp'])

/** A login by a gateway of one's own needs an address, which zotui does not ask for. */
const GATEWAY = 'gateway'

export type LoginContext = {
  program: AgentProgram
  known: KnownAgent | null
  /** Finds a program; null if it is not there. */
  find: (command: string) => string | null
}

type LoginCommand = NonNullable<LoginMethod['command']>

/** The methods, without those whose program is not there. */
export function loginMethods({ authMethods }: WireGreeting, context: LoginContext): LoginMethod[] {
  return authMethods.flatMap(method => {
    const { id, name, description, _meta } = method
    if (id === GATEWAY) return []
    const command = commandOf(method, context)
    if (command === 'missing') return []
    const takesKey = command === null && (_meta?.['api-key'] !== undefined || context.known?.keyLogin?.method === id)
    return [
      {
        id,
        name: name || id,
        ...(description && { about: description }),
        ...(command && { command }),
        ...(takesKey && { takesKey: true as const }),
      },
    ]
  })
}

/** The command of a login in a terminal; null for another login. */
function commandOf(
  { type, args, _meta }: WireGreeting['authMethods'][number],
  { program, known, find }: LoginContext,
): LoginCommand | 'missing' | null {
  if (type === 'terminal' || _meta?.type === 'terminal') {
    const own = type === 'terminal' ? args : (_meta?.args ?? [])
    const before = program.known ? [] : program.args.filter(word => !SPEAKS_ACP.has(word))
    return { file: program.file, args: [...before, ...own] }
  }
  const reported = _meta?.['terminal-auth']
  const named = reported
    ? { file: reported.command, args: reported.args }
    : known?.quirks.hidesCommand
      ? known.login
      : null
  if (!named) return null
  const file = named.file === program.known?.command ? program.file : find(named.file)
  return file === null ? 'missing' : { file, args: [...named.args] }
}

/** What makes an agent ask in no mode, whatever it reports: a flag of its command, or a variable. Pure. */
import type { PermissionMode } from '../../../agent/permission.ts'
import { lookup } from '../../../text/lookup.ts'
import { ownModeFor, permissionModeOf, type KnownAgent } from '../known-agents.ts'
import type { OptionFacts } from './options.ts'

/** The variables with which the agent asks as in this mode of ours; it is started without one that is undefined. */
export function modeVariables(
  known: KnownAgent | null,
  mode: PermissionMode,
  env: NodeJS.ProcessEnv,
): Record<string, string | undefined> {
  const { variable } = known?.modes ?? {}
  if (mode === 'allow') return {}
  return {
    ...(variable && lookup(env, variable.name) === undefined && { [variable.name]: ownModeFor(mode, variable.for) }),
    ...Object.fromEntries(unaskingVariables(known).map(name => [name, undefined])),
  }
}

/** The facts about the options of an agent with a row in the table; null is one without. */
export function optionFacts(
  known: () => KnownAgent | null,
  args: readonly string[],
  chosen: OptionFacts['chosen'],
): OptionFacts {
  return {
    meaning(mode) {
      const row = known()
      if (!row) return undefined
      return unaskingFlag(row, args) === null ? permissionModeOf(mode, row.modes) : 'allow'
    },
    chosen,
  }
}

/**
 * Flags with which an agent runs some or all calls unasked, whatever mode it reports, by its name in the table of agents. A flag that only
 * chooses the mode (`--approval-mode`, `--yolo` of Gemini and Qwen) is not among them: the session is put into a mode that asks. A policy
 * of Gemini may allow anything. They are not in the table itself because every start loads that.
 */
const UNASKING_FLAGS: Readonly<Partial<Record<string, readonly string[]>>> = {
  copilot: ['--allow-all-tools', '--allow-all', '--yolo', '--allow-tool', '--assisted-approval'],
  gemini: ['--allowed-tools', '--policy', '--admin-policy'],
  qwen: ['--allowed-tools'],
}

/** The variables with any of which an agent asks in no mode, whatever it reports. It is started without them, except in `allow`. */
const UNASKING_VARIABLES: Readonly<Partial<Record<string, readonly string[]>>> = {
  copilot: ['COPILOT_ALLOW_ALL', 'COPILOT_ASSISTED_APPROVAL'],
}

export function unaskingVariables(known: KnownAgent | null): readonly string[] {
  return lookup(UNASKING_VARIABLES, known?.name ?? '') ?? []
}

/** The first such flag among the arguments, also in the words of a shell or another wrapper; null if there is none. */
export function unaskingFlag(known: KnownAgent | null, args: readonly string[]): string | null {
  const flags = lookup(UNASKING_FLAGS, known?.name ?? '') ?? []
  const words = args.flatMap(each => each.split(/\s+/))
  return words.find(word => flags.some(flag => plainFlag(flag) === plainFlag(word))) ?? null
}

/** A flag without its value and its dashes: some parsers take `--allowedTools` for `--allowed-tools`. */
function plainFlag(flag: string): string {
  const [name = ''] = flag.split('=')
  return name.startsWith('-') ? name.replaceAll('-', '').toLowerCase() : ''
}

/**
 * Flags in the command of an agent with which it runs some or all calls unasked, whatever mode it reports. A flag that only chooses the mode
 * (`--approval-mode`, `--yolo` of Gemini and Qwen) is none of them: the session is put into a mode that asks. Apart from the table of
 * agents, which every start loads. Pure.
 */
import { lookup } from '../../../text/lookup.ts'
import type { KnownAgent } from '../known-agents.ts'

/** By the names of the table. A policy of Gemini may allow anything. */
const FLAGS: Readonly<Partial<Record<string, readonly string[]>>> = {
  copilot: ['--allow-all-tools', '--allow-all', '--yolo', '--allow-tool', '--assisted-approval'],
  gemini: ['--allowed-tools', '--policy', '--admin-policy'],
  qwen: ['--allowed-tools'],
}

/** The variables with any of which an agent asks in no mode, whatever it reports. It is started without them, except in `allow`. */
const VARIABLES: Readonly<Partial<Record<string, readonly string[]>>> = {
  copilot: ['COPILOT_ALLOW_ALL', 'COPILOT_ASSISTED_APPROVAL'],
}

export function unaskingVariables(known: KnownAgent | null): readonly string[] {
  return lookup(VARIABLES, known?.name ?? '') ?? []
}

/** The first such flag among the arguments, also in the words of a shell or another wrapper; null if there is none. */
export function unaskingFlag(known: KnownAgent | null, args: readonly string[]): string | null {
  const flags = lookup(FLAGS, known?.name ?? '') ?? []
  const words = args.flatMap(each => each.split(/\s+/))
  return words.find(word => flags.some(flag => plain(flag) === plain(word))) ?? null
}

/** A flag without its value and its dashes: some parsers take `--allowedTools` for `--allowed-tools`. */
function plain(flag: string): string {
  const [name = ''] = flag.split('=')
  return name.startsWith('-') ? name.replaceAll('-', '').toLowerCase() : ''
}

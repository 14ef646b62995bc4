/** Warnings about a zot that started, but not as requested. Pure. */
import type { Greeting } from './handshake.ts'

export type RequestedModel = { provider?: string | undefined; model?: string | undefined }

const MAX_WARNINGS = 8
const SUBSTITUTION = /^(?:zot|puddle): model ".*?" is not in the active catalogue/u
const WARNING = /^(?:(?:zot|puddle): |(?=extension load: ))/u

/**
 * Compares the requested provider and model with those that zot resolved, because zot replaces them without an error. Then
 * come zot's own warnings from standard error, oldest first, without the one that says the same.
 */
export function startWarnings(asked: RequestedModel, greeting: Greeting, stderr: readonly string[]): string[] {
  const own: string[] = []
  if (asked.provider && asked.provider !== greeting.provider) {
    own.push(
      `zot uses ${greeting.provider} instead of ${asked.provider}, which it does not know or has no credential for`,
    )
  }
  const otherModel = Boolean(asked.model) && asked.model !== greeting.model
  if (otherModel)
    own.push(`zot uses the model ${greeting.model} instead of ${asked.model}, which it does not offer here`)
  const said = stderr.filter(line => WARNING.test(line) && !(otherModel && SUBSTITUTION.test(line)))
  return [...own, ...said.map(line => line.replace(WARNING, ''))].slice(0, MAX_WARNINGS)
}

/** Says that extensions are off while zotui asks before calls run. */
export function extensionsWarning(names: readonly string[]): string {
  const which = names.length === 1 ? `the extension ${names[0]} is` : `these extensions are`
  const list = names.length === 1 ? '' : `: ${names.join(', ')}`
  return `While zotui asks before calls run, ${which} off${list}. --no-guard turns the asking off and extensions on.`
}

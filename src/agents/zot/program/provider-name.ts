/** Checks the name of a provider: zot starts with another provider if it does not know the name, and says so only on the wire. Pure. */
import { nearest } from '../../../text/spelling/nearest.ts'

/** Further names that zot takes for providers of its list, in its `build.go` of July 2026. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['bedrock', 'amazon-bedrock'],
  ['aws-bedrock', 'amazon-bedrock'],
  ['amazon', 'amazon-bedrock'],
  ['vertex', 'google-vertex'],
  ['gcp-vertex', 'google-vertex'],
  ['gemini', 'google'],
  ['googleai', 'google'],
  ['google-ai', 'google'],
  ['azure', 'azure-openai-responses'],
  ['azure-openai', 'azure-openai-responses'],
  ['copilot', 'github-copilot'],
  ['github', 'github-copilot'],
  ['codex', 'openai-codex'],
  ['moonshot', 'moonshotai'],
  ['kimi-code', 'kimi'],
  ['ai-gateway', 'vercel-ai-gateway'],
  ['vercel', 'vercel-ai-gateway'],
  ['cloudflare', 'cloudflare-workers-ai'],
  ['workers-ai', 'cloudflare-workers-ai'],
  ['hf', 'huggingface'],
])
/** Providers that the list lacks, because only their own server knows their models. */
const WITHOUT_MODELS: readonly string[] = ['ollama']
/** The most names that a message lists. */
const MOST_LISTED = 8

/**
 * The next step for a name that no provider has; null if there is nothing to do. `listed` are the providers of the models that zot lists.
 * Where it lists none, nothing is known.
 */
export function hintForProvider(name: string, listed: readonly string[]): string | null {
  const known = [...new Set(listed)]
  if (known.length === 0) return null
  const asked = name.trim().toLowerCase()
  const all = [...known, ...WITHOUT_MODELS]
  if (all.includes(ALIASES.get(asked) ?? asked)) return null
  const near = nearest(
    asked,
    [...all, ...ALIASES.keys()].filter(each => all.includes(ALIASES.get(each) ?? each)),
  )
  if (near !== null) return `did you mean ${near}?`
  if (known.length <= MOST_LISTED) return `it knows ${known.toSorted().join(', ')}`
  return '`zot --list-models` lists them'
}

/**
 * Finds out for which providers zot has a credential, by zot's rules: a variable of the environment, or its own file. The
 * credential itself is not used. Pure.
 */
import { z } from 'zod'
import { isObject } from '../../../text/json.ts'
import { lookup } from '../../../text/lookup.ts'

/** Further variables of a provider, besides `<PROVIDER>_API_KEY`. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    anthropic: ['ANTHROPIC_OAUTH_TOKEN'],
    google: ['GEMINI_API_KEY'],
    'openai-responses': ['OPENAI_API_KEY'],
    moonshotai: ['MOONSHOT_API_KEY'],
    'moonshotai-cn': ['MOONSHOT_API_KEY'],
    huggingface: ['HF_TOKEN'],
    'minimax-cn': ['MINIMAX_API_KEY'],
    'vercel-ai-gateway': ['AI_GATEWAY_API_KEY'],
    'opencode-go': ['OPENCODE_API_KEY'],
    'github-copilot': ['COPILOT_GITHUB_TOKEN', 'GITHUB_COPILOT_TOKEN'],
    'cloudflare-workers-ai': ['CLOUDFLARE_API_KEY'],
    'cloudflare-ai-gateway': ['CLOUDFLARE_API_KEY'],
    'amazon-bedrock': ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_BEARER_TOKEN_BEDROCK'],
    'google-vertex': ['GOOGLE_CLOUD_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
    'azure-openai-responses': ['AZURE_OPENAI_API_KEY'],
  }),
)

/** The variable for a key of this provider. */
export function keyVariable(provider: string): string {
  return VARIABLES.get(provider)?.find(name => name !== 'ANTHROPIC_OAUTH_TOKEN') ?? ownVariable(provider)
}

/** All variables that hold a credential of this provider. */
export function keyVariablesOf(provider: string): readonly string[] {
  return [ownVariable(provider), ...(VARIABLES.get(provider) ?? [])]
}

function ownVariable(provider: string): string {
  return `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`
}

/** Whether a variable holds a credential of some provider. */
function isKey(name: string): boolean {
  return name.endsWith('_API_KEY') || EVERY_VARIABLE.has(name)
}

const EVERY_VARIABLE: ReadonlySet<string> = new Set(
  [...VARIABLES.values(), 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'].flat(),
)

/** The variables that hold credentials of providers. */
export function keyVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (isKey(name) && value !== undefined ? [[name, value]] : [])),
  )
}

/** The environment without them. */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isKey(name)))
}

/** Providers that need no credential, and kimi, where zot also uses the login of the provider's own program. */
const WITHOUT_KEY = new Set(['ollama', 'lmstudio', 'kimi'])

/** Providers that share the login of another. */
const SHARED: ReadonlyMap<string, string> = new Map([
  ['openai-codex', 'openai'],
  ['openai-responses', 'openai'],
])

const credential = z
  .object({ api_key: z.string().catch('').default(''), oauth: z.unknown().optional() })
  .transform(({ api_key: key, oauth }) => key !== '' || isObject(oauth))
  .catch(false)

const credentialsFile = z.looseObject({
  additional_api_key_creds: z.record(z.string(), credential).catch({}).default({}),
})

/** Makes the lookup. `file` is the text of zot's `auth.json`; null if it cannot be read. */
export function createCredentialLookup(env: NodeJS.ProcessEnv, file: string | null): (provider: string) => boolean {
  const stored = file === null ? new Set<string>() : providersIn(file)
  return provider => {
    if (WITHOUT_KEY.has(provider)) return true
    const isSet = keyVariablesOf(provider).some(name => lookup(env, name))
    return isSet || stored.has(provider) || stored.has(SHARED.get(provider) ?? provider)
  }
}

function providersIn(file: string): ReadonlySet<string> {
  try {
    const { additional_api_key_creds: additional, ...own } = credentialsFile.parse(JSON.parse(file))
    const known = Object.entries(own).flatMap(([name, value]) =>
      credential.parse(value) ? [name.replaceAll('_', '-')] : [],
    )
    return new Set([...known, ...Object.keys(additional).filter(name => lookup(additional, name))])
  } catch {
    // The file is not JSON, or not zot's: nothing is known.
    return new Set()
  }
}

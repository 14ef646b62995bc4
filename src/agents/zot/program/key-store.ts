/** Stores API keys of providers in zot's `auth.json`, which zot 0.1.62 and later read, and removes logins from it. */
import { join } from 'node:path'
import type { KeyProvider, KeyStore, Model, Reply, StoredLogin } from '../../../agent/backend.ts'
import { messageOf } from '../../../platform/errors.ts'
import { readRegularFile } from '../../../platform/regular-file.ts'
import { realPath } from '../../../platform/real-path.ts'
import { replaceContent } from '../../../platform/replace-content.ts'
import { isObject } from '../../../text/json.ts'
import { lookup, put } from '../../../text/lookup.ts'
import { keyVariable, keyVariablesOf } from './credentials.ts'

/** The server of a provider's models, and how a key is sent to it. */
type Trial = { server: string; headers: (key: string) => Record<string, string> }

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** The providers that every zot knows, which are offered at once. */
const FIRST: readonly (KeyProvider & Trial)[] = [
  {
    name: 'anthropic',
    title: 'Anthropic',
    variable: 'ANTHROPIC_API_KEY',
    server: 'https://api.anthropic.com',
    headers: key => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
  { name: 'openai', title: 'OpenAI', variable: 'OPENAI_API_KEY', server: 'https://api.openai.com', headers: bearer },
  { name: 'kimi', title: 'Kimi', variable: 'KIMI_API_KEY', server: 'https://api.kimi.com/coding', headers: bearer },
]

/** Providers without a key of their own: they run on this machine, have only subscriptions, or take the key of another. */
const WITHOUT_OWN_KEY: ReadonlySet<string> = new Set(['ollama', 'lmstudio', 'openai-codex', 'openai-responses'])

/** The later providers with a place of their own in the file; the others share one. */
const OWN_PLACE: ReadonlyMap<string, string> = new Map([
  ...FIRST.map(({ name }) => [name, name] as const),
  ['google', 'google'],
  ['deepseek', 'deepseek'],
  ['github-copilot', 'github_copilot'],
])
const SHARED_PLACE = 'additional_api_key_creds'

/** The largest file that is read, in bytes. */
const LARGEST_FILE = 1_000_000
/** Milliseconds for the provider's answer. */
const PATIENCE = 10_000

export type KeyStoreOptions = {
  /** zot's folder. */
  home: string
  /** The environment of zot. */
  env: NodeJS.ProcessEnv
  /** The address that replaces the provider's own, as with `--base-url`. */
  server: () => string | undefined
  /** The models of every provider that this zot supports. */
  listModels: () => Promise<Reply<readonly Model[]>>
}

export function createKeyStore({ home, env, server, listModels }: KeyStoreOptions): KeyStore {
  const file = join(home, 'auth.json')
  return {
    async providers() {
      const listed = await listModels()
      const known = listed.ok ? listed.value.map(({ provider }) => provider) : []
      const others = [...new Set(known)].filter(
        name => !WITHOUT_OWN_KEY.has(name) && !FIRST.some(each => each.name === name),
      )
      return [
        ...FIRST.map(({ name, title, variable }) => ({ name, title, variable })),
        ...others.toSorted().map(name => ({ name, title: name, variable: keyVariable(name) })),
      ]
    },
    async keep(name, key) {
      if (!/^[\x21-\x7e]+$/.test(key)) return { ok: false, message: 'a key has no spaces and no special characters' }
      const provider = FIRST.find(each => each.name === name)
      const trial = provider ? await tryKey(provider, key, server() ?? provider.server) : UNTRIED
      if (trial.outcome === 'rejected')
        return { ok: false, message: `${provider?.title ?? name} rejected the key (${trial.why})` }
      const problem = await change(realPath(file), former => withKey(former, name, key))
      if (problem !== null) return { ok: false, message: problem }
      return { ok: true, value: { file, untried: trial.outcome === 'untried' ? trial.why : null } }
    },
    async stored() {
      const found = await read(realPath(file))
      return found.ok ? { ok: true, value: { file, logins: loginsIn(found.value) } } : found
    },
    async forget(login) {
      const problem = await change(realPath(file), former => withoutLogin(former, login))
      if (problem !== null) return { ok: false, message: problem }
      return { ok: true, value: keyVariablesOf(login.provider).find(name => lookup(env, name)) ?? '' }
    },
  }
}

type TrialEnd = { outcome: 'accepted' } | { outcome: 'rejected' | 'untried'; why: string }

const UNTRIED: TrialEnd = { outcome: 'untried', why: 'zot tries it with the next prompt' }

/** Asks for the list of models, which costs nothing. */
async function tryKey({ headers, title }: KeyProvider & Trial, key: string, server: string): Promise<TrialEnd> {
  try {
    const url = `${server.replace(/\/+$/, '')}/v1/models`
    const { ok, status, body } = await fetch(url, {
      headers: headers(key),
      // The key goes to this server and to no other.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    })
    await body?.cancel()
    if (ok) return { outcome: 'accepted' }
    const isRejected = status === 401 || status === 403
    return { outcome: isRejected ? 'rejected' : 'untried', why: `HTTP ${status}` }
  } catch {
    // The message of such an error may contain the key.
    return { outcome: 'untried', why: `${title} could not be reached` }
  }
}

/** Changes the file. Returns an error message, or null. */
async function change(file: string, next: (former: Credentials) => Credentials | null): Promise<string | null> {
  const former = await read(file)
  if (!former.ok) return former.message
  const content = next(former.value)
  if (content === null) return `${file} does not have it any more`
  try {
    await replaceContent(realPath(file), Buffer.from(`${JSON.stringify(content, null, 2)}\n`), 0o600)
    return null
  } catch (error) {
    return `${file} could not be written: ${messageOf(error)}`
  }
}

/** The content of the file; nothing if there is none. */
async function read(file: string): Promise<Reply<Credentials>> {
  const found = await readRegularFile(file, LARGEST_FILE)
  if (!found.ok && found.reason !== 'is not there') return { ok: false, message: `${file} ${found.reason}` }
  const value = found.ok ? parsed(found.bytes.toString('utf8')) : {}
  return value === null ? { ok: false, message: `${file} is not JSON, so it was not changed` } : { ok: true, value }
}

type Credentials = Record<string, unknown>

function withKey(file: Credentials, provider: string, key: string): Credentials {
  const place = OWN_PLACE.get(provider)
  const shared = lookup(file, SHARED_PLACE)
  const table: Credentials = place !== undefined || !isObject(shared) ? {} : { ...shared }
  // A subscription of OpenAI is of another provider, openai-codex, and stays.
  const former = provider === 'openai' ? lookup(file, provider) : {}
  const credential = { ...(isObject(former) ? former : {}), api_key: key }
  if (place !== undefined) return { ...file, [place]: credential }
  put(table, provider, credential)
  return { ...file, [SHARED_PLACE]: table }
}

/** The logins in the file. zot keeps both kinds only for OpenAI, where the subscription is that of another provider. */
function loginsIn(file: Credentials): StoredLogin[] {
  const shared = lookup(file, SHARED_PLACE)
  const own = Object.entries(file).map(([place, entry]) => [providerAt(place), entry] as const)
  const all = new Map<string, StoredLogin>()
  for (const [provider, entry] of [...own, ...Object.entries(isObject(shared) ? shared : {})]) {
    if (!isObject(entry)) continue
    const title = FIRST.find(({ name }) => name === provider)?.title ?? provider
    const [key, subscription] = [lookup(entry, FIELDS.key), lookup(entry, FIELDS.subscription)]
    const kinds: StoredLogin['kind'][] = []
    if (typeof key === 'string' && key !== '') kinds.push('key')
    if (isObject(subscription)) kinds.push('subscription')
    for (const kind of kinds) all.set(`${kind} ${provider}`, { provider, kind, title })
  }
  return [...all.values()]
}

/** The provider whose own place this is. */
function providerAt(place: string): string {
  return [...OWN_PLACE].find(([, each]) => each === place)?.[0] ?? place
}

/** The fields of a provider's credential. */
const FIELDS: Readonly<Record<StoredLogin['kind'], string>> = { key: 'api_key', subscription: 'oauth' }

/** The file without this login, wherever it is; null if it is not there. */
function withoutLogin(file: Credentials, { provider, kind }: StoredLogin): Credentials | null {
  const own = withoutCredential(file, OWN_PLACE.get(provider) ?? provider, kind)
  const shared = lookup(file, SHARED_PLACE)
  const left = isObject(shared) ? withoutCredential(shared, provider, kind) : null
  return left ? replaced(own ?? file, SHARED_PLACE, left) : own
}

function withoutCredential(table: Credentials, name: string, kind: StoredLogin['kind']): Credentials | null {
  const entry = lookup(table, name)
  if (!isObject(entry) || lookup(entry, FIELDS[kind]) === undefined) return null
  const left = without(entry, FIELDS[kind])
  return Object.keys(left).length === 0 ? without(table, name) : replaced(table, name, left)
}

function without(table: Credentials, name: string): Credentials {
  return Object.fromEntries(Object.entries(table).filter(([each]) => each !== name))
}

/** The table with another value in the place that it has. */
function replaced(table: Credentials, name: string, value: unknown): Credentials {
  return Object.fromEntries(Object.entries(table).map(([each, former]) => [each, each === name ? value : former]))
}

function parsed(text: string): Credentials | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { ...value } : null
  } catch {
    return null
  }
}

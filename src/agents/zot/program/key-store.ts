/** Stores API keys of providers in zot's `auth.json`, which zot 0.1.62 and later read. */
import { join } from 'node:path'
import type { KeyProvider, KeyStore } from '../../../agent/backend.ts'
import { messageOf } from '../../../platform/errors.ts'
import { readRegularFile } from '../../../platform/regular-file.ts'
import { realPath } from '../../../platform/real-path.ts'
import { replaceContent } from '../../../platform/replace-content.ts'

type KnownProvider = KeyProvider & {
  /** The server of the provider's models. */
  server: string
  headers: (key: string) => Record<string, string>
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** The providers whose keys every zot reads from that file. Other providers need an environment variable. */
const PROVIDERS: readonly KnownProvider[] = [
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

/** The largest file that is read, in bytes. */
const LARGEST_FILE = 1_000_000
/** Milliseconds for the provider's answer. */
const PATIENCE = 10_000

/** `home` is zot's folder. `server` replaces the provider's own server, as with `--base-url`. */
export function createKeyStore({ home, server }: { home: string; server?: string | undefined }): KeyStore {
  return {
    providers: PROVIDERS.map(({ name, title, variable }) => ({ name, title, variable })),
    async keep(name, key) {
      const provider = PROVIDERS.find(each => each.name === name)
      if (!provider) return { ok: false, message: `zot stores no keys for ${name}` }
      if (!/^[\x21-\x7e]+$/.test(key)) return { ok: false, message: 'a key has no spaces and no special characters' }
      const trial = await tryKey(provider, key, server ?? provider.server)
      if (trial.outcome === 'rejected')
        return { ok: false, message: `${provider.title} rejected the key (${trial.why})` }
      const file = join(home, 'auth.json')
      const problem = await write(realPath(file), name, key)
      if (problem !== null) return { ok: false, message: problem }
      return { ok: true, value: { file, untried: trial.outcome === 'untried' ? trial.why : null } }
    },
  }
}

type Trial = { outcome: 'accepted' } | { outcome: 'rejected' | 'untried'; why: string }

/** Asks for the list of models, which costs nothing. */
async function tryKey({ headers, title }: KnownProvider, key: string, server: string): Promise<Trial> {
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

/** Adds the key to the file and keeps the rest of it. Returns an error message, or null. */
async function write(file: string, provider: string, key: string): Promise<string | null> {
  const read = await readRegularFile(file, LARGEST_FILE)
  if (!read.ok && read.reason !== 'is not there') return `${file} ${read.reason}`
  const former = read.ok ? parsed(read.bytes.toString('utf8')) : {}
  if (former === null) return `${file} is not JSON, so it was not changed`
  try {
    const next = { ...former, [provider]: { api_key: key } }
    await replaceContent(file, Buffer.from(`${JSON.stringify(next, null, 2)}\n`), 0o600)
    return null
  } catch (error) {
    return `${file} could not be written: ${messageOf(error)}`
  }
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

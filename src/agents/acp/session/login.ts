/** Logs in through the protocol. */
import { withTimeout } from '../../transport/with-timeout.ts'
import type { RpcPeer } from '../../transport/json-rpc.ts'
import { lookup } from '../../../text/lookup.ts'
import { errorWords } from '../error-words.ts'
import type { KeyLogin } from '../known-agents.ts'

/** The user's choice, with the key that the method takes. */
export type ChosenLogin = { method: string; key: string | null }

export type Logins = {
  /** Whether the environment has a key for the agent. */
  readonly hasKey: boolean
  /** The next step for a user without a login. */
  readonly hint: string
  /** Logs in with the key of the environment. Null, or why that failed. */
  useKey(): Promise<string | null>
  use(login: ChosenLogin): Promise<string | null>
}

export type LoginsOptions = {
  peer: RpcPeer
  /** Milliseconds: a login may wait for a browser. */
  limit: number
  keyLogin: KeyLogin | null
  env: NodeJS.ProcessEnv
}

export function createLogins({ peer, limit, keyLogin, env }: LoginsOptions): Logins {
  const { variables = [], method = '' } = keyLogin ?? {}
  const or = variables.length === 0 ? '' : `, or set ${variables.join(' or ')}`
  return {
    hasKey: variables.some(name => lookup(env, name)),
    hint: `log in: /login in zotui${or}`,
    useKey: () => authenticate({ methodId: method }),
    use: ({ method: methodId, key }) =>
      authenticate({ methodId, ...(key !== null && { _meta: { 'api-key': keyLogin?.sent(key) ?? { apiKey: key } } }) }),
  }

  async function authenticate(params: object): Promise<string | null> {
    const reply = await withTimeout(limit, peer.request('authenticate', params))
    if (reply === 'timed out') return 'the login was not completed in time'
    if (reply.ok) return null
    return reply.ending ? 'it ended during the login' : `the login failed: ${errorWords(reply.error)}`
  }
}

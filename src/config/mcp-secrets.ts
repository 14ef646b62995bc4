/** The secrets in the setting `mcp`, to be masked: the agent, which gets them, may repeat them. Pure. */
import { lookup } from '../text/lookup.ts'
import type { McpSettings } from './mcp.ts'

const SECRET_NAME = /auth|token|key|secret|passw|cookie|credential|bearer/i
const VARIABLE = /\$(?:(\w+)|\{(\w+)\})/g
/** Before the secret in a header. */
const SCHEME = /^(?:bearer|basic|token) +/i

/** Values whose name says that they are secret, and variables of headers. */
export function secretsOfServers(servers: McpSettings, env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.values(servers).flatMap(server => {
    const isProgram = 'command' in server
    const values = Object.entries((isProgram ? server.env : server.headers) ?? {})
    return values.flatMap(([name, text]) => {
      const variables = [...text.matchAll(VARIABLE)].map(([, plain, braced]) => plain ?? braced ?? '')
      const secret = variables.filter(each => !isProgram || SECRET_NAME.test(each) || SECRET_NAME.test(name))
      const written = SECRET_NAME.test(name) && variables.length === 0 ? [text.replace(SCHEME, '')] : []
      return secret.map(each => lookup(env, each) ?? '').concat(written)
    })
  })
}

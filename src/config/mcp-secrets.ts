/** The secrets in the setting `mcp`, to be masked: the agent, which gets them, may repeat them. Pure. */
import { lookup } from '../text/lookup.ts'
import { variablesIn, withVariables } from '../text/variables.ts'
import type { McpSettings } from './mcp.ts'

const SECRET_NAME = /auth|token|key|secret|passw|cookie|credential|bearer/i
/** Variables of every environment: with the home folder masked, no path could be read. */
const PLAIN_VARIABLE =
  /^(?:HOME|PATH|PWD|USER|LOGNAME|USERNAME|USERPROFILE|HOSTNAME|SHELL|TERM|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|XDG_\w+)$/i
/** Before the secret in a header. */
const SCHEME = /^(?:bearer|basic|token) +/i

/** The values of variables, and written ones whose name says that they are secret. */
export function secretsOfServers(servers: McpSettings, env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.values(servers).flatMap(server => {
    const values = Object.entries(('command' in server ? server.env : server.headers) ?? {})
    return values.flatMap(([name, text]) => {
      const isSecret = SECRET_NAME.test(name)
      const variables = variablesIn(text)
      const secret = variables.filter(each => isSecret || !PLAIN_VARIABLE.test(each))
      const written = isSecret && variables.length === 0 ? [withVariables(text, () => '').replace(SCHEME, '')] : []
      return secret.map(each => lookup(env, each) ?? '').concat(written)
    })
  })
}

/** The setting `mcp`: MCP servers that an agent starts, or calls, for its sessions. */
import {
  eitherKind,
  filledStringKind,
  Kind,
  listKind,
  objectKind,
  recordKind,
  stringKind,
  wordKind,
  type ValueOf,
} from '../text/json-kinds.ts'

const FORM =
  'must be an object of servers, each {command, args, env} or {type, url, headers} with the type http or sse (docs/agents.md)'

/** Agents make names of tools of it. */
const NAME = /^[a-z0-9][\w.-]{0,63}$/i

const name = new Kind<string>({ type: 'string', pattern: NAME.source }, value =>
  typeof value === 'string' && NAME.test(value)
    ? []
    : [{ path: [], words: 'has a wrong name: use only A-Z, 0-9, -, _ and . in names of MCP servers' }],
)
const filled = filledStringKind(FORM)
const values = recordKind(filled, stringKind(), FORM)

const server = eitherKind(
  objectKind({ command: filled }, { args: listKind(stringKind(), FORM), env: values }, FORM),
  objectKind({ type: wordKind(['http', 'sse'], FORM), url: filled }, { headers: values }, FORM),
  FORM,
)

/** The value of the setting. */
export const mcpKind = recordKind(name, server, FORM)

export type McpSettings = ValueOf<typeof mcpKind>

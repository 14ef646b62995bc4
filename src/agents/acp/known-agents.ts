/** The agents in zotui's table. */
import type { PermissionMode } from '../../agent/permission.ts'
import type { UsageCounting } from './turn/usage-counter.ts'

export type KnownAgent = {
  /** As in `--agent`. */
  name: string
  /** For lists: `Claude Code`. */
  title: string
  command: string
  args: readonly string[]
  /** The package that has the command. */
  package: string
  /** The program that installs it. */
  installer: 'npm install -g' | 'uv tool install'
  /**
   * The lowest version of what it runs on, such as `Node 22`; null if it includes that. On a lower Node npm installs an old version of
   * the agent.
   */
  needs: string | null
  /** The name that the agent gives itself in the protocol. */
  wireName: string
  /** The scope of the tokens that it reports at the end of a turn. */
  counts: UsageCounting
  modes: OwnModes
  /** The command for a login in a terminal; null for an agent that logs in by the protocol only. */
  login: { file: string; args: readonly string[] } | null
  /** Its way to log in with a key; null if it has none. */
  keyLogin: KeyLogin | null
  quirks: Quirks
}

/** The modes of an agent, by their ids on the wire. */
export type OwnModes = {
  /**
   * The modes in which it asks the user before a call changes something, apart from edits in its folder in some of them. Any other mode, also
   * one that it gets later, counts as one that may run things unasked.
   */
  asking: readonly string[]
  /** Its mode for each of zotui's, except `allow`, which leaves it in the mode that it starts in. `read` is its read-only mode. */
  for: ForModes
  /** The variable without which it asks in no mode, and its values. One that the user has set stays. */
  variable?: { name: string; for: ForModes }
  /** Another option, and the value without which it asks in no mode. */
  option?: { id: string; asking: string | boolean }
}

type ForModes = Readonly<Record<Exclude<PermissionMode, 'allow' | 'contained'>, string>>

export type KeyLogin = {
  /** The id of the method on the wire. */
  method: string
  /** The variables that it takes a key from, instead of one in the request. */
  variables: readonly string[]
  /** The key in the request's `_meta['api-key']`. */
  sent: (key: string) => unknown
}

export type Quirks = {
  /** It offers a login in a terminal without naming the command. */
  hidesCommand?: true
  /** It does not report when a call begins to run. */
  startsUnreported?: true
  /** It does not end when its input is closed. */
  outlivesInput?: true
  /** It does not send what a command prints in its first moments, unless the command has ended by then. */
  losesOutput?: true
  /** It sends an error of its model as a piece of its answer, and the turn ends as if it went well. */
  saysErrors?: true
  /**
   * It begins turns without a prompt. `unmarked`: the first work outside of a turn begins one, and the report of its cost ends it. `status`:
   * it reports when it begins and ends to work.
   */
  ownTurns?: 'unmarked' | 'status'
  /** Its calls begin commands in the background, and wake-ups. */
  background?: true
  /** Its commands may go on after their turn, and their end is reported then. */
  outlivingCommands?: true
}

/** The tools of OpenCode that only read, with its own rule for files of secrets. It asks before it uses any other. */
const OPENCODE_READS = {
  '*': 'ask',
  read: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' },
  ...Object.fromEntries(
    ['glob', 'grep', 'list', 'lsp', 'todoread', 'todowrite', 'question'].map(tool => [tool, 'allow']),
  ),
}
const OPENCODE_ASKS = JSON.stringify(OPENCODE_READS)
const OPENCODE_EDITS = JSON.stringify({ ...OPENCODE_READS, edit: 'allow' })

const COPILOT_MODES = 'https://agentclientprotocol.com/protocol/session-modes#'
const COPILOT_AGENT = `${COPILOT_MODES}agent`
const COPILOT_PLAN = `${COPILOT_MODES}plan`

export const knownAgents: readonly KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    package: '@agentclientprotocol/claude-agent-acp',
    installer: 'npm install -g',
    needs: 'Node 22',
    wireName: '@agentclientprotocol/claude-agent-acp',
    counts: 'turn',
    modes: {
      asking: ['default', 'acceptEdits', 'plan'],
      for: { ask: 'default', edits: 'acceptEdits', plan: 'plan', read: 'plan' },
    },
    login: { file: 'claude-agent-acp', args: ['--cli', '/login'] },
    keyLogin: null,
    quirks: { startsUnreported: true, ownTurns: 'unmarked', background: true },
  },
  {
    name: 'codex',
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    package: '@agentclientprotocol/codex-acp',
    installer: 'npm install -g',
    needs: 'Node 20',
    wireName: '@agentclientprotocol/codex-acp',
    counts: 'turn',
    modes: {
      asking: ['read-only', 'workspace-write'],
      for: { ask: 'read-only', edits: 'workspace-write', plan: 'read-only', read: 'read-only' },
    },
    login: null,
    keyLogin: {
      method: 'api-key',
      variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
      sent: apiKey => ({ apiKey }),
    },
    quirks: { outlivesInput: true, losesOutput: true, ownTurns: 'status', outlivingCommands: true },
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp'],
    package: '@google/gemini-cli',
    installer: 'npm install -g',
    needs: 'Node 20',
    wireName: 'gemini-cli',
    counts: 'turn',
    modes: {
      asking: ['default', 'autoEdit', 'plan'],
      for: { ask: 'default', edits: 'autoEdit', plan: 'plan', read: 'plan' },
    },
    // It asks the user at its first start.
    login: { file: 'gemini', args: [] },
    keyLogin: { method: 'gemini-api-key', variables: ['GEMINI_API_KEY'], sent: key => key },
    quirks: {},
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    package: 'opencode-ai',
    installer: 'npm install -g',
    needs: null,
    wireName: 'OpenCode',
    counts: 'turn',
    modes: {
      asking: ['build', 'plan'],
      for: { ask: 'build', edits: 'build', plan: 'plan', read: 'plan' },
      variable: {
        name: 'OPENCODE_PERMISSION',
        for: { ask: OPENCODE_ASKS, edits: OPENCODE_EDITS, plan: OPENCODE_ASKS, read: OPENCODE_ASKS },
      },
    },
    login: { file: 'opencode', args: ['auth', 'login'] },
    keyLogin: null,
    quirks: { hidesCommand: true },
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    package: '@qwen-code/qwen-code',
    installer: 'npm install -g',
    needs: 'Node 22',
    wireName: 'qwen-code',
    counts: 'turn',
    modes: {
      asking: ['default', 'auto-edit', 'plan'],
      for: { ask: 'default', edits: 'auto-edit', plan: 'plan', read: 'plan' },
    },
    login: { file: 'qwen', args: [] },
    keyLogin: null,
    quirks: {},
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    command: 'copilot',
    args: ['--acp'],
    package: '@github/copilot',
    installer: 'npm install -g',
    needs: null,
    wireName: 'Copilot',
    counts: 'opening',
    modes: {
      asking: [COPILOT_AGENT, COPILOT_PLAN],
      for: { ask: COPILOT_AGENT, edits: COPILOT_AGENT, plan: COPILOT_PLAN, read: COPILOT_PLAN },
      option: { id: 'allow_all', asking: 'off' },
    },
    login: { file: 'copilot', args: ['login'] },
    keyLogin: null,
    quirks: { saysErrors: true },
  },
  {
    name: 'vibe',
    title: 'Mistral Vibe',
    command: 'vibe-acp',
    args: [],
    package: 'mistral-vibe',
    installer: 'uv tool install',
    needs: 'Python 3.12',
    wireName: '@mistralai/mistral-vibe',
    counts: 'session',
    modes: {
      asking: ['ask', 'accept-edits'],
      // It has no mode for plans.
      for: { ask: 'ask', edits: 'accept-edits', plan: 'ask', read: 'ask' },
    },
    login: { file: 'vibe-acp', args: ['--setup'] },
    keyLogin: null,
    quirks: {},
  },
  {
    name: 'cline',
    title: 'Cline',
    command: 'cline',
    args: ['--acp'],
    package: 'cline',
    installer: 'npm install -g',
    needs: null,
    wireName: 'cline',
    counts: 'turn',
    modes: {
      asking: ['act', 'plan'],
      for: { ask: 'act', edits: 'act', plan: 'plan', read: 'plan' },
      option: { id: 'auto_approve', asking: false },
    },
    login: { file: 'cline', args: ['auth'] },
    keyLogin: null,
    quirks: {},
  },
]

/** The next step for a user without this agent; '' for one without a row. */
export function installHint(known: KnownAgent | null): string {
  if (!known) return ''
  const { package: name, installer, needs } = known
  const on = needs === null ? '' : ` (${needs} or newer)`
  return `install it with \`${installer} ${name}\`${on}`
}

/** An agent with modes of its own runs its commands itself, so nothing contains them: it asks about each. */
export const ownModeFor = <Value>(
  mode: Exclude<PermissionMode, 'allow'>,
  modes: Readonly<Record<keyof ForModes, Value>>,
): Value => modes[mode === 'contained' ? 'ask' : mode]

/** The loosest of our modes that does the same as this one of the agent: `allow` for one that may not ask. */
export function permissionModeOf(mode: string, { asking, for: { edits, ask, plan, read } }: OwnModes): PermissionMode {
  if (!asking.includes(mode)) return 'allow'
  if (mode === edits) return 'edits'
  if (mode === ask) return 'ask'
  return mode === plan ? 'plan' : mode === read ? 'read' : 'edits'
}

/** The agent of the table that reports this name of its own in the protocol. */
export function knownByWire(wireName: string): KnownAgent | null {
  return knownAgents.find(known => known.wireName === wireName) ?? null
}

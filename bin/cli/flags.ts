/** The table of flags. The command line, its help, the man page and shell completion are made from it. */

/** The groups of the help, in order. */
const groups = {
  start: 'Starting',
  print: 'Without the UI',
  look: 'Appearance',
  limits: 'Limits',
  model: 'Model',
  context: 'Context',
} as const

/** A flag of the program or of one of its commands. */
export type FlagRow = {
  type: 'boolean' | 'string'
  shortFlag?: string
  isMultiple?: true
  /** Whether its value may begin with dashes, or be empty. */
  isText?: true
  /** Whether the value is optional. */
  isOptional?: true
  /** Whether the flag is for zot, so that it has no effect with the demo. */
  isForZot?: true
  /** The name of its value in the help. */
  value?: string
  /** Its possible values, for completion. */
  completes?: readonly string[] | 'file' | 'folder'
  text: string
}

type GroupedRow = FlagRow & { group: keyof typeof groups }

/** Flags by their names in camelCase. */
export const flags = {
  help: { type: 'boolean', shortFlag: 'h', group: 'start', text: 'show this help' },
  version: { type: 'boolean', shortFlag: 'v', group: 'start', text: 'show the versions' },
  continue: {
    type: 'boolean',
    shortFlag: 'c',
    group: 'start',
    text: 'resume the last session on a screen here; -p: the newest',
  },
  resume: {
    type: 'string',
    shortFlag: 'r',
    isOptional: true,
    group: 'start',
    value: '[ID|TEXT]',
    text: 'resume this session, or choose among matching sessions',
  },
  prompt: {
    type: 'string',
    isText: true,
    group: 'start',
    value: 'TEXT',
    text: 'the prompt, if it looks like a flag or begins with a command',
  },
  cwd: { type: 'string', group: 'start', value: 'DIR', completes: 'folder', text: 'work in this folder' },
  on: {
    type: 'string',
    group: 'start',
    value: 'MACHINE',
    text: 'run the agent on ssh:HOST[:DIR], docker:CONTAINER[:DIR] or kubectl:POD[:DIR] (docs/remote.md)',
  },
  via: {
    type: 'string',
    group: 'start',
    value: 'COMMAND',
    text: 'run the agent through COMMAND plus a shell command; --cwd: its folder',
  },
  demo: { type: 'boolean', group: 'start', text: 'use the built-in demo agent' },
  agent: {
    type: 'string',
    group: 'start',
    value: 'NAME',
    completes: ['zot', 'claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'vibe', 'cline', 'meerkat', 'roz'],
    text: 'zot, claude, codex, gemini and others, or a command (docs/agents.md)',
  },
  zot: {
    type: 'string',
    group: 'start',
    value: 'PATH',
    completes: 'file',
    text: 'the zot to run (default: $ZOTUI_ZOT, the settings, PATH)',
  },
  record: {
    type: 'string',
    group: 'start',
    value: 'FILE',
    completes: 'file',
    text: 'record what passes between zotui and zot',
  },
  print: {
    type: 'boolean',
    shortFlag: 'p',
    group: 'print',
    text: 'print the answer to one prompt and exit; piped input is added to it',
  },
  json: {
    type: 'boolean',
    group: 'print',
    text: 'with -p: print each event as a line of JSON, the result last',
  },
  quiet: { type: 'boolean', group: 'print', text: 'with -p: print only the final answer' },
  outputSchema: {
    type: 'string',
    group: 'print',
    value: 'FILE|JSON',
    completes: 'file',
    text: 'with -p: print JSON that satisfies this JSON Schema or its FILE',
  },
  timeout: { type: 'string', group: 'print', value: 'TIME', text: 'with -p: stop after 90s, 15m or 2h' },
  background: { type: 'boolean', group: 'print', text: 'with -p: run in the background and print the ID' },
  theme: {
    type: 'string',
    group: 'look',
    value: 'NAME|FILE',
    completes: ['auto', 'dark', 'light', 'ansi', 'high-contrast', 'colorblind'],
    text: 'a theme, by its name or file (default: $ZOTUI_THEME)',
  },
  ascii: { type: 'boolean', group: 'look', text: 'draw with ASCII only' },
  screenReader: {
    type: 'boolean',
    group: 'look',
    text: 'write lines of text, for screen readers',
  },
  maxCost: { type: 'string', group: 'limits', value: 'USD', text: 'stop when the session has cost USD' },
  permissions: {
    type: 'string',
    group: 'limits',
    value: 'MODE',
    completes: ['ask', 'edits', 'contained', 'plan', 'allow', 'read'],
    text: 'what runs without asking: ask, edits, contained, plan, allow or read',
  },
  sandbox: {
    type: 'string',
    group: 'limits',
    value: 'WORD',
    completes: ['off', 'on', 'closed'],
    text: 'a sandbox for commands: off, on, closed (no network)',
  },
  permissionTool: {
    type: 'string',
    group: 'print',
    value: 'COMMAND',
    text: 'with -p: ask this program before a call runs (docs/permissions.md)',
  },
  readOnly: {
    type: 'boolean',
    isForZot: true,
    group: 'limits',
    text: 'allow only reading, like --permissions read',
  },
  tools: { type: 'string', isForZot: true, group: 'limits', value: 'A,B', text: 'allow only these tools' },
  ext: {
    type: 'string',
    isMultiple: true,
    isForZot: true,
    group: 'limits',
    value: 'DIR',
    completes: 'folder',
    text: 'load an extension; repeatable',
  },
  maxSteps: {
    type: 'string',
    isForZot: true,
    group: 'limits',
    value: 'NUMBER',
    text: 'limit the model calls for a prompt',
  },
  insecure: { type: 'boolean', isForZot: true, group: 'limits', text: 'accept any TLS certificate' },
  provider: { type: 'string', isForZot: true, group: 'model', value: 'NAME', text: 'the provider' },
  model: { type: 'string', isForZot: true, group: 'model', value: 'ID', text: 'the model' },
  reasoning: {
    type: 'string',
    isForZot: true,
    group: 'model',
    value: 'LEVEL',
    completes: ['off', 'minimum', 'low', 'medium', 'high', 'xhigh', 'max'],
    text: 'the reasoning level, if the model and zot support it',
  },
  temperature: {
    type: 'string',
    isForZot: true,
    group: 'model',
    value: 'NUMBER',
    text: 'the sampling temperature, from 0 to 2',
  },
  baseUrl: {
    type: 'string',
    isForZot: true,
    group: 'model',
    value: 'URL',
    text: 'the URL of the provider, or of the roz server',
  },
  apiKey: {
    type: 'string',
    isForZot: true,
    group: 'model',
    value: 'KEY',
    text: "the provider's key (others can see it: prefer ANTHROPIC_API_KEY or the like)",
  },
  systemPrompt: {
    type: 'string',
    isText: true,
    isForZot: true,
    group: 'context',
    value: 'TEXT',
    text: "replace zot's system prompt",
  },
  appendSystemPrompt: {
    type: 'string',
    isMultiple: true,
    isText: true,
    isForZot: true,
    group: 'context',
    value: 'TEXT',
    text: 'append to the system prompt; repeatable',
  },
} as const satisfies Record<string, GroupedRow>

/** Flags that turn something off, by their full names. */
const negatives = {
  'no-color': { type: 'boolean', group: 'look', text: 'turn colours off' },
  'no-guard': {
    type: 'boolean',
    isForZot: true,
    group: 'limits',
    text: 'start zot without the guard: it never asks',
  },
  'no-read-only': { type: 'boolean', group: 'limits', text: 'ignore the setting readOnly' },
  'no-tools': { type: 'boolean', isForZot: true, group: 'limits', text: 'turn all tools off' },
  'no-ext': { type: 'boolean', isForZot: true, group: 'limits', text: 'load no extensions' },
  'no-skill': { type: 'boolean', isForZot: true, group: 'context', text: 'load no skills' },
  'no-context-files': { type: 'boolean', isForZot: true, group: 'context', text: 'load no AGENTS.md' },
} as const satisfies Record<string, GroupedRow>

/** Flags by their names in camelCase. */
export type FlagRows = Readonly<Record<string, FlagRow>>

export type NamedFlag = FlagRow & { name: string }

/** `maxSteps` as it is written: `max-steps`. */
export const dashed = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** Rows with their written names, without the leading dashes. */
export function named<Row extends FlagRow>(rows: Readonly<Record<string, Row>>): (Row & { name: string })[] {
  return Object.entries(rows).map(([name, row]) => Object.assign({ name: dashed(name) }, row))
}

export const allFlags = named<GroupedRow>({ ...flags, ...negatives })

/** The rows of a command's flags by their names in camelCase, with `help`, which each has. */
export function flagRows({ flags: rows }: { flags: FlagRows }): FlagRows {
  return { ...rows, help: { type: 'boolean', shortFlag: 'h', text: 'show this help' } }
}

/** The same flags with their written names. */
export function flagsOf(command: { flags: FlagRows }): readonly NamedFlag[] {
  return named(flagRows(command))
}

/** The groups with their flags. */
export function flagsByGroup(): { title: string; flags: readonly NamedFlag[] }[] {
  return Object.entries(groups).map(([group, title]) => ({
    title,
    flags: allFlags.filter(flag => flag.group === group),
  }))
}

/** A flag as the help shows it: `-r, --resume [ID|TEXT]`. */
export function written({ name, value, shortFlag }: NamedFlag): string {
  return `${shortFlag === undefined ? '' : `-${shortFlag}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

/** The flags for zot, as they are typed. */
export const forZot: ReadonlySet<string> = new Set(
  allFlags.flatMap(({ name, isForZot }) => (isForZot ? [`--${name}`] : [])),
)

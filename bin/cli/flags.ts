/** The table of flags: for reading the command line, its help, the man page and the completion of shells. */

/** The groups of help, in order. */
export const groups = {
  start: 'Starting',
  print: 'Printing without the UI',
  look: 'Look',
  limits: 'What zot may do',
  model: 'The model',
  context: 'What the model is told',
} as const

export type FlagRow = {
  type: 'boolean' | 'string'
  shortFlag?: string
  isMultiple?: true
  /** Whether its value may begin with dashes, or be empty. */
  isText?: true
  /** Whether it may stand without a value; it has a letter. */
  isOptional?: true
  /** Whether it makes no sense without a zot. */
  isForZot?: true
  group: keyof typeof groups
  /** How its value is called in the help. */
  value?: string
  /** What its value may be, for completion. */
  completes?: readonly string[] | 'file' | 'folder'
  text: string
}

/** By their names in camelCase. meow reads `--no-x` as `x: false`, so flags of that kind stand in `negatives`. */
export const flags = {
  help: { type: 'boolean', shortFlag: 'h', group: 'start', text: 'this' },
  version: { type: 'boolean', shortFlag: 'v', group: 'start', text: 'the version of zotui, and of the zot it finds' },
  continue: { type: 'boolean', shortFlag: 'c', group: 'start', text: 'go on with the last session of this folder' },
  resume: {
    type: 'string',
    shortFlag: 'r',
    isOptional: true,
    group: 'start',
    value: '[ID|TEXT]',
    text: 'go on with this session, or choose among those that suit',
  },
  prompt: {
    type: 'string',
    isText: true,
    group: 'start',
    value: 'TEXT',
    text: 'a prompt that looks like a flag or begins with a command',
  },
  cwd: { type: 'string', group: 'start', value: 'DIR', completes: 'folder', text: 'work in this folder' },
  demo: { type: 'boolean', group: 'start', text: 'talk to the built-in demo agent instead of zot' },
  zot: {
    type: 'string',
    group: 'start',
    value: 'PATH',
    completes: 'file',
    text: 'the zot to run (else $ZOTUI_ZOT, the settings, or the one in PATH)',
  },
  record: {
    type: 'string',
    group: 'start',
    value: 'FILE',
    completes: 'file',
    text: 'write down what passes between zotui and zot',
  },
  print: {
    type: 'boolean',
    shortFlag: 'p',
    group: 'print',
    text: 'print the answer to one prompt; what is piped in becomes part of it',
  },
  json: { type: 'boolean', group: 'print', text: 'with -p: every event, one a line' },
  quiet: { type: 'boolean', group: 'print', text: 'with -p: the answer alone' },
  timeout: { type: 'string', group: 'print', value: 'TIME', text: 'with -p: stop after 90s, 15m or 2h' },
  theme: {
    type: 'string',
    group: 'look',
    value: 'NAME|FILE',
    completes: ['auto', 'dark', 'light', 'ansi', 'high-contrast', 'colorblind'],
    text: "the colours: auto, dark, light, ansi, high-contrast, colorblind, one of yours or of zot's (else $ZOTUI_THEME)",
  },
  ascii: { type: 'boolean', group: 'look', text: 'plain signs' },
  screenReader: {
    type: 'boolean',
    group: 'look',
    text: 'for screen readers: everything in words, one below the other',
  },
  maxCost: { type: 'string', group: 'limits', value: 'USD', text: 'begin no step once the session has cost that much' },
  readOnly: {
    type: 'boolean',
    isForZot: true,
    group: 'limits',
    text: 'only reading: no edits, no commands, no extensions',
  },
  tools: { type: 'string', isForZot: true, group: 'limits', value: 'A,B', text: 'only these tools' },
  ext: {
    type: 'string',
    isMultiple: true,
    isForZot: true,
    group: 'limits',
    value: 'DIR',
    completes: 'folder',
    text: 'load an extension; may be repeated',
  },
  maxSteps: {
    type: 'string',
    isForZot: true,
    group: 'limits',
    value: 'NUMBER',
    text: 'model calls that a prompt may take',
  },
  insecure: { type: 'boolean', isForZot: true, group: 'limits', text: 'take any certificate' },
  provider: { type: 'string', isForZot: true, group: 'model', value: 'NAME', text: 'the provider' },
  model: { type: 'string', isForZot: true, group: 'model', value: 'ID', text: 'the model' },
  reasoning: {
    type: 'string',
    isForZot: true,
    group: 'model',
    value: 'LEVEL',
    completes: ['off', 'minimum', 'low', 'medium', 'high', 'xhigh', 'max'],
    text: 'how long it thinks, where the model and zot know that',
  },
  temperature: { type: 'string', isForZot: true, group: 'model', value: 'NUMBER', text: 'from 0 to 2' },
  baseUrl: { type: 'string', isForZot: true, group: 'model', value: 'URL', text: 'where the provider is' },
  apiKey: {
    type: 'string',
    isForZot: true,
    group: 'model',
    value: 'KEY',
    text: 'shows in the list of processes, which every user can read: better set a variable such as ANTHROPIC_API_KEY',
  },
  systemPrompt: {
    type: 'string',
    isText: true,
    isForZot: true,
    group: 'context',
    value: 'TEXT',
    text: "replaces zot's own system prompt",
  },
  appendSystemPrompt: {
    type: 'string',
    isMultiple: true,
    isText: true,
    isForZot: true,
    group: 'context',
    value: 'TEXT',
    text: 'adds to it; may be repeated',
  },
} as const satisfies Record<string, FlagRow>

/** Flags that say no to something, by their whole names. */
export const negatives = {
  'no-color': { type: 'boolean', group: 'look', text: 'no colours' },
  'no-read-only': { type: 'boolean', group: 'limits', text: 'not only reading, whatever the settings say' },
  'no-tools': { type: 'boolean', isForZot: true, group: 'limits', text: 'no tools' },
  'no-ext': { type: 'boolean', isForZot: true, group: 'limits', text: 'no extensions' },
  'no-skill': { type: 'boolean', isForZot: true, group: 'context', text: 'no skills' },
  'no-context-files': { type: 'boolean', isForZot: true, group: 'context', text: 'no AGENTS.md' },
} as const satisfies Record<string, FlagRow>

export type NamedFlag = FlagRow & { name: string }

/** `maxSteps` as it is written: `max-steps`. */
export const dashed = (name: string): string => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** All flags with their names as they are written, without the dashes before. */
export const allFlags: readonly NamedFlag[] = [...Object.entries(flags), ...Object.entries(negatives)].map(
  ([name, row]) => Object.assign({ name: dashed(name) }, row),
)

/** Each group that has flags, with them. */
export function flagsByGroup(): { title: string; flags: NamedFlag[] }[] {
  return Object.entries(groups).map(([group, title]) => ({
    title,
    flags: allFlags.filter(flag => flag.group === group),
  }))
}

/** A flag as it is written: `--max-steps NUMBER`, with its letter before it. */
export function written({ name, value, shortFlag }: NamedFlag): string {
  return `${shortFlag === undefined ? '' : `-${shortFlag}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

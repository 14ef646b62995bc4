/** All settings: the values that each takes, its default, and its description. */
import { permissionModes } from '../agent/permission.ts'
import { hooksKind } from './hooks.ts'
import { statusFacts } from './status-facts.ts'
import {
  booleanKind,
  filledStringKind,
  listKind,
  numberKind,
  objectKind,
  recordKind,
  stringKind,
  wholeNumberKind,
  wordKind,
  type Kind,
  type ValueOf,
} from '../text/json-kinds.ts'
import { namesOf } from '../text/lookup.ts'

const flag = () => booleanKind('must be true or false')
const text = (words = 'must be a string') => filledStringKind(words)
const textOrNull = () => text('must be a string, or null').nullable().default(null)
const list = (words: string) => listKind(text(words), words).default([])
const rules = () => list('must be a list of rules')
const dollars = () => numberKind('must be a number', { minimum: 0 }, 'must not be negative')

function oneOf<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return wordKind(words, `must be one of ${words.join(', ')}`)
}

function wholeNumber(from: number, to: number): Kind<number> {
  return wholeNumberKind(from, to, `must be a whole number from ${from} to ${to}`)
}

/** In US dollars per million tokens. Cached tokens cost as much as others unless they have prices of their own. */
const modelPrice = objectKind(
  { input: dollars(), output: dollars() },
  { cacheRead: dollars(), cacheWrite: dollars() },
  'must have the prices input and output, and may have cacheRead and cacheWrite',
)
const PRICES = 'must be an object of model names, each with its prices'

/** From the least to the most. */
export const detailLevels = ['names', 'short', 'full'] as const

const shape = {
  theme: text().default('auto').describe('The theme: auto, the name of a theme, or the path of a theme file.'),
  color: flag().default(true).describe('Use colours.'),
  ascii: flag().default(false).describe('Draw with ASCII characters only (for fonts that lack the others).'),
  reducedMotion: flag().default(false).describe('No animations; no running counters while the agent works.'),
  screenReader: flag()
    .default(false)
    .describe('Output for screen readers: plain lines from top to bottom, and numbered lists.'),
  editor: oneOf(['default', 'vim'])
    .default('default')
    .describe("The keys of the composer: default, as in a shell, or vim's (docs/keys.md)."),
  detail: oneOf(detailLevels).default('short').describe('How much of each tool call is shown.'),
  thinking: oneOf(['folded', 'full'])
    .default('folded')
    .describe("How the model's thinking is shown (if the agent reports it): folded to one line, or in full."),
  mouse: flag().default(true).describe('Mouse wheel and clicks in the viewer.'),
  terminalTitle: flag().default(true).describe("Show status in the terminal's title."),
  progress: flag().default(true).describe('Show progress in the terminal (OSC 9;4) while the agent works.'),
  promptMarks: flag().default(true).describe('Mark prompts (OSC 133), so that the terminal can jump to them.'),
  statusLine: textOrNull().describe(
    'A command that adds a status line: its first line of output (docs/appearance.md); null for none.',
  ),
  statusFacts: listKind(oneOf(statusFacts), `must be a list of ${statusFacts.join(', ')}`)
    .default([...statusFacts])
    .describe('The facts in the status line (in this order); an empty list for none.'),
  notifications: oneOf(['auto', 'off', 'bell', 'osc9', 'osc99', 'osc777'])
    .default('auto')
    .describe('How to notify you after a long turn (if you are in another window).'),
  notifyAfterSeconds: wholeNumber(0, 86_400)
    .default(10)
    .describe('Seconds after which a turn is long (see notifications).'),
  permissions: oneOf(permissionModes)
    .default('ask')
    .describe(
      'What zot may do without asking: ask (read only), edits (and edit files in the folder), allow (everything), plan, read.',
    ),
  allow: rules().describe('Rules for what runs without asking (such as "Bash(npm test:*)"). Ask and deny rules win.'),
  ask: rules().describe('Rules for what always asks first.'),
  deny: rules().describe('Rules for what never runs (such as "Read(.env)").'),
  hooks: hooksKind
    .default({})
    .describe('Commands that run on events. They can block a prompt or answer a permission request (docs/hooks.md).'),
  readOnly: flag()
    .default(false)
    .describe('The same as permissions = read: no edits, and no commands that do more than read.'),
  agent: textOrNull().describe(
    'The agent to talk to: zot, claude, codex, gemini, opencode, qwen, copilot, vibe, cline, meerkat, roz, or the command of another; null for zot.',
  ),
  zot: textOrNull().describe('The zot to run; null for the one in PATH.'),
  sendKeys: flag()
    .default(false)
    .describe(
      "Pass provider keys to other machines: zot there (--on, --via) gets the keys in this machine's environment.",
    ),
  rkatRpc: textOrNull().describe('The rkat-rpc to run for Meerkat; null for the one in PATH.'),
  provider: textOrNull().describe("The provider that zot starts with; null for zot's own choice."),
  model: textOrNull().describe("The model that zot starts with; null for zot's own choice."),
  reasoning: textOrNull().describe("The reasoning level zot starts with; null for zot's own choice."),
  favouriteModels: list('must be a list of model names').describe('The models that are listed first.'),
  compactAt: wholeNumber(0, 100).default(85).describe('Compact at this context usage (in percent); 0 for never.'),
  memoryTokens: wholeNumber(0, 1_000_000)
    .default(60_000)
    .describe('Maximum tokens for a restarted agent: at most this much of the conversation is sent again.'),
  mentions: oneOf(['content', 'name'])
    .default('content')
    .describe('What a prompt sends of an @file: its content, or only its name.'),
  mentionTokens: wholeNumber(0, 1_000_000)
    .default(20_000)
    .describe('Maximum tokens of @files per prompt. If a file does not fit, only its name is sent.'),
  maxCostUsd: numberKind(
    'must be a number of dollars, or null for no limit',
    { exclusiveMinimum: 0 },
    'must be more than 0, or null for no limit',
  )
    .nullable()
    .default(null)
    .describe(
      'Spending limit per session (in dollars): once it is reached, no more prompts are sent; null for no limit.',
    ),
  turnsAtOnce: wholeNumber(1, 1000)
    .nullable()
    .default(null)
    .describe('Conversations that may work at once; null for the number of processors.'),
  idleAgents: wholeNumber(0, 1000)
    .default(8)
    .describe('How many idle agents to keep running (of other conversations); the others are restarted when needed.'),
  prices: recordKind(text(), modelPrice, PRICES)
    .default({})
    .describe(
      'Prices of models (in dollars per million tokens) for which the agent reports none; * in a name matches anything.',
    ),
  archiveCleared: flag().default(false).describe("Archive Meerkat's session at /clear (it is then no longer listed)."),
  retentionDays: wholeNumber(0, 36_500).default(0).describe('Delete sessions after this many days; 0 keeps all.'),
  checkpoints: flag().default(true).describe('Save files before each prompt (so that /rewind can restore them).'),
  checkpointsMb: wholeNumber(10, 1_000_000)
    .default(2048)
    .describe('Megabytes that saved files may take (in all folders); the oldest are removed.'),
  updateNotice: flag().default(false).describe('Check once a day for a newer version.'),
}

/** A value for each setting. */
export type Settings = { [Name in keyof typeof shape]: ValueOf<(typeof shape)[Name]> }
export type SettingName = keyof Settings

/** In display order. */
export const settingNames = namesOf(shape)

export const defaultSettings = Object.fromEntries(
  settingNames.map(name => [name, shape[name].defaultValue]),
) as unknown as Settings

/** A settings file, which may name its schema. */
export function settingsFile(): Kind<object> {
  const members = { ...shape, $schema: stringKind().describe('The schema of this file.') }
  return objectKind({}, members, 'must be an object of settings')
}

/** The description of a setting, as a sentence. */
export function describeSetting(name: SettingName): string {
  return shape[name].description
}

/** The values of a setting that takes a fixed list of words; null for others. */
export function choicesOf(name: SettingName): readonly string[] | null {
  const { type, enum: words } = shape[name].schema
  return type === 'boolean' ? ['true', 'false'] : (words ?? null)
}

/** The values that a setting takes, in words: `true or false`. */
export function wordsOf(name: SettingName): string {
  return (shape[name].problems(undefined)[0]?.words ?? '').replace(/^must be (?:one of )?/, '')
}

/** Checks a value for a setting: returns the value, or what is wrong with it (`must be true or false`). */
export function checkSetting(
  name: SettingName,
  value: unknown,
): { ok: true; value: Partial<Settings> } | { ok: false; reason: string } {
  const [problem] = shape[name].problems(value)
  return problem ? { ok: false, reason: problem.words } : { ok: true, value: { [name]: value } }
}

/** Settings that take effect when zotui or its agent is restarted. */
const needsRestart: ReadonlySet<SettingName> = new Set([
  'screenReader',
  'readOnly',
  'agent',
  'zot',
  'sendKeys',
  'rkatRpc',
  'provider',
  'model',
  'reasoning',
  'archiveCleared',
  'retentionDays',
])

export function appliesImmediately(name: SettingName): boolean {
  return !needsRestart.has(name)
}

/** All settings: the values that each takes, its default, and its description. */
import { permissionModes } from '../agent/permission.ts'
import { hooksKind } from './hooks.ts'
import { mcpKind } from './mcp.ts'
import { statusFacts, usualFacts } from './status-facts.ts'
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

const costLimit = () =>
  numberKind(
    'must be a number of dollars, or null for no limit',
    { exclusiveMinimum: 0 },
    'must be more than 0, or null for no limit',
  )
    .nullable()
    .default(null)

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

/** From the loosest to the strictest. */
export const sandboxLevels = ['off', 'on', 'closed'] as const

/** From the least to the most. */
export const detailLevels = ['names', 'short', 'full'] as const

const shape = {
  theme: text().default('auto'),
  color: flag().default(true),
  ascii: flag().default(false),
  reducedMotion: flag().default(false),
  screenReader: flag().default(false),
  editor: oneOf(['default', 'vim']).default('default'),
  enterWhileWorking: oneOf(['queue', 'steer']).default('queue'),
  detail: oneOf(detailLevels).default('short'),
  thinking: oneOf(['folded', 'full']).default('folded'),
  mouse: flag().default(true),
  terminalTitle: flag().default(true),
  progress: flag().default(true),
  promptMarks: flag().default(true),
  statusLine: textOrNull(),
  statusFacts: listKind(oneOf(statusFacts), `must be a list of ${statusFacts.join(', ')}`).default([...usualFacts]),
  notifications: oneOf(['auto', 'off', 'bell', 'osc9', 'osc99', 'osc777']).default('auto'),
  notifyAfterSeconds: wholeNumber(0, 86_400).default(10),
  serveAt: textOrNull(),
  servePort: wholeNumber(1, 65_535).default(4747),
  serveNotifyAfter: wholeNumber(0, 86_400).default(20),
  serveNotifyContent: flag().default(false),
  serveNotifyCommand: textOrNull(),
  ntfyUrl: textOrNull(),
  boardHosts: list('must be a list of hosts of ssh'),
  permissions: oneOf(permissionModes).default('ask'),
  allow: rules(),
  ask: rules(),
  deny: rules(),
  hooks: hooksKind.default({}),
  readOnly: flag().default(false),
  sandbox: oneOf(sandboxLevels).default('off'),
  sandboxWrite: list('must be a list of paths'),
  sandboxHosts: list('must be a list of hosts'),
  sandboxHide: list('must be a list of paths'),
  sandboxOutside: rules(),
  agent: textOrNull(),
  mcp: mcpKind.default({}),
  zot: textOrNull(),
  sendKeys: flag().default(false),
  rkatRpc: textOrNull(),
  provider: textOrNull(),
  model: textOrNull(),
  reasoning: textOrNull(),
  favouriteModels: list('must be a list of model names'),
  compactAt: wholeNumber(0, 100).default(85),
  memoryTokens: wholeNumber(0, 1_000_000).default(60_000),
  mentions: oneOf(['content', 'name']).default('content'),
  mentionTokens: wholeNumber(0, 1_000_000).default(20_000),
  maxCostUsd: costLimit(),
  maxCostPerDayUsd: costLimit(),
  turnsAtOnce: wholeNumber(1, 1000).nullable().default(null),
  worktreeSetup: textOrNull(),
  worktreeFiles: list('must be a list of paths'),
  raceCheck: textOrNull(),
  idleAgents: wholeNumber(0, 1000).default(8),
  prices: recordKind(text(), modelPrice, PRICES).default({}),
  archiveCleared: flag().default(false),
  retentionDays: wholeNumber(0, 36_500).default(0),
  checkpoints: flag().default(true),
  checkpointsMb: wholeNumber(10, 1_000_000).default(2048),
  updateNotice: flag().default(false),
}

/** A value for each setting. */
export type Settings = { [Name in keyof typeof shape]: ValueOf<(typeof shape)[Name]> }
export type SettingName = keyof Settings

/** In display order. */
export const settingNames = namesOf(shape)

export const defaultSettings = Object.fromEntries(
  settingNames.map(name => [name, shape[name].defaultValue]),
) as unknown as Settings

/** A settings file, which may name its schema. `describe` gives the descriptions in it. */
export function settingsFile(describe: (name: SettingName) => string): Kind<object> {
  const described = settingNames.map(name => [name, shape[name].describe(describe(name))] as const)
  const members = { ...Object.fromEntries(described), $schema: stringKind().describe('The schema of this file.') }
  return objectKind({}, members, 'must be an object of settings')
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
  'mcp',
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

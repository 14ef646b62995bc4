/** Every setting there is: what it may be, what it is where nobody says anything, and what it does. */
import { z } from 'zod'
import { isThemeFile } from '../style/file-name.ts'

const flag = (): z.ZodBoolean => z.boolean('must be true or false')
const text = (words = 'must be a text'): z.ZodString => z.string(words).min(1, 'must not be empty')

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`)
}

function wholeNumber(from: number, to: number) {
  const words = `must be a whole number from ${from} to ${to}`
  return z.int(words).min(from, words).max(to, words)
}

/** From the least to the most. */
const detailLevels = ['names', 'short', 'full'] as const

const shape = {
  theme: text().default('auto').describe('The colours: auto, the name of a theme, or the path of a theme file.'),
  color: flag().default(true).describe('Whether there are colours.'),
  ascii: flag().default(false).describe('Plain signs, for fonts that have no others.'),
  reducedMotion: flag().default(false).describe('Nothing turns or counts on the screen while the agent works.'),
  screenReader: flag()
    .default(false)
    .describe('For screen readers: everything in words, one line below the other, and lists with numbers.'),
  detail: oneOf(detailLevels).default('short').describe('How much is shown of each tool call.'),
  mouse: flag().default(true).describe('Whether the wheel and clicks work in the viewer.'),
  terminalTitle: flag().default(true).describe("Whether the terminal's title says what the agent does."),
  progress: flag().default(true).describe('Whether the terminal shows that the agent works (OSC 9;4).'),
  promptMarks: flag()
    .default(true)
    .describe('Whether prompts are marked, so that the terminal can jump to them (OSC 133).'),
  notifications: oneOf(['auto', 'off', 'bell', 'osc9', 'osc99', 'osc777'])
    .default('auto')
    .describe('How you are told that a long turn has ended while you look elsewhere.'),
  notifyAfterSeconds: wholeNumber(0, 86_400).default(10).describe('How long a turn must have taken for that.'),
  readOnly: flag().default(false).describe('zot may only read: no edits, no commands, no extensions.'),
  zot: text('must be a text, or null').nullable().default(null).describe('The zot to run; null for the one in PATH.'),
  provider: text('must be a text, or null')
    .nullable()
    .default(null)
    .describe("The provider that zot starts with; null for zot's own choice."),
  model: text('must be a text, or null')
    .nullable()
    .default(null)
    .describe("The model that zot starts with; null for zot's own choice."),
  reasoning: text('must be a text, or null')
    .nullable()
    .default(null)
    .describe("The reasoning level that zot starts with; null for zot's own choice."),
  favouriteModels: z
    .array(text(), 'must be a list of the names of models')
    .default([])
    .describe('The models that stand first in the list.'),
  compactAt: wholeNumber(0, 100)
    .default(85)
    .describe('The conversation is compacted when its context is so full, in percent; 0 for never.'),
  memoryTokens: wholeNumber(0, 1_000_000)
    .default(20_000)
    .describe('How many tokens of the conversation an agent is told again that has lost it.'),
  maxCostUsd: z
    .number('must be a number of dollars, or null for no limit')
    .positive('must be more than 0, or null for no limit')
    .nullable()
    .default(null)
    .describe('No prompt is sent any more when the session has cost so many dollars; null for no limit.'),
  retentionDays: wholeNumber(0, 36_500)
    .default(0)
    .describe('Conversations are deleted when they are older than so many days; 0 keeps all.'),
  updateNotice: flag().default(false).describe('Whether zotui looks, once a day, for a newer version of itself.'),
}

export const settingsSchema = z.strictObject(shape)

/** The settings as they hold. */
export type Settings = z.output<typeof settingsSchema>
export type SettingName = keyof Settings

/** In the order in which they are shown. */
export const settingNames = Object.keys(shape) as SettingName[]

/** What holds where nobody says anything. */
export const defaultSettings: Settings = settingsSchema.parse({})

/** What the file may say, with where its schema is. */
export const settingsFileSchema = settingsSchema.extend({
  $schema: z.string().optional().describe('Where the schema of this file is.'),
})

/** What a setting does, as a sentence. */
export function describeSetting(name: SettingName): string {
  return shape[name].description ?? ''
}

/** The words that a setting may be, where these are all. */
export function choicesOf(name: SettingName): readonly string[] | null {
  const value = shape[name].unwrap()
  if (value instanceof z.ZodBoolean) return ['true', 'false']
  return value instanceof z.ZodEnum ? value.options.map(String) : null
}

/** What a setting may be, in words: `true or false`. */
export function wordsOf(name: SettingName): string {
  const { error } = shape[name].unwrap().safeParse(Symbol())
  return (error?.issues[0]?.message ?? '').replace(/^must be (?:one of )?/, '')
}

/** Of a setting that was given a value: that value, or what is wrong with it (`must be true or false`). */
export function checkSetting(
  name: SettingName,
  value: unknown,
): { ok: true; value: Partial<Settings> } | { ok: false; reason: string } {
  const { success, data, error } = shape[name].unwrap().safeParse(value)
  if (success) return { ok: true, value: { [name]: data } }
  return { ok: false, reason: error.issues[0]?.message ?? 'is wrong' }
}

/** Settings that take hold when zotui, or its agent, is started the next time. */
const atStart: ReadonlySet<SettingName> = new Set([
  'screenReader',
  'readOnly',
  'zot',
  'provider',
  'model',
  'reasoning',
  'retentionDays',
])

export function holdsAtOnce(name: SettingName): boolean {
  return !atStart.has(name)
}

/** What a project's file may say of a setting before the person trusts the project. */
export type UntrustedRule<Value> = {
  /** In words, for the documentation. */
  words: string
  /** Whether it may want this value, where the person has their own. */
  allows: (wanted: Value, own: Value) => boolean
}

const onlyBeing = (value: boolean): UntrustedRule<boolean> => ({
  words: `only ${value}`,
  allows: wanted => wanted === value,
})
const never = (why: string): UntrustedRule<unknown> => ({ words: `no: ${why}`, allows: () => false })

const YOURS = 'how you use zotui'
const YOUR_TERMINAL = 'what your terminal is told'
const ELSEWHERE = 'sends the conversation elsewhere'
const COSTS = 'changes what it costs'

const untrustedRules: { [Name in SettingName]: UntrustedRule<Settings[Name]> } = {
  theme: {
    words: 'a name, no file, and only where you have chosen none',
    allows: (wanted, own) => own === defaultSettings.theme && !isThemeFile(wanted),
  },
  color: onlyBeing(false),
  ascii: onlyBeing(true),
  reducedMotion: onlyBeing(true),
  screenReader: never(YOURS),
  detail: {
    words: 'only more than yours',
    allows: (wanted, own) => detailLevels.indexOf(wanted) >= detailLevels.indexOf(own),
  },
  mouse: never(YOURS),
  terminalTitle: never(YOUR_TERMINAL),
  progress: never(YOUR_TERMINAL),
  promptMarks: never(YOUR_TERMINAL),
  notifications: never(YOUR_TERMINAL),
  notifyAfterSeconds: never(YOUR_TERMINAL),
  readOnly: onlyBeing(true),
  zot: never('runs a program'),
  provider: never(ELSEWHERE),
  model: never(ELSEWHERE),
  reasoning: never(COSTS),
  favouriteModels: never('a key switches to them'),
  compactAt: never(COSTS),
  memoryTokens: never(COSTS),
  maxCostUsd: {
    words: 'only less than yours',
    allows: (wanted, own) => wanted !== null && (own === null || wanted <= own),
  },
  retentionDays: never('deletes, or keeps what you want deleted'),
  updateNotice: onlyBeing(false),
}

/** Whether a project may want this value before the person, who has `own`, trusts it. */
export function allowedUntrusted<Name extends SettingName>(
  name: Name,
  wanted: Settings[Name],
  own: Settings[Name],
): boolean {
  return untrustedRules[name].allows(wanted, own)
}

/** What an untrusted project may say of a setting, in words: `only true`. */
export function untrustedWords(name: SettingName): string {
  return untrustedRules[name].words
}

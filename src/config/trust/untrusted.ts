/** The settings that a project may set before the user trusts it. */
import { isStricter } from '../../agent/permission.ts'
import { isThemeFile } from '../../style/file-name.ts'
import { detailLevels, type Settings, type SettingName, defaultSettings } from '../schema.ts'

/** The values that a project's file may set before the user trusts the project. */
type UntrustedRule<Value> = {
  /** In words, for the documentation. */
  words: string
  /** Whether the project may set `wanted`, given the user's own value. */
  allows: (wanted: Value, own: Value) => boolean
}

const onlyBeing = (value: boolean): UntrustedRule<boolean> => ({
  words: `only ${value}`,
  allows: wanted => wanted === value,
})

const never = (why: string): UntrustedRule<unknown> => ({ words: `no: ${why}`, allows: () => false })

const always: UntrustedRule<unknown> = { words: 'yes', allows: () => true }

const added: UntrustedRule<unknown> = { words: 'yes, in addition to yours', allows: () => true }

const YOURS = 'a personal preference'

const YOUR_TERMINAL = 'affects your terminal'

const ELSEWHERE = 'sends the conversation to someone else'

const COSTS = 'affects the cost'

const untrustedRules: { [Name in SettingName]: UntrustedRule<Settings[Name]> } = {
  theme: {
    words: 'a theme name, not a file, and only if you have not chosen a theme',
    allows: (wanted, own) => own === defaultSettings.theme && !isThemeFile(wanted),
  },
  color: onlyBeing(false),
  ascii: onlyBeing(true),
  reducedMotion: onlyBeing(true),
  screenReader: never(YOURS),
  editor: never(YOURS),
  detail: {
    words: 'only more detail than yours',
    allows: (wanted, own) => detailLevels.indexOf(wanted) >= detailLevels.indexOf(own),
  },
  thinking: always,
  mouse: never(YOURS),
  terminalTitle: never(YOUR_TERMINAL),
  progress: never(YOUR_TERMINAL),
  promptMarks: never(YOUR_TERMINAL),
  statusLine: never('runs a program'),
  statusFacts: never(YOURS),
  notifications: never(YOUR_TERMINAL),
  notifyAfterSeconds: never(YOUR_TERMINAL),
  permissions: {
    words: 'only a stricter mode than yours',
    allows: (wanted, own) => isStricter(wanted, own),
  },
  allow: never('runs commands and edits without asking'),
  ask: added,
  deny: added,
  hooks: never('runs programs'),
  readOnly: onlyBeing(true),
  agent: never('runs a program'),
  zot: never('runs a program'),
  sendKeys: never('sends your keys to another machine'),
  rkatRpc: never('runs a program'),
  provider: never(ELSEWHERE),
  model: never(ELSEWHERE),
  reasoning: never(COSTS),
  favouriteModels: never('a key switches to them'),
  compactAt: never(COSTS),
  memoryTokens: never(COSTS),
  mentions: { words: 'only name', allows: wanted => wanted === 'name' },
  mentionTokens: { words: 'only fewer than you allow', allows: (wanted, own) => wanted <= own },
  maxCostUsd: {
    words: 'only a lower limit than yours',
    allows: (wanted, own) => wanted !== null && (own === null || wanted <= own),
  },
  turnsAtOnce: {
    words: 'only fewer than you allow',
    allows: (wanted, own) => wanted !== null && (own === null || wanted <= own),
  },
  idleAgents: { words: 'only fewer than you keep', allows: (wanted, own) => wanted <= own },
  prices: never(COSTS),
  archiveCleared: never('archives sessions that you may want listed'),
  retentionDays: never('may delete sessions or keep those that you want deleted'),
  checkpoints: never('your files would not be kept'),
  checkpointsMb: never('may remove files that you want kept'),
  updateNotice: onlyBeing(false),
}

/** Whether a project may set this value before the user, who has `own`, trusts it. */
export function allowedUntrusted<Name extends SettingName>(
  name: Name,
  wanted: Settings[Name],
  own: Settings[Name],
): boolean {
  return untrustedRules[name].allows(wanted, own)
}

/** The values that an untrusted project may set, in words: `only true`. */
export function untrustedWords(name: SettingName): string {
  return untrustedRules[name].words
}

/** The settings that a project may set before the user trusts it. */
import { isStricter } from '../../agent/permission.ts'
import { isThemeFile } from '../../style/file-name.ts'
import { detailLevels, sandboxLevels, type Settings, type SettingName, defaultSettings } from '../schema.ts'

/** The values that a project's file may set before the user trusts the project. */
type UntrustedRule<Value> = {
  /** In words, for the documentation. */
  words: string
  /** Whether the project may set `value` where the user's own value is `own`. */
  allows: (value: Value, own: Value) => boolean
  /** True if it counts only in the user's own settings: trust changes nothing. */
  isYours?: true
}

const onlyBeing = (value: boolean): UntrustedRule<boolean> => ({
  words: `only ${value}`,
  allows: requested => requested === value,
})

const never = (why: string): UntrustedRule<unknown> => ({ words: `no: ${why}`, allows: () => false })

const yours: UntrustedRule<unknown> = { words: 'never: yours alone', allows: () => false, isYours: true }

const always: UntrustedRule<unknown> = { words: 'yes', allows: () => true }

const added: UntrustedRule<unknown> = { words: 'yes, in addition to yours', allows: () => true }

const YOURS = 'a personal preference'

const YOUR_TERMINAL = 'affects your terminal'

const TO_OTHERS = 'sends the conversation to someone else'

const COSTS = 'affects the cost'

const untrustedRules: { [Name in SettingName]: UntrustedRule<Settings[Name]> } = {
  theme: {
    words: 'a theme name, not a file, and only if you have not chosen a theme',
    allows: (value, own) => own === defaultSettings.theme && !isThemeFile(value),
  },
  color: onlyBeing(false),
  ascii: onlyBeing(true),
  reducedMotion: onlyBeing(true),
  screenReader: never(YOURS),
  editor: never(YOURS),
  enterWhileWorking: never(YOURS),
  detail: {
    words: 'only more detail than yours',
    allows: (value, own) => detailLevels.indexOf(value) >= detailLevels.indexOf(own),
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
  serveAt: never('browsers are sent there'),
  servePort: never('opens a port'),
  serveNotifyAfter: never(YOURS),
  serveNotifyContent: never(TO_OTHERS),
  serveNotifyCommand: never('runs a program'),
  ntfyUrl: never('sends notifications to someone else'),
  boardHosts: never('connects to other machines'),
  permissions: {
    words: 'only a stricter mode than yours',
    allows: (value, own) => isStricter(value, own),
  },
  allow: never('runs commands and edits without asking'),
  ask: added,
  deny: added,
  hooks: never('runs programs'),
  readOnly: onlyBeing(true),
  sandbox: {
    words: 'only a stricter one than yours',
    allows: (value, own) => sandboxLevels.indexOf(value) >= sandboxLevels.indexOf(own),
  },
  sandboxWrite: never('opens files to commands'),
  sandboxHosts: never('opens hosts to commands'),
  sandboxHide: added,
  sandboxOutside: never('lets commands out of the sandbox'),
  agent: never('runs a program'),
  mcp: never('runs programs'),
  zot: never('runs a program'),
  sendKeys: never('sends your keys to another machine'),
  rkatRpc: never('runs a program'),
  provider: never(TO_OTHERS),
  model: never(TO_OTHERS),
  reasoning: never(COSTS),
  favouriteModels: never('a key switches to them'),
  compactAt: never(COSTS),
  memoryTokens: never(COSTS),
  mentions: { words: 'only name', allows: value => value === 'name' },
  mentionTokens: { words: 'only fewer than you allow', allows: (value, own) => value <= own },
  maxCostUsd: {
    words: 'only a lower limit than yours',
    allows: (value, own) => value !== null && (own === null || value <= own),
  },
  maxCostPerDayUsd: yours,
  turnsAtOnce: {
    words: 'only fewer than you allow',
    allows: (value, own) => value !== null && (own === null || value <= own),
  },
  worktreeSetup: never('runs a program'),
  worktreeFiles: never('copies files that git ignores'),
  raceCheck: never('runs a program'),
  idleAgents: { words: 'only fewer than you keep', allows: (value, own) => value <= own },
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
  value: Settings[Name],
  own: Settings[Name],
): boolean {
  return untrustedRules[name].allows(value, own)
}

/** Whether a setting counts only in the user's own settings, and never in those of a project. */
export function isYours(name: SettingName): boolean {
  return untrustedRules[name].isYours === true
}

/** The values that an untrusted project may set, in words: `only true`. */
export function untrustedWords(name: SettingName): string {
  return untrustedRules[name].words
}

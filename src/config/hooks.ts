/** The setting `hooks`: commands that run on events, in the form that users of Claude Code know. */
import {
  filledStringKind,
  Kind,
  listKind,
  objectKind,
  wholeNumberKind,
  wordKind,
  type ValueOf,
} from '../text/json-kinds.ts'

/** The events, in the order in which `/hooks` lists them. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'Stop',
  'StopFailure',
  'Notification',
] as const

export type HookEvent = (typeof hookEvents)[number]

/** In seconds. */
const LONGEST = 600
/** The timeout of a hook that names none, in seconds. */
export const HOOK_TIMEOUT = 60

const FORM = 'must be an object of events, each with a list of {matcher, hooks: [{command}]} (docs/hooks.md)'

const command = objectKind(
  { command: filledStringKind(`${FORM}; command is missing`) },
  {
    type: wordKind(['command'], `${FORM}; the only type is command`),
    timeout: wholeNumberKind(1, LONGEST, `has a timeout that is not a whole number of seconds from 1 to ${LONGEST}`),
  },
  `${FORM}; the fields of a hook are command, type and timeout`,
)

const matcher = new Kind<string>({ type: 'string' }, value =>
  isMatcher(value) ? [] : [{ path: [], words: 'has a matcher that is not a regular expression' }],
)

const groups = listKind(
  objectKind({ hooks: listKind(command, FORM) }, { matcher }, `${FORM}; its fields are matcher and hooks`),
  FORM,
)

/** The value of the setting. */
export const hooksKind = objectKind(
  {},
  {
    SessionStart: groups,
    UserPromptSubmit: groups,
    PreToolUse: groups,
    PermissionRequest: groups,
    PostToolUse: groups,
    Stop: groups,
    StopFailure: groups,
    Notification: groups,
  } satisfies Record<HookEvent, typeof groups>,
  FORM,
  name => `has an unknown event ${name}; the events are ${hookEvents.join(', ')}`,
)

export type HookSettings = ValueOf<typeof hooksKind>

/** Replaces hooks that cannot be read. One may have refused calls, so this failing hook leaves each to the user. */
export const brokenHooks: HookSettings = { PreToolUse: [{ hooks: [{ command: 'exit 1' }] }] }

/** The hooks of both settings; those of `before` come first. */
export function withHooks(before: HookSettings, more: HookSettings): HookSettings {
  const events = hookEvents.filter(event => before[event] ?? more[event])
  return Object.fromEntries(events.map(event => [event, [...(before[event] ?? []), ...(more[event] ?? [])]]))
}

/** The number of commands in a value of the setting. */
export function countHooks(hooks: HookSettings): number {
  return hookEvents.flatMap(event => (hooks[event] ?? []).flatMap(group => group.hooks)).length
}

function isMatcher(value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (value === '*') return true
  try {
    return new RegExp(value) instanceof RegExp
  } catch {
    // The words of the kind say so.
    return false
  }
}

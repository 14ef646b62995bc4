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
import type { Layers, SourceKind } from './layers.ts'

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
const DEFAULT = 60

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

/** A hook and where it is written. */
export type WrittenHook = {
  event: HookEvent
  /** Null for everything. */
  matcher: string | null
  command: string
  /** In milliseconds. */
  timeout: number
  source: SourceKind
  place: string
  /** False for one of a project that is not trusted: it does not run. */
  isTrusted: boolean
}

/** The hooks of all layers: none replaces those of another. */
export function hooksOf(layers: Layers, isProjectTrusted: () => boolean): WrittenHook[] {
  const written = (['user', 'project', 'environment', 'flag'] as const).flatMap(source => {
    const { values, places } = layers[source]
    if (!values.hooks) return []
    const isTrusted = source !== 'project' || isProjectTrusted()
    return hookEvents.flatMap(event =>
      (values.hooks?.[event] ?? []).flatMap(group =>
        group.hooks.map(hook => ({
          event,
          matcher: group.matcher ?? null,
          command: hook.command,
          timeout: (hook.timeout ?? DEFAULT) * 1000,
          source,
          place: places.get('hooks') ?? source,
          isTrusted,
        })),
      ),
    )
  })
  return hookEvents.flatMap(event => written.filter(hook => hook.event === event))
}

/** The hooks of both. */
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

/** The first messages, the first screen, and the last lines. */
import process from 'node:process'
import { CONTROLS } from '../../../src/replay/controls.ts'
import { isFirstStart } from '../../../src/platform/project.ts'
import { quoted } from '../../../src/platform/shell/quoting.ts'
import { statePath } from '../../../src/storage/log.ts'
import type { Welcome } from '../../../src/state/state.ts'
import { firstPrompt } from '../../../src/state/conversations/conversation-row.ts'
import type { PermissionMode } from '../../../src/agent/permission.ts'
import type { Sessions } from '../../../src/storage/sessions/sessions.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../../src/text/sanitize.ts'
import type { Conversation } from '../../../src/program/conversation.ts'
import type { UiOptions } from './options.ts'

export type StartWords = {
  /** The first messages. */
  lines: readonly string[]
  /** The first screen of the demo, and of a first start in a folder; null if the user begins with a prompt or a session. */
  welcome: Welcome | null
}

/** `mode` is the one that the session begins in; `sessions` is undefined where none are saved. */
export function greetingOf(
  options: UiOptions,
  mode: PermissionMode,
  sessions: Pick<Sessions, 'cutOff'> | undefined,
): StartWords {
  const { notice, demo, replay, folder, settings, session, backend, remote } = options
  const lines = notice === null ? [] : [notice]
  if (replay) lines.push(CONTROLS)
  if (remote) lines.push(`${backend.name} runs on ${remote.name}. ${NOT_THERE}`)
  const isFirst = !demo && !replay && isFirstStart(folder, statePath())
  const isZot = backend.name === 'zot'
  if (!isZot && !backend.abilities.has('setPermissionMode')) {
    if (isFirst) lines.push(`${backend.name} decides what it asks you about: /mode and /options change that.`)
  } else if (isZot && isFirst && settings.values().readOnly)
    lines.push('zot can only read here: it has no tools that change files or run commands.')
  else if (isZot && isFirst && mode === 'allow')
    lines.push('zot edits files and runs commands here without asking. `zotui --read-only` allows only reading.')
  else if (!demo && !replay && mode === 'read') lines.push(READ_ONLY)
  const cutOff = session === null ? cutOffWords(sessions) : null
  if (cutOff !== null) lines.push(cutOff)
  const welcome = (demo || isFirst) && options.prompt === null && session === null ? welcomeTo(options) : null
  // A screen reader speaks it once.
  if (welcome && settings.values().screenReader) return { lines: [...lines, spoken(welcome)], welcome: null }
  return { lines, welcome }
}

function welcomeTo({ demo, frame, installs = [] }: UiOptions): Welcome {
  const { folder, branch } = frame.store.get().startup
  const [install] = installs
  if (demo)
    return {
      greeting: `Welcome to zotui in ${folder}. This demo reads, changes and runs nothing.`,
      suggestions: [
        { prompt: 'tour', about: 'everything in a minute' },
        { prompt: 'help', about: 'what else it plays' },
        install
          ? { prompt: `!${install.command}`, about: 'installs zot; then start zotui again' }
          : { prompt: 'permissions', about: 'how it asks you first' },
      ],
    }
  return {
    greeting: `Welcome to zotui. The agent works in ${folder}.`,
    suggestions: [
      { prompt: 'What does this project do?', about: '' },
      branch === null
        ? { prompt: 'Find something to improve here.', about: '' }
        : { prompt: 'Review my latest changes.', about: '' },
      { prompt: '/init', about: 'notes for the agent' },
    ],
  }
}

function spoken({ greeting, suggestions }: Welcome): string {
  const prompts = suggestions.map(({ prompt, about }) => (about === '' ? prompt : `${prompt}: ${about}`))
  return `${greeting} Prompts to begin with: ${prompts.join('; ')}.`
}

const NOT_THERE = 'Project settings there are not read.'
const READ_ONLY =
  'Mode read: edits, and commands that do more than read, are refused without asking. /permissions switches it.'

/** The message about a session that ended with a kill; null if there is none. */
function cutOffWords(sessions: Pick<Sessions, 'cutOff'> | undefined): string | null {
  const ids = sessions?.cutOff() ?? []
  if (ids.length === 0) return null
  if (ids.length > 1) return `zotui was killed in this folder. ${ids.length} sessions were cut off; /resume lists them.`
  return 'zotui was killed in this folder. To resume the session, use /resume.'
}

/** Columns of a title in the last lines. */
const LONGEST_TITLE = 40

/** The last lines: how to continue each conversation; empty if none was saved. */
export function resumeHints(
  conversations: readonly Pick<
    Conversation,
    'session' | 'sessions' | 'folder' | 'machine' | 'backgroundId' | 'store'
  >[],
): SafeText {
  const lines = conversations.flatMap(({ session, sessions, folder, machine, backgroundId, store }) => {
    if (backgroundId !== null && store.get().chat.open !== null)
      return [`It continues in the background: zotui attach ${backgroundId}\n`]
    const id = session()
    if (id === null) return []
    const where = machine?.flags ?? folderFlags(folder)
    const title = conversations.length > 1 ? sessions?.current().title() || firstPrompt(store.get()) : ''
    const which = title === '' ? 'this session' : `"${truncate(oneLine(sanitize(title)), LONGEST_TITLE)}"`
    return [`Resume ${which} with: zotui ${where === '' ? '' : `${where} `}--resume ${id}\n`]
  })
  return sanitizeExact(lines.join(''))
}

/** The flags that start zotui in a folder of this machine; empty for the current one. */
function folderFlags(folder: string): string {
  return folder === process.cwd() ? '' : `--cwd ${quoted(folder)}`
}

/** Shows the state in the terminal: title, progress, and a notification while the terminal has no focus. */
import { basename, resolve } from 'node:path'
import { lastTurn } from '../../../../src/conversation/queries/last-turn.ts'
import { isBusy, type AppState } from '../../../../src/state/state.ts'
import type { AppStore } from '../../../../src/state/app-store.ts'
import type { SettingsStore } from '../../../../src/config/settings.ts'
import {
  answersQueries,
  notificationMethod,
  showsProgress,
  showsUnicode,
} from '../../../../src/terminal/capabilities.ts'
import { oneLine, sanitize } from '../../../../src/text/sanitize.ts'
import type { Terminal } from '../../../../src/terminal/terminal.ts'
import type { ProgramOptions } from '../../../../src/program/conversations.ts'
import { askedWords, endedWords, isAsked, newsWords, windowTitle } from '../../../../components/screen/title.ts'

export type FollowOptions = {
  store: AppStore
  settings: SettingsStore
  terminal: Pick<Terminal, 'surroundings' | 'hasFocus'>
  env: NodeJS.ProcessEnv
  folder: string
}

/** Notifies about a conversation that is not shown. While the terminal has the focus, only the bell rings. */
export function notifyOf({
  settings,
  terminal,
  env,
}: Pick<FollowOptions, 'settings' | 'terminal' | 'env'>): ProgramOptions['onNews'] {
  return (row, milliseconds) => {
    const { notifications, notifyAfterSeconds } = settings.values()
    if (notifications === 'off') return
    if (row.state !== 'asks' && milliseconds < notifyAfterSeconds * 1000) return
    const method = notifications === 'auto' ? notificationMethod(env) : notifications
    const { title, body } = newsWords(row, milliseconds)
    terminal.surroundings.notify(terminal.hasFocus() ? 'bell' : method, title, body)
  }
}

export function followState({ store, settings, terminal, env, folder }: FollowOptions): void {
  const project = oneLine(sanitize(basename(resolve(folder)) || folder))
  const answers = answersQueries(env)
  const knowsProgress = showsProgress(env)
  const knowsUnicode = showsUnicode(env, process.platform)
  let busySince: number | null = null
  /** The id of the last question that was reported. */
  let notified: string | null = null
  let isLimitOver = false
  store.subscribe(update)
  settings.subscribe(update)
  update()

  function update(): void {
    const state = store.get()
    const { terminalTitle, progress, ascii, reducedMotion } = settings.values()
    const unicode = !ascii && knowsUnicode
    const busy = isBusy(state)
    const title = answers && terminalTitle ? windowTitle(state, project, unicode) : null
    terminal.surroundings.show({ title, busy: busy && progress && !reducedMotion && knowsProgress }, state.now)
    notifyQuestion(state)
    notifyLimit(state)
    const goesOn = state.queue.entries.length > 0 && !state.queue.paused
    if (busy) busySince ??= performance.now()
    else if (busySince !== null && !goesOn) {
      notifyEnd(state, performance.now() - busySince)
      busySince = null
    }
  }

  /** Reports a question at once; nothing else continues until it is answered. */
  function notifyQuestion(state: AppState): void {
    const asked = isAsked(state) ? (state.chat.questions[0]?.id ?? state.question?.id ?? null) : null
    if (asked === notified) return
    notified = asked
    const { notifications } = settings.values()
    if (asked === null || notifications === 'off' || terminal.hasFocus() || state.chat.questions.length === 0) return
    const method = notifications === 'auto' ? notificationMethod(env) : notifications
    terminal.surroundings.notify(method, windowTitle(state, project, false), askedWords(state))
  }

  /** A prompt that the plan's limit held up can be sent again. */
  function notifyLimit({ limitWait, chat }: AppState): void {
    const wasOver = isLimitOver
    isLimitOver = limitWait?.isOver === true
    const { notifications } = settings.values()
    if (!isLimitOver || wasOver || notifications === 'off' || terminal.hasFocus()) return
    const method = notifications === 'auto' ? notificationMethod(env) : notifications
    const words = oneLine(sanitize(`The limit of ${chat.agent.name} has reset.`))
    terminal.surroundings.notify(method, windowTitle(store.get(), project, false), words)
  }

  function notifyEnd(state: AppState, milliseconds: number): void {
    const { notifications, notifyAfterSeconds } = settings.values()
    const turn = lastTurn(state.chat.entries)
    if (notifications === 'off' || terminal.hasFocus() || !turn) return
    // Nobody waits for a turn that the agent began when something in the background ended, so a short one is news, too.
    const cause = turn.unprompted?.cause
    if (cause !== 'task' && cause !== 'wakeup' && milliseconds < notifyAfterSeconds * 1000) return
    const method = notifications === 'auto' ? notificationMethod(env) : notifications
    terminal.surroundings.notify(method, windowTitle(state, project, false), endedWords(state, milliseconds))
  }
}

/**
 * Runs the command of the setting `statusLine` and keeps the first line that it prints in the state of the shown
 * conversation. It runs at most once a second, and only when its input has changed.
 */
import type { SettingsStore } from '../config/settings.ts'
import type { Timers } from '../platform/timers.ts'
import type { CustomStatus } from '../state/state.ts'
import { statusReport, type StatusPlace } from '../state/status-report.ts'
import type { ShownStore, AppStore } from '../state/app-store.ts'

export type CustomStatusOptions = {
  store: ShownStore
  settings: Pick<SettingsStore, 'values' | 'subscribe'>
  /** The place of the conversation that is shown. */
  place: () => StatusPlace
  /** Runs the command with JSON as input. Resolves to its output or to words after "statusLine"; never rejects. */
  run: (
    command: string,
    input: string,
    signal: AbortSignal,
  ) => Promise<{ ok: true; output: string } | { ok: false; problem: string }>
  after: Timers['after']
  /** Milliseconds of a monotonic clock. */
  now: () => number
}

/** Milliseconds from the beginning of a run to the next. */
const INTERVAL = 1000
/** The characters of a line that are kept. */
const LONGEST = 4000

/** Follows the state and the settings. The returned function ends the command. */
export function followCustomStatus({ store, settings, place, run, after, now }: CustomStatusOptions): () => void {
  const ending = new AbortController()
  let cancel: (() => void) | null = null
  let isRunning = false
  let begunAt = -Infinity
  /** The last run. */
  let last: { of: AppStore; command: string; input: string } | null = null
  const leaveStore = store.subscribe(begin)
  const leaveSettings = settings.subscribe((current, before) => {
    if (current.statusLine !== before.statusLine) show(store.shown(), current.statusLine === null ? null : blank)
    begin()
  })
  begin()
  return () => {
    leaveStore()
    leaveSettings()
    cancel?.()
    ending.abort()
  }

  /** Schedules a check of whether the command has to run. Cheap: it is called for every event. */
  function begin(): void {
    if (cancel || isRunning || ending.signal.aborted || settings.values().statusLine === null) return
    cancel = after(Math.max(0, begunAt + INTERVAL - now()), () => {
      cancel = null
      void runIfChanged()
    })
  }

  async function runIfChanged(): Promise<void> {
    const command = settings.values().statusLine
    if (command === null || store.get().leaving !== null) return
    const of = store.shown()
    const input = JSON.stringify(statusReport(of.get(), place()))
    if (last?.of === of && last.command === command && last.input === input) return
    last = { of, command, input }
    begunAt = now()
    isRunning = true
    const printed = await run(command, `${input}\n`, ending.signal)
    isRunning = false
    if (ending.signal.aborted) return
    if (settings.values().statusLine === command)
      show(of, printed.ok ? { text: firstLine(printed.output), problem: null } : { text: '', problem: printed.problem })
    begin()
  }
}

const blank: CustomStatus = { text: '', problem: null }

function show(store: AppStore, status: CustomStatus | null): void {
  store.dispatch({ type: 'custom_status_changed', status })
}

function firstLine(output: string): string {
  return (output.split('\n', 1)[0] ?? '').slice(0, LONGEST)
}

/** Finds out what has ended in the background, of which the agent reports nothing: commands by their processes, wake-ups by the time. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { BackgroundTasks } from './background.ts'

export type CommandWatch = {
  /** Looks again and again while there is something to look for. */
  begin(): void
  end(): void
}

export type CommandWatchOptions = {
  /** The calls whose commands run; null if that cannot be found out. */
  callsRunning: () => Promise<ReadonlySet<string> | null>
  background: () => BackgroundTasks | undefined
  now: () => number
  /** Milliseconds between two looks. */
  every: number
  emitAll: (events: readonly AgentEvent[]) => void
}

export function createCommandWatch({
  callsRunning,
  background,
  now,
  every,
  emitAll,
}: CommandWatchOptions): CommandWatch {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  return {
    begin() {
      if (timer === undefined && !isOver) next()
    },
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }

  function next(): void {
    timer = setTimeout(() => void look(), every)
    timer.unref()
  }

  async function look(): Promise<void> {
    const hasCommands = (background()?.unreported.length ?? 0) > 0
    const running = hasCommands ? await callsRunning() : new Set<string>()
    timer = undefined
    const tasks = background()
    if (isOver || !tasks) return
    for (const { id, callId } of tasks.unreported) {
      // What cannot be seen counts as running until the agent reports its end.
      if (running === null || running.has(callId)) tasks.found(id)
      else emitAll(tasks.missing(id, now()))
    }
    emitAll(tasks.overdue(now()))
    if (tasks.unreported.length > 0 || tasks.hasTimes) next()
  }
}

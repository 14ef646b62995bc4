/** Finds out that commands in the background have ended, of which their agent reports nothing: by their processes. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { OwnCommands } from '../turn/own-commands.ts'
import type { BackgroundTasks } from './background.ts'

export type CommandWatch = {
  /** Looks again and again while there are such commands. */
  begin(): void
  end(): void
}

export type CommandWatchOptions = {
  commands: Pick<OwnCommands, 'callsRunning'>
  background: () => BackgroundTasks | undefined
  now: () => number
  /** Milliseconds between two looks. */
  every: number
  emitAll: (events: readonly AgentEvent[]) => void
}

export function createCommandWatch({ commands, background, now, every, emitAll }: CommandWatchOptions): CommandWatch {
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
    const running = await commands.callsRunning()
    timer = undefined
    const tasks = background()
    if (isOver || !tasks) return
    for (const { id, callId } of tasks.unreported) {
      if (running.has(callId)) tasks.found(id)
      else emitAll(tasks.missing(id, now()))
    }
    if (tasks.unreported.length > 0) next()
  }
}

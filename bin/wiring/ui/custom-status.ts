/** Connects the command of the setting `statusLine` with the UI. */
import process from 'node:process'
import { followCustomStatus } from '../../../src/program/custom-status.ts'
import type { Program } from '../../../src/program/conversations.ts'
import { whyAskFirst } from '../../../src/platform/held-places.ts'
import { askProgram } from '../../../src/platform/shell/ask-program.ts'
import { timers } from '../../../src/platform/timers.ts'
import type { UiOptions } from './options.ts'

/** Milliseconds. */
const TIME_LIMIT = 5000
/** Bytes. */
const MOST_OUTPUT = 100_000

/** Runs the command on this machine, even if the agent runs on another one. The returned function ends it. */
export function startCustomStatus(
  { settings, watchdog, frame }: Pick<UiOptions, 'settings' | 'watchdog' | 'frame'>,
  program: Program,
): () => void {
  const place = () => {
    const { sessions, folder, machine } = program.shown()
    return {
      folder: machine?.folder ?? folder,
      machine: machine?.name ?? null,
      session: sessions?.current().id ?? null,
    }
  }
  return followCustomStatus({
    store: frame.store,
    settings,
    place,
    async run(command, input, signal) {
      const { machine, folder } = program.shown()
      const cwd = machine ? process.cwd() : folder
      // It may well run git.
      const held = whyAskFirst(cwd)
      if (held !== null) return { ok: false, problem: `waits: ${held}` }
      return askProgram({
        command,
        input,
        cwd,
        env: process.env,
        timeout: TIME_LIMIT,
        limitBytes: MOST_OUTPUT,
        signal,
        watch: watchdog.watch,
        endsRest: true,
      })
    },
    after: timers.after,
    now: () => performance.now(),
  })
}

/** `zotui board` in a terminal: the board as a program of its own. No agent runs, and nothing is kept. */
import { homedir } from 'node:os'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import type { BoardPageRequest } from '../../../src/app/pages/pages.ts'
import { diffOfRow, mergeOfRow } from '../../../src/commands/program/board/row-changes.ts'
import { openInTerminal } from '../../../src/commands/program/board/open-in-terminal.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { timers } from '../../../src/platform/timers.ts'
import { startWatchdog } from '../../../src/platform/watchdog.ts'
import { NoAgent } from '../../../src/replay/no-agent.ts'
import { createReplay } from '../../../src/replay/player.ts'
import { openLog, statePath } from '../../../src/storage/log.ts'
import { dayCostOf } from '../day-cost.ts'
import { indented, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { sanitize } from '../../../src/text/sanitize.ts'
import { createWorktrees } from '../../../src/worktrees/worktrees.ts'
import type { FirstFrame } from '../../boot/first-frame.ts'
import { version } from '../../cli/version.ts'
import { chosenTheme } from '../start/chosen-theme.ts'
import { loadSettingsFor } from '../start/load-settings.ts'
import { createScreenLoan } from '../ui/terminal/guest.ts'
import { openBoard, type OpenedBoard } from './open-board.ts'

/** Milliseconds that the rest of the program waits for the first rows. */
const LONGEST = 500

export type BoardScreenOptions = {
  /** Whether only this machine is looked at. */
  isHere: boolean
}

/** Resolves when all is loaded. The process ends when the board is closed. */
export async function openBoardScreen({ isHere }: BoardScreenOptions): Promise<void> {
  const home = homedir()
  const { settings, notices } = await loadSettingsFor(null, { values: {}, names: new Map() })
  const { drawFirstFrame } = await import('../../boot/first-frame.ts')
  const watchdog = startWatchdog()
  const look = chosenTheme(settings, home)
  const folder = process.cwd()
  const place = { remote: null, version, folder, home, demo: false, toolLimit: null }
  const frame = drawFirstFrame({ ...place, isReplay: true, isPage: true, now: Date.now, look, settings, watchdog })
  drawLooking(frame, look.theme())
  const opened = openBoard({
    hosts: settings.values().boardHosts,
    own: null,
    looksAt: isHere ? 'here' : 'all',
  })
  const { board } = opened
  const hasRows = firstRows(opened)
  const { openUi } = await import('../../ui.ts')
  const host = { lendScreen: createScreenLoan(frame.handoff, watchdog, process.stdout), env: process.env }
  const screen = { host, opens: board.opens, attach: attachProgram }
  const worktrees = createWorktrees({ stateFolder: statePath(), env: process.env, now: Date.now })
  const page: Omit<BoardPageRequest, 'closed'> = {
    board,
    label: path => folderLabel(path, home),
    dayCost: dayCostOf(settings).now,
    open: async (name, row) => openInTerminal(screen, name, row),
    diff: async row => diffOfRow(row, { host, worktrees, isDemo: false }),
    merge: async row => mergeOfRow(row, { worktrees, home }),
    background: null,
    back: null,
  }
  await openUi({
    ...place,
    frame,
    backend: new NoAgent(''),
    agents: undefined,
    argv: [],
    // Nothing happens in the conversation below the page.
    replay: createReplay([], { speed: 1, paused: true, timers: { now: () => performance.now(), after: timers.after } }),
    page: (show, leave) =>
      show('board', {
        ...page,
        closed() {
          board.close()
          leave()
        },
      }),
    pageFilled: hasRows,
    recording: null,
    notice: null,
    prompt: null,
    session: null,
    secrets: [],
    watchdog,
    look,
    settings,
    permissions: null,
    warnings: notices,
    log: openLog(() => new Date()),
  })
}

/** Resolves when the rows of this machine were told, if there are any, and soon in any case. */
async function firstRows({ board, known }: OpenedBoard): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const hasAny = (): boolean => board.hosts().some(({ rows }) => rows.length > 0)
  const leave = board.onChange(() => {
    if (hasAny()) resolve()
  })
  const all = known.then(() => (hasAny() ? promise : undefined))
  await Promise.race([promise, all, pause(LONGEST, undefined, { ref: false })])
  leave()
}

/** What is on the screen until the page is loaded. */
function drawLooking({ terminal: { output } }: FirstFrame, theme: Theme): void {
  const rows: Styled[] = [
    indented(2, theme.accent(sanitize('board'))),
    indented(2, theme.dim(sanitize(`looking for conversations ${theme.signs.ellipsis}`))),
  ]
  output.drawAlternate({ rows, caret: null })
}

/** This very program, as it was started. */
function attachProgram(id: string): { file: string; args: readonly string[] } {
  return { file: process.execPath, args: [...process.execArgv, process.argv[1] ?? '', 'attach', id] }
}

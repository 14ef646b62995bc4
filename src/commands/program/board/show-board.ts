/** Opens the board over a conversation: what its keys do to conversations of this zotui, of others, and of other machines. */
import { folderLabel } from '../../../platform/project.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import type { BoardRow } from '../../../fleet/board-row.ts'
import { oneLine, sanitize } from '../../../text/sanitize.ts'
import { sentence } from '../../../text/sentence.ts'
import { diffOfRow, mergeOfRow } from './row-changes.ts'
import { openInTerminal, type BoardScreen } from './open-in-terminal.ts'
import { OwnRows } from './own-rows.ts'

const NOT_OVER_PAGE = 'The board was not opened over this page: /board opens it.'

export async function showBoard(app: CommandApp): Promise<void> {
  const { context, pages, pickers, openBoard } = app
  const { conversations, host, worktrees, settings, hint, state } = context
  if (!openBoard || !host) return hint('There is no board here.')
  // A key has opened a page while the code of the board was loaded.
  if (state().page !== null) return hint(NOT_OVER_PAGE)
  const board = await openBoard()
  // A key has opened another page meanwhile: nobody would close this board.
  if (state().page !== null || state().leaving) {
    board.close()
    return hint(NOT_OVER_PAGE)
  }
  const own = new OwnRows(board, conversations)
  const screen: BoardScreen = { host, opens: board.opens }
  // A list below the page would be there again when the page is closed.
  if (state().picker !== null) context.dispatch({ type: 'picker_changed', picker: null })
  pages.open('board', {
    board: own,
    label: folder => folderLabel(folder, host.home),
    dayCost: () => context.dayCost?.now() ?? null,
    open,
    diff: async row => diffOfRow(row, { host, worktrees, isDemo: state().startup.demo }),
    merge: async row => mergeOfRow(row, { worktrees, home: host.home }),
    background: conversations?.background ? toBackground : null,
    back: conversations && !settings.values().screenReader ? () => pickers.open('conversations') : null,
    closed: board.close,
  })

  /** The page is closed first: the conversation that is shown keeps its pages. */
  async function open(name: string, row: BoardRow): Promise<string | null> {
    const number = own.numberOf(name, row)
    if (number !== null) {
      pages.close()
      return conversations?.show(number) === true ? null : 'It cannot be shown now.'
    }
    if (name === '' && row.attach !== null && conversations?.background) {
      pages.close()
      const reply = await conversations.attach(row.attach)
      if (!reply.ok) conversations.say('warn', `${titleOf(row)} is not shown: ${sentence(reply.message)}`)
      return null
    }
    return openInTerminal(screen, name, row)
  }

  async function toBackground(row: BoardRow): Promise<string> {
    const number = own.numberOf('', row)
    if (number === null)
      return row.kind === 'background' ? 'It is already in the background.' : 'It is not a conversation of this zotui.'
    const reply = await conversations?.move(number)
    return reply?.ok === true
      ? 'It continues in the background.'
      : `It was not moved: ${sentence(reply?.message ?? '')}`
  }
}

function titleOf({ title }: BoardRow): string {
  return title === '' ? 'The conversation' : `"${oneLine(sanitize(title))}"`
}

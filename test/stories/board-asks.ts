/** A board asks another zotui, and its person answers there: for stories with both terminals. */
import type { Screen } from '../helpers/screen.ts'
import { send } from './stage.ts'

/** Asks for the selected conversation, with the key that opens it. */
export async function askFor(board: Screen, title = 'first words'): Promise<void> {
  await board.press('enter')
  await board.see(`Show "${title}" here?`)
  await board.see(/y yes/)
  await board.press('enter')
}

/** The board has a number to compare. The person at the other terminal answers there. */
export async function answer(zotui: Screen, board: Screen, key: 'y' | 'n'): Promise<void> {
  await board.see(/The number there must be \d{6}/)
  await zotui.see('A board in another terminal asks for your yes: /serve')
  await decide(zotui, key)
  await zotui.press('esc')
  await zotui.until('the page closed', { check: () => !zotui.alternate })
}

/** Answers what `/serve` asks, and leaves it open. */
export async function decide(zotui: Screen, key: 'y' | 'n', boards = 1): Promise<void> {
  await send(zotui, '/serve')
  for (let count = 0; count < boards; count += 1) {
    await zotui.see('y yes   n no')
    const asks = (): string => /A board in another terminal \(process \d+\)/.exec(zotui.screen().join('\n'))?.[0] ?? ''
    const first = asks()
    await zotui.until('the answer to count', { check: () => asks() !== first || (void zotui.raw(key), false) })
  }
}

/** Opens a conversation of the board that this program cannot show itself: another program gets the terminal for it. */
import type { Host } from '../../../app/context/host.ts'
import type { BoardRow } from '../../../fleet/board-row.ts'
import type { BoardSource } from '../../../fleet/board-source.ts'
import { oneLine, sanitize } from '../../../text/sanitize.ts'
import { sentence } from '../../../text/sentence.ts'

export type BoardScreen = {
  host: Pick<Host, 'lendScreen' | 'env'>
  opens: (host: string, row: string) => ReturnType<BoardSource['opens']>
  /** The program that opens one in the background of this machine; null where that is shown by this program. */
  attach?: (id: string) => { file: string; args: readonly string[] }
}

/** Resolves to why it was not shown, as a sentence; null if it was. */
export async function openInTerminal(
  { host, opens, attach }: BoardScreen,
  name: string,
  row: BoardRow,
): Promise<string | null> {
  const held = name === '' ? row.attach : null
  const program = held === null ? opens(name, row.id) : (attach?.(held) ?? null)
  if (!program) return whyNot(name, row)
  if (!host.lendScreen) return 'This zotui cannot lend its screen to another program.'
  const { file, args } = program
  const where = name === '' ? 'the background' : oneLine(sanitize(name))
  const run = await host.lendScreen(
    { file, args: [...args], env: host.env, name: 'zotui' },
    ` in ${where}; leaving it comes back to the board`,
  )
  if (run === null) return 'Showing another program needs the program script, which is not here.'
  return run.failure === null ? null : oneLine(sanitize(sentence(`${run.failure}: zotui for ${where}`)))
}

/** Where it is, for what only its own program shows. */
function whyNot(name: string, { kind, pid, folder, stays }: BoardRow): string {
  const where = oneLine(sanitize(folder))
  const why = oneLine(sanitize(stays))
  const holder = `a zotui${name === '' ? '' : ` on ${oneLine(sanitize(name))}`} (process ${pid ?? 'unknown'}), in ${where}`
  if (kind === 'ui') return `It is open in ${holder}. ${why}`.trim()
  if (name !== '') return `It cannot be opened from here: it is on ${oneLine(sanitize(name))}, in ${where}.`
  return `It cannot be opened from here: it works in ${where}.`
}

/** The question of the board before something that cannot be taken back: what it does, for the person to read before a yes. */
import { drawn, type Styled } from '../../../src/style/styled.ts'
import { shortenPath } from '../../../src/text/lines/shorten.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import type { AboutLook } from './about-rows.ts'
import type { BoardEntry } from './entries.ts'
import type { BoardDoubt } from './state.ts'

/** The longest path in the middle of a sentence. */
const LONGEST_PATH = 36

export function doubtLines(doubt: BoardDoubt, entry: BoardEntry | null, look: AboutLook): Styled[] {
  const title = entry?.row.title ?? ''
  const name = title === '' ? 'this conversation' : `"${title}"`
  const words = {
    end: `Really end ${name}? Its turn is stopped, and its session can be resumed.`,
    archive: `Really end ${name}, and take its session out of the lists?`,
    merge: doubt.kind === 'merge' ? doubt.merge.title : '',
    take: doubt.kind === 'take' && doubt.opens ? `Show ${name} here?` : `Move ${name} to the background?`,
  }
  const room = Math.max(2, look.width)
  const asked = wrap(oneLine(sanitize(words[doubt.kind])), room).map(line => look.theme.warning(line))
  const taking = doubt.kind === 'take' && entry ? takingLines(entry, look.label) : []
  const lines = doubt.kind === 'merge' ? doubt.merge.lines : taking
  return [...asked, ...lines.flatMap(line => wrap(oneLine(sanitize(line)), room)).map(line => drawn`${line}`)]
}

/** What happens when a conversation that another zotui has open is moved to the background there. */
export function takingLines({ row, host }: Pick<BoardEntry, 'row' | 'host'>, label: AboutLook['label']): string[] {
  const { pid, folder, state, questions } = row
  const isAsking = questions.length > 0 || state === 'asks'
  const isWorking = isAsking || state === 'working'
  const where = host.name === '' ? '' : ` on ${host.name}`
  return [
    `The zotui ${pid ?? ''} in ${shortenPath(label(folder), LONGEST_PATH)}${where} moves it to the background. It stays on the screen there, with what is typed, and both can go on.`,
    isWorking ? 'Its turn is stopped, and its agent is told to continue in the background.' : '',
    isAsking ? 'What it asks is withdrawn; its agent asks again if it still needs that.' : '',
    'What was allowed there for this session only is asked again.',
    'That zotui asks its person once, with a number that is shown here, too.',
  ].filter(line => line !== '')
}

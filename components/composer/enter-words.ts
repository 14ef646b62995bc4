/** The effect of Enter on the draft, in words: while something else is on the screen, users must not have to guess it. */
import { parseSlash, type SlashCommand } from '../../src/state/slash.ts'
import { isBusy, type AppState } from '../../src/state/state.ts'

/** Words after the name of the key, and fewer of them for a narrow screen. */
export type EnterWords = { words: string; short: string }

export function enterWords(state: AppState, commands: readonly SlashCommand[]): EnterWords {
  const { editor, edited, noting } = state
  const { text } = editor
  if (edited) return { words: 'puts it back into the queue', short: 'puts it back' }
  if (noting) return { words: 'keeps your note', short: 'keeps it' }
  if (text.startsWith('!')) return { words: 'runs your command', short: 'runs it' }
  const slash = parseSlash(text, commands)
  const waits = isBusy(state)
  if (slash?.kind === 'unknown') return { words: `sends nothing: there is no ${slash.word}`, short: 'sends nothing' }
  const isRun = slash?.command.kind === 'built-in' && !(slash.command.needsIdle && waits)
  if (isRun) return { words: `runs /${slash.command.name}`, short: 'runs it' }
  const steers = waits && slash === null && state.steering === 'enter' && state.chat.open?.kind === 'turn'
  if (steers) return { words: 'steers with your text', short: 'steers' }
  const verb = waits ? 'queues' : 'sends'
  return { words: slash ? `${verb} /${slash.command.name}` : `${verb} your text`, short: `${verb} it` }
}

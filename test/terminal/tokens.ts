/** What the key reader makes of input, as lines that can be read. */
import { createKeyReader, type Token } from '../../src/terminal/keys.ts'

export const ESC = '\u001B'
export const PASTE_START = `${ESC}[200~`
export const PASTE_END = `${ESC}[201~`

/** A token on one line: `text a`, `key [13u`, `paste a b`, `reply [?62c`, `focus in`. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case 'text':
    case 'paste':
      return `${token.kind} ${token.text}`
    case 'key':
    case 'reply':
      return `${token.kind} ${token.sequence.slice(1)}`
    case 'focus':
      return `focus ${token.focused ? 'in' : 'out'}`
  }
}

/** Text tokens that follow each other are one text that came in pieces. */
export function joined(tokens: readonly Token[]): Token[] {
  const whole: Token[] = []
  for (const token of tokens) {
    const last = whole.at(-1)
    if (token.kind === 'text' && last?.kind === 'text')
      whole[whole.length - 1] = { ...last, text: last.text + token.text }
    else whole.push(token)
  }
  return whole
}

/** What comes of these reads, and of the silence after them. */
export function tokensOf(...chunks: readonly string[]): Token[] {
  const reader = createKeyReader()
  const tokens = chunks.flatMap(chunk => reader.push(chunk))
  return joined([...tokens, ...reader.flush()])
}

export const linesOf = (...chunks: readonly string[]): string[] => tokensOf(...chunks).map(describeToken)

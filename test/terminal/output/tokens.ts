/** The tokens that the key reader makes of input, as lines that can be read. */
import type { Token } from '../../../src/terminal/input/key-encoding.ts'
import { createKeyReader, type TakenInput } from '../../../src/terminal/input/keys.ts'

export { ESC, PASTE_END, PASTE_START } from '../../../src/terminal/input/sequence.ts'

/** A token on one line: `text a`, `key enter`, `paste a b`, `reply [?62c`, `focus in`. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case 'text':
    case 'paste':
      return `${token.kind} ${token.text}`
    case 'key':
      return `key ${token.name}`
    case 'reply':
      return `reply ${token.sequence.slice(1)}`
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

/** The key reader, without what was sent for each token. */
export function tokenReader(): {
  push: (chunk: string, paused?: boolean) => Token[]
  flush: () => Token[]
  waiting: () => 'nothing' | 'sequence' | 'paste'
} {
  const reader = createKeyReader()
  return {
    push: (chunk, paused) => tokensIn(reader.push(chunk, paused)),
    flush: () => tokensIn(reader.flush()),
    waiting: () => reader.waiting(),
  }
}

const tokensIn = (taken: readonly TakenInput[]): Token[] => taken.flatMap(({ token }) => token ?? [])

/** The tokens of these reads, and of the silence after them. */
export function tokensOf(...chunks: readonly string[]): Token[] {
  const reader = tokenReader()
  const tokens = chunks.flatMap(chunk => reader.push(chunk))
  return joined([...tokens, ...reader.flush()])
}

export const linesOf = (...chunks: readonly string[]): string[] => tokensOf(...chunks).map(describeToken)

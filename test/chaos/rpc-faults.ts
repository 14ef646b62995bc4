/** Faults in a turn of any agent that speaks JSON-RPC: the name is the prompt. */
import process from 'node:process'
import { say, type Frame } from '../fixtures/agents/rpc-wire.ts'
import { isLong } from '../helpers/length.ts'

export type FaultyTurn = {
  /** Ends the turn. */
  done: (stopReason?: string) => void
  /** Calls it with the next answer or cancellation of the client. */
  heard: (next: (frame: Frame) => void) => void
  id: number | string
}
export type Fault = (turn: FaultyTurn) => void

/** The frames of an agent. */
export type FaultyWire = {
  words: (text: string) => object
  call: (id: string) => object
  ended: (id: string, text?: string) => object
}

const PIECES = isLong ? 100_000 : 20_000
const json = (frame: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`

export function rpcFaults({ words, call, ended }: FaultyWire) {
  /** A turn with these frames in its middle. */
  const amid =
    (...frames: object[]): Fault =>
    ({ done }) => {
      say(words('Before it. '), ...frames, words('After it.'))
      done()
    }

  /** A turn with these bytes in its middle. */
  const between =
    (pieces: () => readonly (string | Buffer)[]): Fault =>
    ({ done }) => {
      say(words('Before it. '))
      for (const piece of pieces()) process.stdout.write(piece)
      say(words('After it.'))
      done()
    }

  /** A turn in which the agent asks something, and continues after the answer. */
  const asking =
    (...frames: object[]): Fault =>
    ({ done, heard }) => {
      say(words('Before it. '), ...frames)
      heard(({ result, error }) => {
        say(words(`Heard ${JSON.stringify(result ?? error)}. After it.`))
        done()
      })
    }

  const faults: Record<string, Fault> = {
    'garbage lines': between(() => ['no json\n\n{}\n[1\n"x"\n', Buffer.alloc(100, 255), '\n']),
    'half a line': between(() => ['{"jsonrpc":"2.0","method\n']),
    'a line of 70 MB': between(() => [Buffer.alloc(70_000_000, 'x'), '\n']),
    'a result of 50 MB': between(() => {
      const [before = '', after = ''] = json(ended('big', '...')).split('...')
      return [json(call('big')), before, Buffer.alloc(50_500_000, `${'x'.repeat(99)}\\n`), after]
    }),
    'answers to nobody': amid({ id: null, error: { code: -32700, message: 'Parse error' } }, { id: 77, result: {} }),
    'results of unknown calls': amid(ended('nobody')),
    'calls without ends': amid(call('a'), call('b')),
    'repeated ids': amid(call('a'), ended('a'), call('a'), call('a'), ended('a'), ended('a')),
    'asks for files': asking({ id: 0, method: 'fs/write_text_file', params: { path: '/etc/passwd', content: 'x' } }),
    'asks for a terminal': asking({ id: 0, method: 'terminal/create', params: { command: 'rm' } }),
    'the end twice': ({ done }) => {
      say(words('Before it. After it.'))
      done()
      done()
    },
    'words after the end': ({ done }) => {
      say(words('Before it. After it.'))
      done()
      say(words('Too late.'), call('late'), ended('late'))
    },
    'an unknown stop': ({ done }) => {
      say(words('Before it. After it.'))
      done('a word of tomorrow')
    },
    'a stop that every object inherits': ({ done }) => {
      say(words('Before it. After it.'))
      done('constructor')
    },
    'an error': ({ id }) => say(words('Before it. After it.'), { id, error: { code: 500, message: 'terminated' } }),
    'a flood of pieces': between(() => [json(words('word ')).repeat(PIECES)]),
    'dies in the turn': () => {
      say(words('Before it. '))
      setTimeout(() => process.exit(9), 20)
    },
    'never ends': () => say(words('Before it. ')),
  }
  return { faults, amid, asking }
}

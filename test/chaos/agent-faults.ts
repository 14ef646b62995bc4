/** Faults in a turn, as the fake zot `chaos` does them: the name is the prompt. Each is told what it was asked. */
import { closeSync, writeSync } from 'node:fs'
import process from 'node:process'
import { begin, finish, reply, say, type Command } from '../fixtures/agents/wire.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { isLong } from '../helpers/length.ts'
import { odd } from './odd.ts'

type Fault = (command: Command) => void

const call = (id: string, command = 'true'): object => ({ type: 'tool_call', id, name: 'bash', args: { command } })
const result = (id: string, text = 'ok'): object => ({
  type: 'tool_result',
  id,
  is_error: false,
  content: [{ type: 'text', text }],
})
const raw = (bytes: string | Buffer): boolean => process.stdout.write(bytes)
const json = (...frames: object[]): string => frames.map(frame => `${JSON.stringify(frame)}\n`).join('')

/** A turn with these frames in its middle. */
const amid =
  (...frames: object[]): Fault =>
  command => {
    begin(command, 'Before it. ')
    say(...frames)
    finish('Before it. After it.')
  }

/** A turn with these bytes in its middle. */
const between =
  (pieces: () => readonly (string | Buffer)[]): Fault =>
  command => {
    begin(command, 'Before it. ')
    for (const piece of pieces()) raw(piece)
    finish('Before it. After it.')
  }

/** A turn that stops in the middle. */
const thenEnds =
  (end: () => void): Fault =>
  command => {
    begin(command, 'Before it. ')
    setTimeout(end, 50)
  }

const fields = [
  'id',
  'delta',
  'name',
  'args',
  'content',
  'text',
  'stop',
  'error',
  'message',
  'step',
  'input',
  'cost_usd',
]
const types = (
  'user_message turn_start assistant_start text_delta tool_use_start tool_use_args tool_use_end usage assistant_message ' +
  'tool_call turn_end tool_progress tool_result error compact_done ext_notify ext_display ext_clear_notes response'
).split(' ')

/** A text in pieces of one byte, each written by itself. */
function byteByByte(text: string): void {
  for (const byte of Buffer.from(text)) writeSync(1, Buffer.from([byte]))
}

export const turnFaults: Record<string, Fault> = {
  'garbage lines': between(() => ['no json\n\n{}\n[1\n"x"\n', Buffer.alloc(100, 255), '\n']),
  'half a line': between(() => ['{"type":"text_del\n{"type":\n']),
  'invalid utf-8': command => {
    const bytes = Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80])
    begin(command, 'Before it. ')
    raw(Buffer.concat([Buffer.from('{"type":"text_delta","delta":"<'), bytes, Buffer.from('>"}\n')]))
    finish(`Before it. <${bytes.toString()}>After it.`)
  },
  'a line of 50 MB': between(() => {
    const [before = '', after = ''] = json(result('big', '...')).split('...')
    return [json(call('big')), before, Buffer.alloc(50_500_000, `${'x'.repeat(99)}\\n`), after]
  }),
  'a line of 50 MB of nonsense': between(() => [Buffer.alloc(50_000_000, '{'), '\n']),
  'a line of 70 MB': between(() => [Buffer.alloc(70_000_000, 'x'), '\n']),
  'arguments nested too deep': between(() => {
    const deep = `${'{"deeper":'.repeat(2500)}${'['.repeat(2500)}${']'.repeat(2500)}${'}'.repeat(2500)}`
    const args = `{"command":"ls -la","deep":${deep}}`
    return [
      [
        '{"type":"tool_use_start","id":"deep","name":"bash"}',
        JSON.stringify({ type: 'tool_use_args', id: 'deep', delta: args }),
        `{"type":"assistant_message","content":[{"type":"tool_call","id":"deep","name":"bash","args":${args}}]}`,
        `{"type":"tool_call","id":"deep","name":"bash","args":${args}}`,
        `{"type":"from_tomorrow","of":${deep}}`,
        '',
      ].join('\n'),
      json(result('deep', '$ ls -la\n\nsome files\n\n[exit 0]  Took 0.1s')),
    ]
  }),
  'bytes one by one': command => {
    begin(command, 'Before it. ')
    byteByByte(json({ type: 'text_delta', delta: 'Wörter 日本語 👩‍🚀. ' }))
    finish('Before it. Wörter 日本語 👩‍🚀. After it.')
  },
  'wrong types': amid(
    ...types.flatMap(type =>
      odd.map(value => Object.fromEntries([['type', type], ...fields.map(field => [field, value])])),
    ),
  ),
  'missing fields': amid(...types.map(type => ({ type }))),
  'unknown events': amid(
    { type: 'from_tomorrow', x: 1 },
    { type: 'turn_end', stop: 'a word of tomorrow' },
    ...inheritedNames.map(type => ({ type })),
  ),
  'events after done': command => {
    begin(command, 'Before it. ')
    finish('Before it. After it.')
    say(
      { type: 'text_delta', delta: 'too late' },
      call('late'),
      { type: 'tool_progress', id: 'late', text: 'late\n' },
      result('late'),
    )
    say({ type: 'turn_end', stop: 'end' })
  },
  'done twice': command => {
    begin(command, 'Before it. ')
    finish('Before it. After it.')
    say({ type: 'done' }, { type: 'done' })
  },
  'the prompt is answered twice': command => {
    reply(command, { started: true })
    begin(command, 'Before it. ')
    finish('Before it. After it.')
  },
  'results without calls': amid(result('nobody'), { type: 'tool_progress', id: 'nobody', text: 'x\n' }, result('')),
  'calls without results': amid(call('a'), call('b'), { type: 'tool_use_start', id: 'c', name: 'bash' }),
  'repeated ids': amid(call('a'), result('a'), call('a'), call('a'), result('a'), result('a'), result('a')),
  'nested calls in disorder': amid(
    result('a/1/2'),
    call('a/2'),
    call('a/1/1'),
    call('a'),
    result('a/2'),
    call('a/1'),
    result('a'),
    result('a/1'),
    call('a/1/2/3/4/5/6/7/8/9'),
    call('/'),
    result('a//1'),
  ),
  'says only done': command => {
    reply(command, { started: true })
    say({ type: 'done' })
  },
  'floods stderr': command => {
    process.stderr.write('zot: words that nobody asked for\n'.repeat(100_000))
    begin(command, 'Before it. ')
    finish('Before it. After it.')
  },
  'a flood of progress': between(() => [
    json(call('p')),
    json({ type: 'tool_progress', id: 'p', text: 'a line of output\n' }).repeat(isLong ? 100_000 : 20_000),
    json(result('p')),
  ]),
  'a flood of deltas': command => {
    const deltas = isLong ? 200_000 : 40_000
    begin(command, 'Before it. ')
    raw(json({ type: 'text_delta', delta: 'word ' }).repeat(deltas))
    finish(`Before it. ${'word '.repeat(deltas)}After it.`)
  },
  '2500 lines': command => {
    begin(command, 'Before it.\n\n')
    const lines = Array.from({ length: 2500 }, (_, line) => `line ${line}. ${'and more words '.repeat(4)}\n\n`)
    raw(json(...[...lines, 'After it.'].map(delta => ({ type: 'text_delta', delta }))))
    finish(`Before it.\n\n${lines.join('')}After it.`)
  },
  'endless lines': command => {
    begin(command, 'Before it.\n\n')
    let line = 0
    const next = () => ({ type: 'text_delta', delta: `line ${(line += 1)}. ${'and more words '.repeat(9)}\n\n` })
    raw(json(...Array.from({ length: 2000 }, next)))
    setInterval(() => raw(json(next())), 10)
  },
  'refuses the prompt': ({ id, type }) =>
    say({ type: 'response', command: type, id, success: false, error: 'no, not today' }),
  'never done': command => begin(command, 'Before it. '),
  'never answers': () => undefined,
  'exits with 0': thenEnds(() => process.exit(0)),
  'exits with 3': thenEnds(() => process.exit(3)),
  'is killed': thenEnds(() => process.kill(process.pid, 'SIGKILL')),
  'half a line and out': thenEnds(() => {
    writeSync(1, '{"type":"text_delta","delta":"and then')
    process.exit(0)
  }),
  'closes its output': thenEnds(() => closeSync(1)),
}

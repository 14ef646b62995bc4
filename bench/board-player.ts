/**
 * Plays the hosts of a board in one process: whoever connects is a host with ten conversations, one of which asks and one of which works. It
 * writes its port first, then a line with the time of each answer that reaches it. `quiet` and `busy` on its input say whether anything changes.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import process from 'node:process'
import type { BoardLine } from '../src/fleet/board-lines.ts'
import type { BoardRow } from '../src/fleet/board-row.ts'
import { BOARD_PROTOCOL, boardRequestSchema } from '../src/fleet/board-lines.ts'
import { now } from './clock.ts'

const ROWS = 10
/** Milliseconds between two changes of a conversation that works. */
const PACE = 250

const text = `Run this command?\n${Array.from({ length: 20 }, (_, at) => `  npm run step-${at}`).join('\n')}\nin ~/shop`
const digest = createHash('sha256').update(text).digest('hex')

function rowOf(host: number, at: number, lastLine: string, isAnswered = false): BoardRow {
  const asks = at === 0 && !isAnswered
  const question = {
    id: 'q',
    kind: 'call',
    title: `npm run test-${host}`,
    text,
    digest,
    answers: ['allow', 'refuse'],
    note: '',
  } as const
  return {
    id: `held-${host}-${at}`,
    kind: 'background',
    pid: 1000 + at,
    attach: `${host}-${at}`,
    session: `s-${host}-${at}`,
    folder: `/home/me/project-${host}`,
    worktreeOf: null,
    branch: 'main',
    agent: 'zot',
    model: 'sonnet',
    title: `Task ${at} of host ${host}`,
    state: asks ? 'asks' : at < 2 ? 'working' : 'done',
    since: Date.now() - at * 60_000,
    lastLine,
    costUsd: 0.25,
    mode: 'ask',
    changes: { files: 3, added: 40, removed: 5 },
    questions: asks ? [question] : [],
    stays: '',
    can: ['attach', 'answer', 'stop', 'rename', 'end'],
  }
}

let hosts = 0
let isQuiet = false
process.stdin.on('data', (chunk: Buffer) => (isQuiet = chunk.toString().includes('quiet')))
const server = createServer(socket => {
  hosts += 1
  const host = hosts
  const write = (line: BoardLine): void => void (socket.writable && socket.write(`${JSON.stringify(line)}\n`))
  socket.on('error', () => undefined)
  write({ type: 'board', protocol: BOARD_PROTOCOL, version: '0.1.0', at: Date.now() })
  for (let at = 0; at < ROWS; at += 1) write({ type: 'row', host: '', row: rowOf(host, at, '') })
  write({ type: 'listed' })
  let step = 0
  const working = setInterval(() => {
    if (isQuiet) return
    step += 1
    write({ type: 'row', host: '', row: rowOf(host, 1, `step ${step}`) })
  }, PACE)
  socket.on('close', () => clearInterval(working))
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      // The first one is the script for the shell there.
      if (!line.startsWith('{')) continue
      const { id } = boardRequestSchema.parse(JSON.parse(line))
      process.stdout.write(`${now()}\n`)
      write({ type: 'reply', id, reply: { ok: true, how: 'done' } })
      write({ type: 'row', host: '', row: rowOf(host, 0, 'goes on', true) })
    }
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})

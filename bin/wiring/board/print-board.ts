/** `zotui board --json`: the board as lines, once or for as long as somebody reads them. */
import process from 'node:process'
import { createLineSplitter } from '../../../src/agents/transport/lines.ts'
import type { FleetBoard } from '../../../src/fleet/board.ts'
import { boardRequestSchema, type BoardLine, type BoardRequest } from '../../../src/fleet/board-lines.ts'
import { BoardWriter } from '../../../src/fleet/board-writer.ts'
import { parseJson } from '../../../src/text/json.ts'
import { print } from '../../standard-streams.ts'
import { version } from '../../cli/version.ts'
import { loadSettingsFor } from '../start/load-settings.ts'
import { openBoard } from './open-board.ts'

export type PrintBoardOptions = {
  follows: boolean
  /** Whether requests come from standard input. Its end is the end. */
  takesRequests: boolean
  /** Whether only this machine is looked at. */
  isHere: boolean
}

/** Milliseconds for all, and between two signs of life. */
const [ONCE, ALIVE] = [1800, 15_000]
/** Bytes of a request, and requests in progress. */
const [LONGEST_REQUEST, MOST_REQUESTS] = [1024 * 1024, 64]

/** Resolves when it has ended. */
export async function printBoard({ follows, takesRequests, isHere }: PrintBoardOptions): Promise<void> {
  const hosts = isHere
    ? []
    : (await loadSettingsFor(null, { values: {}, names: new Map() })).settings.values().boardHosts
  const { board, listed } = openBoard({ hosts, own: null, looksAt: isHere ? 'here' : 'all' })
  const writer = new BoardWriter({ hosts: board.hosts, write, version, now: Date.now })
  if (follows) await follow(board, writer, listed, takesRequests)
  else {
    await known(board, listed)
    writer.listed()
  }
  board.close()
}

/** Whether the reader has all that was written. */
let isRead = true

function write(line: BoardLine): void {
  isRead = print(`${JSON.stringify(line)}\n`)
}

/** Resolves when this machine and all hosts have said what they have, or at the latest in a moment. */
async function known(board: FleetBoard, listed: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = (): void => {
    if (board.hosts().every(({ state }) => state !== 'connecting')) resolve()
  }
  const deadline = setTimeout(resolve, ONCE)
  await Promise.race([listed, promise])
  board.onChange(look)
  look()
  await promise
  clearTimeout(deadline)
}

async function follow(
  board: FleetBoard,
  writer: BoardWriter,
  listed: Promise<void>,
  takesRequests: boolean,
): Promise<void> {
  const ended = takesRequests ? answerRequests(board, writer) : new Promise<never>(() => undefined)
  // A reader that is slow gets the latest state, not each step to it.
  board.onChange(() => {
    if (isRead) writer.changed()
  })
  process.stdout.on('drain', () => {
    isRead = true
    writer.changed()
  })
  const living = setInterval(() => writer.alive(), ALIVE)
  await Promise.race([listed, ended])
  writer.listed()
  await ended
  clearInterval(living)
}

/** Carries out what comes from standard input, each request once. Resolves at its end, and for what is no request. */
async function answerRequests(board: FleetBoard, writer: BoardWriter): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const running = new Set<Promise<void>>()
  let last = 0
  const carryOut = async ({ id, host = '', row, action }: BoardRequest): Promise<void> => {
    const full = { ok: false, why: 'failed', message: 'Too many requests wait for an answer.' } as const
    writer.reply(id, running.size >= MOST_REQUESTS ? full : await board.act(host, row, action))
  }
  const lines = createLineSplitter({
    maxBytes: LONGEST_REQUEST,
    onDropped: () => end(),
    onLine(text) {
      const read = boardRequestSchema.safeParse(parseJson(text))
      // One that comes twice has an old number.
      if (!read.success || read.data.id <= last) return end()
      last = read.data.id
      const work = carryOut(read.data).finally(() => running.delete(work))
      running.add(work)
    },
  })
  process.stdin.on('data', (chunk: Buffer) => lines.push(chunk))
  process.stdin.on('end', end)
  process.stdin.on('error', end)
  await ended
  process.stdin.destroy()
  // What was asked for is not left half done.
  await Promise.all(running)
}

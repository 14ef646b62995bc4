/**
 * Boards that answer in the same moment, and a conversation that is killed (SIGKILL) while it has an answer: each request has one reply, an
 * answer counts at most once, and what the board cannot know it does not claim.
 */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { BoardRow } from '../../src/fleet/board-row.ts'
import type { Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import { follow, rowsIn } from '../stories/board-follow.ts'
import { begin, demoHome, holders, inState } from '../stories/holders.ts'

const TIMES = isLong ? 30 : 2
/** Milliseconds after which a question takes an answer. */
const QUIET = 1500

type Asked = { home: Home; row: BoardRow; board: ReturnType<typeof follow>; answer: Record<string, unknown> }

/** A conversation in the background that asks, and a board that shows it. */
async function asks(): Promise<Asked> {
  const { home, env } = demoHome()
  await begin(home, ['--demo', '--permissions', 'ask', 'write'], env)
  await inState(home, 'asks')
  const board = follow(home)
  const row = await board.until(all => rowsIn(all).find(({ questions }) => questions.length > 0))
  const [question] = row.questions
  await pause(QUIET)
  return { home, row, board, answer: { do: 'answer', question: question?.id, digest: question?.digest, allow: true } }
}

describe.skipIf(process.platform === 'win32')('the board', { timeout: 3_600_000 }, () => {
  test('of several programs that answer one question in the same moment takes one answer', async () => {
    for (let times = 0; times < TIMES; times += 1) {
      const { home, row, board, answer } = await asks()
      const others = [follow(home), follow(home)]
      await Promise.all(others.map(each => each.until(all => all.find(({ type }) => type === 'listed'))))
      const replies = await Promise.all([board, ...others].map(each => each.ask(1, row.id, answer)))
      const counted = replies.filter(reply => reply.type === 'reply' && reply.reply.ok)
      expect({ counted: counted.length, replies }).toMatchObject({ counted: 1 })
      const late = replies.flatMap(reply => (reply.type === 'reply' && !reply.reply.ok ? [reply.reply.why] : []))
      expect(late.every(why => /answered|gone/.test(why))).toBe(true)
      for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
    }
  })

  test('whose conversation is killed while it has an answer says so once, and shows it no more', async () => {
    for (let times = 0; times < TIMES; times += 1) {
      const { home, row, board, answer } = await asks()
      const [holder] = holders(home)
      // It gets the answer and can do nothing with it, or the first of what follows.
      const isHeld = times % 2 === 0
      if (isHeld) process.kill(holder?.pid ?? 0, 'SIGSTOP')
      const replied = board.ask(1, row.id, answer)
      await pause(isHeld ? 100 : Math.random() * 5)
      process.kill(holder?.pid ?? 0, 'SIGKILL')
      const reply = await replied
      expect(isHeld && reply.type === 'reply' && reply.reply.ok).toBe(false)
      await board.until(all => all.find(line => line.type === 'gone' && line.id === row.id))
      const replies = await board.until(all => all.filter(({ type }) => type === 'reply'))
      expect(replies).toHaveLength(1)
      expect(await board.ask(2, row.id, answer)).toMatchObject({ reply: { ok: false } })
    }
  })
})

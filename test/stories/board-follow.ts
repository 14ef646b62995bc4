/** `zotui board --json --follow --requests` as a program that a test talks to. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { expect, onTestFinished } from 'vitest'
import type { BoardLine } from '../../src/fleet/board-lines.ts'
import type { BoardRow } from '../../src/fleet/board-row.ts'
import { environment, type Home } from '../helpers/home.ts'
import { program } from './stage.ts'

export const linesOf = (text: string): BoardLine[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as BoardLine)

export const rowsIn = (lines: readonly BoardLine[], host = ''): BoardRow[] =>
  lines.flatMap(line => (line.type === 'row' && line.host === host ? [line.row] : []))

/** A board that goes on, and takes requests. */
export function follow(home: Home, args: readonly string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, 'board', '--json', '--follow', '--requests', ...args], {
    cwd: home.project,
    env: environment(home.path, env),
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.on('close', resolve)
  const until = async <Found>(find: (lines: BoardLine[]) => Found | undefined): Promise<Found> => {
    await expect.poll(() => find(linesOf(out.slice(0, out.lastIndexOf('\n') + 1))), { timeout: 20_000 }).toBeDefined()
    const found = find(linesOf(out.slice(0, out.lastIndexOf('\n') + 1)))
    if (found === undefined) throw new Error('it was there a moment ago')
    return found
  }
  const ask = async (id: number, row: string, action: object, host?: string) => {
    child.stdin.write(`${JSON.stringify({ id, host, row, action })}\n`)
    return until(lines => lines.find(line => line.type === 'reply' && line.id === id))
  }
  return { child, ended, until, ask }
}

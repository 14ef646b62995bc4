/** Whatever fails in the middle leaves the folder whole here, and nothing there. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import type { RemoteMachine } from '../../src/platform/remote/machine.ts'
import { readVia } from '../../src/platform/remote/target.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import { sideThere } from '../../src/move/side.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { leftOvers, moveStage, type MoveStage } from './stage.ts'

/** The same machine, whose connection is lost from its question number `at` on, until `mend` is called. */
function failing({ machine, homeThere, stopping }: MoveStage, at: number) {
  let asked = 0
  let isMended = false
  const isLost = (): boolean => !isMended && (asked += 1) > at
  const other: RemoteMachine = {
    ...machine,
    target: machine.target,
    ask: async (script, options) => (isLost() ? { ok: false, why: 'lost', words: '' } : machine.ask(script, options)),
    program: script =>
      isLost() ? { ...machine.program(script), file: '/bin/false', args: [] } : machine.program(script),
  }
  const files = createRemoteFiles(other, 'ssh:far')
  const there = sideThere({ machine: other, files, home: homeThere, signal: () => stopping.current.signal })
  return { machine: other, there, mend: () => (isMended = true), count: () => asked }
}

const unchanged = ({ folder }: MoveStage): string =>
  snapshot([folder], [join(folder, '.git', 'objects'), join(folder, '.git', 'refs')])

function begun(): MoveStage {
  const stage = moveStage()
  stage.write(join(stage.folder, 'b.txt'), 'uncommitted\n')
  return stage
}

describe('a move that fails', () => {
  test(
    'because the host goes down, in each step, leaves nothing there once the host is back',
    { timeout: 120_000 },
    async () => {
      const stage = begun()
      const before = unchanged(stage)
      let isDone = false
      const left: string[] = []
      for (let at = 0; !isDone; at += 5) {
        const { machine, there, mend } = failing(stage, at)
        const sides = { here: stage.here, there, machine }
        const prepared = await prepareAway(sides, stage).catch(() => null)
        if (prepared) {
          const how = { progress: () => undefined, signal: stage.stopping.current.signal }
          isDone = await carryAway(sides, prepared, how).then(
            () => true,
            () => false,
          )
          mend()
          left.push(...(await prepared.undoing.undo()))
          await prepared.end()
        }
        expect(left).toEqual([])
        expect(existsSync(stage.folderThere)).toBe(false)
        expect(unchanged(stage)).toBe(before)
        expect(leftOvers(stage)).toEqual([])
      }
      expect(stage.git(stage.folder, 'for-each-ref', 'refs/zotui')).toBe('')
    },
  )

  test('and cannot be undone, because the host stays down, says what is left there', async () => {
    const stage = begun()
    const whole = failing(stage, Infinity)
    const first = await prepareAway({ here: stage.here, there: whole.there, machine: whole.machine }, stage)
    const used = whole.count()
    await first.end()
    const { machine, there } = failing(stage, used + 6)
    const sides = { here: stage.here, there, machine }
    const prepared = await prepareAway(sides, stage)
    const how = { progress: () => undefined, signal: stage.stopping.current.signal }
    await expect(carryAway(sides, prepared, how)).rejects.toThrow(/ssh:far|connection/)
    const left = await prepared.undoing.undo()
    expect(left.length).toBeGreaterThan(0)
    expect(left.join()).toMatch(/the folder /)
    await prepared.end()
  })

  test('because the disk there is full, leaves nothing there', async () => {
    // No file of more than a few blocks can be written there.
    const stage = moveStage(homeThere => {
      const read = readVia(`env HOME=${homeThere} TMPDIR=${homeThere}/tmp`)
      if (!read.ok) throw new Error(read.reason)
      const { file, args } = read.target
      return {
        ...read.target,
        name: 'ssh:far',
        file: 'sh',
        args: ['-c', 'ulimit -f 4; exec "$@"', 'sh', file, ...args],
      }
    })
    stage.write(join(stage.folder, 'b.txt'), Array.from({ length: 3000 }, (_, at) => `${Math.sin(at)}\n`).join(''))
    const before = unchanged(stage)
    const prepared = await prepareAway(stage, stage)
    const how = { progress: () => undefined, signal: stage.stopping.current.signal }
    await expect(carryAway(stage, prepared, how)).rejects.toThrow('the bundle did not arrive whole')
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(readdirSync(join(stage.homeThere, 'tmp'))).toEqual([])
    expect(existsSync(stage.folderThere)).toBe(false)
    expect(unchanged(stage)).toBe(before)
  })

  test('because the person stops it while it is sent, is undone', async () => {
    const stage = begun()
    const { stopping } = stage
    const prepared = await prepareAway(stage, stage)
    const progress = (): void => stopping.current.abort()
    await expect(carryAway(stage, prepared, { progress, signal: stopping.current.signal })).rejects.toThrow(
      'it was stopped',
    )
    stopping.current = new AbortController()
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(existsSync(stage.folderThere)).toBe(false)
    expect(leftOvers(stage)).toEqual([])
  })

  test('because another program makes the folder at the same time, leaves that alone', async () => {
    const stage = begun()
    const prepared = await prepareAway(stage, stage)
    stage.write(join(stage.folderThere, 'theirs.txt'), 'theirs\n')
    const how = { progress: () => undefined, signal: stage.stopping.current.signal }
    await expect(carryAway(stage, prepared, how)).rejects.toThrow('is not empty any more')
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(readdirSync(stage.folderThere)).toEqual(['theirs.txt'])
  })
})

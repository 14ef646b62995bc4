/** Whatever fails in the middle leaves the folder whole here, and nothing there. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import { ownName } from '../../src/platform/owner.ts'
import type { RemoteMachine } from '../../src/platform/remote/machine.ts'
import { readVia } from '../../src/platform/remote/target.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import { sideThere } from '../../src/move/side.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { isLong } from '../helpers/length.ts'
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

  test('because the agent does not start, leaves an empty folder there empty', async () => {
    const stage = begun()
    mkdirSync(stage.folderThere, { recursive: true })
    const prepared = await prepareAway(stage, stage)
    await carryAway(stage, prepared, { progress: () => undefined, signal: stage.stopping.current.signal })
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(readdirSync(stage.folderThere)).toEqual([])
  })
})

describe('a move whose zotui is killed', () => {
  const how = (stage: MoveStage) => ({ progress: () => undefined, signal: stage.stopping.current.signal })

  /** The name of a program of this machine that has ended. */
  function endedName(): string {
    const { pid } = spawnSync('true')
    const [host = ''] = ownName().split('-')
    return [host, pid, 1, 'abcdef'].join('-')
  }

  test('in each step leaves half a folder there, which the next move names, asks about, and replaces', async () => {
    for (let cut = 0, isWhole = false; !isWhole; cut += isLong ? 1 : 14) {
      const stage = begun()
      const { machine, there } = failing(stage, Infinity)
      let asked = 0
      // A kill: nothing more is asked there, and nothing is undone.
      const cutOff: RemoteMachine = {
        ...machine,
        ask: async (script, options) =>
          (asked += 1) > cut ? { ok: false, why: 'lost', words: '' } : machine.ask(script, options),
      }
      const files = createRemoteFiles(cutOff, 'ssh:far')
      const signal = () => stage.stopping.current.signal
      const killed = sideThere({ machine: cutOff, files, home: stage.homeThere, signal })
      const prepared = await prepareAway({ here: stage.here, there, machine }, stage)
      isWhole = await carryAway({ here: stage.here, there: killed, machine: cutOff }, prepared, how(stage)).then(
        () => true,
        () => false,
      )
      await prepared.end()
      const mark = join(stage.folderThere, '.git', 'zotui-move')
      const isMarked = existsSync(mark)
      if (isMarked) {
        // This program is alive.
        await expect(prepareAway(stage, stage)).rejects.toThrow('is the folder of a move that is not over')
        writeFileSync(mark, `half ${endedName()}`)
      }
      const next = await prepareAway(stage, stage)
      expect({ cut, left: next.place.kind === 'new' && next.place.left !== null }).toEqual({ cut, left: isMarked })
      await carryAway(stage, next, how(stage))
      await next.end()
      expect(stage.git(stage.folderThere, 'status', '--porcelain')).toBe('?? b.txt')
    }
  }, 900_000)

  test('while the agent starts there leaves a whole folder, which the next move names and leaves alone', async () => {
    const stage = begun()
    const prepared = await prepareAway(stage, stage)
    const { top } = await carryAway(stage, prepared, how(stage))
    await prepared.end()
    writeFileSync(join(top, '.git', 'zotui-move'), `whole ${endedName()}`)
    await expect(prepareAway(stage, stage)).rejects.toThrow('came with a move that was cut off')
    writeFileSync(join(top, '.git', 'zotui-move'), 'half of-another-machine')
    await expect(prepareAway(stage, stage)).rejects.toThrow('is the folder of a move that is not over')
    expect(stage.read(join(top, 'b.txt'))).toBe('uncommitted\n')
  })

  test('and whose half folder changes after the question is left alone', async () => {
    const stage = begun()
    const mark = join(stage.folderThere, '.git', 'zotui-move')
    stage.write(mark, `half ${endedName()}`)
    const prepared = await prepareAway(stage, stage)
    writeFileSync(mark, `whole ${endedName()}`)
    await expect(carryAway(stage, prepared, how(stage))).rejects.toThrow('came with a move that was cut off')
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(existsSync(mark)).toBe(true)
  })
})

/** Whatever fails in the middle leaves the folder whole here, and nothing there. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import type { RemoteMachine } from '../../src/platform/remote/machine.ts'
import { readVia } from '../../src/platform/remote/target.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import { sideThere } from '../../src/move/side.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { isLong } from '../helpers/length.ts'
import { endedName, leftOvers, moveStage, type MoveStage } from './stage.ts'

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

const how = (stage: MoveStage) => ({ progress: () => undefined, signal: stage.stopping.current.signal })

/** The machine, on which nothing is asked any more after some questions, as after a kill: nothing is undone either. */
function cutAfter({ machine, homeThere, stopping }: MoveStage, cut: number) {
  let asked = 0
  const cutOff: RemoteMachine = {
    ...machine,
    ask: async (script, options) =>
      (asked += 1) > cut ? { ok: false, why: 'lost', words: '' } : machine.ask(script, options),
  }
  const files = createRemoteFiles(cutOff, 'ssh:far')
  const signal = () => stopping.current.signal
  return { machine: cutOff, there: sideThere({ machine: cutOff, files, home: homeThere, signal }) }
}

const markOf = ({ folderThere }: MoveStage): string => join(folderThere, '.git', 'zotui-move')

/** As if the program that wrote the mark had ended. */
function endOwner(stage: MoveStage): void {
  const [state = '', , ...more] = stage.read(markOf(stage)).split(' ')
  writeFileSync(markOf(stage), [state, endedName(), ...more].join(' '))
}

/** A clean checkout there, which lacks the last commit. */
function withCheckout(): MoveStage {
  const stage = begun()
  const { folder, folderThere, git, write } = stage
  write(join(folder, 'old.txt'), 'old\n')
  git(folder, 'add', 'old.txt')
  git(folder, 'commit', '-q', '-m', 'second')
  git(folder, 'clone', '-q', '--no-hardlinks', folder, folderThere)
  git(folder, 'rm', '-q', 'old.txt')
  write(join(folder, 'a.txt'), 'two\n')
  git(folder, 'commit', '-q', '-am', 'third')
  write(join(folder, 'a.txt'), 'uncommitted\n')
  return stage
}

/** Sends it into the checkout, and is killed after some questions. Resolves to whether it came to its end. */
async function killedAfter(stage: MoveStage, cut: number): Promise<boolean> {
  const { machine, there } = cutAfter(stage, cut)
  const prepared = await prepareAway(stage, stage)
  const isWhole = await carryAway({ here: stage.here, there, machine }, prepared, how(stage)).then(
    () => true,
    () => false,
  )
  await prepared.end()
  return isWhole
}

describe('a move into a checkout whose zotui is killed', () => {
  test('in each step leaves half of it there, which the next move names, asks about, and undoes first', async () => {
    let marked = 0
    for (let cut = 0, isWhole = false; !isWhole; cut += isLong ? 1 : 12) {
      const stage = withCheckout()
      const { git, folderThere } = stage
      isWhole = await killedAfter(stage, cut)
      const isMarked = existsSync(markOf(stage))
      if (isMarked) marked += 1
      const why = await prepareAway(stage, stage).then(refused => refused.end(), String)
      expect(why ?? '').toContain(isMarked ? 'is the folder of a move that is not over' : '')
      if (isMarked) endOwner(stage)
      const next = await prepareAway(stage, stage)
      expect({ cut, left: next.place.kind === 'repository' && next.place.left !== null }).toEqual({
        cut,
        left: isMarked,
      })
      const { unmark } = await carryAway(stage, next, how(stage))
      await unmark()
      await next.end()
      expect(git(folderThere, 'branch', '--format=%(refname:short)')).toBe('main\nzotui-moved-main')
      expect(git(folderThere, 'branch', '--show-current')).toBe('zotui-moved-main')
      expect(git(folderThere, 'log', '-1', '--format=%s', 'main')).toBe('second')
      expect(git(folderThere, 'status', '--porcelain').trim().split('\n')).toEqual(['M a.txt', '?? b.txt'])
      expect(stage.read(join(folderThere, 'a.txt'))).toBe('uncommitted\n')
      expect(existsSync(markOf(stage))).toBe(false)
    }
    expect(marked).toBeGreaterThan(0)
  }, 900_000)

  test.each([
    [
      'a file was changed since',
      ({ folderThere, write }: MoveStage) => write(join(folderThere, 'a.txt'), 'mine\n'),
      'a.txt in',
    ],
    [
      'a file was added since',
      ({ folderThere, write }: MoveStage) => write(join(folderThere, 'mine.txt'), 'mine\n'),
      'mine.txt in',
    ],
    [
      'somebody has committed there',
      ({ folderThere, git }: MoveStage) => void git(folderThere, 'commit', '-q', '--allow-empty', '-m', 'mine'),
      'has changed since',
    ],
    [
      'somebody has committed to the branch that was left',
      ({ folderThere, git }: MoveStage) => void git(folderThere, 'update-ref', 'refs/heads/main', 'HEAD'),
      'has changed since',
    ],
  ])('is not undone if %s: the checkout stays as it is', async (_what, change, why) => {
    const stage = withCheckout()
    const first = await prepareAway(stage, stage)
    await carryAway(stage, first, how(stage))
    await first.end()
    endOwner(stage)
    change(stage)
    const before = snapshot([stage.folderThere], [join(stage.folderThere, '.git', 'objects')])
    const prepared = await prepareAway(stage, stage)
    await expect(carryAway(stage, prepared, how(stage))).rejects.toThrow(why)
    expect(await prepared.undoing.undo()).toEqual([])
    await prepared.end()
    expect(snapshot([stage.folderThere], [join(stage.folderThere, '.git', 'objects')])).toBe(before)
  })

  test('while the agent starts there leaves a branch, which the next move names and leaves alone until somebody leaves it', async () => {
    const stage = withCheckout()
    const { git, folderThere } = stage
    const prepared = await prepareAway(stage, stage)
    const { markWhole } = await carryAway(stage, prepared, how(stage))
    await markWhole()
    await prepared.end()
    await expect(prepareAway(stage, stage)).rejects.toThrow(
      /the branch zotui-moved-main in .* came with a move that was cut off, and an agent may have worked on it/,
    )
    git(folderThere, 'add', '-A')
    git(folderThere, 'commit', '-q', '-m', 'kept')
    git(folderThere, 'checkout', '-q', 'main')
    const next = await prepareAway(stage, stage)
    const { branch } = await carryAway(stage, next, how(stage))
    await next.end()
    expect(branch).toBe('zotui-moved-main-2')
    expect(git(folderThere, 'log', '-1', '--format=%s', 'zotui-moved-main')).toBe('kept')
  })
})

describe('a move whose zotui is killed', () => {
  test('in each step leaves half a folder there, which the next move names, asks about, and replaces', async () => {
    for (let cut = 0, isWhole = false; !isWhole; cut += isLong ? 1 : 14) {
      const stage = begun()
      isWhole = await killedAfter(stage, cut)
      const mark = markOf(stage)
      const isMarked = existsSync(mark)
      // This program is alive, so it may go on.
      const why = await prepareAway(stage, stage).then(refused => refused.end(), String)
      expect(why ?? '').toContain(isMarked ? 'is the folder of a move that is not over' : '')
      if (isMarked) writeFileSync(mark, `half ${endedName()}`)
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

/**
 * The disk fails at a step of a restore or of an undo: it has no room (ENOSPC), the user's share is used up (EDQUOT), or it is broken (EIO). From
 * then on nothing can be written. zotui says so in words. When the disk works again the undo brings back exactly what was there, nothing that was
 * restored in part counts as the user's change, and nothing is left behind.
 */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isLong } from '../helpers/length.ts'
import { expectFiles, finish, killing, worked, zotui } from './worked.ts'

const CODES = ['ENOSPC', 'EDQUOT', 'EIO'] as const
/** Faults of each kind in each folder. */
const FAULTS = isLong ? 20 : 1

const kinds = [
  ['a repository', true],
  ['a plain folder', false],
] as const

/** Steps at random: their numbers. One of them has just made a folder, which then has no file. */
function some(steps: readonly string[]): number[] {
  return [...numbersOf(steps), ...numbersOf(steps.filter(step => step.includes(' after mkdir '))).slice(0, 1)]
}

function numbersOf(steps: readonly string[]): number[] {
  return steps
    .map(step => [Math.random(), Number.parseInt(step, 10)] as const)
    .toSorted(([one], [other]) => one - other)
    .slice(0, FAULTS)
    .map(([, number]) => number)
}

type Ended = Awaited<ReturnType<typeof zotui>>

/** It ended by itself, and a failure is told in words. */
function expectWords({ code, signal, stdout, stderr }: Ended, where: string): void {
  const told = `${stdout}${stderr}`
  expect({ where, signal, code: [0, 1].includes(code ?? -1), told }).toEqual({ where, signal: null, code: true, told })
  expect({ where, told: /\n +at |bug|undefined|\.zotui-restore/.exec(told) && told }).toEqual({ where, told: null })
  expect({ where, told: code === 0 || /ENOSPC|EDQUOT|EIO|fail/.test(told) || told }).toEqual({ where, told: true })
}

describe.each(kinds)('in %s', (_name, isGit) => {
  test.each(CODES)('%s during a restore and during its undo costs nothing', { timeout: 3_600_000 }, async disk => {
    const here = await worked(isGit)
    const kill = killing({ top: here.top, folder: here.top })
    kill.arm()
    const before = here.all()
    await zotui(here, ['restore', here.first], kill.at(0))
    const restored = here.all()
    const steps = kill.steps()
    expect(restored).not.toEqual(before)
    kill.disarm()
    await finish(here, ['undo'])
    expectFiles(here, before)
    for (const number of some(steps)) {
      const meetFault = async (args: readonly string[]): Promise<string> => {
        kill.arm()
        const ended = await zotui(here, args, kill.at(number, disk))
        const where = `${args.join(' ')}, ${kill.steps().find(step => step.startsWith(`${number} `)) ?? ''}`
        // The disk works again.
        kill.disarm()
        expectWords(ended, where)
        return where
      }
      const where = await meetFault(['restore', here.first])
      if (isDeepStrictEqual(here.all(), before)) await finish(here, ['restore', here.first], where)
      else {
        await finish(here, ['undo'], where)
        expectFiles(here, before, where)
        await finish(here, ['restore', here.first], where)
      }
      expectFiles(here, restored, where)
      const later = await meetFault(['undo'])
      // The undo of the undo, if that has done a part.
      if (!isDeepStrictEqual(here.all(), restored)) await finish(here, ['restore', here.first], later)
      expectFiles(here, restored, later)
      await finish(here, ['restore', here.last], later)
      expectFiles(here, before, later)
    }
  })
})

/** The cost of keeping the files of a large repository that has not changed. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createCheckpoints } from '../../src/checkpoints/checkpoints.ts'
import { now } from '../clock.ts'
import { median, type Figure } from '../figures.ts'

const FOLDERS = 200
const FILES = 100
const TIMES = 9

/** 20,000 files: a checkpoint of what is unchanged, and of one changed file. */
export async function checkpoint(): Promise<Figure[]> {
  const top = mkdtempSync(join(tmpdir(), 'zotui-bench-'))
  try {
    const [folder, stateFolder, home] = ['project', 'state', 'home'].map(name => join(top, name)) as [
      string,
      string,
      string,
    ]
    for (const each of [folder, stateFolder, home]) mkdirSync(each)
    makeRepository(folder)
    const checkpoints = createCheckpoints({
      folder,
      stateFolder,
      home,
      env: { ...process.env, HOME: home },
      now: Date.now,
    })
    const make = async (): Promise<number> => {
      const began = now()
      const answer = await checkpoints.make({ by: 'user', session: null, label: '' })
      if (!answer.ok) throw new Error(answer.why)
      return now() - began
    }
    const first = await make()
    const [unchanged, changed, floor]: [number[], number[], number[]] = [[], [], []]
    for (let time = 0; time < TIMES; time += 1) {
      const began = now()
      execFileSync('git', ['ls-files', '-m', '-d', '-o', '--exclude-standard'], { cwd: folder })
      floor.push(now() - began)
      unchanged.push(await make())
    }
    for (let time = 0; time < TIMES; time += 1) {
      writeFileSync(join(folder, 'folder-7', 'file-7.ts'), `export const changed = ${time}\n`)
      changed.push(await make())
    }
    return [
      { name: 'first', unit: 'ms', value: first, floor: median(floor) },
      { name: 'unchanged', unit: 'ms', value: median(unchanged), floor: median(floor) },
      { name: 'one file changed', unit: 'ms', value: median(changed), floor: median(floor) },
    ]
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

function makeRepository(folder: string): void {
  for (let number = 0; number < FOLDERS; number += 1) {
    const inside = join(folder, `folder-${number}`)
    mkdirSync(inside)
    for (let file = 0; file < FILES; file += 1) {
      writeFileSync(join(inside, `file-${file}.ts`), `export const n = ${number * FILES + file}\n`)
    }
  }
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'all')
}

/** `/diff` of many changed files: the time until it is open, and each kind of key, compared with few files. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMITTER } from '../../test/helpers/committer.ts'
import { now } from '../clock.ts'
import { MEGABYTE, timeFigures, type Figure } from '../figures.ts'
import { PageReader } from '../page-reader.ts'
import type { Stage } from '../stage.ts'

/** A hundred thousand added and removed lines. One file has a fifth of them, as a generated one would. */
const MANY = { files: 500, lines: 80, longest: 10_000 }
const FEW = { files: 10, lines: 80, longest: 2000 }

type Size = typeof MANY

export async function diff(stage: Stage): Promise<Figure[]> {
  const few = await readChanges(stage, FEW)
  const many = await readChanges(stage, MANY)
  return [
    { name: 'lines', unit: 'count', value: linesOf(MANY) },
    { name: 'opened', unit: 'ms', value: many.opened, floor: few.opened },
    { name: 'listed', unit: 'ms', value: many.listed, floor: many.git },
    ...[...many.work].flatMap(([kind, work]) => timeFigures(`${kind}, CPU`, work, few.work.get(kind)).slice(1)),
    ...timeFigures('any key', [...many.times.values()].flat(), [...few.times.values()].flat()),
    ...timeFigures("any key's CPU", [...many.work.values()].flat(), [...few.work.values()].flat()),
    { name: 'slowest key', unit: 'ms', value: Math.max(...[...many.times.values()].flat()) },
    { name: 'searched', unit: 'ms', value: many.searched, floor: few.searched },
    { name: 'memory', unit: 'MB', value: many.memory, floor: few.memory },
  ]
}

const linesOf = ({ files, lines, longest }: Size): number => 2 * ((files - 1) * lines + longest)

type Reading = {
  /** Milliseconds from Enter to the page, and to the list of all files. */
  opened: number
  listed: number
  /** What git alone takes for its part of the list. */
  git: number
  times: Map<string, number[]>
  work: Map<string, number[]>
  /** Milliseconds until all of it has been searched. */
  searched: number
  /** The memory that the page took. */
  memory: number
}

const numberOf = (index: number): string => String(index).padStart(3, '0')
/** Ten files a folder, in folders of folders. */
const pathOf = (index: number): string =>
  `src/part-${Math.floor(index / 100)}/room-${Math.floor(index / 10) % 10}/file-${numberOf(index)}.ts`

function source(index: number, count: number, word: string): string {
  // As many lines stay, between every ten that change.
  const line = (at: number): string => {
    const name = Math.floor(at / 10) % 2 === 0 ? 'same' : word
    return `export const value${at} = ${name}(${index}, ${at}, "some text of line ${at}")\n`
  }
  return Array.from({ length: 2 * count }, (_, at) => line(at)).join('')
}

function write(folder: string, { files, lines, longest }: Size, word: string): void {
  for (let index = 0; index < files; index += 1) {
    const path = join(folder, pathOf(index))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, source(index, index === 0 ? longest : lines, word))
  }
}

async function readChanges(stage: Stage, size: Size): Promise<Reading> {
  let folder = ''
  const git = (...args: string[]): void => {
    execFileSync('git', [...COMMITTER, ...args], { cwd: folder, stdio: 'ignore' })
  }
  const prepare = (project: string): void => {
    folder = project
    write(folder, size, 'before')
    git('init', '--quiet')
    git('add', '--all')
    git('commit', '--quiet', '--message', 'all')
  }
  const ui = stage.open({ prepare })
  await ui.ready()
  await ui.send({ kind: 'answer', count: 10, rate: 200, turn: 0 })
  await ui.idle()
  // As a command of the agent would: all of it is this session's.
  write(folder, size, 'after')
  const began = now()
  git('diff', '--raw', '--numstat', 'HEAD')
  const took = now() - began
  await pause(500)
  const before = ui.usage().memory
  const reader = new PageReader(ui)
  ui.write('/diff')
  await ui.until('the command', () => ui.terminal.screen().some(row => row.includes('/diff')))
  await pause(300)
  const pressed = now()
  const page = ui.shown('the page', () => reader.bottom().endsWith('q closes'))
  const list = ui.shown(
    'all files',
    () => reader.title().includes(`${size.files} file`) && !reader.body().includes('Checking'),
  )
  ui.write('\r')
  const [opened, listed] = [(await page) - pressed, (await list) - pressed]
  const searched = await read(reader)
  const memory = (ui.usage().peakMemory - before) / MEGABYTE
  await ui.end()
  return { opened, listed, git: took, times: reader.times, work: reader.work, searched, memory }
}

const KEYS = {
  up: '\u001B[A',
  down: '\u001B[B',
  pageDown: '\u001B[6~',
  pageUp: '\u001B[5~',
  enter: '\r',
  escape: '\u001B',
}

/** Presses every kind of key; resolves with the milliseconds that the search took. */
async function read(reader: PageReader): Promise<number> {
  const { press, moves } = reader
  await moves('list', KEYS.down, 9)
  await moves('list', KEYS.up, 8)
  await moves('list end', 'G', 1)
  await moves('list end', 'g', 1)
  await moves('tree', 't', 1)
  await moves('tree', 'g', 1)
  await moves('tree', KEYS.enter, 2)
  await moves('tree', KEYS.down, 8)
  await moves('tree', 't', 1)
  await press('list end', 'g', () => reader.body().includes('› M  src/part-0/room-0/file-000'))
  // The first file is the longest one.
  await press('open', KEYS.enter, () => reader.bottom().includes('change 1 of'))
  await moves('line', KEYS.down, 20)
  await moves('line', KEYS.up, 10)
  await moves('page', KEYS.pageDown, 10)
  await moves('page', KEYS.pageUp, 5)
  for (let time = 0; time < 3; time += 1) {
    await moves('end', 'G', 1)
    await moves('end', 'g', 1)
  }
  await moves('sides', 's', 2)
  await moves('next file', ']', 4)
  await moves('next change', 'n', 16)
  for (let time = 0; time < 5; time += 1) await press('mark', 'a', marked(reader))
  return searchFor(reader, 'value7')
}

/** Whether another file is shown than now. */
function marked(reader: PageReader): () => boolean {
  const before = reader.title()
  return () => reader.title() !== before && reader.bottom().includes('change 1 of')
}

async function searchFor(reader: PageReader, query: string): Promise<number> {
  const { press } = reader
  await press('search', '/', () => reader.bottom().startsWith('/'))
  for (let length = 1; length <= query.length; length += 1) {
    await press('search', query.charAt(length - 1), () => reader.bottom().startsWith(`/${query.slice(0, length)}`))
  }
  const begun = now()
  const match = (): string => /match (\d+) of/.exec(reader.bottom())?.[1] ?? ''
  await press('first match', KEYS.enter, () => match() !== '')
  while (reader.bottom().includes('so far')) await pause(20)
  const took = now() - begun
  for (const key of 'nnnnnnnnnnnnNNNNNN') {
    const before = match()
    await press('match', key, () => match() !== before)
  }
  return took
}

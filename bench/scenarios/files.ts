/** The time until files are found behind an `@` in a large project, in a repository and in a plain folder. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { now } from '../clock.ts'
import type { Figure } from '../figures.ts'
import type { Stage } from '../stage.ts'

const FOLDERS = 1000
const FILES = 100

/** A hundred thousand files: first results after the `@`, and after letters that only the last folder has. */
export async function files(stage: Stage): Promise<Figure[]> {
  return [...(await inFolder(stage, 'folder', makeFiles)), ...(await inFolder(stage, 'git', makeRepository))]
}

async function inFolder(stage: Stage, name: string, prepare: (folder: string) => void): Promise<Figure[]> {
  const ui = stage.open({ prepare })
  await ui.ready()
  const shows = (text: string) => (): boolean => ui.terminal.screen().some(line => line.trimStart().startsWith(text))
  const pressed = now()
  const first = ui.shown('the first files', shows('› folder'))
  ui.write('@')
  const found = (await first) - pressed
  const last = ui.shown('the last folder', shows(`› folder-${FOLDERS - 1}/file-42.ts`))
  const asked = now()
  ui.write(`r-${FOLDERS - 1}/file-42`)
  const narrowed = (await last) - asked
  await ui.end()
  return [
    { name: `first files, ${name}`, unit: 'ms', value: found },
    { name: `the one meant, ${name}`, unit: 'ms', value: narrowed },
  ]
}

function makeFiles(folder: string): void {
  for (let number = 0; number < FOLDERS; number += 1) {
    const inside = join(folder, `folder-${number}`)
    mkdirSync(inside)
    for (let file = 0; file < FILES; file += 1) writeFileSync(join(inside, `file-${file}.ts`), '')
  }
}

function makeRepository(folder: string): void {
  makeFiles(folder)
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  execFileSync('git', ['add', '--all'], { cwd: folder })
}

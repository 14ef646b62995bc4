/** The time that the box for reading adds to a command. */
import process from 'node:process'
import { runShell } from '../../src/platform/shell/run.ts'
import { readBox } from '../../src/sandbox/read-box.ts'
import { now } from '../clock.ts'
import { median, type Figure } from '../figures.ts'

const COMMANDS = 50

/** Both alternately, so that other work of the machine affects both. Nothing is measured where no box can be made. */
export async function box(): Promise<Figure[]> {
  const place = { folder: process.cwd(), env: process.env, runsGit: false }
  if ('why' in (await readBox(place))) return []
  const plain: number[] = []
  const boxed: number[] = []
  for (let index = 0; index < COMMANDS; index += 1) {
    plain.push(await timeOf(false))
    boxed.push(await timeOf(true))
  }
  return [{ name: 'a command that reads', unit: 'ms', value: median(boxed), floor: median(plain) }]

  async function timeOf(isBoxed: boolean): Promise<number> {
    const began = now()
    const made = isBoxed ? await readBox(place) : null
    const { exitCode } = await runShell({
      command: 'true',
      cwd: place.folder,
      env: place.env,
      shell: '/bin/bash',
      ...(made && 'file' in made && { box: made }),
      limitBytes: 1000,
      onOutput() {},
    }).done
    if (exitCode !== 0) throw new Error('the command failed')
    return now() - began
  }
}

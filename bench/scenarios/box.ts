/** The time that the boxes add to a command: that for reading, and the whole policy of that for writing. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type CommandBox, runShell } from '../../src/platform/shell/run.ts'
import { readBox } from '../../src/sandbox/read-box.ts'
import { writeBox } from '../../src/sandbox/write-box.ts'
import { now } from '../clock.ts'
import { median, type Figure } from '../figures.ts'

const COMMANDS = 50

/** All alternately, so that other work of the machine affects all. Nothing is measured where no box can be made. */
export async function box(): Promise<Figure[]> {
  const place = { folder: process.cwd(), env: process.env }
  const caches = mkdtempSync(join(tmpdir(), 'zotui-bench-'))
  const reading = async (): Promise<CommandBox> => {
    const made = await readBox({ ...place, runsGit: false })
    if ('why' in made) throw new Error(made.why)
    return made
  }
  const writing = (): Promise<CommandBox> => writeBox({ ...place, write: [], hide: [], caches }, null)
  try {
    if ('why' in (await readBox({ ...place, runsGit: false }))) return []
    const times = { plain: new Array<number>(), reads: new Array<number>(), writes: new Array<number>() }
    for (let index = 0; index < COMMANDS; index += 1) {
      times.plain.push(await timeOf(null))
      times.reads.push(await timeOf(reading))
      times.writes.push(await timeOf(writing))
    }
    const floor = median(times.plain)
    return [
      { name: 'a command that reads', unit: 'ms', value: median(times.reads), floor },
      { name: 'a command that writes', unit: 'ms', value: median(times.writes), floor },
    ]
  } finally {
    rmSync(caches, { recursive: true, force: true })
  }

  async function timeOf(make: (() => Promise<CommandBox>) | null): Promise<number> {
    const began = now()
    const made = await make?.()
    const { exitCode } = await runShell({
      command: 'true',
      cwd: place.folder,
      env: place.env,
      shell: '/bin/bash',
      box: made,
      limitBytes: 1000,
      onOutput() {},
    }).done
    if (exitCode !== 0) throw new Error('the command failed')
    return now() - began
  }
}

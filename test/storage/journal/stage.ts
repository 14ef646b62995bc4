/** Folders for one test, and programs in them that can be killed. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { HistoryLimits } from '../../../src/storage/journal/history.ts'
import { compiled } from '../../helpers/home.ts'
import type { Answer, Command } from './program.ts'

export type Place = { stateFolder: string; projectFolder: string }

/** Gone when the test is. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-journal-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
  const projectFolder = join(root, 'project')
  mkdirSync(projectFolder)
  return { stateFolder: join(root, 'state'), projectFolder }
}

export class Program {
  readonly pid: number
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor(place: Place & { limits?: HistoryLimits }) {
    const script = fileURLToPath(new URL('program.ts', import.meta.url))
    this.#child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(place)], {
      // Stripping types takes longer than all that it does else.
      env: { ...process.env, NODE_COMPILE_CACHE: join(compiled, 'agents') },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    if (this.#child.stdout === null) throw new Error('no output')
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.pid = this.#child.pid ?? 0
    onTestFinished(() => void this.#child.kill('SIGKILL'))
  }

  async tell(command: Command): Promise<Answer> {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`)
    return this.hear()
  }

  /** The next line; one without content when there is none any more. */
  async hear(): Promise<Answer> {
    const line = await this.#lines.next()
    return line.done === true ? {} : (JSON.parse(line.value) as Answer)
  }

  /** kill -9; resolves when the process is gone. */
  async kill(): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}

/** Lets the world continue until something holds. */
export async function until(holds: () => boolean, within = 10_000): Promise<void> {
  const end = performance.now() + within
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not so within ${within} ms`)
    await new Promise(setImmediate)
  }
}

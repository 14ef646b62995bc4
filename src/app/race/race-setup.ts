/** Makes the worktrees of a race ready to work: the files of `worktreeFiles`, and `worktreeSetup`. One is made ready at a time. */
import type { ShellRun } from '../../platform/shell/run.ts'
import type { Entrant } from '../../race/race-record.ts'
import { sentence } from '../../text/sentence.ts'
import type { Worktree } from '../../worktrees/record.ts'
import { leftWords, setupProblem } from '../worktrees/ready-worktree.ts'
import { startIn } from './race-check.ts'
import type { RaceParts } from './race-parts.ts'

type SetupParts = Pick<RaceParts, 'conversations' | 'host' | 'now' | 'redactStream' | 'setup' | 'worktrees'>

export class RaceSetup {
  readonly #parts: SetupParts
  readonly #onOutput: () => void
  #running: Pick<ShellRun, 'stop'> | null = null
  #printed = ''
  #left = ''

  constructor(parts: SetupParts, onOutput: () => void) {
    this.#parts = parts
    this.#onOutput = onOutput
  }

  /** The end of what `worktreeSetup` has printed so far; '' while it does not run. */
  get printed(): string {
    return this.#printed
  }

  /** Resolves to what did not work, as a sentence; null if all did. */
  async makeReady(known: Worktree, worktree: NonNullable<Entrant['worktree']>): Promise<string | null> {
    const { setup, worktrees } = this.#parts
    const { files, command } = setup()
    const brought = files.length === 0 ? null : await worktrees.bring(known, files)
    if (brought?.ok === false) return `The files of worktreeFiles were not copied: ${sentence(brought.why)}`
    if (brought && brought.value.left.length > 0) this.#sayLeft(leftWords(brought.value.left))
    return command === null ? null : this.#run({ command, project: known.project, worktree })
  }

  /** False if nothing runs. */
  stop(): boolean {
    this.#running?.stop()
    return this.#running !== null
  }

  async #run(inside: Parameters<typeof startIn>[1]): Promise<string | null> {
    const run = startIn(this.#parts, inside, shown => this.#print(shown))
    this.#running = run
    const result = await run.done
    this.#running = null
    this.#print('')
    const problem = setupProblem(result)
    const last = result.output.trimEnd().split('\n').at(-1) ?? ''
    return problem === null ? null : sentence(last === '' ? problem : `${problem}: ${last}`)
  }

  /** Once: the files are the same for all who run. */
  #sayLeft(words: string): void {
    if (this.#left !== words) this.#parts.conversations.say('warn', words)
    this.#left = words
  }

  #print(shown: string): void {
    this.#printed = shown
    this.#onOutput()
  }
}

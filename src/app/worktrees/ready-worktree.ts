/**
 * Makes a worktree ready to work: creates it, copies the files of `worktreeFiles` into it, and runs `worktreeSetup` there, whose output is seen
 * and which Esc ends. Whatever does not work is shown, and the worktree stays until the user says otherwise.
 */
import type { ShellResult } from '../../platform/shell/run.ts'
import { counted } from '../../text/counted.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { Worktree } from '../../worktrees/record.ts'
import type { BroughtFiles } from '../../worktrees/setup/bring-files.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { ShellCommand } from '../turns/shell-command.ts'
import { notUsed, setupFor, type SetupSettings } from './setup-settings.ts'

export type ReadyParts = {
  context: Pick<AppContext, 'settings' | 'addProgramNotice' | 'dispatch'>
  worktrees: Worktrees
  choicePrompt: Pick<ChoicePrompt, 'ask'>
  shell: Pick<ShellCommand, 'runIn'>
}

export type ReadyWorktree =
  /** `copied`: the number of ignored files that were copied. `problem`: what did not work, in words without a full stop; null if all did. */
  | { ok: true; worktree: Worktree; folder: string; left: number; copied: number; problem: string | null }
  /** `worktree` is the one that stays; absent if there is none. */
  | { ok: false; why: string; worktree?: Worktree; isDiscarded?: true }

export type ReadyTask = Parameters<Worktrees['create']>[0] & {
  /** Whether the user decides about a problem now. Otherwise it is only returned. */
  asks: boolean
}

/** Never rejects. */
export async function readyWorktree(parts: ReadyParts, { asks, ...task }: ReadyTask): Promise<ReadyWorktree> {
  const { context, worktrees } = parts
  const created = await hinted(context, 'Making a git worktree…', async () => worktrees.create(task))
  if (!created.ok) return created
  const { worktree } = created.value
  // Nobody removes it meanwhile.
  const release = worktrees.use(worktree.folder)
  const setup = new WorktreeSetup(parts, worktree, setupFor(context.settings, worktrees.at))
  const isOfAgent = worktrees.at(task.folder) !== null
  const end = await decide(setup, { choicePrompt: parts.choicePrompt, asks, isOfAgent })
  release()
  if (end.answer === 'start') return { ok: true, ...created.value, copied: setup.copied, problem: end.problem }
  if (end.answer === 'leave') return { ok: false, why: end.problem, worktree }
  await worktrees.discard(worktree)
  return { ok: false, why: end.problem, isDiscarded: true }
}

type End = { answer: 'start'; problem: string | null } | { answer: 'leave' | 'discard'; problem: string }

/** Runs it as often as the user wants. What an agent has committed runs only if the user says so. */
async function decide(
  setup: WorktreeSetup,
  { choicePrompt, asks, isOfAgent }: Pick<ReadyParts, 'choicePrompt'> & { asks: boolean; isOfAgent: boolean },
): Promise<End> {
  const isHeld = isOfAgent && setup.hasCommand
  let problem = isHeld ? 'worktreeSetup would run in a copy of what an agent has committed' : await setup.run()
  if (!asks) return { answer: 'start', problem }
  for (let hasRun = !isHeld; problem !== null; hasRun = true) {
    const answer: SetupAnswer = await answered(choicePrompt, problem, hasRun)
    if (answer !== 'run') return { answer, problem }
    problem = await setup.run()
  }
  return { answer: 'start', problem: null }
}

class WorktreeSetup {
  /** The number of files that were copied. */
  copied = 0
  readonly #parts: ReadyParts
  readonly #worktree: Worktree
  readonly #settings: SetupSettings
  #hasFiles: boolean

  constructor(parts: ReadyParts, worktree: Worktree, settings: SetupSettings) {
    this.#parts = parts
    this.#worktree = worktree
    this.#settings = settings
    this.#hasFiles = settings.files.length === 0
    for (const name of settings.ignored) parts.context.addProgramNotice('warn', notUsed(name))
  }

  get hasCommand(): boolean {
    return this.#settings.command !== null
  }

  /** Does what is left to do. Resolves to what did not work, in words without a full stop; null if all did. */
  async run(): Promise<string | null> {
    const problem = this.#hasFiles ? null : await this.#bring()
    return problem ?? (this.#settings.command === null ? null : this.#command(this.#settings.command))
  }

  async #bring(): Promise<string | null> {
    const { context, worktrees } = this.#parts
    const copying = (): ReturnType<Worktrees['bring']> => worktrees.bring(this.#worktree, this.#settings.files)
    const brought = await hinted(context, 'Copying the files of worktreeFiles…', copying)
    if (!brought.ok) return `the files of worktreeFiles were not copied: ${brought.why}`
    this.#hasFiles = true
    this.copied = brought.value.count
    const { left } = brought.value
    if (left.length > 0) context.addProgramNotice('warn', leftWords(left))
    return null
  }

  async #command(command: string): Promise<string | null> {
    const { folder, project } = this.#worktree
    const variables = { ZOTUI_WORKTREE: folder, ZOTUI_PROJECT: project }
    return setupProblem(await this.#parts.shell.runIn(command, { folder, variables }))
  }
}

/** What went wrong with the command, in words without a full stop; null if nothing did. */
export function setupProblem(result: ShellResult | null): string | null {
  if (result === null) return 'worktreeSetup was not run: no command can be run here now'
  if (result.problem !== null) return `worktreeSetup could not be started: ${result.problem}`
  if (result.stopped) return 'worktreeSetup was stopped'
  if (result.exitCode === null) return `worktreeSetup was ended by ${result.signal ?? 'a signal'}`
  return result.exitCode === 0 ? null : `worktreeSetup failed with exit code ${result.exitCode}`
}

type SetupAnswer = 'start' | 'run' | 'leave' | 'discard'

/** The user's answer. Esc leaves the worktree as it is and starts nothing. */
async function answered(
  choicePrompt: ReadyParts['choicePrompt'],
  title: string,
  hasRun: boolean,
): Promise<SetupAnswer> {
  const { promise, resolve } = Promise.withResolvers<SetupAnswer>()
  const run = { label: hasRun ? 'Try again' : 'Run it', detail: 'in the worktree', run: () => resolve('run') }
  const start = { label: 'Start without it', detail: 'the agent works there as it is', run: () => resolve('start') }
  choicePrompt.ask({
    title: oneLine(sanitize(title)),
    answers: [
      ...(hasRun ? [run, start] : [start, run]),
      { label: 'Leave it', detail: '/worktrees has the worktree', run: () => resolve('leave') },
      { label: 'Discard the worktree', detail: 'nothing is started', run: () => resolve('discard') },
    ],
    otherwise: () => resolve('leave'),
  })
  return promise
}

/** The most files that are named. */
const MOST_NAMED = 3

/** What was not copied, in a sentence. */
export function leftWords(left: BroughtFiles['left']): string {
  const named = left.slice(0, MOST_NAMED).map(({ path, why }) => `${oneLine(sanitize(path))} ${why}`)
  const more = left.length - named.length
  const all = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return `${counted(left.length, 'file')} of worktreeFiles ${left.length === 1 ? 'was' : 'were'} not copied: ${all}.`
}

async function hinted<Value>(
  { dispatch }: Pick<AppContext, 'dispatch'>,
  hint: string,
  work: () => Promise<Value>,
): Promise<Value> {
  dispatch({ type: 'hinted', hint })
  const value = await work()
  dispatch({ type: 'hinted', hint: null })
  return value
}

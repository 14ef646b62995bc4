/** Asks a command of the user: it reads a question from its input and prints an answer. */
import { formatBytes, formatDuration } from '../../text/format.ts'
import { runProgram, type ProgramResult, type ProgramRun } from './run-program.ts'

/** The output of a program that succeeded, or in words that follow "the program" why there is none. */
export type ProgramOutput = { ok: true; output: string } | { ok: false; problem: string }

/** Never rejects. Its standard error goes nowhere. */
export async function askProgram(asked: ProgramRun): Promise<ProgramOutput> {
  const end = await runProgram(asked)
  return end.how === 'exited' && end.exitCode === 0
    ? { ok: true, output: end.output }
    : { ok: false, problem: programProblem(end, asked) }
}

/** The reason why a program did not succeed, in words that follow its name. */
export function programProblem(
  { how, exitCode, killedBy }: Pick<ProgramResult, 'how' | 'exitCode' | 'killedBy'>,
  { timeout, limitBytes }: Pick<ProgramRun, 'timeout' | 'limitBytes'>,
): string {
  switch (how) {
    case 'aborted':
      return 'was ended'
    case 'timeout':
      return `did not answer within ${formatDuration(timeout)}`
    case 'too_much':
      return `printed more than ${formatBytes(limitBytes)}`
    case 'signal':
      return `was ended by ${killedBy}`
    case 'not_started':
      return 'could not be started'
    case 'exited':
      return `failed with exit code ${exitCode}`
  }
}

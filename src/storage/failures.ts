/** Storage that fails never stops the program: the first failure is reported, and the work continues without the file. */
import { messageOf } from '../platform/errors.ts'

/** Reports what was thrown. */
export type ReportFailure = (error: unknown) => void

/** Reports only the first failure: with a full disk, every key would fail. */
export function createReporter(what: string, onProblem: (words: string) => void): ReportFailure {
  let reported = false
  return error => {
    if (reported) return
    reported = true
    onProblem(`${what}: ${messageOf(error)}`)
  }
}

/** The result of `work`; where it throws, the error is reported and the result is `otherwise`. */
export function attempt<T>(report: ReportFailure, otherwise: T, work: () => T): T {
  try {
    return work()
  } catch (error) {
    report(error)
    return otherwise
  }
}

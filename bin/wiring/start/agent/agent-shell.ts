/** Asks the shell of an agent's commands which one it is, where the name of its file does not say so. */
import process from 'node:process'
import { realPath } from '../../../../src/platform/real-path.ts'
import { agentShellFile, isTriedAnswer, isTriedFile } from '../../../../src/platform/shell/tried-shell.ts'

export type AgentShell = {
  /** Whether lines for reading were tried in it; false until it has said which it is. */
  isTried: () => boolean
  /** Asks it; null if it is known to be one. Never rejects. */
  learn: () => Promise<void> | null
}

/** Milliseconds for its answer: zot waits for 4.5 s until a call is decided. */
const LIMIT = 1000

/** On Windows there is none. */
export function agentShell(file = agentShellFile()): AgentShell {
  let isTried = process.platform === 'win32' || isTriedFile(realPath(file))
  let asked: Promise<void> | null = null
  return {
    isTried: () => isTried,
    learn() {
      if (isTried) return null
      asked ??= ask(file).then(answer => void (isTried = isTriedAnswer(answer)))
      return asked
    },
  }
}

async function ask(file: string): Promise<string> {
  const { askWhichShell } = await import('../../../../src/platform/shell/ask-which-shell.ts')
  return askWhichShell(file, LIMIT)
}

/** The files that commands in the sandbox have left and that can run later: the user keeps or removes each. */
import type { CommandApp } from '../../../app/command-app.ts'
import { folderLabel } from '../../../platform/project.ts'
import { sanitizeExact } from '../../../text/sanitize.ts'
import { sentence } from '../../../text/sentence.ts'

export type LeftAnswer = 'keep' | 'remove'

/** Paths. */
export function askAboutLeft(app: CommandApp, waiting: readonly string[]): void {
  const { host } = app.context
  if (!host?.answerLeft || waiting.length === 0) return
  app.choicePrompt.ask({
    title: 'left by commands, and can run later',
    answers: waiting.map(path => ({
      label: sanitizeExact(folderLabel(path, host.home)),
      detail: 'look at it, then keep or remove it',
      run: () => askAboutOne(app, path, waiting),
    })),
  })
}

function askAboutOne(app: CommandApp, path: string, waiting: readonly string[]): void {
  const home = app.context.host?.home ?? ''
  const answer = (given: LeftAnswer) => () => void carryOut(app, path, given, waiting)
  app.choicePrompt.ask({
    title: sanitizeExact(folderLabel(path, home)),
    answers: [
      { label: 'later', detail: 'until then zotui runs no git here, and every command asks', run: () => {} },
      { label: 'keep', detail: 'you have looked at it', run: answer('keep') },
      { label: 'remove', detail: 'it is deleted', run: answer('remove') },
    ],
  })
}

async function carryOut(app: CommandApp, path: string, given: LeftAnswer, waiting: readonly string[]): Promise<void> {
  const { context, permissions } = app
  const problem = (await context.host?.answerLeft?.(path, given)) ?? null
  if (problem !== null) return context.addProgramNotice('warn', sentence(problem))
  permissions.judgeAgain()
  context.hint(`${given === 'keep' ? 'Kept' : 'Removed'} ${sanitizeExact(path)}.`)
  askAboutLeft(
    app,
    waiting.filter(each => each !== path),
  )
}

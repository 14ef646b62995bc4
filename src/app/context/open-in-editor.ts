/** The terminal, lent to the person's editor for a while. */
import { sentence } from '../../text/sentence.ts'
import type { AppContext } from './context.ts'

/** `run` resolves with what was wrong, which is then said, or null. */
export async function openInEditor(
  { desk, hint }: Pick<AppContext, 'desk' | 'hint'>,
  run: (env: NodeJS.ProcessEnv) => Promise<string | null>,
): Promise<void> {
  if (!desk) return hint('There is no terminal to lend to an editor.')
  let problem: string | null = null
  await desk.lendTerminal(async () => {
    problem = await run(desk.env)
  })
  if (problem !== null) hint(sentence(problem))
}

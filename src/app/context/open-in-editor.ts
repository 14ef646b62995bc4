/** Hands the terminal to the user's editor. */
import { sentence } from '../../text/sentence.ts'
import type { EditorPlace } from '../../platform/shell/editor.ts'
import type { AppContext } from './context.ts'

/** `run` resolves with a problem, which is then shown, or null. */
export async function openInEditor(
  { host, hint }: Pick<AppContext, 'host' | 'hint'>,
  run: (place: EditorPlace) => Promise<string | null>,
): Promise<void> {
  if (!host) return hint('There is no terminal for an editor.')
  let problem: string | null = null
  await host.lendTerminal(async () => {
    problem = await run(host)
  })
  if (problem !== null) hint(sentence(problem))
}

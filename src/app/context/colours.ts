/** Loads the syntax colours of languages before code in them is drawn. */
import type { AgentEvent } from '../../agent/event.ts'
import { languageOfPath } from '../../markdown/code/highlight.ts'
import { loadLanguage } from '../../markdown/code/languages.ts'
import { textAt } from '../../text/member.ts'

/** Loads the syntax colours for the file of a call, so that they are ready when its lines are drawn. */
export function loadColours(event: AgentEvent): void {
  if (event.type !== 'tool_called') return
  const path = textAt(event.arguments, 'path')
  if (path !== undefined) void loadColoursOf(path)
}

/** Loads the syntax colours for a file of this name; resolves when they are ready. */
export async function loadColoursOf(path: string): Promise<void> {
  const language = languageOfPath(path)
  if (language !== '') await loadLanguage(language)
}

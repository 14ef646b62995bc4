/** The list of agents. */
import type { AppContext } from '../context/context.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'

/** Asks which agent to switch to; `use` gets its name. */
export async function pickAgent(
  { agents, backend, hint }: Pick<AppContext, 'agents' | 'backend' | 'hint'>,
  choicePrompt: ChoicePrompt,
  use: (name: string) => void,
): Promise<void> {
  const known = (await agents?.list()) ?? []
  const isUsed = (name: string): boolean => name === backend.name
  const answers = known.map(({ name, title, missing }) => ({
    label: name,
    facts: [isUsed(name) ? 'in use' : missing === null ? 'installed' : 'not installed'],
    detail: missing ?? title,
    whole: missing === null ? title : `${title} is not installed: ${missing}.`,
    run: () => {
      if (isUsed(name)) return hint(`${name} is in use. /restart starts it again.`)
      return missing === null ? use(name) : hint(`${title} is not installed: ${missing}.`)
    },
  }))
  choicePrompt.ask({
    title: 'agent',
    answers,
    selected: Math.max(
      0,
      known.findIndex(({ name }) => isUsed(name)),
    ),
  })
}

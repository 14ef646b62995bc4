/** The agent's own commands as slash commands: each is sent to it as a prompt. */
import type { AgentCommand } from '../../../agent/session-events.ts'
import type { PromptCommand } from '../../../config/prompts/command.ts'

/** Characters of a description that are kept. An agent may list hundreds of commands with long descriptions. */
const LONGEST = 300

/** Names that can be typed as a command. */
const TYPABLE = /^[\p{L}\p{N}_.:/-]+$/u

/** Each command has its name and `agent:name`; only the latter if zotui or a prompt file has the former (`taken`). */
export function agentCommands(
  commands: readonly AgentCommand[],
  agent: string,
  taken: ReadonlySet<string>,
): PromptCommand[] {
  const seen = new Set(taken)
  return commands.flatMap(({ name: own, description, hint }): PromptCommand[] => {
    if (!TYPABLE.test(own)) return []
    const names = [own.toLowerCase(), `${agent}:${own}`.toLowerCase()].filter(name => !seen.has(name))
    for (const name of names) seen.add(name)
    const [name, ...aliases] = names
    if (name === undefined) return []
    const argument = hint === undefined || hint === '' ? null : `[${hint.slice(0, 40)}]`
    return [
      {
        kind: 'prompt',
        name,
        aliases,
        argument,
        help: description.slice(0, LONGEST),
        from: agent,
        problem: null,
        prompt: async text => ({ ok: true, text: text === '' ? `/${own}` : `/${own} ${text}` }),
      },
    ]
  })
}

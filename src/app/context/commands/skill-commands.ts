/** Skills as commands: `/skill:review the parser` sends the skill's instructions with that request. */
import { dirname } from 'node:path'
import type { Backend } from '../../../agent/backend.ts'
import type { Skill } from '../../../agent/startup-context.ts'
import { withoutChips } from '../../../composer/chips.ts'
import { normalisePaste } from '../../../composer/paste.ts'
import type { CommandSource, PromptCommand } from '../../../config/prompts/command.ts'

/** None while the agent supports no skills. */
export function skillCommands(backend: Pick<Backend, 'reading' | 'skillText'>): CommandSource {
  return async () => {
    const reading = await backend.reading('at once')
    if (!reading) return { commands: [], notices: [] }
    // A skill that the agent does not load by itself can still be used; a hidden one has no name.
    const named = reading.skills.items.filter(({ state }) => state !== 'hidden')
    return { commands: inOrder(named).map(skill => skillCommand(skill, backend)), notices: [] }
  }
}

/** Sorted by name, usable skills first. */
export function inOrder(skills: readonly Skill[]): Skill[] {
  return skills.toSorted((a, b) => RANKS[a.state] - RANKS[b.state] || (a.name < b.name ? -1 : 1))
}

const RANKS: Record<Skill['state'], number> = { taken: 0, broken: 1, hidden: 2 }

/** The name of a skill as a command, without the slash; characters that cannot be typed there become dashes. */
export function skillCommandName({ name }: Pick<Skill, 'name'>): string {
  return `skill:${name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, '-')}`
}

function skillCommand(skill: Skill, agent: Pick<Backend, 'skillText'>): PromptCommand {
  return {
    kind: 'prompt',
    name: skillCommandName(skill),
    aliases: [],
    argument: '[text]',
    help: skill.description,
    from: skill.from,
    problem: skill.state === 'broken' ? skill.note : null,
    // Links of a project's skill must stay in the project.
    ...(skill.within !== null && { isOfProject: true as const }),
    async prompt(argument) {
      const text = await agent.skillText(skill)
      return text.ok ? { ok: true, text: promptWith(skill, text.value, argument) } : { ok: false, reason: text.message }
    },
  }
}

/** The request comes first, since the screen shows the beginning of a long prompt. */
function promptWith({ name, path }: Skill, instructions: string, argument: string): string {
  const request = argument === '' ? '.' : `: ${argument}`
  const below = `Its instructions, in which paths are relative to ${dirname(path)}:\n\n${instructions}`
  return `Use the skill ${harmless(name)}${request}\n\n${harmless(below)}`
}

/** The text of a file, without control sequences and without the characters that stand for chips. */
const harmless = (text: string): string => withoutChips(normalisePaste(text))

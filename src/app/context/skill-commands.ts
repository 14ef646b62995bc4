/** Skills as commands: `/skill:review the parser` sends what the skill says, and what is wanted of it. */
import { dirname } from 'node:path'
import type { Backend } from '../../agent/backend.ts'
import type { Skill } from '../../agent/startup-context.ts'
import { withoutChips } from '../../composer/chips.ts'
import { normalisePaste } from '../../composer/paste.ts'
import type { CommandSource, PromptCommand } from '../../config/prompts/command.ts'

/** None where the agent knows no skills. */
export function skillCommands({ reading, skillText }: Pick<Backend, 'reading' | 'skillText'>): CommandSource[] {
  if (!reading || !skillText) return []
  const source: CommandSource = async () => {
    const { skills } = await reading('at once')
    // A skill that the agent does not take up by itself can be used all the same, and one that is hidden has no name.
    const named = skills.items.filter(({ state }) => state !== 'hidden')
    return { commands: inOrder(named).map(skill => skillCommand(skill, skillText)), remarks: [] }
  }
  return [source]
}

/** By name, those that can be used first. */
export function inOrder(skills: readonly Skill[]): Skill[] {
  return skills.toSorted((a, b) => RANKS[a.state] - RANKS[b.state] || (a.name < b.name ? -1 : 1))
}

const RANKS: Record<Skill['state'], number> = { taken: 0, broken: 1, hidden: 2 }

/** How a skill is called as a command, without the slash: all that cannot be typed there is a dash. */
export function skillCommandName({ name }: Pick<Skill, 'name'>): string {
  return `skill:${name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, '-')}`
}

function skillCommand(skill: Skill, skillText: NonNullable<Backend['skillText']>): PromptCommand {
  return {
    kind: 'prompt',
    name: skillCommandName(skill),
    aliases: [],
    argument: '[text]',
    help: skill.description,
    from: skill.from,
    problem: skill.state === 'broken' ? skill.note : null,
    async prompt(argument) {
      const text = await skillText(skill)
      return text.ok ? { ok: true, text: promptWith(skill, text.value, argument) } : { ok: false, reason: text.message }
    },
  }
}

/** What is wanted stands first: of a long prompt the screen shows the beginning. */
function promptWith({ name, path }: Skill, instructions: string, argument: string): string {
  const wish = argument === '' ? '.' : `: ${argument}`
  const below = `Its instructions, in which paths count from ${dirname(path)}:\n\n${instructions}`
  return `Use the skill ${harmless(name)}${wish}\n\n${harmless(below)}`
}

/** Of a file: nothing in it stands for something of the person, or steers a terminal. */
const harmless = (text: string): string => withoutChips(normalisePaste(text))

/** MeerkatSkills as commands of the agent: `/name text` loads the skill and sends the text. Pure. */
import type { AgentCommand } from '../../agent/session-events.ts'
import type { WireSkill } from './frame.ts'

export type MeerkatSkills = {
  readonly commands: AgentCommand[]
  /** The text for the model, and the fields of `turn/start` that load a skill. */
  resolve(text: string): { text: string; fields: Record<string, unknown> }
}

export function createSkills(wire: readonly WireSkill[]): MeerkatSkills {
  const skills = wire.filter(skill => skill.is_active)

  return {
    commands: skills.map(({ name, description }) => ({ name, description, hint: 'what to do with it' })),
    resolve(text) {
      const [, name, rest = ''] = /^\/(\S+)\s*([^]*)$/u.exec(text) ?? []
      const skill = skills.find(each => each.name === name)
      if (!skill) return { text, fields: {} }
      return {
        text: rest === '' ? `Use the skill ${skill.name}.` : rest,
        fields: { skill_refs: [{ kind: 'structured', ...skill.key }] },
      }
    },
  }
}

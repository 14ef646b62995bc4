import { describe, expect, test } from 'vitest'
import type { Backend, Reply } from '../../../../src/agent/backend.ts'
import type { Skill } from '../../../../src/agent/startup-context.ts'
import { skillCommands } from '../../../../src/app/context/commands/skill-commands.ts'
import { chipCharacter } from '../../../../src/composer/chips.ts'
import type { PromptCommand } from '../../../../src/config/prompts/command.ts'
import { FakeBackend } from '../../fake-backend.ts'

function skill(name: string, more: Partial<Skill> = {}): Skill {
  return {
    name,
    description: `Does ${name}.`,
    path: `/home/.claude/skills/${name}/SKILL.md`,
    from: 'global (claude)',
    within: null,
    listedTokens: 10,
    loadedTokens: 100,
    state: 'taken',
    note: null,
    ...more,
  }
}

async function commandsOf(skills: readonly Skill[], text: Reply<string> = { ok: true, value: 'Do it.' }) {
  const agent: Pick<Backend, 'reading' | 'skillText'> = {
    reading: () =>
      Promise.resolve({
        systemPrompt: null,
        ownTokens: 0,
        instructions: { items: [], read: 'yes', why: null },
        skills: { items: skills, read: 'unknown', why: 'Who knows.' },
        isWhole: true,
      }),
    skillText: () => Promise.resolve(text),
  }
  const found = [await skillCommands(agent)()]
  return found.flatMap(({ commands }) => commands)
}

const only = async (commands: Promise<PromptCommand[]>): Promise<PromptCommand> => {
  const [first, ...others] = await commands
  if (!first || others.length > 0) throw new Error('not one')
  return first
}

describe('skills as commands', () => {
  test('do not exist for an agent that supports no skills', async () => {
    expect(await skillCommands(new FakeBackend(() => 1))()).toEqual({ commands: [], notices: [] })
  })

  test('are sorted by name, broken ones last with the reason, without hidden ones', async () => {
    const broken = skill('a', { state: 'broken', note: 'has no header' })
    const commands = await commandsOf([broken, skill('z'), skill('b'), skill('b', { state: 'hidden' })])
    expect(commands.map(({ name, problem }) => [name, problem])).toEqual([
      ['skill:b', null],
      ['skill:z', null],
      ['skill:a', 'has no header'],
    ])
  })

  test('can be typed even if the name has blanks or slashes', async () => {
    const { name } = await only(commandsOf([skill(`Code  Review/déep${chipCharacter(3, 1)}\u{1B}[2J`)]))
    expect(name).toBe('skill:code-review-déep-2j')
  })

  test('send the request first, and then the text of the skill', async () => {
    const { prompt } = await only(commandsOf([skill('review')], { ok: true, value: '# Review\r\n\r\nRead.' }))
    expect(await prompt('the parser')).toEqual({
      ok: true,
      text: 'Use the skill review: the parser\n\nIts instructions, in which paths are relative to /home/.claude/skills/review:\n\n# Review\n\nRead.',
    })
    expect(await prompt('')).toMatchObject({ text: expect.stringMatching(/^Use the skill review\.\n/) })
  })

  test('have no effect on the terminal, and no placeholder of custom commands is filled in', async () => {
    const value = `a${chipCharacter(9, 1)}b\u{1B}[2Jc`
    const made = await (await only(commandsOf([skill('bad')], { ok: true, value }))).prompt(chipCharacter(9, 2))
    if (!made.ok) throw new Error(made.reason)
    expect(made.text).toContain(chipCharacter(9, 2))
    expect(made.text).not.toContain(chipCharacter(9, 1))
    expect(made.text).not.toContain('\u{1B}')
  })

  test('give the reason if the file cannot be read', async () => {
    const { prompt } = await only(commandsOf([skill('gone')], { ok: false, message: 'is not there' }))
    expect(await prompt('x')).toEqual({ ok: false, reason: 'is not there' })
  })
})

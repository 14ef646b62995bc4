import { describe, expect, test } from 'vitest'
import type { Backend, Reply } from '../../../src/agent/backend.ts'
import type { Skill } from '../../../src/agent/startup-context.ts'
import { skillCommands } from '../../../src/app/context/skill-commands.ts'
import { chipCharacter } from '../../../src/composer/chips.ts'
import type { PromptCommand } from '../../../src/config/prompts/command.ts'

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
  const found = await Promise.all(skillCommands(agent).map(source => source()))
  return found.flatMap(({ commands }) => commands)
}

const only = async (commands: Promise<PromptCommand[]>): Promise<PromptCommand> => {
  const [first, ...others] = await commands
  if (!first || others.length > 0) throw new Error('not one')
  return first
}

describe('skills as commands', () => {
  test('none for an agent that knows none', () => expect(skillCommands({})).toEqual([]))

  test('by name, broken ones last with the reason, and none of a hidden one', async () => {
    const broken = skill('a', { state: 'broken', note: 'has no header' })
    const commands = await commandsOf([broken, skill('z'), skill('b'), skill('b', { state: 'hidden' })])
    expect(commands.map(({ name, problem }) => [name, problem])).toEqual([
      ['skill:b', null],
      ['skill:z', null],
      ['skill:a', 'has no header'],
    ])
  })

  test('a name with blanks or slashes can be typed', async () => {
    const { name } = await only(commandsOf([skill(`Code  Review/déep${chipCharacter(3, 1)}\u{1B}[2J`)]))
    expect(name).toBe('skill:code-review-déep-2j')
  })

  test('the prompt says what is wanted first, and then what the skill says', async () => {
    const { prompt } = await only(commandsOf([skill('review')], { ok: true, value: '# Review\r\n\r\nRead.' }))
    expect(await prompt('the parser')).toEqual({
      ok: true,
      text: 'Use the skill review: the parser\n\nIts instructions, in which paths count from /home/.claude/skills/review:\n\n# Review\n\nRead.',
    })
    expect(await prompt('')).toMatchObject({ text: expect.stringMatching(/^Use the skill review\.\n/) })
  })

  test('nothing in it stands for something of the person, and nothing steers the terminal', async () => {
    const value = `a${chipCharacter(9, 1)}b\u{1B}[2Jc`
    const made = await (await only(commandsOf([skill('bad')], { ok: true, value }))).prompt(chipCharacter(9, 2))
    if (!made.ok) throw new Error(made.reason)
    expect(made.text).toContain(chipCharacter(9, 2))
    expect(made.text).not.toContain(chipCharacter(9, 1))
    expect(made.text).not.toContain('\u{1B}')
  })

  test('one that cannot be read says why', async () => {
    const { prompt } = await only(commandsOf([skill('gone')], { ok: false, message: 'is not there' }))
    expect(await prompt('x')).toEqual({ ok: false, reason: 'is not there' })
  })
})

/** The findings that a prompt file asks for, on their way from the answer to the comments. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { PromptCommand } from '../../../src/config/prompts/command.ts'
import { openReviewFile } from '../../../src/storage/review/review-file.ts'
import { startedStage, type Stage } from '../stage.ts'

function command(name: string, text: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return {
    kind: 'prompt',
    name,
    aliases: [],
    argument: null,
    help: '',
    from: 'zotui',
    problem: null,
    prompt: async argument => ({ ok: true, text: `${text} ${argument}`.trim() }),
    ...more,
  }
}

const block = '```findings\n[{"level":"error","path":"nowhere.ts","line":3,"title":"It leaks"}]\n```'

/** A program whose agent answers each prompt with that prompt. */
async function stageOf(): Promise<Stage> {
  const commands = [
    command('review', `Review:\n\n${block}`, { answer: 'findings' }),
    command('plain', `Plain:\n\n${block}`),
    command('theirs', 'Theirs', { answer: 'findings', isOfProject: true }),
  ]
  const file = openReviewFile(null, {
    redact: text => text,
    now: () => 1000,
    timers: { after: () => () => undefined },
    onProblem() {},
  })
  return startedStage(undefined, {
    host: {
      folder: '/nowhere',
      home: '/nowhere',
      env: process.env,
      platform: process.platform,
      lendTerminal: async run => run(),
      suspend: null,
    },
    openReview: () => file,
    commandSources: [async () => ({ commands, notices: [] })],
  })
}

/** Types a line and waits until it is sent. */
async function send(stage: Stage, line: string): Promise<void> {
  const count = stage.backend.prompts.length
  await stage.say(line)
  await expect.poll(() => stage.backend.prompts.length).toBe(count + 1)
}

const isOffered = ({ entries }: Stage): boolean => entries().some(entry => entry.includes('The review found 1 error.'))

describe('a prompt file with `answer: findings`', () => {
  test('asks the agent for findings, and shows what was typed', async () => {
    const stage = await stageOf()
    await send(stage, '/review main')
    const prompt = stage.backend.prompts.at(-1)
    expect(prompt?.text).toContain('main\n\nReport the findings in one code block of the language `findings`')
    expect(prompt?.typed).toBe('/review main')
  })

  test('of a project that is not trusted shows all that is sent', async () => {
    const stage = await stageOf()
    await send(stage, '/theirs')
    const prompt = stage.backend.prompts.at(-1)
    expect(prompt?.text).toContain('Report the findings')
    expect(prompt?.typed ?? prompt?.text).toBe(prompt?.text)
  })

  test('reads them when its turn has ended well', async () => {
    const stage = await stageOf()
    await send(stage, '/review')
    expect(isOffered(stage)).toBe(false)
    await stage.done()
    await expect.poll(() => isOffered(stage)).toBe(true)
  })

  test('reads none of an answer that failed, and those of the second try', async () => {
    const stage = await stageOf()
    await send(stage, '/review')
    await stage.done('failed')
    await stage.press('escape')
    expect(isOffered(stage)).toBe(false)
    await send(stage, '/retry')
    await stage.done()
    await expect.poll(() => isOffered(stage)).toBe(true)
  })

  test('is forgotten with the next prompt', async () => {
    const stage = await stageOf()
    await send(stage, '/review')
    await stage.done('failed')
    await stage.press('escape')
    await send(stage, '/plain')
    await stage.done()
    await stage.settle()
    expect(isOffered(stage)).toBe(false)
  })
})

/** The message that an agent wrote for `/commit`, on its way into the composer. */
import { describe, expect, test } from 'vitest'
import type { PromptCommand } from '../../../src/config/prompts/command.ts'
import { accepted, ended, stops } from '../../conversation/events.ts'
import { startedStage, type Stage } from '../stage.ts'

const LINE = "!git commit -F - <<'END'\nFix it\n\nBecause.\nEND"

function command(name: string, text: string, answer?: 'commit'): PromptCommand {
  return {
    kind: 'prompt',
    name,
    aliases: [],
    argument: null,
    help: '',
    from: 'zotui',
    problem: null,
    ...(answer && { answer }),
    prompt: async () => ({ ok: true, text }),
  }
}

const host = {
  folder: '/project',
  home: '/home',
  env: {},
  platform: 'linux' as NodeJS.Platform,
  lendTerminal: async (run: () => Promise<void>) => run(),
  suspend: null,
}

/** A program whose agent answers each prompt with that prompt. */
async function stageOn(platform: NodeJS.Platform = 'linux'): Promise<Stage> {
  const commands = [
    command('commit', 'Look:\n\n```text\nOld\n```\n\n```\nFix it\n\nBecause.\n```', 'commit'),
    command('nothing', 'Nothing is staged.', 'commit'),
    command('plain', '```\nFix it\n```'),
  ]
  const source = async () => ({ commands, notices: [] })
  return startedStage(undefined, { host: { ...host, platform }, commandSources: [source] })
}

const draft = ({ state }: Stage): string => state().editor.text

describe('the message of /commit', () => {
  test('is the last code block of the answer, and waits in the composer as a command', async () => {
    const stage = await stageOn()
    await stage.say('/commit')
    expect(draft(stage)).toBe('')
    await stage.done()
    expect(draft(stage)).toBe(LINE)
    expect(stage.state().hint).toBe('Enter commits with this message, Ctrl+G opens your editor.')
    expect(stage.state().chat.shell).toBeNull()
  })

  test('comes from the second try, too, after a compaction made room', async () => {
    const stage = await stageOn()
    const { backend, settle } = stage
    await stage.say('/commit')
    const message = 'prompt is too long'
    backend.end(accepted, stops('error', message), { type: 'error_reported', message }, ended)
    await settle()
    backend.end({ type: 'compaction_finished', summary: 'short' })
    await settle()
    expect(draft(stage)).toBe('')
    await stage.done()
    expect(draft(stage)).toBe(LINE)
  })

  test('leaves a draft alone, and waits in the history', async () => {
    const stage = await stageOn()
    await stage.say('/commit')
    await stage.type('what I type')
    await stage.done()
    expect(draft(stage)).toBe('what I type')
    expect(stage.state().hint).toBe('The commit is ready: Up fetches it.')
    await stage.press('up')
    expect(draft(stage)).toBe(LINE)
  })

  test('does not come from an answer without code, from another command, or from a later turn', async () => {
    const stage = await stageOn()
    await stage.say('/nothing')
    await stage.done()
    await stage.say('/plain')
    await stage.done()
    await stage.say('/commit')
    await stage.done('failed')
    await stage.press('escape')
    await stage.say('```\nOther\n```')
    await stage.done()
    expect(draft(stage)).toBe('')
  })

  test('stays in the answer on Windows, whose shell has no here-documents', async () => {
    const stage = await stageOn('win32')
    await stage.say('/commit')
    await stage.done()
    expect(draft(stage)).toBe('')
    expect(stage.state().hint).toBe('/copy copies the message.')
  })
})

import { describe, expect, test } from 'vitest'
import { slashCommands } from '../../../../src/commands/table.ts'
import { namedApart } from '../../../../src/app/context/commands/prompt-commands.ts'
import { popupRows } from '../../../../src/state/completion/popup.ts'
import { helpText } from '../../../../src/state/help.ts'
import type { CommandSource, PromptCommand } from '../../../../src/config/prompts/command.ts'
import { startedStage, type Stage, queueOf } from '../../stage.ts'

function command(name: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return {
    kind: 'prompt',
    name,
    aliases: [`project:${name}`],
    argument: null,
    help: `does ${name}`,
    from: 'project',
    problem: null,
    prompt: argument => Promise.resolve({ ok: true, text: `Do ${name} with <${argument}>` }),
    ...more,
  }
}

/** A program with these commands of files; `files` may be changed meanwhile. */
async function stageWith(...files: PromptCommand[]): Promise<Stage & { files: PromptCommand[]; reads: () => number }> {
  let reads = 0
  const source: CommandSource = () => {
    reads += 1
    return Promise.resolve({ commands: [...files], notices: ['A notice.'] })
  }
  const stage = await startedStage(undefined, { commandSources: [source] })
  return { ...stage, files, reads: () => reads }
}

const rows = ({ state, controller }: Stage): string[] =>
  popupRows(state(), controller.commands()).map(({ label, detail }) => `${label}: ${detail}`)

const prompts = ({ backend }: Stage): string[] => backend.prompts.map(({ text }) => text)

describe('a custom command', () => {
  test('is listed in the popup with its argument, its description and its origin', async () => {
    const stage = await stageWith(command('review', { argument: '[path]' }))
    await stage.type('/revi')
    expect(rows(stage)).toEqual(['/review [path]: project: does review'])
    await stage.press('ctrl+u')
    await stage.type('/')
    expect(rows(stage).at(-1)).toBe('/review [path]: project: does review')
  })

  test('is listed in the help', async () => {
    const stage = await stageWith(command('review', { argument: '[path]' }))
    const help = helpText([], stage.controller.commands())
    expect(help).toContain('**From files**')
    expect(help).toContain('| /review \\[path\\] | project: does review |')
  })

  test('becomes a prompt, and the history has the typed text', async () => {
    const stage = await stageWith(command('review'))
    await stage.say('/review the "second half"')
    expect(prompts(stage)).toEqual(['Do review with <the "second half">'])
    await stage.done()
    expect(stage.entries()).toContain('Do review with <the "second half">: done')
    await stage.press('up')
    expect(stage.state().editor.text).toBe('/review the "second half"')
  })

  test('takes the lines after the first as its argument', async () => {
    const stage = await stageWith(command('review'))
    await stage.type('/review one')
    await stage.press('ctrl+j')
    await stage.say('two')
    expect(prompts(stage)).toEqual(['Do review with <one\ntwo>'])
  })

  test('waits in the queue as it was typed, and is filled in when its turn comes', async () => {
    const files = [command('review')]
    const stage = await stageWith(...files)
    await stage.say('first')
    await stage.say('/review x')
    await stage.say('third')
    expect(queueOf(stage.state()).entries).toEqual(['/review x', 'third'])
    await stage.done()
    await stage.done()
    expect(prompts(stage)).toEqual(['first', 'Do review with <x>', 'third'])
  })

  test('whose file was deleted while it waited is not sent as text; the queue is paused and a message says so', async () => {
    const stage = await stageWith(command('review'))
    await stage.say('first')
    await stage.say('/review x')
    stage.files.length = 0
    await stage.type('/')
    await stage.press('ctrl+u')
    await stage.done()
    expect(prompts(stage)).toEqual(['first'])
    expect(queueOf(stage.state())).toEqual({ entries: ['/review x'], paused: true })
    expect(stage.entries().at(-1)).toContain('There is no command /review, and nothing was sent.')
  })

  test('that cannot be read any more pauses the queue, and a message says so', async () => {
    const gone = command('review', { prompt: () => Promise.resolve({ ok: false, reason: 'is not there' }) })
    const stage = await stageWith(gone)
    await stage.say('/review x')
    expect(prompts(stage)).toEqual([])
    expect(queueOf(stage.state())).toEqual({ entries: ['/review x'], paused: true })
    expect(stage.entries().at(-1)).toContain('/review is not there, and nothing was sent.')
  })

  test('that repeats its argument too often pauses the queue: the prompt would end the agent', async () => {
    const often = command('often', { prompt: argument => Promise.resolve({ ok: true, text: argument.repeat(2000) }) })
    const stage = await stageWith(often)
    await stage.type('/often ')
    await stage.paste('x'.repeat(6000))
    await stage.press('enter')
    expect(prompts(stage)).toEqual([])
    expect(stage.entries().at(-1)).toContain('/often makes a prompt of more than 10 MB, and nothing was sent.')
    expect(stage.state().queue.paused).toBe(true)
  })

  test('that is unusable gives the reason and stays in the composer', async () => {
    const stage = await stageWith(command('review', { problem: 'is larger than 64 KB' }))
    await stage.type('/review')
    expect(rows(stage)).toEqual(['/review: project: cannot be used, /review is larger than 64 KB'])
    await stage.say(' x')
    expect(stage.state().hint).toBe('/review is larger than 64 KB.')
    expect(stage.state().editor.text).toBe('/review x')
  })

  test('that takes an argument is only completed by Enter, unless its whole name was typed', async () => {
    const stage = await stageWith(command('review', { argument: '<path>' }))
    await stage.say('/revi')
    expect(stage.state().editor.text).toBe('/review ')
    await stage.press('ctrl+u')
    await stage.say('/review')
    expect(prompts(stage)).toEqual(['Do review with <>'])
  })

  test('is found by its long name only if that was typed', async () => {
    const stage = await stageWith(command('tidy'))
    await stage.type('/roj')
    expect(rows(stage)).toEqual([])
    await stage.press('ctrl+u')
    await stage.type('/proj')
    expect(rows(stage)).toEqual(['/tidy: /project:tidy: project: does tidy'])
  })

  test('is found by a misspelt name', async () => {
    const stage = await stageWith(command('overhaul'))
    await stage.say('/ovrehaul x')
    expect(stage.state().hint).toContain('Did you mean /overhaul?')
  })

  test('typed before the files were read waits for them to be read', async () => {
    const read = Promise.withResolvers<void>()
    const source: CommandSource = async () => {
      await read.promise
      return { commands: [command('review')], notices: [] }
    }
    const stage = await startedStage(undefined, { commandSources: [source] })
    await stage.say('/review x')
    expect(stage.state().editor.text).toBe('/review x')
    read.resolve()
    await stage.settle()
    expect(prompts(stage)).toEqual(['Do review with <x>'])
  })
})

test('the files are read at the start, and again whenever a command begins to be typed', async () => {
  const stage = await stageWith(command('review'))
  expect(stage.reads()).toBe(1)
  await stage.type('hello')
  expect(stage.reads()).toBe(1)
  await stage.press('ctrl+u')
  stage.files.push(command('tidy'))
  await stage.type('/ti')
  expect(stage.reads()).toBe(2)
  expect(rows(stage)[0]).toBe('/tidy: project: does tidy')
  expect(stage.entries().filter(entry => entry.includes('A notice.'))).toHaveLength(1)
})

test('a file that appears while the files are read is found by another reading', async () => {
  const files = [command('review')]
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let reads = 0
  const source: CommandSource = async () => {
    const found = [...files]
    reads += 1
    if (reads === 2) await held
    return { commands: found, notices: [] }
  }
  const stage = await startedStage(undefined, { commandSources: [source] })
  await stage.type('/')
  files.push(command('tidy'))
  await stage.press('ctrl+u')
  await stage.type('/ti')
  release()
  await expect.poll(() => rows(stage)[0]).toBe('/tidy: project: does tidy')
})

/** A program that has got a command whose file is being read until `release`. */
async function sendingUnread() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const source: CommandSource = async () => {
    await held
    return { commands: [command('review')], notices: [] }
  }
  const stage = await startedStage(undefined, { commandSources: [source] })
  await stage.say('/review this')
  return { ...stage, release }
}

describe('what is typed while the files are read for a command that was sent', () => {
  test('is the next draft, also behind a second Enter', async () => {
    const stage = await sendingUnread()
    await stage.say(' and')
    await stage.type(' that')
    stage.release()
    await expect.poll(() => prompts(stage)).toEqual(['Do review with <this>'])
    expect(stage.state().editor.text).toBe(' and that')
  })

  test('is kept where it changes the command: nothing is sent', async () => {
    const stage = await sendingUnread()
    await stage.press('backspace', 'backspace')
    stage.release()
    await expect.poll(() => stage.state().hint).toBe('The draft was changed, so it was not sent.')
    expect([stage.state().editor.text, prompts(stage)]).toEqual(['/review th', []])
  })
})

test('a file that was written just before its command is typed replaces a prompt of zotui, however soon Enter comes', async () => {
  const held: PromiseWithResolvers<void>[] = []
  const source: CommandSource = async () => {
    await held.at(-1)?.promise
    const own = held.length > 0 ? [command('commit', { prompt: projectText })] : []
    return { commands: [...own, command('commit', { isShipped: true, aliases: ['zotui:commit'] })], notices: [] }
  }
  const stage = await startedStage(undefined, { commandSources: [source] })
  await stage.type('/')
  await stage.press('backspace')
  await expect.poll(() => stage.state().promptCommands).toHaveLength(1)
  held.push(Promise.withResolvers())
  await stage.say('/commit')
  expect(prompts(stage)).toEqual([])
  held.at(-1)?.resolve()
  await expect.poll(() => prompts(stage)).toEqual(['The words of the project.'])
})

const projectText = async () => ({ ok: true as const, text: 'The words of the project.' })

function named(...commands: PromptCommand[]): string[] {
  const { commands: all, notices } = namedApart(commands, slashCommands)
  return [...all.map(({ name, aliases }) => [name, ...aliases].join(' ')), ...notices]
}

describe('a name belongs to the first command that has it', () => {
  test.each([
    [[command('review')], ['review project:review']],
    [[command('clear')], ['project:clear', 'There is a /clear already; the other one (project) is /project:clear.']],
    [[command('new')], ['project:new', 'There is a /new already; the other one (project) is /project:new.']],
    [
      [command('review'), command('review', { aliases: ['user:review'], from: 'yours' })],
      ['review project:review', 'user:review', 'There is a /review already; the other one (yours) is /user:review.'],
    ],
    [
      [command('skill:pdf', { aliases: [] }), command('skill:pdf', { aliases: [], from: 'skill' })],
      ['skill:pdf', 'There is a /skill:pdf already; the other one (skill) is omitted.'],
    ],
  ])('%#', (commands, names) => {
    expect(named(...commands)).toEqual(names)
  })
})

describe('a command that comes with zotui', () => {
  const shipped = command('review', { aliases: ['zotui:review'], from: 'zotui', isShipped: true })

  test("gives its name to a file's command silently, and keeps its long name", async () => {
    const stage = await stageWith(command('review'), shipped)
    expect(stage.entries().filter(entry => entry.includes('already'))).toEqual([])
    await stage.say('/review x')
    await stage.done()
    await stage.say('/zotui:review x')
    await stage.done()
    expect(rowsOfAll(stage)).toEqual(['review project', 'zotui:review zotui'])
  })

  test("gives its name to the agent's own command", async () => {
    const stage = await stageWith(shipped, command('tidy'))
    const commands = ['review', 'tidy'].map(name => ({ name, description: `the agent's ${name}` }))
    await stage.say('hello')
    stage.backend.tell({ type: 'agent_commands_changed', commands })
    await stage.done()
    expect(rowsOfAll(stage)).toEqual([
      'tidy project',
      'zotui:review zotui',
      `review ${stage.backend.name}`,
      `${stage.backend.name}:tidy ${stage.backend.name}`,
    ])
  })
})

test("the agent's own command of a name of ours is reached by its long name, and the popup shows it", async () => {
  const stage = await stageWith()
  const long = `/${stage.backend.name}:mcp`
  await stage.say('hello')
  stage.backend.tell({
    type: 'agent_commands_changed',
    commands: [{ name: 'mcp', description: 'its servers', hint: 'reconnect' }],
  })
  await stage.done()
  await stage.type('/mcp')
  expect(rows(stage)).toEqual([
    expect.stringContaining('/mcp: '),
    `${long} [reconnect]: ${stage.backend.name}: its servers`,
  ])
  await stage.press('ctrl+u')
  await stage.say(`${long} reconnect`)
  expect(prompts(stage)).toEqual(['hello', '/mcp reconnect'])
})

const rowsOfAll = ({ controller }: Stage): string[] =>
  controller.commands().flatMap(each => (each.kind === 'prompt' ? [`${each.name} ${each.from}`] : []))

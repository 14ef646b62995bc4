import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FoundCommands } from '../../../src/config/prompts/command.ts'
import { customCommands } from '../../../src/config/prompts/custom-commands.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zotui-commands-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), content)
}

const source = (): (() => Promise<FoundCommands>) =>
  customCommands(
    () => join(home, 'project'),
    join(home, 'config/commands'),
    () => '~/.config/zotui/commands',
  )

async function names(): Promise<string[]> {
  const { commands, notices } = await source()()
  return [...commands.map(({ name, problem }) => (problem === null ? name : `${name} ${problem}`)), ...notices]
}

async function prompt(name: string, argument = ''): Promise<string> {
  const { commands } = await source()()
  const made = await commands.find(command => command.name === name)?.prompt(argument)
  return made?.ok === true ? made.text : (made?.reason ?? 'no such command')
}

const PROJECT = 'project/.zotui/commands'
const USER = 'config/commands'

describe('the files of custom commands', () => {
  test('are optional: without folders there are no commands and no warnings', async () => {
    expect(await names()).toEqual([])
  })

  test('come last from the folder of zotui, with what becomes of the answer', async () => {
    write(`${PROJECT}/review.md`, 'Review.')
    write('shipped/commit.md', '---\nanswer: commit\n---\nWrite it.')
    write('shipped/review.md', '---\nanswer: other\n---\nReview it.')
    const { commands } = await customCommands(
      () => join(home, 'project'),
      join(home, 'config/commands'),
      path => path,
      join(home, 'shipped'),
    )()
    expect(
      commands.map(({ name, aliases, from, isShipped, answer }) => [name, aliases, from, isShipped, answer]),
    ).toEqual([
      ['review', ['project:review'], 'project', undefined, undefined],
      ['commit', ['zotui:commit'], 'zotui', true, 'commit'],
      ['review', ['zotui:review'], 'zotui', true, undefined],
    ])
    expect(await commands[1]?.source?.()).toMatchObject({ ok: true, text: '---\nanswer: commit\n---\nWrite it.' })
  })

  test('come from the project and the user, and subfolders are part of the name', async () => {
    write(
      `${PROJECT}/Review.md`,
      '---\ndescription: Reviews a change\nargument-hint: "[path]"\n---\nReview $ARGUMENTS.',
    )
    write(`${PROJECT}/git/deep/fix.md`, '---\n\n# Fix it\n\nFix the test.')
    write(`${PROJECT}/notes.txt`, 'no command')
    write(`${PROJECT}/.hidden.md`, 'no command')
    write(`${USER}/review.md`, 'Review as I like it.')
    const { commands, notices } = await source()()
    expect(JSON.parse(JSON.stringify(commands))).toEqual([
      {
        kind: 'prompt',
        name: 'review',
        aliases: ['project:review'],
        argument: '[path]',
        help: 'Reviews a change',
        from: 'project',
        problem: null,
        isOfProject: true,
      },
      {
        kind: 'prompt',
        name: 'git:deep:fix',
        aliases: ['project:git:deep:fix'],
        argument: null,
        help: 'Fix it',
        from: 'project',
        problem: null,
        isOfProject: true,
      },
      {
        kind: 'prompt',
        name: 'review',
        aliases: ['user:review'],
        argument: null,
        help: 'Review as I like it.',
        from: 'yours',
        problem: null,
      },
    ])
    expect(notices).toEqual([])
    expect(await prompt('review', 'src')).toBe('Review src.')
  })

  test('are found by their long name only if the short one is taken by a skill or another long name', async () => {
    for (const folder of ['skill', 'project', 'user']) write(`${PROJECT}/${folder}/pdf.md`, 'x')
    write(`${USER}/skill/pdf.md`, 'x')
    const { commands } = await source()()
    expect(commands.map(({ name, aliases }) => [name, ...aliases].join(' '))).toEqual([
      'project:project:pdf',
      'project:skill:pdf',
      'project:user:pdf',
      'user:skill:pdf',
    ])
  })

  test('are read when they are used, and listed again when they have changed', async () => {
    write(`${USER}/fix.md`, 'One.')
    const read = source()
    const [before] = (await read()).commands
    write(`${USER}/fix.md`, 'Another.')
    expect(await before?.prompt('')).toEqual({ ok: true, text: 'Another.' })
    expect((await read()).commands[0]?.help).toBe('Another.')
    rmSync(join(home, USER, 'fix.md'))
    expect(await before?.prompt('')).toEqual({ ok: false, reason: 'is not there' })
    expect((await read()).commands).toEqual([])
  })

  test('cannot control the terminal or imitate an image in the composer', async () => {
    write(`${USER}/fix.md`, '---\ndescription: a\u001B[2Jb\n---\nFix\u001B]0;x\u0007 \u{F0000}it.\r\nNow.')
    const { commands } = await source()()
    expect(commands[0]?.help).toBe('ab')
    expect(await prompt('fix')).toBe('Fix it.\nNow.')
  })
})

describe('a problem with a custom command', () => {
  test.each<[content: string | Buffer, problem: string]>([
    ['', 'has no text'],
    ['---\ndescription: x\n---\n \n', 'has no text'],
    [Buffer.from([0x66, 0xff, 0xfe]), 'is not UTF-8 text'],
    ['x'.repeat(64_001), 'is larger than 64 kB'],
  ])('%#', async (content, problem) => {
    write(`${PROJECT}/fix.md`, content)
    expect(await names()).toEqual([`fix ${problem} (.zotui/commands/fix.md)`])
  })

  test.skipIf(process.getuid?.() === 0)('that it may not be read', async () => {
    write(`${PROJECT}/fix.md`, 'x')
    chmodSync(join(home, PROJECT, 'fix.md'), 0)
    expect(await names()).toEqual(['fix cannot be read (permission denied) (.zotui/commands/fix.md)'])
  })

  test.skipIf(process.platform === 'win32')('is reported for a pipe', async () => {
    mkdirSync(join(home, PROJECT), { recursive: true })
    await execa('mkfifo', [join(home, PROJECT, 'fix.md')])
    expect(await names()).toEqual(['fix is a pipe, not a file (.zotui/commands/fix.md)'])
  })

  test.each(['two words', 'a:b', 'a;b', '-x', 'a\u001Bb', '\u202Ex', 'x'.repeat(61)])(
    'a name such as %j',
    async name => {
      write(`${PROJECT}/${name}.md`, 'x')
      write(`${PROJECT}/good.md`, 'x')
      expect(await names()).toEqual([
        'good',
        `.zotui/commands: ${name}.md cannot be a command. Names may contain only letters, digits and - _ .`,
      ])
    },
  )

  test('is reported for too many files', async () => {
    for (let number = 0; number < 205; number += 1) write(`${USER}/c${1000 + number}.md`, 'x')
    const all = await names()
    expect(all).toHaveLength(201)
    expect(all.at(-1)).toBe('~/.config/zotui/commands has more than 200 commands: the rest are ignored.')
  })

  test('is reported if the folder is not a folder', async () => {
    write(PROJECT, 'a file')
    expect(await names()).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('links to custom commands', () => {
  test('in the project may not leave it', async () => {
    write('.ssh/id', 'a secret')
    write('project/docs/prompt.md', 'Read the docs.')
    write('elsewhere/all.md', 'x')
    mkdirSync(join(home, PROJECT), { recursive: true })
    symlinkSync('../../../.ssh/id', join(home, PROJECT, 'fix.md'))
    symlinkSync('../../docs/prompt.md', join(home, PROJECT, 'docs.md'))
    write('project/docs/more/all.md', 'Read all docs.')
    symlinkSync('../../docs/more', join(home, PROJECT, 'more'))
    // A folder elsewhere is not read, not even the names in it.
    symlinkSync('../../../elsewhere', join(home, PROJECT, 'else'))
    symlinkSync('nowhere', join(home, PROJECT, 'gone.md'))
    expect(await names()).toEqual([
      'docs',
      'fix is a link that points outside the project (.zotui/commands/fix.md)',
      'gone is not there (.zotui/commands/gone.md)',
      'more:all',
    ])
    expect(await prompt('fix')).toBe('is a link that points outside the project')
  })

  test('in the project may not leave it through a linked folder either', async () => {
    write('elsewhere/all.md', 'x')
    mkdirSync(dirname(join(home, PROJECT)), { recursive: true })
    symlinkSync('../../elsewhere', join(home, PROJECT))
    expect(await names()).toEqual([
      '.zotui/commands is a link that points outside the project: its commands are ignored.',
    ])
  })

  test('of the user may lead anywhere, even in a circle', async () => {
    write('dotfiles/fix.md', 'Fix it.')
    mkdirSync(join(home, USER), { recursive: true })
    symlinkSync(join(home, 'dotfiles/fix.md'), join(home, USER, 'fix.md'))
    symlinkSync('.', join(home, USER, 'again'))
    expect(await names()).toEqual(['fix'])
  })
})

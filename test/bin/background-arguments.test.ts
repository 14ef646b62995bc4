/** The command line of a conversation that continues in the background keeps every limit, and nothing of the screen. */
import { expect, test } from 'vitest'
import { backgroundArguments, startOf } from '../../bin/cli/background-arguments.ts'
import { parseArguments } from '../../bin/cli/arguments.ts'

const wish = { folder: '/a folder', session: 'id' }

test.each([
  [[], []],
  [['--theme', 'dark', '-c', 'a prompt', 'in words'], []],
  [
    ['--tools', 'read', '--no-ext', '--max-cost=2'],
    ['--tools=read', '--max-cost=2', '--no-ext'],
  ],
  [['-p', '--json', '--record', 'file', '--agent', 'codex --x'], ['--agent=codex --x']],
  [['--system-prompt', 'two\nlines "quoted"', '--no-color'], ['--system-prompt=two\nlines "quoted"']],
  [['--cwd', '/elsewhere', '--resume', 'other'], []],
] as const)('%j', (argv, kept) => {
  expect(backgroundArguments(argv, wish)).toEqual([...kept, '--cwd=/a folder', '--resume=id'])
})

test('the mode, the agent and the start of the moment stand for those of the command line', () => {
  const argv = [
    '--permissions',
    'allow',
    '--model',
    'old',
    '--agent',
    'claude',
    '--base-url',
    'http://old',
    '--api-key',
    'old',
  ]
  const start = { provider: 'p', model: 'new', reasoning: 'high', baseUrl: 'http://new', apiKey: '' }
  expect(backgroundArguments(argv, { ...wish, agent: 'zot', mode: 'ask', start })).toEqual([
    '--agent=zot',
    '--permissions=ask',
    '--provider=p',
    '--model=new',
    '--base-url=http://new',
    '--reasoning=high',
    '--cwd=/a folder',
    '--resume=id',
  ])
})

test('the start that a command line names is its own: what it does not name is that of the settings, and not of another', () => {
  const argv = [
    '--base-url',
    'http://own:1/?a=b',
    '--model=big',
    '--permissions',
    'ask',
    'a prompt',
    '--',
    '--api-key=x',
  ]
  const settings = { provider: 'p', model: 'small' }
  const none = { baseUrl: '', apiKey: '', reasoning: '' }
  expect(startOf(argv, settings)).toEqual({ ...none, provider: 'p', model: 'big', baseUrl: 'http://own:1/?a=b' })
  expect(startOf(['--resume=x', '--cwd=/a'])).toEqual({ ...none, provider: '', model: '' })
})

test('flags for zot do not go to another agent', () => {
  const argv = ['--tools', 'read', '--', '--more']
  expect(backgroundArguments(argv, { ...wish, agent: 'codex' })).toEqual([
    '--agent=codex',
    '--cwd=/a folder',
    '--resume=id',
  ])
})

test('a zot that only reads stays so in any mode', () => {
  expect(backgroundArguments(['--read-only'], { ...wish, agent: 'zot', mode: 'allow' })).not.toContain(
    '--permissions=allow',
  )
})

test('the arguments behind two dashes stay there, and all of it can be read again', () => {
  const argv = backgroundArguments(['--append-system-prompt', '-x', '--', '--yes'], wish)
  const read = parseArguments(argv)
  expect(read.options).toMatchObject({ appendSystemPrompt: ['-x'], extra: ['--yes'], cwd: '/a folder' })
  expect(read.session).toEqual({ named: 'id' })
})

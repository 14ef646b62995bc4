import { describe, expect, test } from 'vitest'
import * as fc from 'fast-check'
import meow from 'meow'
import { checkArguments, parseArguments } from '../../bin/cli/arguments.ts'
import type { Arguments } from '../../bin/cli/argument-types.ts'
import { reading } from '../../bin/cli/flag-reading.ts'
import { allFlags, flags } from '../../bin/cli/flags.ts'
import { readPlainFlags, type ReadFlags } from '../../bin/cli/plain-flags.ts'
import { helpText } from '../../bin/cli/help.ts'
import { zotOptions } from '../../bin/wiring/start/agent/zot-options.ts'
import { noLayer, resolveSettings } from '../../src/config/layers.ts'
import { UserError } from '../../src/platform/errors.ts'
import { zotArguments } from '../../src/agents/zot/program/options.ts'

/** The options for zot, as its command line. */
function forZot(...argv: readonly string[]): string[] {
  const args = parseArguments(argv)
  const { values, sources } = resolveSettings({ ...noLayers, flag: layerOf(args) }, () => false)
  return zotArguments(zotOptions(args, { values: () => values, sourceOf: name => sources[name] })).slice(1)
}

const noLayers = { user: noLayer, project: noLayer, environment: noLayer, flag: noLayer }
const layerOf = ({ settings }: Arguments) => ({ ...noLayer, values: settings.values, places: settings.names })

function refusal(...argv: readonly string[]): UserError {
  try {
    forZot(...argv)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error(`${argv.join(' ')} was taken`)
}

describe('the prompt', () => {
  test.each<[argv: string[], prompt: string | null]>([
    [[], null],
    [['hello'], 'hello'],
    [['fix', 'the', 'tests'], 'fix the tests'],
    [['fix the tests'], 'fix the tests'],
    [['--model', 'x', 'fix', '--insecure', 'it'], 'fix it'],
    [['--prompt', 'hello'], 'hello'],
    [['--prompt=hello'], 'hello'],
    [['--prompt', '--help'], '--help'],
    [['--prompt', '-v'], '-v'],
    [['--prompt', '--no-ext'], '--no-ext'],
    [['--prompt=--model=x'], '--model=x'],
    [['--prompt', 'a=b'], 'a=b'],
    [['--prompt', 'one\ntwo'], 'one\ntwo'],
    [['--prompt', '"quoted"'], '"quoted"'],
    [['--prompt', "'single'"], "'single'"],
    [['"quoted"'], '"quoted"'],
    [['42', 'apples'], '42 apples'],
    [['1e3'], '1e3'],
    [['007'], '007'],
    [['--prompt', '007'], '007'],
    [['true'], 'true'],
    [['fix'], 'fix'],
    [['sesions', 'are', 'lost'], 'sesions are lost'],
    [['--prompt', 'sesions'], 'sesions'],
    [['-'], '-'],
    [[''], null],
    [['  ', ''], null],
    [['--prompt', ''], null],
  ])('%j', (argv, prompt) => {
    expect(parseArguments(argv).prompt).toBe(prompt)
  })
})

describe('the flags of zotui itself', () => {
  test.each<[argv: string[], expected: Partial<Arguments>]>([
    [[], { help: false, version: false, demo: false, cwd: undefined, zotFlags: [] }],
    [['--help'], { help: true }],
    [['-h'], { help: true }],
    [['--version'], { version: true }],
    [['-v'], { version: true }],
    [['--demo'], { demo: true, zotFlags: [] }],
    [['--demo', 'hello'], { demo: true, prompt: 'hello' }],
    [['--zot', '/opt/zot'], { zotFlags: [] }],
    [['--cwd', 'a b'], { cwd: 'a b', zotFlags: [] }],
  ])('%j', (argv, expected) => {
    expect(parseArguments(argv)).toMatchObject(expected)
  })
})

test('a flag that is a setting becomes one, and keeps its name for messages', () => {
  const argv = ['--theme', 'dark', '--no-color', '--ascii', '--no-read-only', '--zot', '/opt/zot', '--model', 'm']
  const { values, names } = parseArguments(argv).settings
  expect(values).toEqual({ theme: 'dark', color: false, ascii: true, readOnly: false, zot: '/opt/zot', model: 'm' })
  expect([...names.values()]).toEqual(['--theme', '--no-color', '--ascii', '--no-read-only', '--zot', '--model'])
})

describe('the session', () => {
  test.each<[argv: string[], session: Arguments['session'], prompt?: string]>([
    [[], null],
    [['-c'], 'last'],
    [['--continue', 'go on'], 'last', 'go on'],
    [['--resume'], { named: '' }],
    [['-r', '--demo'], { named: '' }],
    [['--resume='], { named: '' }],
    [['--resume', 'the parser'], { named: 'the parser' }],
    [['-r', '20260801-101500-3f2a9c41', 'go on'], { named: '20260801-101500-3f2a9c41' }, 'go on'],
    [['--resume=-x'], { named: '-x' }],
  ])('%j', (argv, session, prompt) => {
    expect(parseArguments(argv)).toMatchObject({ session, prompt: prompt ?? null })
  })
})

test('no setting is set without a flag', () => {
  expect(parseArguments([]).settings).toEqual({ values: {}, names: new Map() })
})

describe('the flags for zot', () => {
  test.each<[argv: string[], zot: string[]]>([
    [[], []],
    [
      ['--provider', 'openai'],
      ['--provider', 'openai'],
    ],
    [['--model=gpt-5'], ['--model', 'gpt-5']],
    [
      ['--api-key', '-dashed'],
      ['--api-key', '-dashed'],
    ],
    [
      ['--base-url', 'http://127.0.0.1:1'],
      ['--base-url', 'http://127.0.0.1:1'],
    ],
    [
      ['--reasoning', 'high'],
      ['--reasoning', 'high'],
    ],
    [
      ['--system-prompt', '--- be brief'],
      ['--system-prompt', '--- be brief'],
    ],
    [
      ['--append-system-prompt', 'one', '--append-system-prompt=--two'],
      ['--append-system-prompt', 'one', '--append-system-prompt', '--two'],
    ],
    [
      ['--append-system-prompt', '--no-tools'],
      ['--append-system-prompt', '--no-tools'],
    ],
    [
      ['--append-system-prompt', 'a,b'],
      ['--append-system-prompt', 'a,b'],
    ],
    [
      ['--max-steps', '12'],
      ['--max-steps', '12'],
    ],
    [
      ['--temperature', '0'],
      ['--temperature', '0'],
    ],
    [
      ['--temperature', '0.5'],
      ['--temperature', '0.5'],
    ],
    [
      ['--tools', 'read,bash'],
      ['--tools', 'read,bash'],
    ],
    [['--no-tools'], ['--no-tools']],
    [
      ['--ext', 'a', '--ext', 'b'],
      ['--ext', 'a', '--ext', 'b'],
    ],
    [
      ['--no-ext', '--no-skill', '--no-context-files', '--insecure'],
      ['--no-ext', '--no-skill', '--no-context-files', '--insecure'],
    ],
    [
      ['--', '--future', 'x', '--help'],
      ['--future', 'x', '--help'],
    ],
    [
      ['--no-ext', '--', '--no-ext'],
      ['--no-ext', '--no-ext'],
    ],
    [['--'], []],
  ])('%j', (argv, zot) => {
    expect(forZot(...argv).toSorted()).toEqual(zot.toSorted())
    expect(parseArguments(argv).prompt).toBeNull()
  })

  test('the flags that need a zot are listed apart from the others', () => {
    expect(parseArguments(['--demo', '--model=x', '--no-ext', '--prompt', 'y', '--read-only']).zotFlags).toEqual([
      '--model',
      '--no-ext',
      '--read-only',
    ])
    expect(parseArguments(['--', 'x']).zotFlags).toEqual(['--'])
    expect(parseArguments(['--prompt', '--model']).zotFlags).toEqual([])
  })

  test('--read-only allows zot only tools that read, and no extensions', () => {
    const argv = forZot('--read-only')
    const tools = argv[argv.indexOf('--tools') + 1]?.split(',') ?? []
    expect(tools).toContain('read')
    expect(tools.filter(tool => ['write', 'edit', 'bash', 'powershell'].includes(tool))).toEqual([])
    expect(argv).toContain('--no-ext')
  })
})

describe('a mistake on the command line gives one line and exit code 2', () => {
  test.each<[argv: string[], message: string]>([
    [['--frobnicate'], 'There is no flag --frobnicate.'],
    [['--frobnicate=1'], 'There is no flag --frobnicate.'],
    [['--maxSteps', '1'], 'There is no flag --maxSteps. Did you mean --max-steps?'],
    [['--engine'], 'There is no flag --engine.'],
    [['--tepm', '1'], 'There is no flag --tepm.'],
    [['--vesrion'], 'There is no flag --vesrion. Did you mean --version?'],
    [['--modle=a b'], 'There is no flag --modle. Did you mean --model?'],
    [['sesions'], 'There is no command `zotui sesions`. Did you mean `zotui sessions`?'],
    [['sesions', '--all'], 'There is no command `zotui sesions`. Did you mean `zotui sessions`?'],
    [['checkpoint', 'show'], 'There is no command `zotui checkpoint`. Did you mean `zotui checkpoints`?'],
    [['- a list'], 'A prompt that begins with a dash needs --prompt.'],
    [['--a list = x'], 'A prompt that begins with a dash needs --prompt.'],
    ...['0', '-1', 'NaN', 'Infinity', '1e999', 'much', ' '].map((cost): [string[], string] => [
      ['--max-cost', cost],
      `--max-cost needs an amount in US dollars, such as 0.50, not "${cost}".`,
    ]),
    ...['0', '0s', '-1', 'NaN', '1d', '999999h', '1m30s'].map((time): [string[], string] => [
      ['--timeout', time],
      `--timeout needs a time such as 90s, 15m or 2h, not "${time}".`,
    ]),
    [['-x'], 'There is no flag -x.'],
    [['-5'], 'There is no flag -5.'],
    [['-vh'], 'There is no flag -vh.'],
    [['--model'], '--model needs a value.'],
    [['--model', '--insecure'], '--model needs a value.'],
    [['--model='], '--model needs a value.'],
    [['--model', ''], '--model needs a value.'],
    [['--zot', '--', 'x'], '--zot needs a value.'],
    [['--prompt'], '--prompt needs a value.'],
    [['--demo=yes'], '--demo takes no value.'],
    [['--no-ext=1'], '--no-ext takes no value.'],
    [['--model', 'a', '--model', 'b'], '--model was given twice.'],
    [['--prompt', 'a', '--prompt=b'], '--prompt was given twice.'],
    [['--max-steps', '0'], '--max-steps needs a whole number from 1, not "0".'],
    [['--max-steps', '-1'], '--max-steps needs a whole number from 1, not "-1".'],
    [['--max-steps', '1.5'], '--max-steps needs a whole number from 1, not "1.5".'],
    [['--max-steps', 'many'], '--max-steps needs a whole number from 1, not "many".'],
    [['--max-steps', 'Infinity'], '--max-steps needs a whole number from 1, not "Infinity".'],
    [['--temperature', 'hot'], '--temperature needs a number from 0 to 2, not "hot".'],
    [['--temperature', '2.1'], '--temperature needs a number from 0 to 2, not "2.1".'],
    [['--temperature', '-1'], '--temperature needs a number from 0 to 2, not "-1".'],
    [['--continue', '--resume'], '--continue and --resume cannot be used together.'],
    [['--resume', 'a', '-r', 'b'], '--resume was given twice.'],
    [['--prompt', 'a', 'b'], 'There are two prompts: one with --prompt and one without.'],
    [['--read-only', '--tools', 'bash'], '--read-only cannot be combined with --tools or --no-tools.'],
    [['--read-only', '--no-tools'], '--read-only cannot be combined with --tools or --no-tools.'],
  ])('%j', (argv, message) => {
    const error = refusal(...argv)
    expect(error.message).toBe(message)
    expect(error.exitCode).toBe(2)
    expect(error.hint).toContain('--help')
  })
})

test('the help lists every flag and fits 80 columns', () => {
  const help = helpText()
  for (const { name } of allFlags) expect(help).toContain(`--${name}`)
  expect(help.split('\n').filter(line => line.length > 80)).toEqual([])
})

/** Null if they are refused. */
function checked(argv: readonly string[]): string[] | null {
  try {
    return checkArguments(argv).argv
  } catch {
    return null
  }
}

describe('the program reads its arguments as meow does', () => {
  const anyFlag = fc.constantFrom(...allFlags)
  const anyArgument = fc.oneof(
    fc.tuple(anyFlag, fc.string()).map(([{ name, type }, value]) => {
      return type === 'boolean' ? `--${name}` : `--${name}=${value}`
    }),
    // meow takes these two for the value of a flag before them.
    fc.string().filter(word => !/^(?:true|false)$/.test(word)),
  )

  test('whatever they are', () => {
    let count = 0
    fc.assert(
      fc.property(fc.array(anyArgument, { maxLength: 5 }), given => {
        const argv = checked(given)
        if (!argv) return
        count += 1
        expect(readPlainFlags(argv)).toEqual(readWithMeow(argv))
      }),
    )
    expect(count).toBeGreaterThan(10)
  })

  test.each([
    [[]],
    [['-c']],
    [['--demo']],
    [['--zot', 'a b', '--no-guard', '--ext', 'a', '--ext', 'b']],
    [['--resume']],
    [['--prompt', '"x" = 1\n']],
    [['hello']],
    [['-p', 'hello', '--quiet', '12']],
    [['--demo', '"hello"', 'a=b']],
    [['-']],
  ])('%j', argv => {
    const { argv: joined } = checkArguments(argv)
    expect(readPlainFlags(joined)).toEqual(readWithMeow(joined))
  })

  test.each(['true', 'false'])('but the word %s after a flag without a value is a word', word => {
    expect(parseArguments(['-p', word])).toMatchObject({ print: true, prompt: word })
  })
})

function readWithMeow(argv: readonly string[]): ReadFlags {
  const { flags: given, input } = meow({ ...reading, argv, flags })
  return { values: given, input }
}

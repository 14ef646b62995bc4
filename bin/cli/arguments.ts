/** Reads the command line of `zotui [flags] [prompt]`. */
import type { ZotOptions } from '../../src/agents/zot/program/options.ts'
import { checkSetting, type SettingName, type Settings } from '../../src/config/schema.ts'
import { nearest } from '../../src/text/spelling/nearest.ts'
import type { Arguments } from './argument-types.ts'
import { commandNames } from './command-names.ts'
import { checkFlags, usage } from './flag-reading.ts'
import { allFlags, dashed, forZot } from './flags.ts'
import { readPlainFlags, type ReadFlags } from './plain-flags.ts'

/**
 * Reads the arguments after the program's name.
 *
 * @throws UserError with exit code 2 for a mistake in them.
 */
export function parseArguments(argv: readonly string[]): Arguments {
  refuseMistyped(argv)
  const checked = checkArguments(argv)
  return argumentsOf(checked, readPlainFlags(checked.argv))
}

/** Rejects a mistyped subcommand: a prompt of one word costs more than typing it again with `--prompt`. */
function refuseMistyped([first = '', ...rest]: readonly string[]): void {
  if (rest.includes('-p') || rest.includes('--print')) return
  const name = /^[a-z]{2,}$/i.test(first)
    ? nearest(
        first,
        commandNames.map(command => command.name),
      )
    : null
  const command = commandNames.find(each => each.name === name)
  if (!command || !rest.every(word => word.startsWith('-') || command.words?.includes(word) === true)) return
  const typed = `There is no command \`zotui ${first}\`.`
  throw usage(`${typed} Did you mean \`zotui ${command.name}\`?`, null, 'To send it as a prompt, use --prompt.')
}

type CheckedArguments = ReturnType<typeof checkFlags> & { extra: readonly string[] }

/** @throws UserError with exit code 2 for a mistake in the flags. */
export function checkArguments(argv: readonly string[]): CheckedArguments {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  return { ...checkFlags(own, allFlags), extra: end < 0 ? [] : argv.slice(end + 1) }
}

/** @throws UserError with exit code 2 for values that do not fit. */
function argumentsOf({ names, extra }: CheckedArguments, { values, input }: ReadFlags): Arguments {
  const negative = new Set(names)
  if (values.readOnly && values.permissions !== undefined)
    throw usage('--read-only and --permissions cannot be used together.')
  if (negative.has('--no-guard') && (values.readOnly || (values.permissions ?? 'allow') !== 'allow'))
    throw usage('--no-guard never asks, so it can only be combined with --permissions allow.')
  const { apiKey, baseUrl, systemPrompt, appendSystemPrompt, ext, insecure, cwd } = values
  const options: ZotOptions = {
    apiKey,
    baseUrl,
    systemPrompt,
    appendSystemPrompt,
    maxSteps: numberOf('--max-steps', values.maxSteps, isCount, 'a whole number from 1'),
    temperature: numberOf('--temperature', values.temperature, isTemperature, 'a number from 0 to 2'),
    tools: values.tools?.split(','),
    noTools: negative.has('--no-tools'),
    ext,
    noExt: negative.has('--no-ext'),
    noSkill: negative.has('--no-skill'),
    noContextFiles: negative.has('--no-context-files'),
    insecure,
    cwd,
    extra,
  }
  return {
    help: values.help === true,
    version: values.version === true,
    demo: values.demo === true,
    cwd,
    on: values.on ?? null,
    via: values.via ?? null,
    session: sessionOf(values.continue === true, values.resume),
    prompt: promptOf(values.prompt, input),
    print: values.print === true,
    json: values.json === true,
    quiet: values.quiet === true,
    outputSchema: values.outputSchema ?? null,
    background: values.background === true,
    noGuard: negative.has('--no-guard'),
    permissionTool: programOf(values.permissionTool),
    timeout: durationOf('--timeout', values.timeout),
    record: values.record ?? null,
    settings: settingsOf({
      ...values,
      ...(negative.has('--no-color') && { color: false }),
      ...(negative.has('--no-read-only') && { readOnly: false }),
      ...(values.maxCost !== undefined && { maxCostUsd: costOf(values.maxCost) }),
    }),
    options,
    zotFlags: names.filter(name => forZot.has(name)).concat(extra.length > 0 ? ['--'] : []),
  }
}

const isCount = (value: number): boolean => Number.isInteger(value) && value > 0
const isTemperature = (value: number): boolean => value >= 0 && value <= 2

/** The settings with a flag of the same name; `maxCostUsd` is `--max-cost`. */
const AS_FLAGS = [
  'theme',
  'color',
  'ascii',
  'screenReader',
  'permissions',
  'sandbox',
  'readOnly',
  'agent',
  'zot',
  'provider',
  'model',
  'reasoning',
  'maxCostUsd',
] as const

function settingsOf(flags: Partial<Record<SettingName, unknown>>): Arguments['settings'] {
  const values: Partial<Settings> = {}
  const names = new Map<SettingName, string>()
  for (const name of AS_FLAGS) {
    if (flags[name] === undefined) continue
    const flag = name === 'maxCostUsd' ? '--max-cost' : `--${flags[name] === false ? 'no-' : ''}${dashed(name)}`
    const checked = checkSetting(name, flags[name])
    if (!checked.ok) throw usage(`${flag} ${checked.reason}.`)
    Object.assign(values, checked.value)
    names.set(name, flag)
  }
  return { values, names }
}

function sessionOf(continues: boolean, resume: string | undefined): Arguments['session'] {
  if (continues && resume !== undefined) throw usage('--continue and --resume cannot be used together.')
  if (continues) return 'last'
  return resume === undefined ? null : { named: resume }
}

function programOf(command: string | undefined): string | null {
  if (command?.trim() === '') throw usage('--permission-tool needs a command.')
  return command ?? null
}

function numberOf(
  flag: string,
  text: string | undefined,
  fits: (value: number) => boolean,
  expected: string,
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() === '' || !fits(value)) throw usage(`${flag} needs ${expected}, not "${text}".`)
  return value
}

function costOf(text: string): number | undefined {
  return numberOf('--max-cost', text, value => value > 0 && value < Infinity, 'an amount in US dollars, such as 0.50')
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000 }
/** The longest delay of a timer, in milliseconds: almost 25 days. */
const LONGEST = 2 ** 31 - 1

/** The milliseconds of `90`, `90s`, `15m` or `2h`. */
function durationOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const match = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text)
  const unit = match?.[2] === 'm' || match?.[2] === 'h' ? match[2] : 's'
  const milliseconds = Number(match?.[1]) * UNITS[unit]
  if (milliseconds > 0 && milliseconds <= LONGEST) return milliseconds
  throw usage(`${flag} needs a time such as 90s, 15m or 2h, not "${text}".`)
}

function promptOf(flag: string | undefined, input: readonly string[]): string | null {
  if (flag !== undefined && input.length > 0) throw usage('There are two prompts: one with --prompt and one without.')
  const command = flag === undefined ? commandNames.find(({ name }) => name === input[0]) : null
  if (command) {
    throw usage(`\`${command.name}\` is a command and must come first. To send it as a prompt, use --prompt.`)
  }
  const text = flag ?? input.join(' ')
  return text.trim() === '' ? null : text
}

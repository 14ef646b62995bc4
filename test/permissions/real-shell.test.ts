/**
 * Holds the parser against real shells: whatever `Bash(git status:*)` and the reading list allow, sh, bash and zsh run no other program.
 * The folder in PATH has nothing but stubs that write their names down.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, constantFrom, oneof, property, tuple, type Arbitrary } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import type { Place } from '../../src/permissions/policy.ts'
import { bash, rule, place as usual } from './policy.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-shell-')))
const folder = join(home, 'project')
const bin = join(home, 'bin')
const log = join(home, 'log')
mkdirSync(join(folder, 'sub'), { recursive: true })
mkdirSync(bin)
const programs = ['git', 'rm', 'evil', 'ls', 'cat', 'status', 'E', 'x', 'sub', 'env', 'xargs', 'find', 'time', 'coproc']
for (const name of programs) {
  writeFileSync(join(bin, name), `#!/bin/sh\nprintf '%s\\n' "${name}" >> ${log}\n`)
  chmodSync(join(bin, name), 0o755)
}
afterAll(() => rmSync(home, { recursive: true, force: true }))

const place: Place = { folder, home, own: [], resolve: path => path, exists: () => false, git: usual.git }
const rules = [rule('allow', 'Bash(git status:*)')]
const allows = (command: string): boolean =>
  decide({ mode: 'ask', rules, place }, { ...bash(command), folder }).verdict === 'allow'
const shells = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/zsh'].filter(existsSync)

/** The programs that a shell runs for the line. */
function ran(shell: string, command: string, path = bin): string[] {
  writeFileSync(log, '')
  try {
    execFileSync(shell, ['-c', command], {
      cwd: folder,
      env: { PATH: path, HOME: home },
      stdio: 'ignore',
      timeout: 5000,
    })
  } catch {
    // It failed, or was a syntax error: what ran before counts all the same.
  }
  return readFileSync(log, 'utf8').split('\n').filter(Boolean)
}

/** Pieces of lines; in the text, a middle dot parts them. */
const pieces = [
  'git status·git·status·ls·cat·rm·evil·x·E·sub·a=1·PATH=x· · · ·\n·\t·\\\n·\\·\r·$x·${x}·"$x"·\u00a0·é·\u0001·{a,b}·{rm,x}',
  ';·&·&&·|·||·|&·&>·>&·>·>>·<·<<·<<-·<<<·<>·2>&1·>/dev/null·!·(·)·((·))·{·}·[[·]]·<<E\n·\nE\n·<<"E"\n·<<\\E\n',
  "<<'E'\n",
  '"·`·$·$(·$((·${·$"·$[·#·\\"·\\`·\\$·*·?·[·]·~·=·:-·:=·@P·#}·<(·>(·!(·@(',
  "'·$'·\\'",
  'if ·then ·else ·fi·for x in ·do ·done·while ·case x in ·esac·;;·;&·x)·function ·git() ·time ·coproc ·eval ·exec ·command ·cd ·alias ',
].flatMap(row => row.split('·'))

/** Lines that are nearly allowed: the pieces stand in and around them. */
const line = tuple(
  constantFrom('git status', 'ls', 'git status --x "a b"', 'cat x', ''),
  array(constantFrom(...pieces), { maxLength: 9 }),
  constantFrom('', '', ' evil', '\nevil', '; evil', '\nE\nevil'),
).map(([start, middle, end]) => `${start}${middle.join('')}${end}`)

test('what is allowed runs nothing else in a real shell', () => {
  let count = 0
  assert(
    property(line, command => {
      if (!allows(command)) return
      count++
      for (const shell of shells) {
        const others = ran(shell, command).filter(
          name => name !== 'git' && name !== 'ls' && name !== 'cat' && name !== 'time',
        )
        if (others.length > 0) throw new Error(`${shell} ran ${others.join(', ')} for ${JSON.stringify(command)}`)
      }
    }),
    { numRuns: Number(process.env['RUNS'] ?? 2000) },
  )
  expect(count).toBeGreaterThan(10)
}, 600_000)

test.each([
  'git status &>/dev/null evil',
  'git status&>>/dev/null evil',
  '&>/dev/null git status',
  'ls &>/dev/null -l',
])('%s is not allowed: dash runs what follows the file', command => expect(allows(command)).toBe(false))

test('all output may go to nowhere', () => {
  expect(allows('git status &>/dev/null')).toBe(true)
  expect(shells.flatMap(shell => ran(shell, 'git status &>/dev/null; git status')).every(name => name === 'git')).toBe(
    true,
  )
})

test('the stubs say what runs', () => {
  for (const shell of shells) expect(ran(shell, 'git status; evil $(rm x)')).toEqual(['git', 'rm', 'evil'])
})

/** Programs that run the program in their arguments, with words that may stand before it. */
const wrappers: Readonly<Record<string, readonly string[]>> = {
  env: ['-', '--', '-i', '-u A', 'A=1', '-S', '--unset=A'],
  nice: ['-n 5', '-5', '-n5', '--adjustment=5', '--'],
  nohup: ['--'],
  timeout: ['5', '-k 1', '-k1', '--signal=9', '--'],
  setsid: ['-w', '-wf', '--wait'],
  stdbuf: ['-o L', '-oL', '--output=L'],
  xargs: ['-I{}', '-i', '--replace', '--replace={}', '-n 1', '-n1', '-0rt', '--max-args=1', '-L 1', '--'],
  'find .': ['-maxdepth 0', '-exec', '-execdir', '-ok', '--'],
  command: ['-p', '--', '-pv', '-v'],
  builtin: ['eval', 'exec', '--'],
  exec: ['-a n', '-c', '-l', '-la n', '--'],
  eval: ['--'],
  trap: ['--', '-p'],
  ...Object.fromEntries(
    ['sh', 'bash', 'dash'].map(name => [
      name,
      [
        '-c',
        '-c',
        '-cx',
        '-xc',
        '-ec',
        '-co posix',
        '-O extglob',
        '+O extglob',
        '-o posix',
        '+x',
        '-e',
        '--norc',
        '--',
        '-',
        '-s',
      ],
    ]),
  ),
}

const system = ['/bin', '/usr/bin']
const real = join(home, 'real')
mkdirSync(real)
for (const name of ['env', 'nice', 'nohup', 'timeout', 'setsid', 'stdbuf', 'xargs', 'find', 'sh', 'bash', 'dash']) {
  const found = system.map(from => join(from, name)).find(existsSync)
  if (found) symlinkSync(found, join(real, name))
}
const denied = join(home, 'denied')
mkdirSync(denied)
symlinkSync(join(bin, 'rm'), join(denied, 'rm'))

const wrapper: Arbitrary<string> = oneof(
  ...Object.entries(wrappers).map(([name, options]) =>
    array(constantFrom(...options), { maxLength: 3 }).map(chosen => [name, ...chosen].join(' ')),
  ),
)
const wrapped = tuple(
  array(wrapper, { minLength: 1, maxLength: 2 }),
  constantFrom('rm x', "'rm x'", '"rm x" EXIT', 'rm {} \\;', 'rm {} +', "-- 'rm x'"),
).map(([chosen, end]) => `${chosen.join(' ')} ${end}`)

test('a denied program does not run without a question, whatever runs it', () => {
  const deny = [rule('deny', 'Bash(rm:*)')]
  let count = 0
  assert(
    property(wrapped, command => {
      const { verdict } = decide({ mode: 'allow', rules: deny, place }, { ...bash(command), folder })
      if (verdict !== 'allow') return
      count++
      if (ran('/bin/bash', command, `${denied}:${real}`).includes('rm'))
        throw new Error(`rm ran for ${JSON.stringify(command)}`)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 500) },
  )
  expect(count).toBeGreaterThan(10)
  expect(ran('/bin/bash', "env bash -c 'rm x'", `${denied}:${real}`)).toEqual(['rm'])
}, 600_000)

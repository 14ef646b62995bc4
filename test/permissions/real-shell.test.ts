/**
 * Holds the parser against real shells: whatever `Bash(git status:*)` and the reading list allow, sh and bash run no other program.
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
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { array, assert, constantFrom, property, tuple } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import type { Place } from '../../src/permissions/policy.ts'
import { bash, rule } from './policy.ts'

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

const place: Place = { folder, home, own: [], resolve: path => path }
const rules = [rule('allow', 'Bash(git status:*)')]
const allows = (command: string): boolean =>
  decide({ mode: 'ask', rules, place }, { ...bash(command), folder }).verdict === 'allow'
const shells = ['/bin/sh', '/bin/bash', '/bin/dash'].filter(existsSync)

/** The programs that a shell runs for the line, and whether it made a file. */
function ran(shell: string, command: string): string[] {
  writeFileSync(log, '')
  try {
    execFileSync(shell, ['-c', command], {
      cwd: folder,
      env: { PATH: bin, HOME: home },
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

test('the stubs tell what runs', () => {
  for (const shell of shells) expect(ran(shell, 'git status; evil $(rm x)')).toEqual(['git', 'rm', 'evil'])
})

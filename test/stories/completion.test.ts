/** The completion scripts, run by the shells that they are for. One that is not installed is skipped, and said to be. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../src/platform/programs.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { run } from './stage.ts'

const shells = { bash: await pathOf('bash'), zsh: await pathOf('zsh'), fish: await pathOf('fish') }

async function pathOf(name: string): Promise<string | null> {
  const path = findProgram(name, process.env, '/')
  if (path === null) process.stderr.write(`\n!! SKIPPED: completion in a real ${name}: it is not installed\n`)
  return path
}

const BASH = `
source "$SCRIPT"
read -ra COMP_WORDS <<<"$LINE"
case $LINE in *' ') COMP_WORDS+=('') ;; esac
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_zotui
printf '%s\\n' "\${COMPREPLY[@]}"
`

const scripts = new Map<string, string>()

/** The script for a shell, which is printed once for all tests. */
async function scriptFor(shell: string): Promise<string> {
  const script = scripts.get(shell) ?? (await run(['completion', shell])).stdout
  scripts.set(shell, script)
  return script
}

/** The shell's offers for a line. */
async function offered(shell: 'bash' | 'fish', line: string): Promise<string> {
  const home = makeHome()
  const script = join(home.path, 'script')
  writeFileSync(script, await scriptFor(shell))
  writeFileSync(join(home.project, 'own-theme.json'), '{}')
  const variables = { SCRIPT: script, LINE: line, TERM: 'xterm' }
  const commands = {
    bash: ['--norc', '-c', BASH],
    fish: ['--no-config', '-c', 'source $SCRIPT; complete -C "$LINE"'],
  }
  const env = environment(home.path, variables)
  const options = { cwd: home.project, env, extendEnv: false, timeout: 15_000, reject: false } as const
  const { stdout, stderr } = await execa(shells[shell] ?? shell, commands[shell], options)
  home.remove()
  expect(stderr).toBe('')
  return stdout
}

describe.for(['bash', 'fish'] as const)('in %s', shell => {
  test.skipIf(shells[shell] === null).each([
    ['a flag', 'zotui --append', '--append-system-prompt'],
    ['a command', 'zotui se', 'sessions'],
    ['a flag of a command', 'zotui export --fo', '--format'],
    ['a word of a command', 'zotui completion z', 'zsh'],
    ['a value', 'zotui --theme col', 'colorblind'],
    ['a value of a flag of a command', 'zotui export --format zot', 'zotsession'],
  ])('%s is completed', async (_name, typed, completed) => {
    expect(await offered(shell, typed)).toContain(completed)
  })
})

/** zsh completes only for a user at a terminal. */
test.skipIf(shells.zsh === null)(
  'in zsh flags, commands, the flags and words of commands, and values are completed',
  async () => {
    const program = ['-e', `child_process.spawnSync(${JSON.stringify(shells.zsh)}, ['-f', '-i'], { stdio: 'inherit' })`]
    const zsh = await open({ program, columns: 120, env: { FPATH: process.env['FPATH'] } })
    writeFileSync(join(zsh.home.path, 'script'), (await run(['completion', 'zsh'])).stdout)
    await zsh.type("PS1='> '; autoload -U compinit; compinit -u -D; source ~/script; echo rea''dy")
    await zsh.press('enter')
    await zsh.see(/^ready$/m)
    for (const [typed, completed] of [
      ['zotui --append', '> zotui --append-system-prompt='],
      ['zotui sess', '> zotui sessions'],
      ['zotui export --form', '> zotui export --format='],
      ['zotui --theme=col', '> zotui --theme=colorblind'],
      ['zotui export --format=zot', '> zotui export --format=zotsession'],
      ['zotui completion z', '> zotui completion zsh'],
    ] as const) {
      await zsh.type(typed)
      await zsh.press('tab')
      await zsh.see(completed)
      await zsh.press('ctrl+u')
      await zsh.gone(completed)
    }
    await zsh.type('exit')
    await zsh.press('enter')
    await zsh.exit()
  },
)

test('an unsupported shell is rejected', async () => {
  const { code, stderr } = await run(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(stderr).toContain('There is no `zotui completion tcsh`.')
})

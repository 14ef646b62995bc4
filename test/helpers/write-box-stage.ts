/** A home folder with a project in it, and commands that run there in the box for writing or outside of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { runShell } from '../../src/platform/shell/run.ts'
import { writeBox } from '../../src/sandbox/write-box.ts'

export type RunOptions = {
  inBox?: boolean
  at?: string
  write?: readonly string[]
  hide?: readonly string[]
  environment?: NodeJS.ProcessEnv
  /** Milliseconds after which it is stopped. */
  limit?: number
}

export type WriteStage = ReturnType<typeof writeStage>

/** All of it is removed after the test. `at` is where the project lies; absent for a folder of the home folder. */
export function writeStage({ at, isRepository = true }: { at?: string; isRepository?: boolean } = {}) {
  const top = realpathSync(mkdtempSync(path.join(homedir(), '.zotui-write-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const home = path.join(top, 'home')
  const folder = at ?? path.join(home, 'project')
  const caches = path.join(top, 'caches')
  mkdirSync(folder, { recursive: true })
  mkdirSync(home, { recursive: true })
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env })
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
  }
  writeFileSync(
    path.join(home, '.gitconfig'),
    '[user]\n\tname = me\n\temail = me@example.com\n[init]\n\tdefaultBranch = main\n',
  )
  writeFileSync(path.join(folder, 'a.txt'), 'one\n')
  if (isRepository) {
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'first')
  }

  async function run(
    command: string,
    { inBox = true, write = [], hide = [], environment = env, ...more }: RunOptions = {},
  ) {
    const cwd = more.at ?? folder
    const box = inBox ? await writeBox({ folder: cwd, env: environment, write, hide, caches }, null) : undefined
    const running = runShell({
      command,
      cwd,
      env: environment,
      shell: '/bin/bash',
      box,
      limitBytes: 1024 * 1024,
      onOutput() {},
    })
    const timer = more.limit === undefined ? undefined : setTimeout(() => running.stop(), more.limit)
    const { exitCode, output, problem } = await running.done
    clearTimeout(timer)
    return { exitCode, output: problem ?? output }
  }

  const has = (file: string): boolean => existsSync(path.resolve(folder, file))
  return { top, home, folder, caches, env, git, run, has }
}

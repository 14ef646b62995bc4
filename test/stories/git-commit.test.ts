/** Somebody uses zotui while git waits for a commit message. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installZot, lastingHome, program, ready, send } from './stage.ts'

/** A repository with a staged file, in which git's editor ends at once, and `zotui` is in the PATH. */
async function makeRepository(): Promise<{ home: Home; env: Record<string, string> }> {
  const home = lastingHome()
  script(join(home.path, 'bin', 'zotui'), `exec '${process.execPath}' '${program}' "$@"`)
  const env = environment(home.path, {
    PATH: `${join(home.path, 'bin')}:${process.env['PATH'] ?? ''}`,
    GIT_EDITOR: 'true',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  })
  const git = { cwd: home.project, env, extendEnv: false }
  await execa('git', ['init', '-q'], git)
  writeFileSync(join(home.project, 'a.txt'), 'staged\n')
  await execa('git', ['add', 'a.txt'], git)
  return { home, env }
}

function script(path: string, lines: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, lines.startsWith('#!') ? lines : `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
}

const page = readFileSync(fileURLToPath(new URL('../../docs/automation.md', import.meta.url)), 'utf8')
const hook = /```sh\n(#![^]*?)```/.exec(page)?.[1] ?? ''

test('the hook of the documentation drafts a message from the staged diff', async () => {
  const { home, env } = await makeRepository()
  writeFileSync(join(home.path, 'answers.json'), JSON.stringify(['Add a file\n\nIt was missing.']))
  script(join(home.project, '.git', 'hooks', 'prepare-commit-msg'), hook)
  const git = { cwd: home.project, extendEnv: false, env: { ...env, ZOTUI_ZOT: installZot(home, 'answers') } }
  await execa('git', ['commit'], git)
  const { stdout } = await execa('git', ['log', '-1', '--format=%B'], git)
  expect(stdout.trimEnd()).toBe('Add a file\n\nIt was missing.')
  expect(readFileSync(join(home.path, 'prompts.ndjson'), 'utf8')).toContain('+staged')
})

test("the UI opens in git's editor, does not follow git's variables, and gives the terminal back", async () => {
  const { home, env } = await makeRepository()
  const editor = join(home.path, 'editor')
  // As `:!zotui` in an editor, then a message. Git names the index of the commit; a worktree would also have its own GIT_DIR.
  script(editor, `GIT_DIR=/no/repository zotui && printf 'From the editor\\n' >"$1"`)
  writeFileSync(join(home.project, 'b.txt'), 'not staged\n')
  const under = `git commit -q a.txt; git log -1 --format='committed: %s'`
  const zotui = await open({ home, env: { ...env, ZOTUI_ZOT: installZot(home, 'echo'), GIT_EDITOR: editor }, under })
  await zotui.see(ready)
  await send(zotui, '/diff')
  await zotui.see('b.txt')
  await zotui.press('q')
  await zotui.see(ready)
  await send(zotui, '/exit')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  await zotui.seeInHistory('committed: From the editor')
})

/** Files that run something later: an edit of them asks in mode edits, and a rule must name them. */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import type { Place } from '../../src/permissions/policy.ts'
import { hasOtherNames, realPath } from '../../src/platform/real-path.ts'
import { bash, edit, place, policy, rule } from './policy.ts'

const p = place.folder
const home = place.home

const verdictIn = (folder: string, path: string, own: Partial<Place> = {}): string =>
  decide({ ...policy('edits'), place: { ...place, folder, ...own } }, edit(path)).verdict

const words = (text: string): string[] => text.trim().split(/\s+/)

describe('in mode edits', () => {
  test.each(
    words(`
      .git/config .hg/hgrc .husky/pre-commit .vscode/tasks.json .idea/workspace.xml .zed/tasks.json .claude/settings.json .codex/config.toml
      .gemini/settings.json .qwen/settings.json .rkat/config.toml .agents/x.md opencode.json opencode.jsonc lefthook.yml lefthook.toml
      lint-staged.config.mjs .github/workflows/ci.yml .gitlab-ci.yml .pre-commit-config.yaml .envrc .env .mise.toml mise.toml .mcp.json
      mcp.json .devcontainer/devcontainer.json .a-tool-of-tomorrow/run a.code-workspace sub/x.desktop sub/.nvim.lua .prettierrc .npmrc
      zotui-guard-1-a/gate`),
  )('%s of a project asks', path => expect(verdictIn(p, `${p}/${path}`)).toBe('ask'))

  test.each(
    words(
      'src/a.ts .gitignore sub/.gitkeep .editorconfig .env.example README.md bin/run a.b/c~ git/config Library/a.ts package.json',
    ),
  )('%s of a project does not ask', path => expect(verdictIn(p, `${p}/${path}`)).toBe('allow'))

  test.each(
    words(`
      .bashrc .profile .zshenv .vimrc .emacs .emacs.d/init.el .config/nvim/init.lua .config/git/config .config/fish/config.fish
      .config/systemd/user/a.service .config/autostart/a.desktop .config/environment.d/a.conf .local/bin/ls .local/share/applications/a
      bin/ls Library/LaunchAgents/a.plist .a-shell-of-tomorrow project/.envrc`),
  )('%s of the home folder asks', path => {
    expect(verdictIn(home, `${home}/${path}`)).toBe('ask')
    expect(verdictIn('/home', `${home}/${path}`)).toBe('ask')
    expect(verdictIn('/', `${home}/${path}`)).toBe('ask')
  })

  test('other files of the home folder do not', () => {
    expect(['notes.txt', 'project/a.ts'].map(path => verdictIn(home, `${home}/${path}`))).toEqual(['allow', 'allow'])
  })

  test('a session in a folder with a dot edits there, except where a login looks', () => {
    const verdicts = [
      '.dotfiles/a',
      '.claude/worktrees/x/src/a.ts',
      '.config/fish/config.fish',
      '.local/bin/a',
      'bin/a',
    ].map(path => verdictIn(`${home}/${path.split('/').slice(0, -1).join('/')}`, `${home}/${path}`))
    expect(verdicts).toEqual(['allow', 'allow', 'ask', 'ask', 'ask'])
  })

  test.each([
    '.GIT/config',
    '.Git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    '.envrc::$DATA',
    'GIT~1/config',
    '.g\u200cit/config',
    '.\uFEFFenvrc',
    'OPENCODE.JSON',
    'op\u00adencode.json',
    'LeftHook.YML',
    'leftho\u006f\u200dk.yml',
    './sub/../.git/config',
    '//.git//config',
    '.git/./config',
    'sub/.GITIGNORE/../../.git/config',
  ])('the spelling %j of a protected file asks', path => expect(verdictIn(p, `${p}/${path}`)).toBe('ask'))

  test('zotui has its own files in every spelling', () => {
    const own = ['/home/ann/project/State']
    const verdicts = ['state/a', 'STATE/a', 'State/a', 'states/a'].map(path => verdictIn(p, `${p}/${path}`, { own }))
    expect(verdicts).toEqual(['ask', 'ask', 'ask', 'allow'])
  })
})

const isAllowed = (text: string, path: string): boolean =>
  decide({ mode: 'ask', rules: [rule('allow', text)], place }, edit(`${p}/${path}`)).verdict === 'allow'

test('an allow rule names each part that protects a file, whole and without wildcards', () => {
  expect(isAllowed('Edit(.github/**)', '.github/workflows/a.yml')).toBe(true)
  expect(isAllowed('Edit(.github/**)', '.github/.git/config')).toBe(false)
  expect(isAllowed('Edit(.gith*/**)', '.github/workflows/a.yml')).toBe(false)
  expect(isAllowed('Edit(**)', 'opencode.json')).toBe(false)
  expect(isAllowed('Edit(opencode.json)', 'opencode.json')).toBe(true)
  expect(isAllowed('Edit(.a\\[b\\])', '.a[b]')).toBe(true)
  expect(isAllowed('Edit(.GIT/**)', '.git/config')).toBe(false)
})

describe('a file with more than one name', () => {
  test('asks at an edit, at a redirection, and with a rule that does not name it', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-links-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, 'project'))
    writeFileSync(join(folder, 'bashrc'), '')
    writeFileSync(join(folder, 'project/own'), '')
    linkSync(join(folder, 'bashrc'), join(folder, 'project/shared'))
    symlinkSync('shared', join(folder, 'project/link'))
    const there = { ...place, folder: join(folder, 'project'), resolve: realPath, hasOtherNames }
    const verdict = (request: Parameters<typeof decide>[1], ...allow: string[]): string =>
      decide(
        { mode: 'edits', rules: allow.map(text => rule('allow', text)), place: there },
        { ...request, folder: there.folder },
      ).verdict
    const at = (name: string) => edit(join(there.folder, name))
    expect(['shared', 'link', 'own', 'new', '.'].map(name => verdict(at(name)))).toEqual([
      'ask',
      'ask',
      'allow',
      'allow',
      'allow',
    ])
    expect([bash('echo a > shared'), bash('echo a > own')].map(request => verdict(request, 'Bash(echo:*)'))).toEqual([
      'ask',
      'allow',
    ])
    expect([verdict(at('shared'), 'Edit(**)'), verdict(at('shared'), 'Edit(shared)')]).toEqual(['ask', 'allow'])
    expect(decide({ mode: 'edits', rules: [], place: there }, at('shared')).because).toMatch(/hard link/)
  })
})

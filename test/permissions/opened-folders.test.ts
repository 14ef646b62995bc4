/** Folders beside the session's that the user has opened. */
import { describe, expect, test } from 'vitest'
import type { ToolRequest } from '../../src/agent/permission.ts'
import { dangersOf } from '../../src/permissions/dangers.ts'
import { decide, gitFolders } from '../../src/permissions/decide.ts'
import type { FolderEntry, Place, Policy } from '../../src/permissions/policy.ts'
import { bash, edit, place, policy, read } from './policy.ts'

const other = '/srv/other'
const entries = new Map<string, readonly FolderEntry[]>([
  [
    other,
    [
      { name: 'src', kind: 'folder' },
      { name: 'out', kind: 'link' },
      { name: 'a.ts', kind: 'other' },
    ],
  ],
  [`${other}/src`, [{ name: 'b.ts', kind: 'other' }]],
])
const opened: Place = {
  ...place,
  more: [other],
  list: (folder, most) => entries.get(folder) ?? place.list?.(folder, most) ?? [],
  resolve: path => place.resolve(path).replace(/^\/srv\/other\/out/, '/srv/out'),
}

type Rules = Parameters<typeof policy>[1]

const verdict = (own: Policy, request: ToolRequest, at = opened): string =>
  decide({ ...own, place: at }, request).verdict
const inMode = (mode: Policy['mode'], request: ToolRequest, rules: Rules = {}): string =>
  verdict(policy(mode, rules), request)

describe('files', () => {
  test.each<[Policy['mode'], ToolRequest, string]>([
    ['ask', read(`${other}/a.ts`), 'allow'],
    ['ask', read(`${other}/a.ts`, 'a.ts'), 'allow'],
    ['ask', read('/srv/others/a.ts'), 'ask'],
    ['ask', read('/srv'), 'ask'],
    ['ask', read(`${other}/../else`), 'ask'],
    ['ask', read(`${other}/out/a.ts`), 'ask'],
    ['plan', read(`${other}/a.ts`), 'allow'],
    ['ask', edit(`${other}/a.ts`), 'ask'],
    ['edits', edit(`${other}/a.ts`), 'allow'],
    ['edits', edit(`${other}/new/a.ts`), 'allow'],
    ['edits', edit(`${other}/out/a.ts`), 'ask'],
    ['edits', edit(`${other}/a.ts`, '/srv/a.ts'), 'ask'],
    ['plan', edit(`${other}/a.ts`), 'refuse'],
  ])('in mode %s, %o: %s', (mode, request, expected) => {
    expect(inMode(mode, request)).toBe(expected)
  })

  test('nothing there is inside once it is closed', () => {
    for (const request of [read(`${other}/a.ts`), edit(`${other}/a.ts`), bash(`cat ${other}/a.ts`)])
      expect(verdict(policy('edits'), request, place)).toBe('ask')
  })

  test.each(['.git/config', '.envrc', 'sub/.vscode/tasks.json', 'opencode.json'])(
    '%s is protected there, too',
    name => {
      expect(inMode('edits', edit(`${other}/${name}`))).toBe('ask')
    },
  )

  test.each(['/home/ann/.config/tool', '/home/ann/bin'])('what a login reads stays protected in %s', folder => {
    expect(verdict(policy('edits'), edit(`${folder}/a`), { ...place, more: [folder] })).toBe('ask')
  })

  test('a folder with a dot that the user has opened is as it is named', () => {
    const at = { ...place, more: ['/srv/.dotfiles'] }
    expect(verdict(policy('edits'), edit('/srv/.dotfiles/a'), at)).toBe('allow')
    expect(verdict(policy('edits'), edit('/srv/.dotfiles/.git/config'), at)).toBe('ask')
  })

  test.each<[Rules, ToolRequest, string]>([
    [{ deny: ['Read(secrets/**)'] }, read(`${other}/secrets/a`), 'refuse'],
    [{ deny: ['Read(./secrets/**)'] }, read(`${other}/secrets/a`), 'refuse'],
    [{ deny: ['Read(.env)'] }, read(`${other}/.env`), 'refuse'],
    [{ ask: ['Edit(src/**)'] }, edit(`${other}/src/b.ts`), 'ask'],
    [{ deny: ['Read(secrets/**)'] }, read(`${other}/a.ts`), 'allow'],
    // A rule that allows means the project.
    [{ allow: ['Edit(./**)'] }, edit(`${other}/.envrc`), 'ask'],
  ])('the rules %o decide about %o', (rules, request, expected) => {
    expect(inMode('edits', request, rules)).toBe(expected)
  })

  test('an edit there is not called one outside of the folder', () => {
    expect(dangersOf(edit(`${other}/a.ts`), opened)).toEqual([])
    expect(dangersOf(edit('/srv/a.ts'), opened)).toEqual(['writes outside the folder: /srv/a.ts'])
  })
})

describe('commands', () => {
  test.each([
    [`cat ${other}/a.ts`, 'allow'],
    [`ls ${other}`, 'allow'],
    [`ls ${other}/src/*`, 'allow'],
    [`grep -r x ${other}/src`, 'allow'],
    // The link leads out.
    [`ls ${other}/*`, 'ask'],
    [`cat ${other}/out/a`, 'ask'],
    ['cat /srv/a', 'ask'],
    // Where a command runs decides what it runs.
    [`cd ${other} && ls`, 'ask'],
    [`git -C ${other} status`, 'ask'],
    [`git diff --no-index a.ts ${other}/a.ts`, 'ask'],
    [`echo x > ${other}/a.ts`, 'ask'],
    [`rm ${other}/a.ts`, 'ask'],
    [`touch ${other}/a.ts`, 'ask'],
  ])('%s: %s', (command, expected) => {
    expect(inMode('edits', bash(command))).toBe(expected)
  })

  test('git is not asked about a repository there', () => {
    expect(gitFolders({ ...policy('ask'), place: opened }, bash(`git -C ${other} status`))).toEqual({
      settings: [],
      tracked: [],
    })
  })

  test('a deny rule for files holds for a command', () => {
    expect(inMode('ask', bash(`cat ${other}/secrets/a`), { deny: ['Read(secrets/**)'] })).toBe('refuse')
  })
})

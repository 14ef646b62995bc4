/** Rules and calls whose names, folders and paths are chosen to mean something else. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import { grantsFor } from '../../src/permissions/grants.ts'
import { realPath } from '../../src/platform/real-path.ts'
import { bash, call, edit, place, policy, read, rule } from './policy.ts'

const p = place.folder

describe('a tool that has the name', () => {
  test.each([
    ['read and edits', 'Read', call('read', { kind: 'edit', paths: [`${p}/a`] })],
    ['read and does something else', 'Read(./**)', call('read', { kind: 'other', paths: [`${p}/a`] })],
    ['edit and does something else', 'Edit', call('edit', { kind: 'other', paths: [`${p}/a`] })],
    ['ls and runs commands', 'LS', call('ls', { kind: 'command', command: 'rm x' })],
    ['write and reads', 'Write', call('write', { kind: 'read', paths: ['/etc/x'] })],
  ])('%s is not covered by the allow rule %s', (_name, text, request) => {
    expect(decide(policy('ask', { allow: [text] }), request).verdict).toBe('ask')
    // A rule against it covers more rather than less.
    expect(decide(policy('allow', { deny: [text] }), request).verdict).toBe('refuse')
  })

  test.each(['*', 'a*b', 'my tool', '', 'Bash(x)', 'Edit(/**)', 'shell', 'list', '-(', 'a\nb', 'read', 'edit'])(
    '%j gets no rule that says something else',
    tool => {
      const grants = grantsFor(call(tool), place).map(each => rule('allow', each.rule))
      const others = [call('another'), call('edit', { kind: 'edit', paths: ['/etc/x'] }), bash('rm x')]
      for (const granted of grants) {
        expect(granted).toMatchObject({ broken: null, pattern: null })
        for (const other of others) expect(decide({ mode: 'ask', rules: [granted], place }, other).verdict).toBe('ask')
      }
    },
  )
})

test('an allow rule for commands does not cover another folder than that of the session', () => {
  const there = { ...bash('npm test'), folder: '/srv/other' }
  for (const text of ['Bash(npm test:*)', 'Bash(=npm test)', 'Bash(npm test)'])
    expect(decide(policy('ask', { allow: [text] }), there)).toMatchObject({
      verdict: 'ask',
      because: 'it runs outside the folder',
    })
  expect(decide(policy('ask', { allow: ['Bash'] }), there).verdict).toBe('allow')
  expect(decide(policy('ask', { allow: ['Bash(npm test)'] }), { ...there, folder: `${p}/packages/a` }).verdict).toBe(
    'allow',
  )
})

const list = (at: string) =>
  readdirSync(at, { withFileTypes: true }).map(each => ({
    name: each.name,
    kind: each.isDirectory() ? ('folder' as const) : each.isSymbolicLink() ? ('link' as const) : ('other' as const),
  }))

/** A project in the file system, with a file that a rule denies. */
function project() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-names-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'project/src'), { recursive: true })
  mkdirSync(join(folder, 'project/lib'))
  writeFileSync(join(folder, 'project/src/secret.txt'), '')
  symlinkSync('src', join(folder, 'project/link'))
  const own = join(folder, 'project')
  return { ...place, folder: own, resolve: realPath, list }
}

describe('a path of a process', () => {
  test('is another one for each process, so it leads out', () => {
    const there = { ...place, folder: process.cwd(), resolve: realPath }
    const verdict = (request: Parameters<typeof decide>[1]): string =>
      decide({ mode: 'edits', rules: [], place: there }, { ...request, folder: there.folder }).verdict
    for (const path of ['/proc/self/cwd/a.ts', '//proc//self/cwd/a.ts', '/dev/fd/3', '/proc/../proc/self/cwd/a.ts'])
      expect([path, verdict(edit(path)), verdict(read(path)), verdict(bash(`cat ${path}`))]).toEqual([
        path,
        'ask',
        'ask',
        'ask',
      ])
  })

  test('does not lead past a deny rule', () => {
    const there = { ...place, folder: process.cwd(), resolve: realPath }
    const policyThere = { mode: 'allow' as const, rules: [rule('deny', 'Read(src/**)')], place: there }
    const request = { ...read('/proc/self/cwd/src/a'), folder: there.folder }
    expect(decide(policyThere, request).verdict).toBe('refuse')
    expect(decide(policyThere, { ...bash('cat /proc/self/cwd/src/a'), folder: there.folder }).verdict).toBe('refuse')
  })
})

describe('a rule against edits of one file', () => {
  test.each([
    ['rm -r src', 'ask'],
    ['rm -r .', 'ask'],
    ['rm -rf ./src/', 'ask'],
    ['mv src other', 'ask'],
    ['chmod -R 777 .', 'ask'],
    ['find src -delete', 'ask'],
    ['cd src && rm -r .', 'ask'],
    ['cp secret.txt src/', 'refuse'],
    ['cp secret.txt link', 'refuse'],
    ['ln -sf ../secret.txt src', 'refuse'],
    ['rsync a src/secret.txt', 'ask'],
    ["perl -pi -e 's/a/b/' src/secret.txt", 'ask'],
    ['echo a > SRC/./secret.txt', 'refuse'],
    ['echo a > link/secret.txt', 'refuse'],
    ['rm -r lib', 'allow'],
    ['mkdir src', 'allow'],
    ['cat src/secret.txt', 'allow'],
    ['git add src/secret.txt', 'allow'],
    ['test -f src/secret.txt', 'allow'],
    ['node src', 'allow'],
  ])('%s: %s', (command, verdict) => {
    const there = project()
    const rules = [rule('deny', 'Edit(src/secret.txt)')]
    expect(decide({ mode: 'allow', rules, place: there }, { ...bash(command), folder: there.folder }).verdict).toBe(
      verdict,
    )
  })
})

/** What /diff is opened with for an argument: a branch, a pull request, a worktree, here and on another machine. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { requestFor, subjectOf, type SubjectAnswer } from '../../../src/app/changes/diff-subjects.ts'
import type { Host, RemoteHost } from '../../../src/app/context/host.ts'
import { here } from '../../../src/platform/project-files.ts'
import { subjectKey, subjectTitle, type DiffSubject } from '../../../src/tools/diff/subject.ts'
import { createWorktrees } from '../../../src/worktrees/worktrees.ts'
import { inShort, makeRepository, type Folder } from '../../changes/repositories.ts'
import { stateWith } from '../../components/stage.ts'

function hostOf({ path, env }: Folder, remote?: RemoteHost): Host {
  return {
    folder: path,
    home: '/',
    env,
    platform: 'linux',
    lendTerminal: async () => undefined,
    suspend: null,
    ...(remote && { remote }),
  }
}

const context = { state: () => stateWith({}), elapsed: () => 0 }

async function ask(
  argument: string,
  folder: Folder,
  more: { worktrees?: ReturnType<typeof createWorktrees>; remote?: RemoteHost } = {},
): Promise<SubjectAnswer> {
  const subject = subjectOf(argument)
  if (!subject.ok) return subject
  const { worktrees, remote } = more
  return requestFor(subject.value, { ...context, ...(worktrees && { worktrees }) }, hostOf(folder, remote))
}

/** The words why nothing was opened. */
async function refusal(...asked: Parameters<typeof ask>): Promise<string> {
  const answer = await ask(...asked)
  return answer.ok ? '' : answer.why
}

async function shown(...asked: Parameters<typeof ask>) {
  const answer = await ask(...asked)
  if (!answer.ok) throw new Error(answer.why)
  const { list } = await answer.request.collect()
  return { subject: answer.request.subject, files: inShort(list.session), notes: list.notes }
}

function withGh(folder: Folder, body: string): Folder {
  const bin = join(folder.path, '../bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\necho "$@" >>'${bin}/asked'\n${body}\n`, { mode: 0o755 })
  return { ...folder, env: { ...folder.env, PATH: `${bin}:${folder.env['PATH'] ?? ''}` } }
}
const askedOf = ({ path }: Folder): string => readFileSync(join(path, '../bin/asked'), 'utf8')

const PATCH = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n'
const printsPatch = `printf '%s' '${PATCH}'`

describe('an argument', () => {
  test.each<[string, DiffSubject]>([
    ['main', { kind: 'revision', rev: 'main' }],
    ['HEAD~2', { kind: 'revision', rev: 'HEAD~2' }],
    ['#12', { kind: 'pull-request', number: 12 }],
    ['https://github.com/o/r/pull/12', { kind: 'pull-request', number: 12, repo: 'o/r' }],
    ['worktree zotui/fix', { kind: 'worktree', name: 'zotui/fix' }],
  ])('%s', (argument, value) => expect(subjectOf(argument)).toEqual({ ok: true, value }))

  test.each([
    ['--output=x', '"--output=x" is no branch, tag or commit; /diff since asks for a prompt.'],
    ['fix the bug', '"fix the bug" is no branch, tag or commit; /diff since asks for a prompt.'],
    ['#x', 'A pull request is named by its number, such as #12, or by its address on GitHub.'],
    ['https://evil.example/x', 'A pull request is named by its number, such as #12, or by its address on GitHub.'],
  ])('%s is refused', (argument, why) => expect(subjectOf(argument)).toEqual({ ok: false, why }))

  test('each subject has a key and a title of its own', () => {
    const subjects: DiffSubject[] = [
      { kind: 'session' },
      { kind: 'checkpoint', id: 'main', words: 'fix it' },
      { kind: 'worktree', name: 'main' },
      { kind: 'revision', rev: 'main' },
      { kind: 'pull-request', number: 1 },
      { kind: 'pull-request', number: 1, repo: 'o/r' },
    ]
    expect(new Set(subjects.map(subjectKey)).size).toBe(subjects.length)
    expect(subjects.map(subjectTitle)).toEqual([
      undefined,
      'changed since "fix it"',
      'changed in main',
      'changed since main',
      'changed by pull request #1',
      'changed by pull request o/r#1',
    ])
  })
})

test('a branch is looked up before the page opens', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' })
  folder.git('branch', 'base')
  folder.put({ 'a.txt': 'two\n' })
  expect(await shown('base', folder)).toEqual({
    subject: { kind: 'revision', rev: 'base' },
    files: ['a.txt +1 -1'],
    notes: [],
  })
  expect(await refusal('bass', folder)).toBe('There is no branch, tag or commit bass here.')
})

describe('a pull request', () => {
  test('is shown as gh gives it, and not asked for again at once', async () => {
    const folder = withGh(makeRepository({ 'a.txt': 'one\n' }), printsPatch)
    const answer = await ask('#12', folder)
    const request = answer.ok ? answer.request : null
    expect(inShort((await request?.collect())?.list.session ?? [])).toEqual(['a.txt +1 -1'])
    await request?.collect()
    expect(askedOf(folder)).toBe('pr diff 12 --color never\n')
  })

  test('that gh does not find is one line on the page', async () => {
    const folder = withGh(makeRepository({ 'a.txt': 'one\n' }), 'echo "no pull request found" >&2; exit 1')
    expect(await shown('#12', folder)).toMatchObject({ files: [], notes: ['gh failed: no pull request found'] })
  })

  test('opens nothing without gh', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' })
    const bare = { ...folder, env: { ...folder.env, PATH: '/nowhere' } }
    expect(await refusal('#12', bare)).toMatch(/^A pull request is read by gh, which was not found/)
  })

  test('of another machine is asked for here, by the address that the repository there has', async () => {
    const folder = withGh(makeRepository({ 'a.txt': 'one\n' }), printsPatch)
    const answers = new Map([
      ['rev-parse', `${folder.path}\n`],
      ['remote.origin.url', 'git@github.com:o/r.git\n'],
    ])
    const machine = {
      async ask(script: string) {
        const answer = [...answers].find(([word]) => script.includes(word))?.[1]
        return { ok: true, code: answer === undefined ? 1 : 0, bytes: Buffer.from(answer ?? ''), words: '' }
      },
    }
    const remote = { machine, files: here, folderHere: join(folder.path, '..') } as unknown as RemoteHost
    expect(await shown('#12', folder, { remote })).toMatchObject({ files: ['a.txt +1 -1'] })
    expect(askedOf(folder)).toBe('pr diff 12 --color never --repo o/r\n')
    answers.delete('remote.origin.url')
    expect((await shown('#12', folder, { remote })).notes[0]).toMatch(
      /^The repository on the other machine has no address/,
    )
    expect((await shown('https://github.com/p/q/pull/3', folder, { remote })).files).toEqual(['a.txt +1 -1'])
  })
})

test('a worktree is found by its name or a part of it', async () => {
  const folder = makeRepository({ 'a.txt': 'one\n' })
  const worktrees = createWorktrees({ stateFolder: join(folder.path, '../state'), env: folder.env, now: Date.now })
  const made = await worktrees.create({ folder: folder.path, prompt: 'mend the parser' })
  if (!made.ok) throw new Error(made.why)
  const { branch, folder: at } = made.value.worktree
  writeFileSync(join(at, 'a.txt'), 'two\n')
  for (const name of [branch, branch.slice(branch.indexOf('/') + 1), 'parser'])
    expect(await shown(`worktree ${name}`, folder, { worktrees })).toEqual({
      subject: { kind: 'worktree', name: branch },
      files: ['a.txt +1 -1'],
      notes: [],
    })
  expect(await refusal('worktree other', folder, { worktrees })).toBe(
    'No worktree of this project is called other: /worktrees lists them.',
  )
  expect(await refusal('worktree other', folder)).toBe('There are no worktrees here.')
})

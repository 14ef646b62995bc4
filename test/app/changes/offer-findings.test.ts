/** The findings of an answer on their way to the lines that they name. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { offerFindings, type FindDiff } from '../../../src/app/changes/offer-findings.ts'
import type { CollectedChanges } from '../../../src/changes/collect.ts'
import type { ReviewComment } from '../../../src/review/comment.ts'
import { initialState } from '../../../src/state/state.ts'
import { openReviewFile } from '../../../src/storage/review/review-file.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import type { DiffSubject } from '../../../src/tools/diff/subject.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { lastingHome } from '../../stories/stage.ts'

/** A review in a project with two files, of which `src/a.ts` has changed. */
function stage({ demo = false, lines = [] as readonly DiffLine[] } = {}) {
  const { project: folder, path: home } = lastingHome()
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src', 'a.ts'), 'one\r\ntwo\nthree\nfour\nfive\nconst key = "s3cret"\n')
  writeFileSync(join(folder, 'b.ts'), 'one\n')
  const clock = { now: 1000 }
  const notices: string[] = []
  const file = openReviewFile(null, {
    redact: text => text.replaceAll('s3cret', '•••'),
    now: () => clock.now,
    timers: { after: () => () => undefined },
    onProblem: words => notices.push(words),
  })
  const change: FileChange = {
    file: join(folder, 'src', 'a.ts'),
    path: 'src/a.ts',
    from: null,
    kind: 'changed',
    form: 'text',
    added: 1,
    removed: 0,
    isEstimate: false,
    calls: 0,
  }
  const changes: CollectedChanges = {
    list: { session: [change], before: [], unsure: 0, notes: [] },
    diffOf: async () => ({ hunks: [{ title: '', lines }], notes: [] }),
  }
  const subjects = new Map<string, DiffSubject>([
    ['', { kind: 'session' }],
    ['main', { kind: 'revision', rev: 'main' }],
    ['#12', { kind: 'pull-request', number: 12 }],
  ])
  const find: FindDiff = async argument => {
    const subject = subjects.get(argument)
    return subject ? { subject, collect: async () => changes } : null
  }
  const context = {
    state: () => initialState({ version: '1.2.3', folder: '~', branch: null, demo }, 0),
    host: { folder, home, env: process.env, platform: process.platform, lendTerminal: async () => {}, suspend: null },
    now: () => clock.now,
    review: () => file,
    addProgramNotice: (level: string, text: string, hint = '') => void notices.push(`${level}: ${text} ${hint}`.trim()),
  }
  return {
    folder,
    home,
    notices,
    file,
    answer: async (
      findings: readonly object[],
      { argument = '', base = '' } = {},
    ): Promise<readonly ReviewComment[]> => {
      clock.now += 1000
      const answer = `\`\`\`findings\n${JSON.stringify({ base, findings })}\n\`\`\``
      await offerFindings(context, find, { command: 'review', argument, answer, at: clock.now })
      return file.comments()
    },
    say: async (answer: string): Promise<void> => {
      await offerFindings(context, find, { command: 'review', argument: '', answer, at: clock.now })
    },
  }
}

describe('a finding', () => {
  test('is an offered comment on its lines, with those around it', async () => {
    const { answer, notices } = stage()
    const [comment] = await answer([
      { level: 'error', path: 'src/a.ts', line: 3, endLine: 4, title: 'Bad', text: 'Why.' },
    ])
    expect(comment).toMatchObject({
      subject: 'session',
      path: 'src/a.ts',
      lines: {
        side: 'after',
        from: 3,
        to: 4,
        excerpt: ['three', 'four'],
        above: ['one', 'two'],
        below: ['five', 'const key = "•••"'],
      },
      text: 'Bad\n\nWhy.',
      by: 'review',
      level: 'error',
      state: 'offered',
    })
    expect(notices).toEqual([
      'info: The review found 1 error. /diff shows them on their lines: there you keep, edit or drop them, and send them back.',
    ])
  })

  test('is about the whole file if it names no line, or one that is not there', async () => {
    const { answer } = stage()
    const comments = await answer([
      { path: 'src/a.ts', title: 'All' },
      { path: 'src/a.ts', line: 70, title: 'Far' },
    ])
    expect(comments.map(({ lines, path, text }) => [lines, path, text])).toEqual([
      [null, 'src/a.ts', 'All'],
      [null, 'src/a.ts', 'Line 70: Far'],
    ])
  })

  test('ends with the file', async () => {
    const { answer } = stage()
    const [comment] = await answer([{ path: 'src/a.ts', line: 5, endLine: 500, title: 'x' }])
    expect(comment?.lines).toMatchObject({ from: 5, to: 6, excerpt: ['five', 'const key = "•••"'], below: [] })
  })

  test.each(['./src/a.ts', 'a/src/a.ts', 'b/src/a.ts', 'a.ts', 'src/../src/a.ts'])(
    'finds its file as %s',
    async path => {
      const { answer } = stage()
      const [comment] = await answer([{ path, line: 1, title: 'x' }])
      expect(comment).toMatchObject({ path: 'src/a.ts', lines: { excerpt: ['one'] } })
    },
  )

  test('finds its file by the absolute path', async () => {
    const { answer, folder } = stage()
    const [comment] = await answer([{ path: join(folder, 'src', 'a.ts'), line: 1, title: 'x' }])
    expect(comment).toMatchObject({ path: 'src/a.ts', lines: { excerpt: ['one'] } })
  })

  test('keeps no secrets', async () => {
    const { answer } = stage()
    const [comment] = await answer([{ path: 'src/a.ts', line: 6, title: 'It has s3cret' }])
    expect(comment).toMatchObject({ text: 'It has •••', lines: { excerpt: ['const key = "•••"'] } })
  })

  test('about a file that did not change stays in the answer, and the notice says so', async () => {
    const { answer, notices } = stage()
    const other = { path: 'b.ts', line: 1, title: 'x' }
    expect(await answer([{ path: 'src/a.ts', line: 1, title: 'x' }, other])).toHaveLength(1)
    expect(notices.at(-1)).toContain('2 notes. 1 is about a file that did not change, and is only in the answer.')
    expect(await answer([other, { path: '../private', line: 1, title: 'x' }])).toEqual([])
    expect(notices.at(-1)).toBe(
      'info: The review found 2 notes. None is about a file that changed, so /diff shows none.',
    )
  })

  test('reads nothing outside of the project, also not through a link', async () => {
    const { answer, folder, home } = stage()
    writeFileSync(join(home, 'private'), 'private\n')
    rmSync(join(folder, 'src', 'a.ts'))
    symlinkSync(join(home, 'private'), join(folder, 'src', 'a.ts'))
    const [comment] = await answer([{ path: 'src/a.ts', line: 1, title: 'x' }])
    expect(comment?.lines).toBeNull()
  })

  test('has the lines of the diff where there is no such file: in the demo, and of a pull request', async () => {
    const lines: DiffLine[] = [
      { sign: ' ', text: 'above', before: 6, after: 6 },
      { sign: '-', text: 'was', before: 7, after: null },
      { sign: '+', text: 'is', before: null, after: 7 },
      { sign: ' ', text: 'below', before: 8, after: 8 },
    ]
    const found = [{ path: 'src/a.ts', line: 7, title: 'x' }]
    const expected = { from: 7, to: 7, excerpt: ['is'], above: ['above'], below: ['below'] }
    const inDemo = await stage({ demo: true, lines }).answer(found)
    const ofRequest = await stage({ lines }).answer(found, { argument: '#12' })
    expect(inDemo[0]).toMatchObject({ subject: 'session', lines: expected })
    expect(ofRequest[0]).toMatchObject({ subject: 'pull-request:#12', lines: expected })
  })
})

describe('the subject', () => {
  test.each([
    ['', '', 'session', '/diff'],
    ['', 'main', 'revision:main', '/diff main'],
    ['', 'no such branch', 'session', '/diff'],
    ['main', '', 'revision:main', '/diff main'],
    ['main..HEAD', '', 'revision:main', '/diff main'],
    ['main...', '', 'revision:main', '/diff main'],
    ['unknown', '', 'session', '/diff'],
    ['the parser only', '', 'session', '/diff'],
    ['--output=x', '', 'session', '/diff'],
    ['12', '', 'pull-request:#12', '/diff #12'],
  ])('of "%s" with the base "%s" is %s', async (argument, base, subject, command) => {
    const { answer, notices } = stage()
    const [comment] = await answer([{ path: 'src/a.ts', title: 'x' }], { argument, base })
    expect(comment?.subject).toBe(subject)
    expect(notices[0]).toContain(` ${command} shows them`)
  })
})

describe('another review', () => {
  test('of the same replaces what nobody has kept', async () => {
    const { answer, file } = stage()
    const [kept] = await answer([
      { path: 'src/a.ts', line: 1, title: 'kept' },
      { path: 'src/a.ts', line: 2, title: 'not kept' },
    ])
    if (kept) file.put({ ...kept, state: 'open' })
    const after = await answer([{ path: 'src/a.ts', line: 3, title: 'new' }])
    expect(after.map(({ text, state }) => `${state} ${text}`).toSorted()).toEqual(['offered new', 'open kept'])
  })

  test('of something else leaves them', async () => {
    const { answer } = stage()
    await answer([{ path: 'src/a.ts', title: 'all' }])
    expect(await answer([{ path: 'src/a.ts', title: 'parser' }], { argument: 'the parser' })).toHaveLength(2)
  })
})

describe('an answer', () => {
  test('without findings says so', async () => {
    const { answer, say, notices } = stage()
    expect(await answer([])).toEqual([])
    await say('All is well.')
    expect(notices).toEqual([
      'info: The review found nothing.',
      'quiet: The answer names no lines, so there is nothing to show in /diff.',
    ])
  })

  test('with very many keeps the first 500', async () => {
    const { answer, notices } = stage()
    const many = Array.from({ length: 600 }, (_, index) => ({ path: 'src/a.ts', line: index + 1, title: `x${index}` }))
    expect(await answer(many)).toHaveLength(500)
    expect(notices[0]).toContain('500 notes. The first 500 of 600 are kept.')
  })
})

/** After a turn that was sent comments, each of them says what became of its lines. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { ReviewOutcomes } from '../../../src/app/changes/review-outcomes.ts'
import type { RemoteHost } from '../../../src/app/context/host.ts'
import { here, type ProjectFiles } from '../../../src/platform/project-files.ts'
import type { AppContext } from '../../../src/app/context/context.ts'
import type { ReviewComment } from '../../../src/review/comment.ts'
import type { Worktree } from '../../../src/worktrees/record.ts'
import { stateWith } from '../../components/stage.ts'
import { ended, prompt, timed, type Told } from '../../conversation/events.ts'
import { comment, reviewer } from '../../storage/review/stage.ts'
import { linesOf } from '../../review/comments.ts'
import { makePlace } from '../../storage/sessions/stage.ts'

const a = '// a\nconst a = 1\nexport { a }\n'

function stage(worktree?: Worktree) {
  const place = makePlace()
  const notices: string[] = []
  const { file: review } = reviewer(place)
  const context = {
    state: () => stateWith({}),
    now: () => 5000,
    review: () => review,
    redact(text: string) {
      if (text.includes('unmaskable')) throw new Error('unmaskable')
      return text.replaceAll('hunter22', 'hun[hidden]')
    },
    addNotice: (_level: string, text: string) => notices.push(text),
    worktrees: worktree && { at: () => null, list: async () => ({ ok: true, value: [{ worktree }] }) },
  } as unknown as AppContext
  const folder = place.projectFolder
  /** The files that were read. */
  const reads: string[] = []
  const files: ProjectFiles = {
    ...here,
    async readFile(path, limit) {
      const read = await here.readFile(path, limit)
      reads.push(basename(path))
      return read
    },
  }
  const outcomes = new ReviewOutcomes(context, { folder, remote: { files } as RemoteHost })
  const put = (name: string, text: string): void => {
    mkdirSync(join(folder, 'src'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const tell = (...events: readonly Told[]): void => timed(events).forEach(event => outcomes.onEvent(event))
  const send = (sent: ReviewComment): void => void review.put({ ...sent, state: 'sent', sentAt: 2000 })
  const outcomesNow = (): (string | undefined)[] => review.comments().map(({ outcome }) => outcome)
  const areRead = (...names: readonly string[]) => vi.waitFor(() => expect(reads.toSorted()).toEqual(names))
  return { folder, review, notices, put, tell, send, outcomesNow, areRead }
}

test('changed, unchanged and gone, with one line that says so', async () => {
  const { folder, review, notices, put, tell, send, outcomesNow, areRead } = stage()
  for (const name of ['src/a.ts', 'src/b.ts', 'src/c.ts']) put(name, a)
  const comments = ['src/a.ts', 'src/b.ts', 'src/c.ts'].map((path, index) => comment(path, { path, madeAt: index }))
  for (const each of comments) review.put(each)
  tell(prompt('go'))
  for (const each of comments) send(each)
  await vi.waitFor(() => expect(review.comments()).toHaveLength(3))
  await areRead('a.ts', 'b.ts', 'c.ts')
  put('src/a.ts', a.replace('= 1', '= 2'))
  rmSync(join(folder, 'src/c.ts'))
  tell(ended)
  await vi.waitFor(() =>
    expect(notices).toEqual(['The lines of your 3 comments: 1 changed, 1 gone, 1 unchanged. /diff shows them.']),
  )
  expect(outcomesNow()).toEqual(['changed', 'unchanged', 'gone'])
})

test('comments that were not sent, or whose lines cannot be told from others, have no outcome', async () => {
  const { review, notices, put, tell, send, outcomesNow, areRead } = stage()
  put('src/a.ts', 'nothing\nof this\nis known\n')
  review.put(comment('open'))
  send(comment('stale', { madeAt: 2000 }))
  send(comment('other', { madeAt: 3000, path: 'src/b.ts' }))
  tell(prompt('go'))
  await areRead('a.ts', 'b.ts')
  put('src/a.ts', 'nothing\nof that\nis known\n')
  put('src/b.ts', a)
  tell(ended)
  await vi.waitFor(() => expect(notices).toEqual(['The lines of your comment: changed. /diff shows them.']))
  expect(outcomesNow()).toEqual([undefined, undefined, 'changed'])
})

test('secrets in the file are no change', async () => {
  const { review, put, tell, send, outcomesNow, areRead } = stage()
  put('src/a.ts', 'x\nkey = hunter22\ny\n')
  const lines = { side: 'after' as const, from: 2, to: 2, excerpt: ['key = hun[hidden]'], above: ['x'], below: ['y'] }
  const sent = comment('a', { lines })
  review.put(sent)
  tell(prompt('go'))
  send(sent)
  await areRead('a.ts')
  put('src/a.ts', 'new\nx\nkey = hunter22\ny\n')
  tell(ended)
  await vi.waitFor(() => expect(outcomesNow()).toEqual(['unchanged']))
})

test('the files of a worktree are those of its folder', async () => {
  const other = makePlace()
  const worktree = { branch: 'zotui/fix', folder: other.projectFolder } as Worktree
  const { tell, send, outcomesNow, areRead } = stage(worktree)
  writeFileSync(join(other.projectFolder, 'a.ts'), a)
  send(comment('a', { subject: 'worktree:zotui/fix', path: 'a.ts' }))
  tell(prompt('go'))
  await areRead('a.ts')
  writeFileSync(join(other.projectFolder, 'a.ts'), a.replace('= 1', '= 2'))
  tell(ended)
  await vi.waitFor(() => expect(outcomesNow()).toEqual(['changed']))
})

test('a prompt that was refused is forgotten: the next turn is compared with the files as they are then', async () => {
  const { review, put, tell, send, outcomesNow, areRead } = stage()
  put('src/a.ts', a)
  const written = comment('a')
  review.put(written)
  tell(prompt('go'))
  await areRead('a.ts')
  tell({ type: 'prompt_refused', message: 'no' })
  put('src/a.ts', `// by the user\n${a.replace('= 1', '= 2')}`)
  review.put({ ...written, lines: { ...linesOf(3, ['const a = 2']), above: ['// a'], below: ['export { a }'] } })
  tell(prompt('go'))
  send(review.comments()[0] ?? written)
  await areRead('a.ts', 'a.ts')
  put('src/a.ts', a.replace('= 1', '= 2'))
  tell(ended)
  await vi.waitFor(() => expect(outcomesNow()).toEqual(['unchanged']))
})

test('a file whose text cannot be told has no outcome, and does not end the program', async () => {
  const { put, tell, send, outcomesNow, notices, areRead } = stage()
  put('src/a.ts', `${a}unmaskable`)
  put('src/b.ts', a)
  send(comment('a'))
  send(comment('b', { path: 'src/b.ts', madeAt: 2000 }))
  tell(prompt('go'))
  await areRead('a.ts', 'b.ts')
  put('src/a.ts', a)
  put('src/b.ts', 'x\n')
  tell(ended)
  await vi.waitFor(() => expect(notices).toHaveLength(1))
  expect(outcomesNow()).toEqual([undefined, 'changed'])
})

test('a conversation without comments reads nothing', () => {
  const { tell, notices } = stage()
  tell(prompt('go'), ended)
  expect(notices).toEqual([])
})

import { expect, test } from 'vitest'
import { exported } from '../../src/export/formats.ts'
import { transcriptSchema } from '../../src/export/schema.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { isTaskShortened, withFullCalls } from '../../src/conversation/queries/session/full-transcript.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { accepted, ended, prompt, says, timed, type Told } from '../conversation/events.ts'

const inside = (told: Told): Told => {
  const [event] = timed([told])
  if (!event || event.type === 'task_event') throw new Error('it is no event of a subagent')
  return { type: 'task_event', id: 'a', event }
}

const events = timed([
  prompt('go'),
  accepted,
  { type: 'task_reported', id: 'a', kind: 'subagent', name: 'Ada', about: 'looks <b>around</b>', model: 'small' },
  inside(prompt('look around')),
  inside(says('I see **two** files.')),
  { type: 'task_reported', id: 'a', state: 'done' },
  ended,
  prompt('thanks'),
  ended,
])
const facts = { id: null, title: '', folder: null }
const transcript = transcriptOf(events.reduce(reduce, initialChat), facts)

test('the conversation of a subagent stands at the end of the turn in which it began', () => {
  const [first, second] = transcript.entries
  expect(first).toMatchObject({
    kind: 'turn',
    parts: [{ kind: 'notice' }, { kind: 'task', name: 'Ada', state: 'done' }],
  })
  expect(second).toMatchObject({ kind: 'turn', parts: [] })
  expect(transcriptSchema.parse(JSON.parse(JSON.stringify(transcript)))).toEqual(transcript)
})

test('in Markdown it is a quotation, in HTML a folded part', async () => {
  const markdown = await exported(transcript, 'md', { zone: 'UTC' })
  expect(markdown).toContain('Ada: looks')
  expect(markdown).toContain('> > look around')
  expect(markdown).toContain('> I see **two** files.')
  const html = await exported(transcript, 'html', { zone: 'UTC' })
  expect(html).toMatch(/<details><summary><span class="about">Ada: looks &lt;b&gt;around/)
  expect(html).toContain('<strong>two</strong>')
})

test('what memory does not hold of a subagent is read back from the session', () => {
  const many = timed([
    prompt('go'),
    ...Array.from({ length: 400 }, (_, at) => [inside(says(`${at} ${'word '.repeat(300)}`)), inside(ended)]).flat(),
  ])
  const chat = many.reduce(reduce, initialChat)
  expect(isTaskShortened(chat)).toBe(true)
  expect(JSON.stringify(transcriptOf(chat, facts))).not.toContain('"0 word ')
  expect(JSON.stringify(transcriptOf(withFullCalls(chat, many), facts))).toContain('"0 word ')
  expect(withFullCalls(chat, []).tasks.size).toBe(1)
})

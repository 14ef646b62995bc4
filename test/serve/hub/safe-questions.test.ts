/** What a hostile program can put on a page by a record of its own: nothing but what zotui makes. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventOf } from '../../../src/agent/event.ts'
import { questionHtml } from '../../../src/export/question.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { checkedQuestions, isPlainHtml } from '../../../src/serve/hub/safe-questions.ts'
import { Rendering } from '../../../src/serve/rendering/rendering.ts'
import { anyEvents, anyText, conversation } from '../../conversation/arbitrary-events.ts'
import { timed } from '../../conversation/events.ts'
import { attacks } from '../../export/attacks.ts'
import { runs } from '../../helpers/length.ts'
import { questionOf } from './stage.ts'

const wild = fc.oneof(anyText, fc.constantFrom(...attacks), fc.string())

describe('our own HTML passes', () => {
  test('of plans and forms, whatever they say', () => {
    fc.assert(
      fc.property(fc.array(wild, { maxLength: 8 }), texts => {
        expect(isPlainHtml(questionHtml({ kind: 'plan', text: texts.join('\n') }))).toBe(true)
        const form: EventOf<'question_asked'> = {
          type: 'question_asked',
          at: 0,
          id: 'q',
          message: texts.join('\n'),
          fields: [],
        }
        expect(isPlainHtml(questionHtml({ kind: 'form', form, asker: texts[0] ?? null }))).toBe(true)
      }),
      runs(200),
    )
  })

  test('of any conversation', () => {
    fc.assert(
      fc.property(fc.oneof(anyEvents, conversation), events => {
        const rendering = new Rendering('UTC')
        rendering.advance(timed(events).reduce(reduce, initialChat))
        for (let at = 0; at < rendering.total; at += 1) {
          const html = rendering.at(at)?.drawn().html ?? ''
          expect(isPlainHtml(html) ? '' : html).toBe('')
        }
      }),
      runs(100),
    )
  })
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<p onclick="alert(1)">x</p>',
  '<p style="position:fixed">x</p>',
  '<p id="composer">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" https://example.com">x</a>',
  '<form action="https://example.com"><button type="submit">Yes</button></form>',
  '<button type="submit">Yes</button>',
  '<input name="x">',
  '<meta http-equiv="refresh" content="0;url=https://example.com">',
  '<base href="https://example.com">',
  '<iframe></iframe>',
  '<svg><a/></svg>',
  '<!-- x -->',
  '<p class="a" class="b" onload="x">x</p>',
  '<p\nclass="a">x</p>',
  '<p class="a"onclick="x">x</p>',
  '<p class=a>x</p>',
  '<p class="a>x</p>',
  '<',
  'a > b',
  '<p',
  '</p onclick="x">',
  '<P>x</P>',
  '<p ariaLabel="x">x</p>',
])('%s does not', html => {
  expect(isPlainHtml(html)).toBe(false)
  expect(checkedQuestions([questionOf('q', '<p>ls</p>'), questionOf('q', html)])).toBeNull()
})

test('a question whose digest is not that of its HTML is none', () => {
  const question = questionOf('q', '<p>ls</p>')
  expect(checkedQuestions([question])).toEqual([question])
  expect(checkedQuestions([{ ...question, html: '<p>rm</p>' }])).toBeNull()
})

test('a question that is too long to be shown cannot be answered', () => {
  const [question] = checkedQuestions([questionOf('q', `<p>${'x'.repeat(2_000_000)}</p>`)]) ?? []
  expect(question).toMatchObject({ html: '', answers: [], note: expect.stringContaining('terminal') })
})

test('a long text that is nearly HTML is looked at once', () => {
  const html = `<p${' class="x"'.repeat(100_000)} !>`
  expect(isPlainHtml(html)).toBe(false)
  expect(isPlainHtml('<p>'.repeat(300_000))).toBe(true)
})

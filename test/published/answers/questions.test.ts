import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventOf } from '../../../src/agent/event.ts'
import type { Verdict } from '../../../src/agent/permission.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { answerFromOutside, servedQuestions, type WaitingQuestions } from '../../../src/published/answers/questions.ts'

type AskedCall = EventOf<'permission_requested'>

const call = (facts: Partial<AskedCall> = {}): AskedCall => ({
  type: 'permission_requested',
  at: 0,
  id: '1',
  callId: null,
  tool: 'bash',
  kind: 'command',
  arguments: {},
  folder: '/home/me/shop',
  command: 'npm test',
  because: '',
  ...facts,
})

const waiting = (facts: Partial<WaitingQuestions>): WaitingQuestions => ({
  calls: [],
  forms: [],
  plan: null,
  tasks: initialChat.tasks,
  folder: '/home/me/shop',
  home: '/home/me',
  ...facts,
})

const asks: Verdict = { verdict: 'ask', because: 'mode ask', isUsual: true }
const judge = (verdict: Verdict = asks, dangers: readonly string[] = []) => ({
  judge: () => verdict,
  dangers: () => dangers,
})

function only(facts: Partial<AskedCall>, judged = judge()) {
  const [first, ...others] = servedQuestions(waiting({ calls: [call(facts)] }), judged)
  if (!first || others.length > 0) throw new Error('not one question')
  return first.served
}

/** The answer to a call that was shown. */
function answerTo(asked: AskedCall, isAllowed: boolean, words = '') {
  servedQuestions(waiting({ calls: [asked] }), judge())
  return answerFromOutside(asked, isAllowed, words)
}

test('a question about a command has all of it, its dangers, its folder and its reason', () => {
  const served = only(
    { command: 'rm -rf build\n\techo "a  b" && curl x | sh' },
    judge({ verdict: 'ask', because: 'the rule ask(bash)' }, ['It deletes files']),
  )
  expect(served.html).toContain('rm -rf build\n\techo &quot;a  b&quot; &amp;&amp; curl x | sh')
  expect(served.html).toContain('It deletes files')
  expect(served.html).toContain('~/shop')
  expect(served.html).toContain('Reason: the rule ask(bash)')
  expect(served.answers).toEqual(['allow', 'refuse', 'say'])
  expect(served.note).toBe('')
})

test('the digest is that of the HTML in UTF-8', () => {
  const { html, digest } = only({ command: 'echo ä' })
  expect(digest).toBe(createHash('sha256').update(Buffer.from(html)).digest('hex'))
})

test('the digest is another one as soon as anything that is shown is another', () => {
  const variants: [Partial<AskedCall>, ReturnType<typeof judge>?][] = [
    [{}],
    [{ command: 'npm test ' }],
    [{ folder: '/home/me/other' }],
    [{ arguments: { env: { A: '1' } } }],
    [{ title: 'Runs the tests' }],
    [{ task: 'x' }],
    [{}, judge(asks, ['It deletes files'])],
    [{}, judge({ verdict: 'ask', because: 'the rule ask(bash)' })],
  ]
  const digests = variants.map(([facts, judged]) => only(facts, judged).digest)
  expect(new Set(digests).size).toBe(variants.length)
})

test('the other questions that wait change nothing', () => {
  const all = servedQuestions(waiting({ calls: [call(), call({ id: '2', command: 'ls' })] }), judge())
  expect(all.map(({ served }) => served.digest)).toEqual([only({}).digest, only({ command: 'ls' }).digest])
  expect(new Set(all.map(({ served }) => served.id)).size).toBe(2)
})

test('hidden characters of a command are visible, and it is read from left to right', () => {
  const { html } = only({ command: 'echo \u202egnp\u200b\r rm' })
  expect(html).toContain('⟦U+202E⟧gnp⟦U+200B⟧␍ rm')
  expect(html).toContain('<bdo dir="ltr">')
})

test('nothing is pushed out of sight by empty lines or blanks', () => {
  const { html } = only({ command: `true${'\n'.repeat(500)}rm -rf /;${' '.repeat(400)}curl\u3000x` })
  expect(html).toContain('(499 empty lines)')
  expect(html).toContain('(400 blanks)')
  expect(html.length).toBeLessThan(1000)
})

test('a question about an edit has every line of its diff', () => {
  const lines = Array.from({ length: 900 }, (_, at) => `+line ${at}`)
  const diff = ['--- a/x', '+++ b/x', `@@ -0,0 +1,${lines.length} @@`, ...lines, ''].join('\n')
  const { html } = only({ kind: 'edit', command: undefined, paths: ['/home/me/shop/x'], diff })
  for (const line of lines) expect(html).toContain(line.slice(1))
  expect(html.split('class="row added"')).toHaveLength(901)
})

test('a question about any other tool has all of its arguments', () => {
  const long = 'x'.repeat(5000)
  const { html } = only({
    kind: 'other',
    command: undefined,
    tool: 'mail',
    arguments: { to: 'a', text: `one\ntwo\n${long}`, deep: { a: [1, { b: '<' }] } },
  })
  for (const part of [long, 'one\ntwo', '&lt;', 'Let the agent use mail?']) expect(html).toContain(part)
})

test('a yes that would let a command out of the sandbox is not offered', () => {
  const wants: Partial<AskedCall>[] = [
    { wants: { kind: 'host', host: 'a.com', port: 443 } },
    { wants: { kind: 'outside', hint: 'EPERM', path: null } },
    { wants: { kind: 'left', places: [] } },
    { outside: true },
  ]
  for (const facts of wants) {
    const served = only(facts)
    expect(served.answers).toEqual(['refuse', 'say'])
    expect(served.note).not.toBe('')
    expect(answerTo(call(facts), true)).toBeNull()
    expect(answerTo(call(facts), false)).toEqual({ answer: 'refuse', words: '' })
  }
})

const once = { id: 'o', name: 'Yes, proceed', kind: 'allow_once' }
const always = { id: 'a', name: 'Yes, always', kind: 'allow_always' }
const no = { id: 'n', name: 'No', kind: 'reject_once' }

test('of the answers of an agent only those to this call alone count, and the question names them', () => {
  const facts = { options: [always, once, no] }
  expect(only(facts).html).toContain('Yes, proceed')
  expect(only(facts).html).not.toContain('Yes, always')
  expect(only(facts).answers).toEqual(['allow', 'refuse'])
  expect(answerTo(call(facts), true)).toEqual({ answer: 'option', option: 'o' })
  expect(answerTo(call(facts), false)).toEqual({ answer: 'option', option: 'n' })
  expect(answerTo(call(facts), false, 'words')).toBeNull()
})

test('an agent without a single yes to one call gets none from outside', () => {
  for (const options of [[always, no], [once, { ...once, id: 'p' }, no], [{ ...once, kind: 'other' }]]) {
    expect(only({ options }).answers).not.toContain('allow')
    expect(answerTo(call({ options }), true)).toBeNull()
  }
})

test('the end of planning of an agent is not allowed from outside', () => {
  const facts: Partial<AskedCall> = { kind: 'other', options: [once, no], switchesMode: true }
  expect(only(facts).answers).toEqual(['refuse'])
  expect(answerTo(call(facts), true)).toBeNull()
})

test('a call is not shown before the rules are known, or once it is refused', () => {
  const verdicts: Verdict[] = [
    { verdict: 'ask', because: '', isProvisional: true },
    { verdict: 'refuse', because: 'a rule', words: '' },
  ]
  for (const verdict of verdicts) expect(servedQuestions(waiting({ calls: [call()] }), judge(verdict))).toEqual([])
})

test('what is too long to be shown takes no yes', () => {
  const served = only({ command: 'x'.repeat(2_000_000) })
  expect(served.answers).toEqual(['refuse', 'say'])
  expect(served.html.length).toBeLessThan(1000)
  expect(answerTo(call({ command: 'x'.repeat(2_000_000) }), true)).toBeNull()
})

test('a call that was never shown takes no answer', () => {
  expect(answerFromOutside(call(), true)).toBeNull()
  expect(answerFromOutside(call(), false)).toBeNull()
})

test('a plan can be changed, and not accepted', () => {
  const [plan] = servedQuestions(waiting({ plan: '# Plan\n\n1. Do it' }), judge())
  expect(plan?.served).toMatchObject({ kind: 'plan', answers: ['change'] })
  expect(plan?.served.html).toContain('Do it')
})

test('a form has its fields', () => {
  const form: EventOf<'question_asked'> = {
    type: 'question_asked',
    at: 0,
    id: 'f',
    message: 'Which <b>one</b>?',
    fields: [{ name: 'x', label: 'X', kind: 'choice', required: true, choices: [{ value: 'a', label: 'A' }] }],
  }
  const [asked] = servedQuestions(waiting({ forms: [form] }), judge())
  expect(asked?.served.html).toContain('Which &lt;b&gt;one&lt;/b&gt;?')
  expect(asked?.served.fields).toEqual([
    {
      name: 'x',
      label: 'X',
      about: '',
      kind: 'choice',
      required: true,
      choices: [{ value: 'a', label: 'A', about: '' }],
      initial: null,
    },
  ])
})

test('no text of an agent makes a tag or an attribute', () => {
  const evil = fc.constantFrom('<img src=x onerror=alert(1)>', '"><script>', "' onclick='", '</bdo></pre><b>', '&lt;')
  const text = fc.oneof(evil, fc.string())
  fc.assert(
    fc.property(text, text, text, (one, two, three) => {
      const judged = judge({ verdict: 'ask', because: one }, [two])
      const all = [
        only({ command: one, title: two, folder: three, arguments: { [one]: two, env: { [three]: one } } }, judged),
        only({ kind: 'edit', command: undefined, paths: [two], diff: `@@ -1 +1 @@\n+${one}` }, judged),
        only({ kind: 'other', command: undefined, tool: one, arguments: { [two]: { [three]: one } } }, judged),
        only({ options: [{ id: one, name: two, kind: 'allow_once' }], task: three }, judged),
      ]
      const tags = all.flatMap(({ html }) => html.match(/<[^>]*>/g) ?? [])
      for (const tag of tags)
        expect(tag).toMatch(/^<\/?(?:div|p|ul|li|pre|code|bdo|span|dl|dt|dd)(?: (?:class|dir)="[a-z ]+")?>$/)
    }),
  )
})

test('a question in plain lines has all that the HTML has, each text of others indented or on one line', () => {
  const { text, textDigest } = only(
    { command: 'rm -rf build\n! Nothing is deleted\n\tx', folder: '/home/me/shop' },
    judge({ verdict: 'ask', because: 'the rule ask(bash)' }, ['It deletes files\nand more']),
  )
  expect(text).toBe(
    [
      'Run this command?',
      String.raw`! It deletes files\nand more`,
      '  rm -rf build',
      '  ! Nothing is deleted',
      '  \tx',
      'in ~/shop',
      'Reason: the rule ask(bash)',
    ].join('\n'),
  )
  expect(textDigest).toBe(createHash('sha256').update(text).digest('hex'))
})

test('an edit in plain lines has its whole diff, and a form all its fields and choices', () => {
  const diff = '--- a/shop.ts\n+++ b/shop.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n'
  const { text } = only({ kind: 'edit', command: undefined, diff, paths: ['/home/me/shop/shop.ts'] })
  expect(text.split('\n')).toEqual(expect.arrayContaining(['Edit shop.ts?', '   one', '  -two', '  +three']))
  const choices = [
    { value: 'a', label: 'First', about: 'the usual' },
    { value: 'b', label: 'Second' },
  ]
  const form: EventOf<'question_asked'> = {
    type: 'question_asked',
    at: 0,
    id: 'f',
    message: 'Which?',
    fields: [{ name: 'way', label: 'Way', kind: 'choice', required: false, choices }],
  }
  const [asked] = servedQuestions(waiting({ forms: [form] }), judge())
  expect(asked?.served.text).toBe(
    ['The agent asks you', '  Which?', '- Way (optional)', '  * First: the usual', '  * Second'].join('\n'),
  )
})

test('whatever a question holds, each line of it in plain text is ours or indented, and no mark of it is hidden', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (command, title) => {
      const { text } = only({ command, title })
      expect(text).not.toMatch(/[\0-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      const foreign = text.split('\n').filter(line => !line.startsWith('  '))
      expect(foreign).toEqual(['Run this command?', 'in ~/shop'])
    }),
  )
})

/** Two subagents and a command in the background: who works beside the turn, and a question of one of them. */
import type { BesideStep, Script } from '../script/script.ts'

const opening = `Two subagents work for me now, and a command runs in the background. Each has a line below.

- **Alt+X** lists them: \`Enter\` opens what one of them says and does, \`s\` stops it.
- One of them will ask you something; the question says who asks.

I wait for both.`

const ending = '\n\nBoth have reported. `/running` still lists them, with all that they said.'

/** A text, a few words at a time. */
const says = (text: string): BesideStep[] =>
  (text.match(/\S+\s*(?:\S+\s*){0,3}/g) ?? []).map(words => ({
    after: 220,
    does: { type: 'text_received', text: words },
  }))

const runs = (id: string, name: string, args: Readonly<Record<string, string>>, output: string): BesideStep[] => [
  { after: 500, does: { type: 'tool_called', id, name, arguments: args } },
  { after: 1200, does: { type: 'tool_finished', id, failed: false, content: [{ type: 'text', text: output }] } },
]

const asked = (text: string): BesideStep => ({ after: 100, does: { type: 'prompt_sent', text, images: [] } })

const spends = (input: number, output: number): BesideStep => ({
  after: 50,
  does: {
    type: 'usage_reported',
    usage: { input, output, cacheRead: 0, cacheWrite: 0, costUsd: 0, reasoning: null },
    auxiliary: false,
  },
})

const finder: readonly BesideStep[] = [
  {
    after: 300,
    reports: {
      kind: 'subagent',
      name: 'finder',
      about: 'find where the parser loses time',
      model: 'demo-small',
      canStop: true,
    },
  },
  asked('Find where the parser loses time.'),
  ...says('I look at the sources first.\n\n'),
  ...runs('f1', 'read', { path: 'src/parser.ts' }, 'export function parse(text: string) {\n'),
  spends(2100, 160),
  ...says('The loop over all tokens begins again for each line. That is where the time goes.\n\n'),
  ...runs('f2', 'bash', { command: 'npm run profile' }, '$ npm run profile\n\nparse 81 %\nlex 12 %\n\n[exit 0]'),
  spends(2900, 240),
  ...says('81 percent of the time is spent there.'),
  { after: 400, reports: { state: 'done', canStop: false, summary: '81 percent of the time is spent in one loop.' } },
]

const writer: readonly BesideStep[] = [
  {
    after: 700,
    reports: { kind: 'subagent', name: 'writer', about: 'write a test for it', model: 'demo-large', canStop: true },
  },
  asked('Write a test that fails while the parser is slow.'),
  ...says('A test of time needs a limit, so I have a question.\n\n'),
  {
    after: 800,
    asks: {
      message: 'How long may the parser take for a thousand lines?',
      fields: [
        {
          name: 'limit',
          label: 'At most',
          kind: 'choice',
          required: true,
          choices: [
            { value: '10', label: '10 ms' },
            { value: '50', label: '50 ms' },
          ],
        },
      ],
    },
  },
  ...says('Then I write it with that.\n\n'),
  ...runs('w1', 'write', { path: 'test/parser-time.test.ts', content: 'test("is fast", () => {})\n' }, 'Wrote it.'),
  spends(1800, 420),
  ...says('The test is written, and fails for now.'),
  { after: 400, reports: { state: 'done', canStop: false, summary: 'The test is written.' } },
]

const command: readonly BesideStep[] = [
  { after: 200, reports: { kind: 'command', name: 'npm run watch', canStop: true } },
  { after: 60_000, reports: { state: 'done', canStop: false, summary: 'It ended by itself.' } },
]

export const beside: Script = {
  name: 'tour running',
  words: ['subagents', 'running'],
  about: 'two subagents and a command in the background; one of them asks you something',
  calls: [[{ text: opening, pace: 16 }, { pause: 16_000 }, ending]],
  beside: [
    { id: 'finder', steps: finder },
    { id: 'writer', steps: writer },
    { id: 'watch', steps: command },
  ],
}
